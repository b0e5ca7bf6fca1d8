package fakeagent

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// atStartOf does something to every session that the store holds, before anything is read.
func atStartOf(do func(c *Conn, s *Session)) func(*Behaviour) {
	return func(b *Behaviour) {
		before := b.Start
		b.Start = func(c *Conn) {
			for _, s := range c.a.all() {
				do(c, s)
			}
			before(c)
		}
	}
}

// storedVariants keep, find and forget sessions in other ways.
func storedVariants() []Fault {
	return []Fault{
		{Name: "forgets-sessions", Description: "keeps no session that is not in memory", Break: func(b *Behaviour) { b.Keeps = func(*Session) bool { return false } }},
		{Name: "keeps-used-sessions", Description: "keeps no session in which nothing was ever said", Break: func(b *Behaviour) {
			b.Keeps = func(s *Session) bool { return s.Turns > 0 }
		}},
		{Name: "evicts-idle", Description: "evicts a session that is not used while a dozen requests are made", Break: evictIdle(idleRequests)},
		{Name: "restores-sessions", Description: "loads at its start all the sessions that it knows, and starts their MCP servers", Break: atStartOf(bring)},
		{Name: "restores-later", Description: "loads the sessions that it knows a moment after its start", Break: restoreLater},
		{Name: "daemon", Description: "is the front of a process that stays and has all its sessions in memory", Break: atStartOf(func(c *Conn, s *Session) { c.a.activate(s) })},
		{Name: "loads-on-prompt", Description: "loads an inactive session when it is prompted", Break: func(b *Behaviour) {
			before := b.PromptUnknown
			b.PromptUnknown = func(c *Conn, id string) (*Session, *Error) {
				s := c.a.lookUp(id)
				if s == nil {
					return before(c, id)
				}
				bringHere(c, s)
				return s, nil
			}
		}},
		{Name: "mcp-not-remembered", Description: "starts no MCP servers on a session/resume that names none", Protocols: []int{1}, Break: func(b *Behaviour) {
			b.Servers = func(_ *Conn, _ *Session, params Object) []any {
				list, _ := params["mcpServers"].([]any)
				return list
			}
		}},
		{Name: "list-starts-mcp", Description: "starts the MCP servers of the sessions that it lists, so that they are there when they are needed", Break: func(b *Behaviour) {
			before := b.SessionInfo
			b.SessionInfo = func(c *Conn, s *Session) Object {
				startOwn(c, s)
				return before(c, s)
			}
		}},
		{Name: "load-fails-at-first", Description: "fails to load or resume an inactive session at the first try", Break: func(b *Behaviour) {
			var tried idSet
			around(func(before handler) handler {
				return func(c *Conn, r *Request) (any, *Error) {
					id := askedFor(r)
					if c.a.active(id) == nil && c.a.lookUp(id) != nil && tried.add(id) == 0 {
						return nil, &Error{Code: codeInternal, Message: "Try again"}
					}
					return before(c, r)
				}
			}, &b.Load, &b.Resume, &b.Resume2)
		}},
		{Name: "options-drift", Description: "chooses another model whenever a session is loaded or resumed", Break: func(b *Behaviour) {
			around(func(before handler) handler {
				return func(c *Conn, r *Request) (any, *Error) {
					if s := c.a.lookUp(askedFor(r)); s != nil {
						c.a.change(s, func() { s.Model = otherModel(s.Model) })
					}
					return before(c, r)
				}
			}, &b.Load, &b.Resume, &b.Resume2)
		}},
		{Name: "option-texts-change", Description: "describes its options with other words each time", Break: func(b *Behaviour) {
			var n atomic.Int64
			for _, options := range []*func(*Conn, *Session) any{&b.ConfigOptions, &b.ConfigOptions2} {
				before := *options
				*options = func(c *Conn, s *Session) any {
					list, _ := before(c, s).([]any)
					model, _ := list[0].(Object)
					return append([]any{with(model, "name", fmt.Sprintf("Model (%d)", n.Add(1)))}, list[1:]...)
				}
			}
		}},
		{Name: "replay-rewritten", Description: "replays a conversation with other chunks each time, and in version 1 with other message ids", Break: rewriteReplay},
		{Name: "numbered-errors", Description: "numbers its errors", Break: func(b *Behaviour) {
			var n atomic.Int64
			onError(anyError, func(e Error) *Error {
				data, _ := e.Data.(Object)
				e.Message, e.Data = fmt.Sprintf("%s (%d)", e.Message, n.Add(1)), with(data, "number", n.Load())
				return &e
			})(b)
		}},
	}
}

func otherModel(model string) string {
	if model == modelIDs[0] {
		return modelIDs[1]
	}
	return modelIDs[0]
}

// restoreLater brings the sessions that there are at the start, a moment after it. It looks at the clock when a request comes; no timer
// is running.
func restoreLater(b *Behaviour) {
	const moment = 100 * time.Millisecond
	type waiting struct {
		since time.Time
		all   []*Session
	}
	var mu sync.Mutex
	waits := map[*Conn]waiting{}
	start, before := b.Start, b.Age
	b.Start = func(c *Conn) {
		mu.Lock()
		waits[c] = waiting{c.a.clock(), c.a.all()}
		mu.Unlock()
		start(c)
	}
	b.Age = func(c *Conn, r *Request) {
		mu.Lock()
		w := waits[c]
		due := c.a.clock().Sub(w.since) > moment
		if due {
			delete(waits, c)
		}
		mu.Unlock()
		if due {
			for _, s := range w.all {
				if c.a.lookUp(s.ID) == s { // it may have been deleted
					bring(c, s)
				}
			}
		}
		before(c, r)
	}
}

// rewriteReplay gives messages new ids where they may change, and cuts every other replay into smaller pieces.
func rewriteReplay(b *Behaviour) {
	var n atomic.Int64
	before := b.Replay
	b.Replay = func(c *Conn, s *Session) []Object {
		round := n.Add(1)
		var replayed []Object
		for _, u := range before(c, s) {
			if id := text(u, "messageId"); id != "" && c.speaks(1) {
				u = with(u, "messageId", fmt.Sprintf("%s_%d", id, round))
			}
			content, _ := u["content"].(Object)
			words := text(content, "text")
			if !strings.HasSuffix(text(u, "sessionUpdate"), "_chunk") || len(words) < 2 || round%2 == 0 {
				replayed = append(replayed, u)
				continue
			}
			for _, part := range []string{words[:1], words[1:]} {
				replayed = append(replayed, with(u, "content", with(content, "text", part)))
			}
		}
		return replayed
	}
}
