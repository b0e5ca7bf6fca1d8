package fakeagent

import "sync"

// afterStatusDo does something to a session once it has answered about it.
func afterStatusDo(do func(c *Conn, s *Session)) func(*Behaviour) {
	return func(b *Behaviour) { b.AfterStatus = do }
}

// ifStored does something only to a session that is not in memory.
func ifStored(do func(c *Conn, s *Session)) func(c *Conn, s *Session) {
	return func(c *Conn, s *Session) {
		if !c.a.isActive(s) {
			do(c, s)
		}
	}
}

// oncePerSession does something only the first time.
func oncePerSession(do func(c *Conn, s *Session)) func(c *Conn, s *Session) {
	var done idSet
	return func(c *Conn, s *Session) {
		if done.add(s.ID) == 0 {
			do(c, s)
		}
	}
}

// bring loads a session and says nothing about it. In version 2 that lets nobody work with it.
func bring(c *Conn, s *Session) {
	c.a.activate(s)
	startOwn(c, s)
}

// bringHere loads a session as session/resume does, and says nothing about it.
func bringHere(c *Conn, s *Session) {
	bring(c, s)
	c.attach(s)
}

// startOwn starts the MCP servers that a session had, unless they run.
func startOwn(c *Conn, s *Session) {
	c.mu.Lock()
	running := len(c.servers[s]) > 0
	c.mu.Unlock()
	if running {
		return
	}
	servers := c.b.Servers(c, s, Object{})
	if c.speaks(2) {
		c.a.update(func() { servers = s.Servers })
	}
	c.b.StartServers(c, s, Object{"mcpServers": servers})
}

// opensGate accepts prompts in the sessions that are not in memory and that do was called for.
func opensGate(do func(c *Conn, s *Session)) func(*Behaviour) {
	return func(b *Behaviour) {
		var asked idSet
		b.AfterStatus = ifStored(func(c *Conn, s *Session) {
			if asked.add(s.ID) == 0 {
				do(c, s)
			}
		})
		before := b.PromptUnknown
		b.PromptUnknown = func(c *Conn, id string) (*Session, *Error) {
			if s := c.a.lookUp(id); s != nil && asked.has(id) {
				return s, nil
			}
			return before(c, id)
		}
	}
}

// warmsUp calls a session active from the second request for its status in a row on, although it is not in memory.
func warmsUp(b *Behaviour) {
	var asked idSet
	before := b.Age
	b.Age = func(c *Conn, r *Request) {
		if r.Method != "session/status" {
			asked.clear()
		}
		before(c, r)
	}
	activeIf(func(_ *Conn, s *Session) bool { return asked.add(s.ID) > 0 })(b)
}

// statusStoredFaults do something to a session that is not in memory, and that was only asked about.
func statusStoredFaults() []Fault {
	return []Fault{
		{Name: "status-loads", Description: "loads a session that it is asked about", Break: afterStatusDo(ifStored(bringHere))},
		{Name: "status-loads-and-says-active", Description: "loads a session that it is asked about, and calls it active in the same answer",
			Break: beforeStatusDo(func(c *Conn, s *Session, _ *Request) { ifStored(bringHere)(c, s) })},
		{Name: "status-loads-but-says-inactive", Description: "loads a session that it is asked about, and goes on to call it inactive",
			Break: opensGate(startOwn)},
		{Name: "status-attaches", Description: "attaches the connection that asks about a session to it",
			Break: opensGate(func(c *Conn, s *Session) { c.announce(s, c.dialect().commands()) })},
		{Name: "status-opens-prompt-gate", Description: "accepts prompts in a session that it was asked about, although it calls it inactive",
			Break: opensGate(func(*Conn, *Session) {})},
		{Name: "status-warms-up", Description: "calls a session active when it is asked about it several times in a row, although it is not in memory", Break: warmsUp},
		{Name: "status-replays", Description: "replays the conversation of a session that it is asked about",
			Break: beforeStatusDo(func(c *Conn, s *Session, _ *Request) {
				ifStored(func(c *Conn, s *Session) { c.tellAll(s, replay(c, s)) })(c, s)
			})},
		{Name: "status-starts-mcp", Description: "starts the MCP servers of a session that it is asked about", Break: afterStatusDo(ifStored(startOwn))},
		{Name: "status-deletes", Description: "deletes a session that it is asked about, unless it is in memory",
			Break: afterStatusDo(ifStored(func(c *Conn, s *Session) { c.b.Remove(c.a, s.ID) }))},
		{Name: "status-keeps-files-open", Description: "keeps a file open for every session that it is asked about", Process: true, Break: keepFilesOpen},
		{Name: "status-creates-unknown", Description: "makes a session that does not exist when it is asked about it",
			Break: onUnknownStatusDo(func(c *Conn, id string) {
				s := c.a.create("/", func(*Agent, int) string { return id })
				c.a.release(s)
			})},
		{Name: "status-creates-unknown-in-memory", Description: "makes a session that does not exist when it is asked about it, and takes prompts in it",
			Break: onUnknownStatusDo(func(c *Conn, id string) {
				s, _ := inventNamed(c, id)
				c.attach(s)
			})},
		{Name: "status-lists-unknown", Description: "lists the sessions that it was asked about although they do not exist", Break: listUnknown},
		{Name: "status-creates-unknown-on-disk", Description: "remembers for the next start the sessions that it was asked about although they do not exist",
			Break: createOnDisk},
	}
}

func onUnknownStatusDo(do func(c *Conn, id string)) func(*Behaviour) {
	return func(b *Behaviour) {
		before := b.StatusUnknown
		b.StatusUnknown = func(c *Conn, id string) (any, *Error) {
			result, e := before(c, id)
			do(c, id)
			return result, e
		}
	}
}

func listUnknown(b *Behaviour) {
	var mu sync.Mutex
	var asked []string
	onUnknownStatusDo(func(_ *Conn, id string) {
		mu.Lock()
		defer mu.Unlock()
		if !contains(asked, id) {
			asked = append(asked, id)
		}
	})(b)
	before := b.ListResult
	b.ListResult = func(result Object) any {
		mu.Lock()
		defer mu.Unlock()
		list, _ := result["sessions"].([]any)
		if result["nextCursor"] == nil {
			for _, id := range asked {
				list = append(list, Object{"sessionId": id, "cwd": "/", "updatedAt": "2026-01-01T00:00:00Z"})
			}
		}
		return before(with(result, "sessions", list))
	}
}

func createOnDisk(b *Behaviour) {
	var mu sync.Mutex
	var asked []string
	onUnknownStatusDo(func(_ *Conn, id string) {
		mu.Lock()
		defer mu.Unlock()
		asked = append(asked, id)
	})(b)
	before := b.EOF
	b.EOF = func(c *Conn) {
		mu.Lock()
		defer mu.Unlock()
		for _, id := range asked {
			_, _ = inventNamed(c, id)
		}
		before(c)
	}
}
