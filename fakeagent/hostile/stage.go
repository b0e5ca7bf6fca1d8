package hostile

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/acp-conform/acp-conform/fakeagent"
)

// stage is a mode at work: its pipes, and what it has overheard. It is the reader and the writer of the correct agent.
type stage struct {
	Options
	ctx    context.Context
	stdin  *os.File
	stdout *os.File
	stderr io.Writer
	over   chan error // how the mode ends in the middle of what it does

	// hear sees the client's lines before the agent does; false keeps one from it. It runs on the goroutine that reads.
	hear func(message) bool

	// Of the goroutine that reads.
	lines   *bufio.Reader
	rest    []byte   // of a line that the agent has not taken yet
	held    [][]byte // lines that came while an answer was waited for
	cwd     string   // of the last session/new
	session string   // of the first prompt
	asked   int

	writing sync.Mutex
	fallen  bool // nothing is said any more; of whoever holds the output of the agent
}

func newStage(ctx context.Context, o Options, stdin, stdout *os.File, stderr io.Writer) *stage {
	return &stage{Options: o, ctx: ctx, stdin: stdin, stdout: stdout, stderr: stderr, over: make(chan error, 1),
		hear: func(message) bool { return true }, lines: bufio.NewReader(stdin)}
}

// message is a line of the client as far as modes look into it.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params params          `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  json.RawMessage `json:"error"`
}

type params struct {
	SessionID string `json:"sessionId"`
	Cwd       string `json:"cwd"`
}

// many is a count or a size in bytes of the description, scaled.
func (s *stage) many(full int) int { return max(1, int(float64(full)*s.Scale)) }

// Read gives the agent the client's lines, one at a time.
func (s *stage) Read(p []byte) (int, error) {
	for len(s.rest) == 0 {
		line, err := s.next()
		if err != nil {
			return 0, err
		}
		m := s.read(line)
		if m.Method == "session/new" {
			s.cwd = m.Params.Cwd
		}
		if s.hear(m) {
			s.rest = line
		}
	}
	n := copy(p, s.rest)
	s.rest = s.rest[n:]
	return n, nil
}

// next is the next line of the client, with its line end.
func (s *stage) next() ([]byte, error) {
	if len(s.held) > 0 {
		line := s.held[0]
		s.held = s.held[1:]
		return line, nil
	}
	line, err := s.lines.ReadBytes('\n')
	if len(line) > 0 {
		return line, nil
	}
	return nil, err
}

func (*stage) read(line []byte) (m message) {
	_ = json.Unmarshal(line, &m) // what cannot be read is not for us
	return m
}

// Write writes to the client, as the agent does.
func (s *stage) Write(b []byte) (int, error) {
	s.writing.Lock()
	defer s.writing.Unlock()
	return s.stdout.Write(b)
}

// say writes text to the client as it is.
func (s *stage) say(text string) { _, _ = s.Write([]byte(text)) }

// repeat writes a text so many times, in large pieces. It ends early when nobody reads any more.
func (s *stage) repeat(w io.Writer, text string, times int) {
	each := max(1, (64<<10)/len(text))
	chunk := bytes.Repeat([]byte(text), min(each, times))
	for times > 0 {
		n := min(times, each)
		if _, err := w.Write(chunk[:n*len(text)]); err != nil {
			return
		}
		times -= n
	}
}

// line is one message of our own as a line.
func line(v any) string {
	b, err := json.Marshal(v)
	if err != nil { // strings, numbers and maps always encode
		panic(err)
	}
	return string(b) + "\n"
}

// note is a notification as a line.
func note(method string, params any) string {
	return line(map[string]any{"jsonrpc": "2.0", "method": method, "params": params})
}

// update is a session/update of the session of the first prompt.
func (s *stage) update(body map[string]any) string {
	return note("session/update", map[string]any{"sessionId": s.session, "update": body})
}

// chunk is an update that says a text.
func (s *stage) chunk(text string) string {
	return s.update(map[string]any{"sessionUpdate": "agent_message_chunk", "messageId": "hostile", "content": map[string]any{"type": "text", "text": text}})
}

// post sends a request and returns its id.
func (s *stage) post(method string, params any) string {
	s.asked++
	id := fmt.Sprintf("hostile-%d", s.asked)
	s.say(line(map[string]any{"jsonrpc": "2.0", "id": id, "method": method, "params": params}))
	return id
}

// ask sends a request and waits for the answer. What else comes meanwhile is kept for later. Only the goroutine that reads may ask.
func (s *stage) ask(method string, params any) message { return s.answer(s.post(method, params)) }

func (s *stage) answer(id string) message {
	want := fmt.Sprintf("%q", id)
	for {
		line, err := s.lines.ReadBytes('\n')
		if err != nil {
			s.end(nil)
		}
		m := s.read(line)
		if m.Method == "" && string(m.ID) == want {
			return m
		}
		s.held = append(s.held, line)
	}
}

// end ends the agent and does not return.
func (s *stage) end(err error) {
	s.over <- err
	select {}
}

// exit ends the agent with a status.
func (s *stage) exit(code int) {
	if code == 0 {
		s.end(nil)
	}
	s.end(&fakeagent.ExitError{Code: code})
}

// gaveIn ends the agent because the client gave it what it must not give.
func (s *stage) gaveIn(what string) {
	_, _ = fmt.Fprintln(s.stderr, "hostile: the client gave in: "+what)
	s.exit(GaveIn)
}

// need ends the agent if what it does cannot be prepared.
func (s *stage) need(err error) {
	if err != nil {
		_, _ = fmt.Fprintln(s.stderr, "hostile: this cannot be prepared: "+err.Error())
		s.exit(Unable)
	}
}

// linger waits until the input has ended.
func (s *stage) linger() { _, _ = io.Copy(io.Discard, s.lines) }

// stay waits until ctx ends.
func (s *stage) stay() { <-s.ctx.Done() }

// stayForEver waits for nothing.
func stayForEver() {
	for {
		time.Sleep(time.Hour)
	}
}

var errNoChild = errors.New("no command for children was given")
