package fakeagent

import "strings"

// prompt is session/prompt: it validates at once and answers when the turn has ended.
func prompt(c *Conn, r *Request) (any, *Error) {
	id, e := sessionParam(r)
	if e != nil {
		return nil, e
	}
	s := c.a.active(id)
	if s == nil {
		if s, e = c.b.PromptUnknown(c, id); e != nil {
			return nil, e
		}
	}
	if e := c.b.CheckPrompt(c, r); e != nil {
		return nil, e
	}
	if c.turnOf(s) != nil {
		return nil, c.b.BusyPrompt(c, s)
	}
	if e := c.b.BeforeTurn(c, s); e != nil {
		return nil, e
	}
	c.startTurn(s, r)
	return nil, nil
}

func promptUnknown(_ *Conn, id string) (*Session, *Error) { return nil, unknownSession(id) }

func busyPrompt(*Conn, *Session) *Error {
	return &Error{Code: codeInvalidRequest, Message: "Invalid request: the session is busy"}
}

// beforeTurn refuses a turn in a session whose lock another process has taken.
func beforeTurn(c *Conn, s *Session) *Error {
	if c.a.hasLock(s.ID) {
		return nil
	}
	return lockedSession(s.ID)
}

func (c *Conn) startTurn(s *Session, r *Request) {
	t := c.newTurn(s, r)
	c.a.update(func() { s.turn, t.cancelled, s.doomed = t, s.doomed, false })
	t.count()
	c.schedule(t)
}

func (c *Conn) newTurn(s *Session, r *Request) *Turn {
	blocks, _ := r.Params["prompt"].([]any)
	t := &Turn{c: c, s: s, b: c.b, d: c.dialect(), id: r.ID, blocks: blocks}
	for _, entry := range blocks {
		if block, ok := entry.(Object); ok && block["type"] == "text" {
			t.text = text(block, "text")
			break
		}
	}
	return t
}

// count is for a prompt that has become part of the session.
func (t *Turn) count() {
	t.c.a.update(func() {
		t.s.Turns++
		t.s.Updated = t.c.a.store.now()
		if t.s.Title == "" {
			t.s.Title, _, _ = strings.Cut(cut(t.text, 60), "\n")
		}
	})
}

// schedule lets a turn begin when everything that has arrived has been looked at.
func (c *Conn) schedule(t *Turn) {
	c.mu.Lock()
	defer c.mu.Unlock()
	t.read = c.reads
	c.turns[t] = true
	c.starting = append(c.starting, t)
}
