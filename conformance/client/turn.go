package client

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/acp-conform/acp-conform/conformance/wire"
)

// Turn is a prompt that is on the wire. See https://agentclientprotocol.com/protocol/v1/prompt-turn.
type Turn struct {
	*Call
	s         *Session
	mark      Mark
	done      func()
	Cancelled bool // we asked for its cancellation
	held      bool // the stimulus surely keeps it running until it is cancelled or released
	refused   error
}

// Prompt starts a turn. held says that the task surely keeps it running until it is cancelled.
func (s *Session) Prompt(blocks []any, held bool) *Turn {
	t := &Turn{s: s, held: held, done: func() {}}
	if s.c.StartTurn != nil {
		done, err := s.c.StartTurn()
		if err != nil {
			t.Call = &Call{c: s.c, Method: "session/prompt", err: err, started: time.Now()}
			t.refused = err
			return t
		}
		t.done = done
	}
	t.mark = s.c.Mark()
	t.Call = s.c.Start("session/prompt", map[string]any{"sessionId": s.ID, "prompt": blocks})
	return t
}

// Refused tells why the turn was not started at all, if it was not.
func (t *Turn) Refused() error { return t.refused }

// Held tells whether the turn surely runs until it is cancelled.
func (t *Turn) Held() bool { return t.held }

// Started waits for something that only a running turn does: a chunk, a tool call, a plan or a request of its session before
// its answer. What is announced of a session that has just been opened may come behind the prompt, but tells nothing about the
// turn. It is false where nothing came, or the turn has ended as well.
func (t *Turn) Started() bool {
	s, _ := t.s.c.awaitFor(t.id, "a sign that the turn (id "+t.id+") goes on", t.s.c.Timeouts.Turn, func() (State, string) {
		if t.Done() {
			return Never, ""
		}
		return stateIf(slices.ContainsFunc(t.Lines(), workOfTurn)), ""
	})
	return s == Met && !t.Done() // what it said last may have been seen before its end
}

func workOfTurn(l Line) bool {
	kind := text(wire.Member(wire.Member(l.Params, "update"), "sessionUpdate"))
	switch {
	case strings.HasPrefix(kind, "user_message"): // what was said to it
		return false
	case kind == "state_update":
		return text(wire.Member(wire.Member(l.Params, "update"), "state")) == "running"
	}
	return l.Kind == wire.Request || strings.HasSuffix(kind, "_chunk") || strings.HasPrefix(kind, "tool_call") || strings.HasPrefix(kind, "plan")
}

// Lines are what the agent said about the session since the prompt: its updates and its requests, up to now.
func (t *Turn) Lines() []Line { return t.s.c.about(t.s.ID, t.mark) }

func (c *Client) about(session string, m Mark) []Line {
	var got []Line
	for _, l := range c.Since(m) {
		if (l.Kind == wire.Notification || l.Kind == wire.Request) && text(wire.Member(l.Params, "sessionId")) == session {
			got = append(got, l)
		}
	}
	return got
}

// Update is one session/update.
type Update struct {
	Line
	Kind string // its discriminator sessionUpdate
	Body json.RawMessage
}

// Updates are the updates of the session since the prompt.
func (t *Turn) Updates() []Update { return t.s.c.updates(t.s.ID, t.mark) }

func (c *Client) updates(session string, m Mark) []Update {
	var got []Update
	for _, l := range c.about(session, m) {
		if l.Name == "session/update" {
			body := wire.Member(l.Params, "update")
			got = append(got, Update{l, text(wire.Member(body, "sessionUpdate")), body})
		}
	}
	return got
}

// Said is the text of the agent's message chunks since the prompt, with the lines that carry it.
func (t *Turn) Said() Value { return t.s.c.Said(t.s.ID, t.mark) }

// Said is the text of the message chunks of a session behind a mark, with the lines that carry it.
func (c *Client) Said(session string, m Mark) Value {
	var v Value
	var s string
	for _, u := range c.updates(session, m) {
		if u.Kind == "agent_message_chunk" {
			s += text(wire.Member(wire.Member(u.Body, "content"), "text"))
			v.Cite = append(v.Cite, u.Frame)
		}
	}
	v.Of = s
	return v
}

// Cancel asks for the end of the turn.
func (t *Turn) Cancel() {
	t.Cancelled = true
	t.s.Cancel()
}

// End waits for the answer. A turn that does not end within its timeout is cancelled first: only silence after that means
// that it was never answered, and it is noted in the transcript then.
func (t *Turn) End() Answer {
	defer t.done()
	if t.refused != nil {
		return Answer{State: Never, Why: t.refused.Error(), Method: t.Method}
	}
	limit := max(t.s.c.Timeouts.Turn, t.s.c.Timeouts.Request)
	a := t.ended(limit)
	if a.State != Met && !t.Cancelled && !t.s.c.Gone() && t.err == nil {
		t.Cancel()
		a = t.ended(limit)
	}
	if a.State != Met && !t.Call.Done() {
		t.GiveUp(a.Why)
	}
	if t.Cancelled {
		a.Beside = append(a.Beside, t.s.c.CancelOf(t.s.ID))
	}
	return a
}

// Ran tells whether the turn ended by itself, by a result, and if not, why: then it can prove nothing about turns.
func (t *Turn) Ran() (Answer, bool, string) {
	a := t.End()
	switch {
	case a.State != Met:
		return a, false, "the prompt was not answered: " + a.Why
	case a.Auth():
		return a, false, "the agent asks for authentication first"
	case a.Err != nil:
		return a, false, "the prompt was answered by " + a.String()
	case a.Result == nil:
		return a, false, "the prompt was answered by a response without a result"
	case t.failed():
		return a, false, "the turn ended with an error"
	case t.Cancelled:
		return a, false, "the turn did not end until it was cancelled"
	}
	return a, true, ""
}

// Linger gives a turn that may be about to end a quiet window to do so; it returns as soon as it has ended.
func (t *Turn) Linger() {
	t.s.c.await(t.s.c.Timeouts.Window, func() (State, string) { return stateIf(t.Done()), "" })
}

// Release gives back the turn's place among the running ones; End does so by itself.
func (t *Turn) Release() { t.done() }
