package fakeagent

import "time"

// lateness is how long a slow cancel takes: longer than "soon", shorter than "never".
const lateness = 6 * time.Second

func cancelledAs(result any, e *Error) func(*Behaviour) {
	return func(b *Behaviour) { b.CancelledResult = func(*Turn) (any, *Error) { return result, e } }
}

func never(*Turn) bool { return false }

// cancelFaults are about when and how a cancel takes effect.
func cancelFaults() []Fault {
	return []Fault{
		{Name: "cancel-ends-turn", Description: "ends a cancelled turn with end_turn", Break: cancelledAs(Object{"stopReason": "end_turn"}, nil)},
		{Name: "cancel-refuses", Description: "ends a cancelled turn with refusal", Break: cancelledAs(Object{"stopReason": "refusal"}, nil)},
		{Name: "cancel-american-spelling", Description: "ends a cancelled turn with canceled", Break: cancelledAs(Object{"stopReason": "canceled"}, nil)},
		{Name: "cancel-is-error", Description: "ends a cancelled turn with an internal error",
			Break: cancelledAs(nil, &Error{Code: codeInternal, Message: "The operation was aborted"})},
		{Name: "cancel-is-request-cancelled", Description: "ends a turn that session/cancel stopped with the error -32800",
			Break: cancelledAs(nil, &Error{Code: codeCancelled, Message: "Request cancelled"})},
		{Name: "cancel-unanswered", Description: "stops a cancelled turn and never answers its prompt", Break: cancelledAs(nil, silence)},
		{Name: "cancel-ignored", Description: "ignores session/cancel", Break: func(b *Behaviour) { b.Cancel = ignoreNotification }},
		{Name: "cancel-ignored-while-waiting", Description: "ignores a cancel while it waits for the model",
			Break: func(b *Behaviour) { b.InterruptWait = never }},
		{Name: "cancel-ignored-in-tool", Description: "ignores a cancel while a tool runs", Break: func(b *Behaviour) { b.InterruptTool = never }},
		{Name: "cancel-ignored-in-permission", Description: "ignores a cancel while it waits for a permission, and goes on without it",
			Break: func(b *Behaviour) {
				b.Decide = func(t *Turn, result Object, e *Error) (string, error) {
					decision, _ := decide(t, result, e)
					return decision, nil
				}
				b.InterruptPermission = never
			}},
		{Name: "cancel-ignored-in-client-request", Description: "ignores a cancel while it waits for a file or a terminal",
			Break: func(b *Behaviour) { b.InterruptClient = never }},
		{Name: "cancel-waits-for-client", Description: "ends a cancelled turn only when its open file or terminal request is answered",
			Break: func(b *Behaviour) { b.LetGo = never }},
		{Name: "cancel-slow", Description: "ends a cancelled turn only after some seconds",
			Break: func(b *Behaviour) { b.LastWords = func(t *Turn) { t.c.pause(lateness) } }},
		{Name: "idle-cancel-poisons", Description: "cancels the prompt after a cancel that found no turn", Break: func(b *Behaviour) {
			b.IdleCancel = func(c *Conn, s *Session) { c.a.update(func() { s.doomed = true }) }
		}},
		{Name: "idle-cancel-answered", Description: "answers a cancel that finds no turn", Break: func(b *Behaviour) {
			b.IdleCancel = func(c *Conn, _ *Session) { answersNotification(c, &Request{Method: "session/cancel"}) }
		}},
		{Name: "idle-cancel-fatal", Description: "exits on a cancel that finds no turn",
			Break: func(b *Behaviour) { b.IdleCancel = func(c *Conn, _ *Session) { exitOn(c) } }},
		{Name: "idle-cancel-closes", Description: "closes a session on a cancel that finds no turn", Break: func(b *Behaviour) {
			b.IdleCancel = func(c *Conn, s *Session) { c.a.update(func() { s.active = false }) }
		}},
		{Name: "unknown-cancel-answered", Description: "answers a cancel for a session that does not exist", Break: func(b *Behaviour) {
			b.UnknownCancel = func(c *Conn, _ string) { answersNotification(c, &Request{Method: "session/cancel"}) }
		}},
		{Name: "unknown-cancel-fatal", Description: "exits on a cancel for a session that does not exist",
			Break: func(b *Behaviour) { b.UnknownCancel = func(c *Conn, _ string) { exitOn(c) } }},
		{Name: "unknown-cancel-cancels-all", Description: "cancels all turns on a cancel for a session that does not exist", Break: func(b *Behaviour) {
			b.UnknownCancel = func(c *Conn, _ string) {
				for _, s := range c.a.all() {
					closeTurn(c, s)
				}
			}
		}},
		{Name: "cancel-hits-all", Description: "cancels the turns of all sessions",
			Break: func(b *Behaviour) { b.CancelScope = func(c *Conn, _ *Session) []*Session { return c.a.all() } }},
		{Name: "cancel-is-answered", Description: "answers session/cancel", Break: func(b *Behaviour) {
			before := b.Cancel
			b.Cancel = func(c *Conn, r *Request) {
				before(c, r)
				c.sayResult([]byte("null"), Object{}, r.Method)
			}
		}},
		{Name: "immediate-cancel-lost", Description: "loses a cancel that comes in the same piece as the prompt", Break: func(b *Behaviour) {
			b.InterruptWork = func(t *Turn) bool { return t.c.readCount() != t.read }
		}},
		{Name: "immediate-cancel-unanswered", Description: "never answers a prompt that is cancelled before its turn has said anything",
			Break: func(b *Behaviour) {
				before := b.CancelledResult
				b.CancelledResult = func(t *Turn) (any, *Error) {
					if t.sent == 0 {
						return nil, silence
					}
					return before(t)
				}
			}},
		{Name: "cancel-request-code", Description: "answers a prompt that $/cancel_request ended with -32603", Break: func(b *Behaviour) {
			b.RequestCancelled = func(*Turn) (any, *Error) { return nil, &Error{Code: codeInternal, Message: "Request cancelled"} }
		}},
		{Name: "cancel-request-unanswered", Description: "never answers a prompt that $/cancel_request ended",
			Break: func(b *Behaviour) { b.RequestCancelled = func(*Turn) (any, *Error) { return nil, silence } }},
		{Name: "cancel-request-answered", Description: "answers $/cancel_request itself", Break: func(b *Behaviour) {
			before := b.CancelRequest
			b.CancelRequest = func(c *Conn, r *Request) {
				before(c, r)
				answersNotification(c, r)
			}
		}},
	}
}

func (c *Conn) readCount() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.reads
}
