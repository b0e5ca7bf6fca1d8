package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// A Stream carries one connection for sourcegraph/jsonrpc2. It taps every raw line first, checks its envelope itself, and
// decodes last.
type Stream struct {
	Terms
	t    *Transcript
	in   *lineReader
	out  io.WriteCloser
	wmu  sync.Mutex // one line at a time, tapped in the order of writing
	sent atomic.Int64
	// stuck is set when a write has waited for too long: what was half written then has broken the framing, so nothing is written
	// any more.
	stuck   atomic.Bool
	working atomic.Bool // on a line that has been read
	pace    pace
	said    map[Limit]bool // limits whose crossing has been told
}

// Terms are how a Stream deals with an agent. All but Patience may be zero.
type Terms struct {
	Patience time.Duration   // bounds a write, or each MiB of it, to an agent that does not read: pipes hold 64 KiB, then a write blocks
	Waiting  func()          // called whenever all that was read has been handled and the next read may block
	Ended    func(error)     // called when the agent's output has ended; a *Crossed is why it is not read to its end
	Limits   Limits          // those of lines, frames and what is recorded count here
	Budget   *Budget         // of the agents of one rule; nil = no limit
	Crossed  func(*Crossed)  // called when the agent crosses a limit, once for each
	Heavy    sync.Locker     // held while a long line is handled, so that many connections do not do so at the same time
	Stop     <-chan struct{} // ends a wait of the stream's own
}

// heavy is from how many bytes on a line is handled alone: decoded it takes many times its length.
const heavy = 1 << 20

// NewStream reads the agent's lines from r and writes ours to w.
func NewStream(r io.Reader, w io.WriteCloser, t *Transcript, terms Terms) *Stream {
	terms.Limits = terms.Limits.Or(DefaultLimits())
	in := newLineReader(r, int(terms.Limits.Line), terms.Waiting)
	in.budget = terms.Budget
	return &Stream{Terms: terms, t: t, out: w, in: in, pace: pace{most: terms.Limits.Frames}, said: map[Limit]bool{}}
}

// Counts are the bytes written to the agent (counted before they are written) and the bytes of the agent that were handled.
func (s *Stream) Counts() (sent, handled int64) { return s.sent.Load(), s.in.handled.Load() }

// Partial is the beginning of a line of the agent whose end has not come yet, nil if there is none.
func (s *Stream) Partial() []byte {
	if p := s.in.partial.Load(); p != nil {
		return bytes.Clone(*p)
	}
	return nil
}

// ReadObject returns the next message that the library can digest. Lines that it cannot are still tapped.
func (s *Stream) ReadObject(v any) error {
	for {
		text, dropped, err := s.in.next()
		s.bound(dropped, err)
		if crossed(err) == nil && (len(text) > 0 || err == nil) && s.handle(Frame{From: Agent, Line: text, Unended: err != nil, Dropped: dropped}, v) {
			return nil
		}
		if err != nil {
			if s.Ended != nil {
				s.Ended(err)
			}
			return err
		}
	}
}

// Working tells whether a line has been read and is not yet handled, which takes time if it is long: it may be what is waited for.
func (s *Stream) Working() bool { return s.working.Load() }

// handle taps a line and decodes it into v; it tells whether the library can digest it.
func (s *Stream) handle(f Frame, v any) bool {
	s.working.Store(true)
	defer s.working.Store(false)
	if s.Heavy != nil && len(f.Line) > heavy {
		s.Heavy.Lock()
		defer s.Heavy.Unlock()
	}
	env := Inspect(f.Line)
	if env.Deep {
		s.cross(&Crossed{LimitLine, fmt.Sprintf("wrote a line that is nested deeper than %d levels", deepest)})
	}
	s.t.add(f, env)
	if !env.Digestible() || f.Dropped > 0 {
		return false
	}
	if json.Unmarshal(env.gist(f.Line), v) == nil {
		return true
	}
	zero(v)
	return false
}

