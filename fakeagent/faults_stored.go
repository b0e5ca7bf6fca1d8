package fakeagent

import (
	"encoding/json"
	"os"
	"path/filepath"
)

// processPath resolves a path against the working directory of the process.
func processPath(t *Turn, name string) string {
	if t.c.a.cfg.Dir != "" {
		return filepath.Join(t.c.a.cfg.Dir, name)
	}
	full, err := filepath.Abs(name)
	if err != nil {
		return filepath.Join(os.TempDir(), name)
	}
	return full
}

func onReplay(change func(history []Object) []Object) func(*Behaviour) {
	return func(b *Behaviour) {
		before := b.Replay
		b.Replay = func(c *Conn, s *Session) []Object { return change(before(c, s)) }
	}
}

func only(keep func(tag string) bool) func([]Object) []Object {
	return func(history []Object) []Object {
		var kept []Object
		for _, u := range history {
			if keep(text(u, "sessionUpdate")) {
				kept = append(kept, u)
			}
		}
		return kept
	}
}

func listed(change func(Object) Object) func(*Behaviour) {
	return func(b *Behaviour) { b.ListResult = func(result Object) any { return change(result) } }
}

// storedSessionFaults are about load, resume, close, list and delete.
func storedSessionFaults() []Fault {
	return []Fault{
		{Name: "load-without-history", Description: "replays nothing on session/load", Break: onReplay(func([]Object) []Object { return nil })},
		{Name: "load-without-user-messages", Description: "replays no user messages on session/load",
			Break: onReplay(only(func(tag string) bool { return tag != "user_message_chunk" }))},
		{Name: "load-last-message-only", Description: "replays only the end of the conversation on session/load",
			Break: onReplay(func(history []Object) []Object { return history[max(0, len(history)-1):] })},
		{Name: "load-out-of-order", Description: "replays the conversation backwards on session/load", Break: onReplay(func(history []Object) []Object {
			var reversed []Object
			for i := len(history) - 1; i >= 0; i-- {
				reversed = append(reversed, history[i])
			}
			return reversed
		})},
		{Name: "load-replays-late", Description: "replays the conversation after the response to session/load", Break: replayLate},
		{Name: "load-asks-client", Description: "asks for permission while it loads a session", Break: func(b *Behaviour) {
			before := b.Replay
			b.Replay = func(c *Conn, s *Session) []Object {
				t := &Turn{c: c, s: s, b: c.b}
				t.post("session/request_permission", Object{"sessionId": s.ID, "toolCall": Object{"toolCallId": "call_again", "title": "Again"},
					"options": []any{Object{"optionId": "reject", "name": "Reject", "kind": "reject_once"}}})
				return before(c, s)
			}
		}},
		{Name: "load-unknown-succeeds", Description: "answers session/load with success for a session that does not exist",
			Break: func(b *Behaviour) { b.LoadUnknown = inventSession }},
		{Name: "load-unknown-unanswered", Description: "does not answer session/load for a session that does not exist",
			Break: func(b *Behaviour) { b.LoadUnknown = func(*Conn, string) (*Session, *Error) { return nil, silence } }},
		{Name: "load-result-string", Description: "answers session/load with a string",
			Break: func(b *Behaviour) { b.LoadResult = func(Object) any { return "loaded" } }},
		{Name: "resume-replays", Description: "replays the conversation on session/resume",
			Break: func(b *Behaviour) { b.ResumeReplay = replay }},
		{Name: "resume-unknown-succeeds", Description: "answers session/resume with success for a session that does not exist",
			Break: func(b *Behaviour) { b.ResumeUnknown = inventSession }},
		{Name: "close-leaves-turn", Description: "lets the turn of a closed session run on",
			Break: func(b *Behaviour) { b.CloseTurn = func(*Conn, *Session) {} }},
		{Name: "close-then-update", Description: "sends an update of a session after the response to its session/close", Break: func(b *Behaviour) {
			b.AfterClose = func(c *Conn, id string) { c.Send(updateMessage(id, messageChunk(nil, textBlock("bye"), ""))) }
		}},
		{Name: "close-result-null", Description: "answers session/close with null", Break: func(b *Behaviour) {
			before := b.Close
			b.Close = func(c *Conn, r *Request) (any, *Error) {
				result, e := before(c, r)
				if e == nil {
					result = json.RawMessage("null")
				}
				return result, e
			}
		}},
		{Name: "list-null", Description: "lists null instead of no sessions", Break: listed(func(result Object) Object {
			if list, _ := result["sessions"].([]any); len(list) > 0 {
				return result
			}
			return with(result, "sessions", nil)
		})},
		{Name: "list-without-sessions", Description: "leaves sessions out of the result of session/list", Break: listed(dropMember("sessions"))},
		{Name: "list-ignores-cwd", Description: "lists the sessions of all directories whatever the filter says",
			Break: func(b *Behaviour) { b.InDirectory = func(*Session, string) bool { return true } }},
		{Name: "list-repeats-page", Description: "gives out a cursor that leads to the same page again",
			Break: func(b *Behaviour) { b.NextCursor = func(int) string { return nextCursor(0) } }},
		{Name: "list-cursor-number", Description: "gives out a number as cursor", Break: listed(func(result Object) Object {
			return with(result, "nextCursor", 3)
		})},
		{Name: "list-accepts-bad-cursor", Description: "takes a cursor that it never gave out for the beginning", Break: func(b *Behaviour) {
			before := b.Cursor
			b.Cursor = func(v any) (int, *Error) {
				n, _ := before(v)
				return n, nil
			}
		}},
		{Name: "list-entry-without-cwd", Description: "lists sessions without their directory", Break: func(b *Behaviour) {
			before := b.SessionInfo
			b.SessionInfo = func(c *Conn, s *Session) Object { return lacking(before(c, s), "cwd") }
		}},
		{Name: "delete-still-listed", Description: "lists a session after its deletion", Break: func(b *Behaviour) { b.Remove = func(*Agent, string) {} }},
		{Name: "delete-unknown-fails", Description: "refuses to delete a session that does not exist",
			Break: func(b *Behaviour) { b.DeleteUnknown = func(id string) (any, *Error) { return nil, unknownSession(id) } }},
	}
}

func inventSession(c *Conn, _ string) (*Session, *Error) {
	return c.a.create("/", func(*Agent, int) string { return "sess_invented" }), nil
}

func replayLate(b *Behaviour) {
	b.Load = func(c *Conn, r *Request) (any, *Error) {
		s, e := c.reopen(r, c.b.CheckNew, c.b.LoadUnknown)
		if e != nil {
			return nil, e
		}
		c.sayResult(r.ID, c.b.LoadResult(c.sessionState(s)), r.Method)
		for _, u := range c.b.Replay(c, s) {
			c.announce(s, u)
		}
		return nil, silence
	}
}
