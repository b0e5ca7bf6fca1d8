package fakeagent

import (
	"maps"
	"os"
)

// LifecycleFaults names faults of Faults that show only after some steps in the life of a session: new, prompt, cancel, the
// answer to a request for permission, close, delete, load or resume, restart, evict, and session/status. For each there is a
// sequence of at most six such steps, in every version that the fault is in, at the end of which no correct agent that keeps
// its sessions says what this one says. A test that makes up sequences can be measured by them.
func LifecycleFaults() []string {
	return []string{
		"close-without-effect", "close-in-turn-without-effect", "close-after-reopen-without-effect", "close-after-cancel-loses",
		"second-close-activates", "second-resume-deactivates", "resume-without-effect", "resume-revives-deleted", "inactive-not-resumable",
		"prompt-after-cancel-unknown", "prompt-after-reopen-unknown", "status-unknown-after-reopen", "status-stale-cache",
		"status-misses-close", "status-misses-eviction", "status-misses-load", "status-misses-resume", "status-misses-delete",
	}
}

// staysIf leaves a session in memory although its close was answered with success.
func staysIf(wrong func(c *Conn, s *Session) bool) func(before handler) handler {
	return func(before handler) handler {
		return func(c *Conn, r *Request) (any, *Error) {
			s := c.a.active(askedFor(r))
			if s == nil || !wrong(c, s) {
				return before(c, r)
			}
			var conns map[*Conn]bool
			c.a.update(func() { conns = maps.Clone(s.conns) })
			result, e := before(c, r)
			if e == nil {
				c.a.activate(s)
				c.a.update(func() { s.conns = conns })
			}
			return result, e
		}
	}
}

// reopened has a set of the sessions that were brought back into memory.
func reopened(b *Behaviour) *idSet {
	var done idSet
	for _, check := range []*func(*Conn, *Request) *Error{&b.CheckNew, &b.CheckNew2} {
		before := *check
		*check = func(c *Conn, r *Request) *Error {
			e := before(c, r)
			if id := askedFor(r); e == nil && c.a.active(id) == nil && c.a.lookUp(id) != nil {
				done.add(id)
			}
			return e
		}
	}
	return &done
}

// lifecycleFaults go wrong only after something has happened to a session before.
func lifecycleFaults() []Fault {
	return []Fault{
		{Name: "close-in-turn-without-effect", Description: "answers session/close with success and leaves the session in memory, if a turn runs in it",
			Break: func(b *Behaviour) { around(staysIf(busy), &b.Close, &b.Close2) }},
		{Name: "close-after-reopen-without-effect", Description: "answers session/close with success and leaves the session in memory, if it was closed before",
			Break: func(b *Behaviour) {
				back := reopened(b)
				around(staysIf(func(_ *Conn, s *Session) bool { return back.has(s.ID) }), &b.Close, &b.Close2)
			}},
		{Name: "close-after-cancel-loses", Description: "loses a session that is closed after a cancelled turn, and goes on to call it inactive", Break: loseCancelled},
		{Name: "second-close-activates", Description: "brings a session into memory that is closed although it is not there", Break: func(b *Behaviour) {
			around(func(before handler) handler {
				return func(c *Conn, r *Request) (any, *Error) {
					wasActive := c.a.active(askedFor(r)) != nil
					result, e := before(c, r)
					if s := c.a.lookUp(askedFor(r)); s != nil && !wasActive {
						c.a.activate(s)
					}
					return result, e
				}
			}, &b.Close, &b.Close2)
		}},
		{Name: "second-resume-deactivates", Description: "takes a session out of memory that is loaded or resumed although it is there", Break: func(b *Behaviour) {
			around(func(before handler) handler {
				return func(c *Conn, r *Request) (any, *Error) {
					s := c.a.active(askedFor(r))
					result, e := before(c, r)
					if s != nil && e == nil {
						closeIdle(c, s)
					}
					return result, e
				}
			}, &b.Load, &b.Resume, &b.Resume2)
		}},
		{Name: "resume-revives-deleted", Description: "makes a session anew that is resumed after its deletion", Break: func(b *Behaviour) {
			deleted := noted(&b.Delete, &b.Delete2)
			before := b.ResumeUnknown
			b.ResumeUnknown = func(c *Conn, id string) (*Session, *Error) {
				if deleted.has(id) {
					return inventNamed(c, id)
				}
				return before(c, id)
			}
		}},
		{Name: "prompt-after-cancel-unknown", Description: "does not know a session in a prompt that comes after a cancelled turn, and goes on to call it active",
			Break: func(b *Behaviour) {
				b.BeforeTurn = func(c *Conn, s *Session) (e *Error) {
					c.a.update(func() {
						if s.cancelled {
							e = unknownSession(s.ID)
						}
					})
					return e
				}
			}},
		{Name: "prompt-after-reopen-unknown", Description: "does not know a session in a prompt once it was brought back into memory, and goes on to call it active",
			Break: func(b *Behaviour) {
				back := reopened(b)
				b.BeforeTurn = func(c *Conn, s *Session) *Error {
					if back.has(s.ID) {
						return unknownSession(s.ID)
					}
					return nil
				}
			}},
		{Name: "status-unknown-after-reopen", Description: "answers that it does not know a session once it was brought back into memory", Break: func(b *Behaviour) {
			back := reopened(b)
			knowing(func(_ *Conn, s *Session) bool { return !back.has(s.ID) })(b)
		}},
		{Name: "delete-closes-others", Description: "closes the other sessions when it deletes one", Break: func(b *Behaviour) {
			around(func(before handler) handler {
				return func(c *Conn, r *Request) (any, *Error) {
					result, e := before(c, r)
					for _, s := range idleOthers(c, askedFor(r)) {
						closeIdle(c, s)
					}
					return result, e
				}
			}, &b.Delete, &b.Delete2)
		}},
		{Name: "restart-activates-closed", Description: "brings those sessions into memory at its start that were closed before", Break: activateClosed},
	}
}

func loseCancelled(b *Behaviour) {
	var lost idSet
	around(func(before handler) handler {
		return func(c *Conn, r *Request) (any, *Error) {
			s := c.a.active(askedFor(r))
			cancelled := false
			c.a.update(func() { cancelled = s != nil && s.turn == nil && s.cancelled })
			result, e := before(c, r)
			if cancelled && e == nil {
				lost.add(s.ID)
				c.b.Remove(c.a, s.ID)
			}
			return result, e
		}
	}, &b.Close, &b.Close2)
	when(lost.has, callsInactive)(b)
}

// activateClosed notes in the store which sessions were closed.
func activateClosed(b *Behaviour) {
	note := func(c *Conn, s *Session) string { return c.a.store.file(s.ID) + ".closed" }
	around(func(before handler) handler {
		return func(c *Conn, r *Request) (any, *Error) {
			s := c.a.active(askedFor(r))
			result, e := before(c, r)
			if s != nil && e == nil && c.a.store.dir != "" {
				_ = os.WriteFile(note(c, s), nil, 0o600)
			}
			return result, e
		}
	}, &b.Close, &b.Close2)
	atStartOf(func(c *Conn, s *Session) {
		if os.Remove(note(c, s)) == nil {
			c.a.activate(s)
		}
	})(b)
}
