package fakeagent

// foreground is what a session does in version 2. It ends when the session leaves memory. It is guarded by the lock of the
// store.
type foreground struct {
	conns      map[*Conn]bool // those that created or resumed the session
	state      Object         // what was reported last
	background []*Tool        // what goes on while the state is idle
	detached   bool           // there has been background work, so that every state tells of it
	held       []*Turn        // prompts that wait for the turn to end
}

// report tells the client what the foreground does, and remembers it, so that whoever asks is told the same. It is called
// only while no line of the client is being handled, or by what handles one: so no answer is older than a state before it.
// See https://agentclientprotocol.com/protocol/v2/draft/prompt-lifecycle#session-states.
func (c *Conn) report(s *Session, state Object) {
	if state == nil {
		return
	}
	state = c.b.StateUpdate(c, s, state)
	c.a.update(func() { s.state = state })
	c.announce(s, with(state, "sessionUpdate", "state_update"))
}

// report is for the goroutine of the turn.
func (t *Turn) report(state Object) {
	t.c.handling.Lock()
	defer t.c.handling.Unlock()
	t.c.report(t.s, state)
}

// stateUpdate adds the background work, if there has been any.
func stateUpdate(c *Conn, s *Session, state Object) Object {
	c.a.update(func() {
		if !s.detached {
			return
		}
		list := []any{}
		for _, tool := range s.background {
			list = append(list, Object{"type": "tool_call", "toolCallId": tool.ID})
		}
		for _, child := range s.children {
			list = append(list, Object{"type": "subagent", "sessionId": child.ID})
		}
		state = with(state, "background", list)
	})
	return state
}

func running(*Turn) Object        { return Object{"state": "running"} }
func requiresAction(*Turn) Object { return Object{"state": "requires_action"} }

// idle ends the work of the foreground; e is the failure that ended it, if one did.
func idle(_ *Turn, stopReason string, e *Error) Object {
	state := Object{"state": "idle", "stopReason": stopReason}
	if e != nil {
		failure := Object{"code": e.Code, "message": e.Message}
		if e.Data != nil {
			failure["data"] = e.Data
		}
		state["error"] = failure
	}
	return state
}

// currentState is what was reported last, and idle for a session about which nothing was reported. The turn of a connection
// of version 1 reports nothing.
func currentState(c *Conn, s *Session) Object {
	state := Object{"state": "idle"}
	c.a.update(func() {
		switch {
		case s.turn != nil && s.turn.d.version == 1:
			state = Object{"state": "running"}
		case s.state != nil:
			state = s.state
		}
	})
	return state
}

// status2 is session/status: the word, and for a session in memory what its foreground does.
func status2(c *Conn, r *Request) (any, *Error) {
	result, e := c.b.Status(c, r)
	answer, ok := result.(Object)
	active, _ := c.b.StatusWords(c.a)
	if e != nil || !ok || answer["status"] != active {
		return result, e
	}
	s := c.b.StatusSession(c, text(r.Params, "sessionId"))
	if s == nil {
		return result, nil
	}
	if state := c.b.StatusState(c, s); state != nil {
		answer = with(answer, "state", state)
	}
	return answer, nil
}

func statusState(c *Conn, s *Session) any { return currentState(c, s) }