// bound tells of limits that were crossed, and holds an agent to its pace.
func (s *Stream) bound(dropped int, err error) {
	if dropped > 0 {
		s.cross(&Crossed{LimitLine, "wrote a line of more than " + size(s.Limits.Line)})
	}
	if c := crossed(err); c != nil {
		s.cross(c)
	}
	wait := s.pace.next(time.Now)
	if wait == 0 {
		return
	}
	s.cross(&Crossed{LimitFrames, fmt.Sprintf("wrote more than %d lines in a second", s.Limits.Frames)})
	t := time.NewTimer(wait)
	defer t.Stop()
	select {
	case <-t.C:
	case <-s.Stop:
	}
}

func (s *Stream) cross(c *Crossed) {
	if s.Terms.Crossed != nil && !s.said[c.Limit] {
		s.said[c.Limit] = true
		s.Terms.Crossed(c)
	}
}

// crossed is the limit that an error is about, nil if it is about none.
func crossed(err error) *Crossed {
	var c *Crossed
	if errors.As(err, &c) {
		return c
	}
	return nil
}

// gist is what the library needs of a message: whom to call. What was said is read from the tap, so that the library, which decodes
// everything twice, need not see it; only requests, and the few notifications of JSON-RPC itself, are handed on whole.
func (e Envelope) gist(line []byte) []byte {
	switch {
	case e.Kind == Response:
		return slices.Concat([]byte(`{"id":`), e.ID, []byte(`,"result":null}`))
	case e.Kind == Notification && !strings.HasPrefix(e.Name, "$/"):
		return slices.Concat([]byte(`{"method":`), e.Method, []byte(`}`))
	}
	return line
}

// zero clears a value that a failed decode may have half filled: the library would take the next good response for a request.
func zero(v any) { reflect.ValueOf(v).Elem().SetZero() }

// WriteObject writes one message of ours.
func (s *Stream) WriteObject(v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return s.write(false, nil, append(b, '\n'))
}

// Raw writes bytes exactly as given, with no line end of their own unless they have one. Each line is tapped before
// anything is written; deliberate marks them as bad on purpose. between, if not nil, is called between two chunks.
func (s *Stream) Raw(deliberate bool, between func(), chunks ...[]byte) error {
	return s.write(deliberate, between, chunks...)
}

// Errors of a write.
var (
	ErrInputClosed = errors.New("the agent's input is closed")
	ErrNotReading  = errors.New("the agent does not read its input")
)

func (s *Stream) write(deliberate bool, between func(), chunks ...[]byte) error {
	s.wmu.Lock()
	defer s.wmu.Unlock()
	if s.stuck.Load() {
		return ErrNotReading
	}
	for _, l := range bytes.Split(bytes.TrimSuffix(bytes.Join(chunks, nil), []byte("\n")), []byte("\n")) {
		s.t.Add(Frame{From: Client, Line: l, Deliberate: deliberate})
	}
	for i, c := range chunks {
		if i > 0 && between != nil {
			between()
		}
		s.sent.Add(int64(len(c)))
		if err := s.put(c); err != nil {
			return err
		}
	}
	return nil
}

// Close does nothing: the library calls it when the agent's output ends, and an agent that only closed its output should not
// be told apart by what we do to its input. Whoever made the pipes closes them.
func (*Stream) Close() error { return nil }

// piece is how many bytes an agent is given the time of Patience for: who reads a long line slowly does read.
const piece = 1 << 20

// put writes one chunk, each piece of it under a deadline.
func (s *Stream) put(chunk []byte) error {
	for len(chunk) > piece {
		if err := s.putPiece(chunk[:piece]); err != nil {
			return err
		}
		chunk = chunk[piece:]
	}
	return s.putPiece(chunk)
}

// putPiece takes the deadline back so that a later close is not affected by it.
func (s *Stream) putPiece(chunk []byte) error {
	if d, ok := s.out.(interface{ SetWriteDeadline(time.Time) error }); ok && d.SetWriteDeadline(time.Now().Add(s.Patience)) == nil {
		defer func() { _ = d.SetWriteDeadline(time.Time{}) }()
	}
	switch _, err := s.out.Write(chunk); {
	case err == nil:
		return nil
	case errors.Is(err, os.ErrDeadlineExceeded):
		s.stuck.Store(true)
		return ErrNotReading
	default:
		return errors.Join(ErrInputClosed, err)
	}
}
