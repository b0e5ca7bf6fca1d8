package fakeagent

import (
	"os"
	"sync"
)

// keepFilesOpen opens the file of a session, or anything where there is none, and never closes it.
func keepFilesOpen(b *Behaviour) {
	var mu sync.Mutex
	var open []*os.File
	b.AfterStatus = oncePerSession(func(c *Conn, s *Session) {
		f, err := os.Open(c.a.store.file(s.ID))
		if err != nil {
			f, err = os.Open(os.DevNull)
		}
		if err == nil {
			mu.Lock()
			defer mu.Unlock()
			open = append(open, f)
		}
	})
}

// ifIdle does something only to a session in which no turn runs.
func ifIdle(do func(c *Conn, s *Session)) func(c *Conn, s *Session) {
	return func(c *Conn, s *Session) {
		if !busy(c, s) {
			do(c, s)
		}
	}
}

// reverseList does it once: else every second look would see nothing of it.
func reverseList(b *Behaviour) {
	var once sync.Once
	b.AfterStatus = func(c *Conn, _ *Session) {
		once.Do(func() {
			all := c.a.all()
			for i, j := 0, len(all)-1; i < j; i, j = i+1, j-1 {
				c.a.change(all[i], func() { all[i].Order, all[j].Order = all[j].Order, all[i].Order })
				c.a.change(all[j], func() {})
			}
		})
	}
}

// changes changes what is kept of a session that was asked about.
func changes(change func(c *Conn, s *Session)) func(*Behaviour) {
	return afterStatusDo(func(c *Conn, s *Session) { c.a.change(s, func() { change(c, s) }) })
}

// post writes a request of the agent whose answer does not matter.
func (c *Conn) post(method string, params Object) {
	id, _ := c.newCall(nil)
	c.Send(&Message{ID: id, Method: method, Params: params})
}

// statusChangeFaults change what is kept of a session, whether it is in memory or not.
func statusChangeFaults() []Fault {
	return []Fault{
		{Name: "status-touches-updated-at", Description: "takes a request for the status of a session for activity in it",
			Break: changes(func(c *Conn, s *Session) { s.Updated = c.a.store.now() })},
		{Name: "status-renames", Description: "gives a session that it is asked about another title",
			Break: changes(func(_ *Conn, s *Session) { s.Title = "Looked at" })},
		{Name: "status-reorders-list", Description: "turns the list of sessions around when it is asked about one of them", Break: reverseList},
		{Name: "status-resets-config", Description: "resets the options of a session that it is asked about",
			Break: changes(func(_ *Conn, s *Session) { s.Model, s.Verbose = modelIDs[0], false })},
		{Name: "status-resets-mode", Description: "resets the mode of a session that it is asked about",
			Break: changes(func(_ *Conn, s *Session) { s.Mode = modeIDs[0] })},
		{Name: "status-appends-history", Description: "adds to the conversation of a session that it is asked about",
			Break: changes(func(_ *Conn, s *Session) {
				s.History = append(s.History, chunk("agent_message_chunk", textBlock("still there"), ""))
			})},
		{Name: "status-trims-history", Description: "forgets the end of the conversation of a session that it is asked about",
			Break: changes(func(_ *Conn, s *Session) { s.History = s.History[:max(0, len(s.History)-1)] })},
	}
}

// statusTalkFaults send something because they were asked for the status.
func statusTalkFaults() []Fault {
	return []Fault{
		{Name: "status-announces-commands", Description: "announces the commands of a session that it is asked about",
			Break: afterStatusDo(ifIdle(func(c *Conn, s *Session) { c.announce(s, c.dialect().commands()) }))},
		{Name: "status-announces-info", Description: "announces the title of a session that it is asked about",
			Break: afterStatusDo(ifIdle(func(c *Conn, s *Session) {
				var title, updated string
				c.a.update(func() { title, updated = s.Title, s.Updated })
				c.announce(s, c.b.InfoUpdate(title, updated))
			}))},
		{Name: "status-announces-usage", Description: "announces how much of the context is used in a session that it is asked about",
			Break: afterStatusDo(ifIdle(func(c *Conn, s *Session) { c.announce(s, c.b.UsageUpdate()) }))},
		{Name: "status-asks-permission", Description: "asks for permission because it is asked about a session", Break: afterStatusDo(func(c *Conn, s *Session) {
			call, options := Object{"toolCallId": "call_status", "title": "Look"}, []any{Object{"optionId": "allow", "name": "Allow once", "kind": "allow_once"}}
			params := Object{"sessionId": s.ID, "toolCall": call, "options": options}
			if c.speaks(2) {
				params = Object{"sessionId": s.ID, "title": "May it look?", "subject": Object{"type": "tool_call", "toolCall": call}, "options": options}
			}
			c.post("session/request_permission", params)
		})},
		{Name: "status-reads-file", Description: "reads a file through the client because it is asked about a session", Protocols: []int{1}, Break: afterStatusDo(func(c *Conn, s *Session) {
			if c.b.MayRead(c) {
				t := &Turn{c: c, s: s, b: c.b}
				c.post("fs/read_text_file", t.b.ReadParams(t, t.b.Path(t, "notes.txt")).(Object))
			}
		})},
		{Name: "status-starts-login", Description: "asks the user to log in because it is asked about a session", Break: func(b *Behaviour) {
			b.BeforeStatus = func(c *Conn, r *Request) {
				if !c.b.MayElicit(c) {
					c.post("_vendor/login", Object{"url": "https://login.example/"})
				} else {
					c.post("elicitation/create", Object{"mode": "form", "requestId": r.ID, "message": "Log in",
						"requestedSchema": Object{"type": "object", "properties": Object{"token": Object{"type": "string", "title": "Token"}}}})
				}
			}
		}},
		{Name: "status-subscribes", Description: "sends the updates of a session to every connection that asked about it, too", Break: subscribe},
	}
}

// subscribe adds the connections that asked to those that a turn tells of its progress.
func subscribe(b *Behaviour) {
	var mu sync.Mutex
	asked := map[*Session][]*Conn{}
	b.AfterStatus = func(c *Conn, s *Session) {
		mu.Lock()
		defer mu.Unlock()
		asked[s] = append(asked[s], c)
	}
	before := b.TurnUpdate
	b.TurnUpdate = func(t *Turn, u Object) []*Message {
		messages := before(t, u)
		mu.Lock()
		defer mu.Unlock()
		told := map[*Conn]bool{t.c: true}
		for _, c := range asked[t.s] {
			for _, m := range messages {
				if !told[c] {
					c.Send(m)
				}
			}
			told[c] = true
		}
		return messages
	}
}
