package fakeagent

import "fmt"

// runSubagent starts a sub-agent, or ends those of the session. Its session is live from the update that announces it to the
// one that says that it is idle; it is not listed, not kept, and nobody but its parent works with it.
// See https://agentclientprotocol.com/protocol/v1/draft/schema#subagentupdate.
func runSubagent(t *Turn, args string) (string, error) {
	if !t.b.MaySubagent(t.c) {
		t.say("the client knows no sub-agents")
		return "", nil
	}
	t.c.handling.Lock()
	defer t.c.handling.Unlock()
	if args == "stop" {
		t.c.endChildren(t.s)
	} else {
		t.c.startChild(t.s)
	}
	if t.d.version == 2 {
		t.c.report(t.s, t.b.Running(t))
	}
	return "", nil
}

// startChild makes the session of a sub-agent and announces it on that of its parent.
func (c *Conn) startChild(parent *Session) {
	var cwd string
	var n int
	c.a.update(func() { cwd = parent.Cwd })
	child, running := c.a.add(cwd, c.b.SessionID, parent), Object{"state": "running"}
	c.a.update(func() {
		child.state = running
		parent.children, parent.detached = append(parent.children, child), true
		n = len(parent.children)
	})
	c.announce(parent, Object{"sessionUpdate": "subagent_update", "sessionId": child.ID, "title": fmt.Sprintf("Sub-agent %d", n),
		"description": "looks things up", "cwd": cwd, "state": running})
}

// endChildren ends all sub-agents of a session, and their sessions with them. It tells whether there was any.
func (c *Conn) endChildren(parent *Session) bool {
	var children []*Session
	c.a.update(func() { children, parent.children = parent.children, nil })
	for _, child := range children {
		c.announce(parent, Object{"sessionUpdate": "subagent_update", "sessionId": child.ID,
			"state": Object{"state": "idle", "stopReason": "end_turn"}})
		c.b.Remove(c.a, child.ID)
	}
	return len(children) > 0
}

// spareChild refuses what a client may not do with the session of a sub-agent: everything but to look at it.
func (c *Conn) spareChild(r *Request) *Error {
	if r.Method == "session/status" {
		return nil
	}
	s := c.a.active(text(r.Params, "sessionId"))
	if s == nil {
		return nil
	}
	var child bool
	c.a.update(func() { child = s.child })
	if !child {
		return nil
	}
	return &Error{Code: codeInvalidRequest, Message: "Invalid request: this is the session of a sub-agent"}
}
