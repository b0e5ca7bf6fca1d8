package fakeagent

import "path/filepath"

// newSession2 is session/new. See https://agentclientprotocol.com/protocol/v2/draft/session-setup#creating-a-session.
func newSession2(c *Conn, r *Request) (any, *Error) {
	if e := c.b.CheckNew2(c, r); e != nil {
		return nil, e
	}
	s := c.a.create(text(r.Params, "cwd"), c.b.SessionID)
	c.attach(s)
	c.equip(s, r.Params)
	c.b.BeforeNewSession(c, s)
	return c.b.NewSessionResult2(with(c.sessionState2(s), "sessionId", s.ID)), nil
}

// sessionState2 is what new and resume have in common. A nil member is left out.
func (c *Conn) sessionState2(s *Session) Object {
	state := Object{"availableCommands": c.b.Commands2()}
	if options := c.b.ConfigOptions2(c, s); options != nil {
		state["configOptions"] = options
	}
	return state
}

func sameResult(result Object) any { return result }

// checkNew2 validates the params that session/new and session/resume share.
func checkNew2(c *Conn, r *Request) *Error {
	if e := c.b.CheckCwd(r); e != nil {
		return e
	}
	if servers := r.Params["mcpServers"]; servers != nil {
		if e := c.b.CheckServers2(c, servers); e != nil {
			return e
		}
	}
	return checkDirectories(r.Params["additionalDirectories"])
}

// checkServers2 wants a type for every server, and refuses those that it cannot reach.
func checkServers2(c *Conn, v any) *Error {
	list, ok := v.([]any)
	if !ok {
		return invalidParams("mcpServers must be an array")
	}
	for _, entry := range list {
		server, _ := entry.(Object)
		if e := needTexts(server, "type"); e != nil {
			return e
		}
		if server["type"] != "stdio" {
			return c.b.CheckTransport(text(server, "type"))
		}
		for _, key := range []string{"args", "env"} {
			if _, present := server[key]; !present {
				server = with(server, key, nil)
			}
		}
		if e := needTexts(server, "name", "command"); e != nil || !wellFormedTexts(server, "args") || !wellFormedPairs(server, "env") {
			return invalidParams("malformed entry in mcpServers")
		}
		if !filepath.IsAbs(text(server, "command")) {
			return invalidParams("the command of an MCP server must be an absolute path")
		}
	}
	return nil
}

// resume2 is session/resume: the history, if it is wanted, then what the foreground does, then the response.
// See https://agentclientprotocol.com/protocol/v2/draft/session-setup#resuming-sessions.
func resume2(c *Conn, r *Request) (any, *Error) {
	replays, e := c.b.ReplayFrom(r.Params["replayFrom"])
	if e != nil {
		return nil, e
	}
	s, e := c.reopen(r, c.b.CheckNew2, c.b.ResumeUnknown)
	if e != nil {
		return nil, e
	}
	c.attach(s)
	if replays {
		for _, u := range c.b.Replay(c, s) {
			c.announce(s, u)
		}
	}
	c.report(s, c.b.ResumeState(c, s))
	return c.b.ResumeResult2(c.sessionState2(s)), nil
}

// replayFrom knows one place to replay from.
func replayFrom(v any) (replays bool, e *Error) {
	if v == nil {
		return false, nil
	}
	if o, _ := v.(Object); o["type"] != "start" {
		return false, invalidParams("replayFrom must be null or of the type start")
	}
	return true, nil
}

// attach lets the connection work with a session.
func (c *Conn) attach(s *Session) {
	c.a.update(func() {
		if s.conns == nil {
			s.conns = map[*Conn]bool{}
		}
		s.conns[c] = true
	})
}

// attached finds a session that is in memory and that this connection has created or resumed.
func (c *Conn) attached(id string) *Session {
	s := c.a.active(id)
	if s == nil {
		return nil
	}
	var ours bool
	c.a.update(func() { ours = s.conns[c] })
	if !ours {
		return nil
	}
	return s
}

// close2 is session/close: the last updates and the idle state, then the response, then nothing more.
// See https://agentclientprotocol.com/protocol/v2/draft/session-setup#closing-active-sessions.
func close2(c *Conn, r *Request) (any, *Error) {
	id, e := sessionParam(r)
	if e != nil {
		return nil, e
	}
	s := c.a.active(id)
	if s == nil {
		return c.b.CloseUnknown2(c, id)
	}
	c.endSession(s, func() {
		c.sayResult(r.ID, Object{}, r.Method)
		c.b.AfterClose(c, id)
	})
	return nil, nil
}

func closeUnknown2(*Conn, string) (any, *Error) { return Object{}, nil }

// delete2 is session/delete. A session that is in use is closed first.
func delete2(c *Conn, r *Request) (any, *Error) {
	id, e := sessionParam(r)
	if e != nil {
		return nil, e
	}
	s := c.a.lookUp(id)
	if s == nil {
		return c.b.DeleteUnknown(id)
	}
	c.endSession(s, func() {
		c.b.Remove(c.a, id)
		c.sayResult(r.ID, Object{}, r.Method)
	})
	return nil, nil
}

// endSession takes a session out of memory. done is called when all its work has ended.
func (c *Conn) endSession(s *Session, done func()) {
	if c.turnOf(s) == nil {
		tools, agents := c.endBackground(s, "cancelled"), c.endChildren(s)
		if tools || agents {
			c.report(s, lacking(currentState(c, s), "background"))
		}
	}
	var busy bool
	var held []*Turn
	c.a.update(func() {
		if busy = s.turn != nil; busy {
			s.turn.then = append(s.turn.then, done)
		}
		held, s.held = s.held, nil
		c.a.store.leave(s, true)
	})
	for _, t := range held {
		t.withdraw()
	}
	c.b.StopServers(c, s)
	if !busy {
		done()
		return
	}
	c.b.CloseTurn(c, s)
}
