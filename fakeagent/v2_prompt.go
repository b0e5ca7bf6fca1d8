package fakeagent

// prompt2 is session/prompt: it is answered when the message has become part of the conversation. A prompt that comes while
// a turn runs waits for its end. See https://agentclientprotocol.com/protocol/v2/draft/prompt-lifecycle.
func prompt2(c *Conn, r *Request) (any, *Error) {
	id, e := sessionParam(r)
	if e != nil {
		return nil, e
	}
	s := c.attached(id)
	if s == nil {
		if s, e = c.b.PromptUnknown(c, id); e != nil {
			return nil, e
		}
	}
	if e := c.b.CheckPrompt2(c, r); e != nil {
		return nil, e
	}
	if c.turnOf(s) != nil {
		if e := c.b.BusyPrompt2(c, s); e != nil {
			return nil, e
		}
	}
	if e := c.b.BeforeTurn(c, s); e != nil {
		return nil, e
	}
	c.enqueue(c.newTurn(s, r))
	return nil, nil
}

// checkPrompt2 refuses an empty prompt, too.
func checkPrompt2(c *Conn, r *Request) *Error {
	if e := c.b.CheckPrompt(c, r); e != nil {
		return e
	}
	if blocks, _ := r.Params["prompt"].([]any); len(blocks) == 0 {
		return invalidParams("prompt must not be empty")
	}
	return nil
}

func busyPrompt2(*Conn, *Session) *Error { return nil }

// enqueue starts a turn, or holds it until the one that runs has ended.
func (c *Conn) enqueue(t *Turn) {
	first := false
	c.a.update(func() {
		if first = t.s.turn == nil; first {
			t.s.turn = t
		} else {
			t.s.held = append(t.s.held, t)
		}
	})
	if first {
		c.schedule(t)
	}
}

// begin2 makes the prompt part of the conversation, unless it has been withdrawn. The client's next line is not looked at
// before that is done.
func begin2(t *Turn) bool {
	t.c.handling.Lock()
	defer t.c.handling.Unlock()
	if t.isCancelled() {
		t.withdraw()
		t.handOver(nil)
		return false
	}
	t.inserted = true
	t.count()
	id := t.newMessageID("user")
	for _, u := range t.b.UserMessage(t, id) {
		t.send(u)
	}
	if result := t.b.PromptAnswer2(t, id); result != nil {
		t.c.sayResult(t.id, result, "session/prompt")
	}
	t.c.report(t.s, t.b.Running(t))
	return true
}

// userMessage repeats the prompt, so that the client knows where it stands in the conversation.
func userMessage(t *Turn, id string) []Object { return t.chunks(id) }

func promptAnswer2(_ *Turn, id string) any { return Object{"messageId": id} }

// end2 reports that the foreground is idle; whatever comes next finds the turn gone.
func end2(t *Turn, o outcome) {
	t.c.handling.Lock()
	defer t.c.handling.Unlock()
	t.evict()
	switch {
	case o.gone:
		state := t.b.Idle(t, "cancelled", nil) // nobody hears it
		t.c.a.update(func() { t.s.state = state })
		t.handOver(nil)
	case o.cancelled:
		t.handOver(t.b.Idle(t, "cancelled", nil))
	case o.err != nil:
		t.handOver(t.b.Idle(t, "error", t.b.TurnError(t, o.err)))
	default:
		t.handOver(t.b.Idle(t, t.b.StopReason(t, o.reason), nil))
	}
}

// handOver reports how the work ended, if there was any, and makes way for the prompt that is held, if there is one.
func (t *Turn) handOver(idle Object) {
	if !t.c.a.isActive(t.s) { // closed or evicted meanwhile
		t.c.endBackground(t.s, "cancelled")
	}
	t.c.report(t.s, idle)
	var orphans []*Turn
	cancelled, now := t.isCancelled(), t.c.a.stamp()
	t.c.a.change(t.s, func() {
		s := t.s
		s.turn, s.cancelled, s.used = nil, cancelled, now
		if !s.active {
			orphans, s.foreground = s.held, foreground{}
			return
		}
		for len(s.held) > 0 && s.turn == nil {
			if next := s.held[0]; next.c == t.c || !next.c.isClosed() {
				s.turn, t.next = next, next
			}
			s.held = s.held[1:]
		}
	})
	for _, o := range orphans {
		o.c.sayError(o.id, unknownSession(t.s.ID), "session/prompt")
	}
	t.c.forgetTurn(t)
}

// left2 answers those that waited for the end of the turn, and starts the next one.
func left2(t *Turn) {
	var then []func()
	t.c.a.update(func() { then = t.then })
	for _, done := range then {
		done()
	}
	if t.next != nil {
		t.next.c.schedule(t.next)
		t.next.c.launch()
	}
}

func blocked2(t *Turn)   { t.report(t.b.RequiresAction(t)) }
func unblocked2(t *Turn) { t.report(t.b.Running(t)) }

// withdraw answers a prompt that will not become part of the conversation.
func (t *Turn) withdraw() {
	if e := t.b.Withdrawn(t); e != silence {
		t.c.sayError(t.id, e, "session/prompt")
	}
}

func withdrawn(*Turn) *Error { return &Error{Code: codeCancelled, Message: "Request cancelled"} }

// withdrawHeld answers the prompts of a session that are held.
func (c *Conn) withdrawHeld(s *Session) {
	var held []*Turn
	c.a.update(func() { held, s.held = s.held, nil })
	for _, t := range held {
		t.withdraw()
	}
}

// withdrawRequest takes back the one prompt among the held ones that has this id.
func (c *Conn) withdrawRequest(id []byte) {
	for _, s := range c.a.inMemory() {
		var found *Turn
		c.a.update(func() {
			for i, t := range s.held {
				if t.c == c && t.answers(id) {
					found, s.held = t, append(s.held[:i:i], s.held[i+1:]...)
					return
				}
			}
		})
		if found != nil {
			found.withdraw()
			return
		}
	}
}
