package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// DefaultMaxLine is the longest line that is kept, in bytes. What a longer one has beyond it is read and thrown away.
const DefaultMaxLine = 16 << 20

// A Stream carries one connection for sourcegraph/jsonrpc2. It taps every raw line first, checks its envelope itself, and
// decodes last.
type Stream struct {
	t     *Transcript
	in    *lineReader
	out   io.WriteCloser
	wmu   sync.Mutex // one line at a time, tapped in the order of writing
	sent  atomic.Int64
	ended func(error)
	// patience is how long one write may wait for an agent that does not read; stuck is set when it was too long: what was half
	// written then has broken the framing, so nothing is written any more.
	patience time.Duration
	stuck    atomic.Bool
}

// NewStream reads the agent's lines from r and writes ours to w. The functions may be nil: waiting is called whenever all
// that was read has been handled and the next read may block; ended when the agent's output has ended.
// patience bounds a write to an agent that does not read: pipes hold 64 KiB, then a write blocks.
func NewStream(r io.Reader, w io.WriteCloser, t *Transcript, patience time.Duration, waiting func(), ended func(error)) *Stream {
	return &Stream{t: t, out: w, ended: ended, patience: patience, in: newLineReader(r, DefaultMaxLine, waiting)}
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
		if len(text) > 0 || err == nil {
			f := Frame{From: Agent, Line: text, Unended: err != nil, Dropped: dropped}
			env := Inspect(text)
			s.t.add(f, env)
			if env.Digestible() && dropped == 0 {
				if json.Unmarshal(env.gist(text), v) == nil {
					return nil
				}
				zero(v)
			}
		}
		if err != nil {
			if s.ended != nil {
				s.ended(err)
			}
			return err
		}
	}
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

// put writes one chunk under a deadline, and takes the deadline back so that a later close is not affected by it.
func (s *Stream) put(chunk []byte) error {
	if d, ok := s.out.(interface{ SetWriteDeadline(time.Time) error }); ok && d.SetWriteDeadline(time.Now().Add(s.patience)) == nil {
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
