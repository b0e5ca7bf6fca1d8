package fakeagent

import (
	"fmt"
	"hash/fnv"
	"strings"
	"sync"
	"sync/atomic"
)

// listVariants list sessions in other ways, and talk at other times.
func listVariants() []Fault {
	return []Fault{
		{Name: "late-lists", Description: "lists a session for the first time when the sessions are listed for the second time after it was made", Break: lateLists},
		{Name: "partial-lists", Description: "lists only sessions in which something was said", Break: func(b *Behaviour) {
			b.Listed = func(c *Conn, s *Session) bool { return c.a.turnsOf(s) > 0 }
		}},
		{Name: "list-by-last-use", Description: "lists the session last in which a turn began last", Break: func(b *Behaviour) {
			before := b.BeforeTurn
			b.BeforeTurn = func(c *Conn, s *Session) *Error {
				c.a.change(s, func() { s.Order = c.a.store.end() })
				return before(c, s)
			}
		}},
		{Name: "list-touches-updated-at", Description: "takes session/list for activity in the sessions that it lists", Break: func(b *Behaviour) {
			before := b.SessionInfo
			b.SessionInfo = func(c *Conn, s *Session) Object {
				c.a.update(func() { s.Updated = c.a.store.now() })
				return before(c, s)
			}
		}},
		{Name: "list-volatile-members", Description: "lists sessions with _meta and cursors that are different each time", Break: volatileLists},
		{Name: "late-titles", Description: "finds a better title for a session after a while", Break: func(b *Behaviour) {
			var shown idSet
			before := b.SessionInfo
			b.SessionInfo = func(c *Conn, s *Session) Object {
				if shown.add(s.ID) == 3 {
					c.a.change(s, func() { s.Title = "A summary" })
				}
				return before(c, s)
			}
		}},
		{Name: "foreign-sessions", Description: "shares its list with somebody who makes sessions, too", Break: func(b *Behaviour) {
			var n atomic.Int64
			before := b.List
			b.List = func(c *Conn, r *Request) (any, *Error) {
				if r.Params["cursor"] == nil {
					s := c.a.create("/elsewhere", func(a *Agent, _ int) string { return sessionID(a, -int(n.Add(1))) })
					c.a.release(s)
				}
				return before(c, r)
			}
		}},
		{Name: "chatty-timers", Description: "reports the usage of some session after every third request, whatever it was about", Break: chat},
		{Name: "late-commands", Description: "announces the commands of a new session only after the next response", Protocols: []int{1}, Break: lateCommands},
		{Name: "turns-vary", Description: "does not announce its directives, and never works twice in the same way", Break: together(
			onCapabilities(dropMember("_meta")), onCapabilities2(dropMember("_meta")), beforeReply(func(t *Turn) {
				h := fnv.New32a()
				_, _ = h.Write([]byte(t.s.ID))
				for range h.Sum32() % 4 {
					t.send(t.b.ThoughtChunk(t, t.b.TextBlock("hm"), t.newMessageID("thought")))
				}
			}))},
	}
}

func lateLists(b *Behaviour) {
	var lists atomic.Int64
	var mu sync.Mutex
	first := map[string]int64{}
	list := b.List
	b.List = func(c *Conn, r *Request) (any, *Error) {
		if r.Params["cursor"] == nil {
			lists.Add(1)
		}
		return list(c, r)
	}
	before := b.Listed
	b.Listed = func(c *Conn, s *Session) bool {
		mu.Lock()
		defer mu.Unlock()
		if _, seen := first[s.ID]; !seen {
			first[s.ID] = lists.Load()
		}
		return first[s.ID] < lists.Load() && before(c, s)
	}
}

func volatileLists(b *Behaviour) {
	var n atomic.Int64
	info, next, cursor := b.SessionInfo, b.NextCursor, b.Cursor
	b.SessionInfo = func(c *Conn, s *Session) Object {
		return with(info(c, s), "_meta", Object{"vendor.example/seen": n.Add(1)})
	}
	b.NextCursor = func(after int) string { return fmt.Sprintf("%s.%d", next(after), n.Add(1)) }
	b.Cursor = func(v any) (int, *Error) {
		if s, ok := v.(string); ok {
			v, _, _ = strings.Cut(s, ".")
		}
		return cursor(v)
	}
}

// behind writes updates behind the responses that match; the session of the update must be in memory.
func behind(match func(m *Message) bool, choose func(c *Conn) (*Session, Object)) func(*Behaviour) {
	return func(b *Behaviour) {
		before := b.Frame
		b.Frame = func(c *Conn, m *Message, line []byte) [][]byte {
			pieces := before(c, m, line)
			if m.Method != "" || m.Answers == "initialize" || !match(m) {
				return pieces
			}
			s, u := choose(c)
			if s == nil || !c.a.isActive(s) {
				return pieces
			}
			for _, more := range c.b.SessionUpdate(s, u) {
				pieces = append(pieces, before(c, more, c.b.Encode(c.b.Envelope(more)))...)
			}
			return pieces
		}
	}
}

// chat counts requests in place of seconds. To ask for the status does not count, because it must not be the cause of
// anything.
func chat(b *Behaviour) {
	var n atomic.Int64
	behind(func(m *Message) bool {
		return m.Answers != "" && m.Answers != "session/status" && n.Add(1)%3 == 0
	}, func(c *Conn) (*Session, Object) {
		sessions := c.a.inMemory()
		if len(sessions) == 0 {
			return nil, nil
		}
		return sessions[int(n.Load()/3)%len(sessions)], c.b.UsageUpdate()
	})(b)
}

func lateCommands(b *Behaviour) {
	var fresh atomic.Pointer[Session]
	b.AfterNewSession = func(_ *Conn, s *Session) { fresh.Store(s) }
	behind(func(*Message) bool { return fresh.Load() != nil }, func(c *Conn) (*Session, Object) {
		return fresh.Swap(nil), c.b.Commands()
	})(b)
}
