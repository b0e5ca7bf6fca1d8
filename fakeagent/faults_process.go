package fakeagent

// waitForEver holds the caller until the process is killed, or in process until the context ends.
func (c *Conn) waitForEver() {
	select {
	case <-c.stop:
	case <-c.ctx.Done():
	}
}

func (c *Conn) turnRuns() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.turns) > 0
}

func processFaults() []Fault {
	return []Fault{
		{Name: "exits-at-once", Description: "logs an error and exits with code 1 before it reads anything", Process: true,
			Break: func(b *Behaviour) {
				b.Start = func(c *Conn) {
					c.Log("fake agent: no configuration found")
					c.Exit(1)
				}
			}},
		{Name: "exits-after-initialize", Description: "exits with code 1 right after the response to initialize", Process: true,
			Break: func(b *Behaviour) { b.AfterInitialize = func(c *Conn) { c.Exit(1) } }},
		{Name: "exits-in-turn", Description: "exits with code 1 in the middle of a turn", Process: true,
			Break: func(b *Behaviour) {
				b.Reply = func(t *Turn) {
					t.say("about to")
					t.c.Exit(1)
				}
			}},
		{Name: "closes-stdout", Description: "closes standard output after the response to initialize and stays alive", Process: true,
			Break: func(b *Behaviour) { b.AfterInitialize = func(c *Conn) { c.closeOutput() } }},
		{Name: "ignores-eof", Description: "does not end when standard input ends", Process: true,
			Break: func(b *Behaviour) { b.EOF = func(c *Conn) { c.waitForEver() } }},
		{Name: "ignores-eof-in-turn", Description: "does not end when standard input ends while a turn runs", Process: true,
			Break: func(b *Behaviour) {
				b.EOF = func(c *Conn) {
					if c.turnRuns() {
						c.waitForEver()
					}
				}
			}},
		{Name: "initialize-unanswered", Description: "never answers initialize",
			Break: func(b *Behaviour) { b.Initialize = unanswered }},
	}
}

func unanswered(*Conn, *Request) (any, *Error) { return nil, silence }
