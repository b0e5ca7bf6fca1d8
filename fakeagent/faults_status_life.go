package fakeagent

import "sync"

// closeIdle closes a session as session/close does, unless a turn runs in it.
func closeIdle(c *Conn, s *Session) {
	if c.a.isActive(s) && c.turnOf(s) == nil {
		c.b.StopServers(c, s)
		c.a.release(s)
	}
}

// idleOthers are the sessions in memory that were not asked about and have no turn.
func idleOthers(c *Conn, asked string) []*Session {
	var others []*Session
	for _, s := range c.a.inMemory() {
		if s.ID != asked && c.turnOf(s) == nil {
			others = append(others, s)
		}
	}
	return others
}

// cached keeps the first word for a session until fresh says that it may change.
func cached(fresh func(c *Conn, s *Session) bool) func(*Behaviour) {
	return func(b *Behaviour) {
		var mu sync.Mutex
		words := map[string]string{}
		wording(func(c *Conn, s *Session, word string) string {
			mu.Lock()
			defer mu.Unlock()
			if kept, ok := words[s.ID]; ok && !fresh(c, s) {
				return kept
			}
			words[s.ID] = word
			return word
		})(b)
	}
}

// handler handles a request.
type handler = func(c *Conn, r *Request) (any, *Error)

// around wraps several methods, because a method of version 1 and its counterpart in version 2 go wrong in the same way.
func around(wrap func(before handler) handler, methods ...*handler) {
	for _, method := range methods {
		*method = wrap(*method)
	}
}

// noted has a set of the sessions for which one of the methods succeeded.
func noted(methods ...*handler) *idSet {
	var done idSet
	around(func(before handler) handler {
		return func(c *Conn, r *Request) (any, *Error) {
			result, e := before(c, r)
			if e == nil {
				done.add(askedFor(r))
			}
			return result, e
		}
	}, methods...)
	return &done
}

// loaded has a set of the sessions whose history was shown: by session/load, and in version 2 by session/resume with replayFrom.
func loaded(b *Behaviour) *idSet {
	done := noted(&b.Load)
	around(func(before handler) handler {
		return func(c *Conn, r *Request) (any, *Error) {
			result, e := before(c, r)
			if e == nil && r.Params["replayFrom"] != nil {
				done.add(askedFor(r))
			}
			return result, e
		}
	}, &b.Resume2)
	return done
}

// statusLifeFaults take sessions out of memory because of a request for the status, or keep them there.
func statusLifeFaults() []Fault {
	return []Fault{
		{Name: "status-closes", Description: "closes a session that it is asked about", Break: afterStatusDo(closeIdle)},
		{Name: "status-closes-but-says-active", Description: "closes a session that it is asked about, and goes on to call it active", Break: func(b *Behaviour) {
			var closed idSet
			b.AfterStatus = func(c *Conn, s *Session) {
				if c.a.isActive(s) && c.turnOf(s) == nil {
					closed.add(s.ID)
				}
				closeIdle(c, s)
			}
			activeIf(func(_ *Conn, s *Session) bool { return closed.has(s.ID) })(b)
		}},
		{Name: "status-evicts-others", Description: "evicts the other sessions when it is asked about one", Break: func(b *Behaviour) {
			b.BeforeStatus = func(c *Conn, r *Request) {
				for _, s := range idleOthers(c, askedFor(r)) {
					c.leaveMemory(s)
				}
			}
		}},
		{Name: "status-fills-cache", Description: "evicts sessions to make room for the answers about sessions that are not in memory", Break: func(b *Behaviour) {
			var asked idSet
			b.BeforeStatus = func(c *Conn, r *Request) {
				if c.a.active(askedFor(r)) == nil && asked.add("")%50 == 49 {
					for _, s := range idleOthers(c, "") {
						c.leaveMemory(s)
					}
				}
			}
		}},
		{Name: "status-extends-life", Description: "evicts idle sessions, but none that it is asked about from time to time", Break: together(
			evictIdle(idleRequests), func(b *Behaviour) { b.Uses = func(*Request) bool { return true } })},
	}
}

// statusCacheFaults remember an answer for too long.
func statusCacheFaults() []Fault {
	return []Fault{
		{Name: "status-stale-cache", Description: "never changes what it once said about a session", Break: cached(func(*Conn, *Session) bool { return false })},
		{Name: "status-misses-close", Description: "calls a session active after session/close", Break: func(b *Behaviour) {
			closed := noted(&b.Close, &b.Close2)
			activeIf(func(_ *Conn, s *Session) bool { return closed.has(s.ID) })(b)
		}},
		{Name: "status-misses-eviction", Description: "calls a session active after its eviction",
			Break: activeIf(func(c *Conn, s *Session) (gone bool) {
				c.a.update(func() { gone = s.evicted })
				return gone
			})},
		{Name: "status-misses-load", Description: "calls a session inactive after session/load, or after session/resume with replayFrom", Break: func(b *Behaviour) {
			shown := loaded(b)
			inactiveIf(func(_ *Conn, s *Session) bool { return shown.has(s.ID) })(b)
		}},
		{Name: "status-misses-resume", Description: "calls a session inactive after session/resume", Break: func(b *Behaviour) {
			resumed := noted(&b.Resume, &b.Resume2)
			inactiveIf(func(_ *Conn, s *Session) bool { return resumed.has(s.ID) })(b)
		}},
		{Name: "status-misses-delete", Description: "calls a session active after session/delete", Break: func(b *Behaviour) {
			when(noted(&b.Delete, &b.Delete2).has, callsActive)(b)
		}},
	}
}

// residencyFaults are about what brings a session into memory and takes it out, besides session/status.
func residencyFaults() []Fault {
	return []Fault{
		{Name: "inactive-not-resumable", Description: "knows no session on session/load and session/resume that is not in memory", Break: func(b *Behaviour) {
			around(func(before handler) handler {
				return func(c *Conn, r *Request) (any, *Error) {
					if id := askedFor(r); c.a.active(id) == nil && id != "" {
						return nil, unknownSession(id)
					}
					return before(c, r)
				}
			}, &b.Load, &b.Resume, &b.Resume2)
		}},
		{Name: "list-loads", Description: "brings every session into memory that it lists", Break: func(b *Behaviour) {
			before := b.SessionInfo
			b.SessionInfo = func(c *Conn, s *Session) Object {
				c.a.activate(s)
				return before(c, s)
			}
		}},
		{Name: "failed-load-activates", Description: "brings a session into memory although it refuses to load or resume it", Break: func(b *Behaviour) {
			for _, check := range []*func(*Conn, *Request) *Error{&b.CheckNew, &b.CheckNew2} {
				before := *check
				*check = func(c *Conn, r *Request) *Error {
					e := before(c, r)
					if s := c.a.lookUp(askedFor(r)); e != nil && s != nil {
						c.a.activate(s)
					}
					return e
				}
			}
		}},
		{Name: "close-without-effect", Description: "answers session/close with success and leaves the session in memory", Break: func(b *Behaviour) {
			around(staysIf(func(*Conn, *Session) bool { return true }), &b.Close, &b.Close2)
		}},
		{Name: "resume-without-effect", Description: "answers session/resume with success and leaves the session where it is", Break: func(b *Behaviour) {
			around(func(before handler) handler {
				return func(c *Conn, r *Request) (any, *Error) {
					s := c.a.active(askedFor(r))
					result, e := before(c, r)
					if s == nil && e == nil {
						c.leaveMemory(c.a.lookUp(askedFor(r)))
					}
					return result, e
				}
			}, &b.Resume, &b.Resume2)
		}},
	}
}
