package client

import (
	"time"

	"github.com/acp-conform/acp-conform/conformance/wire"
)

// The end of a turn is the answer to the prompt in version 1. In version 2 the prompt is answered when it has become part of the
// conversation, and the turn ends when the session reports that it is idle.
// See https://agentclientprotocol.com/protocol/v2/draft/prompt-lifecycle#session-states.

// v2 tells whether states are reported on the connection of the turn.
func (t *Turn) v2() bool { return t.s.c.Init.Version == 2 }

// Done tells whether the turn has ended.
func (t *Turn) Done() bool {
	if !t.v2() {
		return t.Call.Done()
	}
	if !t.Call.Done() {
		return false
	}
	if got := t.Answers(); got[0].Error != nil {
		return true
	}
	_, ok := t.Idle()
	return ok
}

// Idle is the state_update that ended the turn, in version 2.
func (t *Turn) Idle() (Update, bool) {
	for _, u := range t.Updates() {
		if u.Kind == "state_update" && text(wire.Member(u.Body, "state")) == "idle" {
			return u, true
		}
	}
	return Update{}, false
}

// ended waits for the end of the turn. In version 2 the answer cites the update that ended it, and is NotYet or Never where it
// does not come.
func (t *Turn) ended(limit time.Duration) Answer {
	started := time.Now()
	a := t.WaitFor(limit)
	if !t.v2() || !a.OK() {
		return a
	}
	state, why := t.s.c.awaitFor(t.id, "the session to become idle after session/prompt (id "+t.id+")", limit-time.Since(started), func() (State, string) { return stateIf(t.Done()), "" })
	if state != Met {
		a.State, a.Why = state, "the session did not become idle: "+why
		return a
	}
	u, _ := t.Idle()
	a.Beside = append(a.Beside, u.Frame)
	a.Took = u.At.Sub(a.Request.At)
	return a
}

// failed tells whether the turn ended, in version 2, with a failure, which version 1 has an error response for.
func (t *Turn) failed() bool {
	u, ok := t.Idle()
	return t.v2() && ok && text(wire.Member(u.Body, "stopReason")) == "error"
}

// StopReason is why the turn ended, nil where that is not said; it waits for the end of the turn.
func (t *Turn) StopReason() Value {
	a := t.End()
	switch u, idle := t.Idle(); {
	case a.OK() && t.v2() && idle:
		return Value{decode(wire.Member(u.Body, "stopReason")), a.Frames()}
	case a.OK():
		return a.Member("stopReason")
	}
	return a.Is(a.String())
}
