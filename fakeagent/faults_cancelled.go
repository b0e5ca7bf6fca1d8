package fakeagent

import (
	"encoding/json"
	"sync"
)

// afterCancelled sends an update behind the response of a cancelled turn.
func afterCancelled(update func(t *Turn) Object) func(*Behaviour) {
	return func(b *Behaviour) {
		b.AfterCancelledTurn = func(t *Turn) { t.c.Send(updateMessage(t.s.ID, t.identified(update(t)))) }
	}
}

// cancelledTurnFaults are about what happens around the end of a cancelled turn.
func cancelledTurnFaults() []Fault {
	return []Fault{
		{Name: "late-chunk-after-cancel", Description: "sends a message chunk after the response of a cancelled turn", Break: afterCancelled(lateChunk)},
		{Name: "late-tool-call-after-cancel", Description: "sends a tool call after the response of a cancelled turn", Break: afterCancelled(lateTool)},
		{Name: "late-tool-update-after-cancel", Description: "ends the open tool calls of a cancelled turn after its response", Break: func(b *Behaviour) {
			b.FinishTools = func(*Turn) {}
			b.AfterCancelledTurn = finishTools
		}},
		{Name: "tool-goes-on-after-cancel", Description: "reports after the response of a cancelled turn that its tool is still at work", Break: func(b *Behaviour) {
			b.AfterCancelledTurn = func(t *Turn) {
				for _, tool := range t.open {
					t.c.Send(updateMessage(t.s.ID, Object{"sessionUpdate": "tool_call_update", "toolCallId": tool.ID, "status": "in_progress"}))
				}
			}
			b.FinishTools = func(*Turn) {}
		}},
		{Name: "cancel-leaves-tool-open", Description: "leaves the open tool calls of a cancelled turn as they are",
			Break: func(b *Behaviour) { b.FinishTools = func(*Turn) {} }},
		{Name: "cancel-marks-tool-cancelled", Description: "gives the open tool calls of a cancelled turn the status cancelled", Break: func(b *Behaviour) {
			b.FinishTools = func(t *Turn) {
				for _, tool := range t.open {
					t.progress(tool, "cancelled")
				}
			}
		}},
		{Name: "work-goes-on-after-cancel", Description: "goes on with its work after a cancel, and only then ends the turn", Break: func(b *Behaviour) {
			b.LastWords = func(t *Turn) {
				_, _ = runTool(t, "execute")
				t.say("still ", "at ", "work")
			}
		}},
		{Name: "write-goes-on-after-cancel", Description: "writes a file into the session's directory after a cancel", Break: func(b *Behaviour) {
			b.LastWords = func(t *Turn) { t.writeMarker("cancelled.txt") }
		}},
		{Name: "session-dead-after-cancel", Description: "forgets a session when its turn is cancelled", Break: func(b *Behaviour) {
			b.AfterCancelledTurn = func(t *Turn) { t.c.a.update(func() { t.s.active = false }) }
		}},
		{Name: "session-busy-after-cancel", Description: "refuses every prompt after a cancelled turn as busy", Break: func(b *Behaviour) {
			before := b.BeforeTurn
			b.BeforeTurn = func(c *Conn, s *Session) *Error {
				if c.wasCancelled(s) {
					return c.b.BusyPrompt(c, s)
				}
				return before(c, s)
			}
		}},
		{Name: "prompt-hangs-after-cancel", Description: "does not answer the prompt after a cancelled turn", Break: func(b *Behaviour) {
			before := b.BeforeTurn
			b.BeforeTurn = func(c *Conn, s *Session) *Error {
				if c.wasCancelled(s) {
					return silence
				}
				return before(c, s)
			}
		}},
		{Name: "double-cancel-double-response", Description: "answers a prompt once for each cancel", Break: answerEveryCancel},
		{Name: "last-words-after-other-session", Description: "sends the last words of a cancelled turn to another session", Break: func(b *Behaviour) {
			b.LastWords = func(t *Turn) {
				for _, s := range t.c.a.all() {
					if s != t.s {
						t.c.Send(updateMessage(s.ID, t.identified(textChunk())))
						return
					}
				}
			}
		}},
	}
}

// wasCancelled tells whether the last turn of a session was cancelled.
func (c *Conn) wasCancelled(s *Session) bool {
	c.a.store.mu.Lock()
	defer c.a.store.mu.Unlock()
	return s.cancelled
}

// answerEveryCancel answers the second and any further cancel of a turn, too.
func answerEveryCancel(b *Behaviour) {
	var mu sync.Mutex
	stopped := map[string]json.RawMessage{}
	before := b.Cancel
	b.Cancel = func(c *Conn, r *Request) {
		s := c.a.active(text(r.Params, "sessionId"))
		if s == nil {
			before(c, r)
			return
		}
		t := c.turnOf(s)
		mu.Lock()
		id, again := stopped[s.ID]
		if t != nil {
			again = again && string(id) == string(t.id)
			stopped[s.ID] = t.id
		}
		mu.Unlock()
		before(c, r)
		if again {
			c.sayResult(id, Object{"stopReason": "cancelled"}, "session/prompt")
		}
	}
}
