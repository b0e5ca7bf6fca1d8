package client

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/acp-conform/acp-conform/conformance/wire"
)

// Call is a request of ours that is on the wire.
type Call struct {
	c       *Client
	Method  string
	id      string // as Envelope.Key gives it
	err     error
	limit   time.Duration
	started time.Time
	got     *Line // the answer, when it has been taken; guarded by Client.mu
}

// Answer is what became of a request.
type Answer struct {
	State   State  // Met: there is a response
	Why     string // why there is none
	Method  string
	Request wire.Frame
	Frame   wire.Frame // the response
	Result  json.RawMessage
	Err     *Error
	Took    time.Duration
	Beside  []wire.Frame // other lines that matter, such as the cancel of a turn
}

// Start sends a request and returns when it is written, so that what is sent next is behind it.
func (c *Client) Start(method string, params any) *Call {
	c.mu.Lock()
	c.nextID++ // from 1: a library that reads an absent id as 0 must not hit one of ours
	id := c.nextID
	c.mu.Unlock()
	return c.StartID(jsonrpc2.ID{Num: id}, method, params)
}

// StartID is Start with an id of the caller's choice.
func (c *Client) StartID(id jsonrpc2.ID, method string, params any) *Call {
	key, err := json.Marshal(id)
	if err != nil {
		panic(err)
	}
	call := &Call{c: c, Method: method, id: string(key), limit: c.patience(), started: time.Now()}
	if params == nil {
		params = struct{}{}
	}
	if _, call.err = c.conn.DispatchCall(c.ctx, method, params, jsonrpc2.PickID(id)); errors.Is(call.err, jsonrpc2.ErrClosed) {
		call.err = c.sendAnyway(jsonrpc2.Request{ID: id, Method: method}, params)
	}
	return call
}

// sendAnyway writes what the library refuses to write because the agent's output has ended. Whether it has noticed that by now is a
// matter of time; that the agent owes an answer, unless we have asked it to end, is not.
func (c *Client) sendAnyway(r jsonrpc2.Request, params any) error {
	c.mu.Lock()
	closed := c.closed
	c.mu.Unlock()
	raw, err := json.Marshal(params)
	if err != nil || closed || c.cutShort() || c.ctx.Err() != nil {
		return jsonrpc2.ErrClosed
	}
	r.Params = (*json.RawMessage)(&raw)
	return c.stream.WriteObject(&r)
}

// Call sends a request and waits for its answer.
func (c *Client) Call(method string, params any) Answer { return c.Start(method, params).Wait() }

// Notify sends a notification.
func (c *Client) Notify(method string, params any) error {
	err := c.conn.Notify(c.ctx, method, params)
	if errors.Is(err, jsonrpc2.ErrClosed) {
		err = c.sendAnyway(jsonrpc2.Request{Method: method, Notif: true}, params)
	}
	return c.written(err)
}

// Raw writes bytes that a well-behaved client would not send. From here on watchers look away from this connection.
func (c *Client) Raw(lines ...string) error {
	return c.RawExact([]byte(strings.Join(lines, "\n") + "\n"))
}

// RawExact is Raw without a line end of its own.
func (c *Client) RawExact(b []byte) error { return c.written(c.stream.Raw(true, nil, b)) }

// written is the error of a write. That an agent which has gone takes nothing is none: whether it has gone before the write or just
// behind it is a matter of time, and what it does not answer tells the same.
func (c *Client) written(err error) error {
	if !errors.Is(err, wire.ErrInputClosed) {
		return err
	}
	c.Window() // it closes its input and its output, one after the other
	if c.Gone() {
		return nil
	}
	return err
}

// Chunks writes legal input in pieces, each when the agent is likely to have read the one before: where it cannot be seen that
// it has, after the pause.
func (c *Client) Chunks(pause time.Duration, chunks ...[]byte) error {
	if _, seen := c.Peer.(quieter); seen {
		pause = c.Timeouts.Request // at most: it ends when the agent is idle
	}
	return c.written(c.stream.Raw(false, func() { c.await(pause, func() (State, string) { return NotYet, "" }) }, chunks...))
}

// Wait waits for the answer, for as long as the method is given.
func (call *Call) Wait() Answer { return call.WaitFor(call.limit) }

// WaitFor waits for the answer for at most limit.
func (call *Call) WaitFor(limit time.Duration) Answer {
	c := call.c
	a := Answer{Method: call.Method}
	if errors.Is(call.err, wire.ErrInputClosed) {
		c.Window() // an agent that ends closes its input and its output, and it is the end of the output that tells why
	}
	if call.err != nil && !c.Gone() {
		a.State, a.Why = Never, "the request could not be written: "+call.err.Error()
		return a
	}
	a.State, a.Why = c.awaitFor(call.id, "the answer to "+call.Method+" (id "+call.id+")", limit, func() (State, string) { return stateIf(call.Done()), "" })
	c.mu.Lock()
	a.Request = c.record.sent[call.id].Frame
	if got, ok := c.record.take(call.id); ok && call.got == nil {
		call.got = &got
	}
	if call.got != nil {
		a.fill(*call.got)
		a.Took = call.got.At.Sub(a.Request.At)
	}
	c.mu.Unlock()
	return a
}

// Done tells whether the answer is there.
func (call *Call) Done() bool {
	call.c.mu.Lock()
	defer call.c.mu.Unlock()
	return len(call.c.record.answers[call.id]) > 0
}

// Answers are all responses that this request got so far.
func (call *Call) Answers() []Line {
	call.c.mu.Lock()
	defer call.c.mu.Unlock()
	return append([]Line(nil), call.c.record.answers[call.id]...)
}

func (a *Answer) fill(l Line) {
	a.Frame, a.Result = l.Frame, l.Result
	if l.Error != nil {
		a.Err = &Error{}
		if json.Unmarshal(l.Error, a.Err) != nil {
			a.Err.Message = string(l.Error)
		}
	}
}

// OK tells whether the request was answered by a result.
func (a Answer) OK() bool { return a.State == Met && a.Err == nil && a.Result != nil }

// Code is the error code, 0 where there is no error.
func (a Answer) Code() int {
	if a.Err == nil {
		return 0
	}
	return a.Err.Code
}

// Auth tells whether the agent asks for authentication first: then the answer says nothing about anything else.
func (a Answer) Auth() bool { return a.Code() == CodeAuthRequired }

// Frames are the request and, if there is one, the response.
func (a Answer) Frames() []wire.Frame {
	var f []wire.Frame
	if a.Request.Seq > 0 {
		f = append(f, a.Request)
	}
	if a.Frame.Seq > 0 {
		f = append(f, a.Frame)
	}
	return append(f, a.Beside...)
}

// Member is a member of the result, nil where it is absent.
func (a Answer) Member(name string) Value {
	return Value{decode(wire.Member(a.Result, name)), a.Frames()}
}

// Is makes any value cite this answer.
func (a Answer) Is(v any) Value { return Value{v, a.Frames()} }

// String says how the request was answered, for a person.
func (a Answer) String() string {
	switch {
	case a.State != Met:
		return "no answer: " + a.Why
	case a.Err != nil:
		return fmt.Sprintf("error %d (%s)", a.Err.Code, cut(a.Err.Message, 120))
	case a.Result == nil:
		return "a response without a result"
	}
	return "a result"
}

func cut(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n]) + "…"
	}
	return s
}

// held tells whether answers may be held back by us.
func (c *Client) held() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.paced
}

// GiveUp notes in the transcript that a request of ours was not answered, unless we still owe the agent something, or are at work on
// what it said. One that has gone waits for nothing.
func (call *Call) GiveUp(why string) {
	c := call.c
	if c.ctx.Err() != nil || c.cutShort() || c.held() || c.stream.Working() || c.owes() && !c.Gone() {
		return
	}
	c.Remark(Remark{Unanswered: json.RawMessage(call.id), Why: why, Partial: string(c.stream.Partial())})
}
