package fakeagent

import (
	"sync"
	"sync/atomic"
)

// onStatusState changes the state in the answer about a session in memory.
func onStatusState(change func(c *Conn, s *Session, state Object) any) func(*Behaviour) {
	return func(b *Behaviour) {
		before := b.StatusState
		b.StatusState = func(c *Conn, s *Session) any {
			state, _ := before(c, s).(Object)
			return change(c, s, state)
		}
	}
}

// statesAs has another state in place of those with certain tags; a nil state leaves it out.
func statesAs(instead any, tags ...string) func(*Behaviour) {
	return onStatusState(func(_ *Conn, _ *Session, state Object) any {
		if contains(tags, text(state, "state")) {
			return instead
		}
		return state
	})
}

// onIdle changes the state of an idle session.
func onIdle(change func(c *Conn, s *Session, state Object) Object) func(*Behaviour) {
	return onStatusState(func(c *Conn, s *Session, state Object) any {
		if state["state"] == "idle" {
			return change(c, s, state)
		}
		return state
	})
}

// whenInactive reports a state for a session that is not in memory.
func whenInactive(tag string) func(*Behaviour) {
	return func(b *Behaviour) {
		before := b.Status2
		b.Status2 = func(c *Conn, r *Request) (any, *Error) {
			result, e := before(c, r)
			answer, ok := result.(Object)
			if _, inactive := c.b.StatusWords(c.a); e == nil && ok && answer["status"] == inactive {
				return with(answer, "state", Object{"state": tag}), nil
			}
			return result, e
		}
	}
}

// statusStateFaults are about the foreground state that version 2 has.
func statusStateFaults() []Fault {
	rows := []Fault{
		{Name: "status-emits-state-update", Description: "reports the state of a session in memory as an update when it is asked about it",
			Break: afterStatusDo(func(c *Conn, s *Session) {
				if c.speaks(2) && c.a.isActive(s) {
					c.announce(s, with(currentState(c, s), "sessionUpdate", "state_update"))
				}
			})},
		{Name: "status-resets-to-idle", Description: "says in session/status that a session is idle while it is running or waits for the user",
			Break: statesAs(Object{"state": "idle"}, "running", "requires_action")},
		{Name: "status-forgets-requires-action", Description: "says in session/status that a session is running while it waits for the user",
			Break: statesAs(Object{"state": "running"}, "requires_action")},
		{Name: "status-keeps-requires-action", Description: "goes on to say in session/status that a session waits for the user once it did", Break: keepsWaiting},
		{Name: "status-bare-string-state", Description: "writes the state of a session in session/status as a string",
			Break: onStatusState(func(_ *Conn, _ *Session, state Object) any { return state["state"] })},
		{Name: "status-state-envelope", Description: "writes the state of a session in session/status as the update that reported it",
			Break: onStatusState(func(_ *Conn, _ *Session, state Object) any { return with(state, "sessionUpdate", "state_update") })},
		{Name: "status-state-missing", Description: "leaves the state out of the answer about a session in memory",
			Break: onStatusState(func(*Conn, *Session, Object) any { return nil })},
		{Name: "status-null-state", Description: "writes the state of a session in memory as null",
			Break: onStatusState(func(*Conn, *Session, Object) any { return null() })},
		{Name: "status-state-empty", Description: "writes the state of a session in session/status as an empty object",
			Break: onStatusState(func(*Conn, *Session, Object) any { return Object{} })},
		{Name: "status-state-number", Description: "writes the tag of a state in session/status as a number",
			Break: onStatusState(func(_ *Conn, _ *Session, state Object) any { return with(state, "state", 1) })},
		{Name: "status-state-unknown-tag", Description: "calls the state of a session in session/status by a word that is neither the protocol's nor marked as its own",
			Break: onStatusState(func(*Conn, *Session, Object) any { return Object{"state": "thinking"} })},
		{Name: "status-state-stale", Description: "says in session/status in which state a session was before the last update", Break: staleState},
		{Name: "status-running-at-first", Description: "says in session/status that a new session is running, about which there was no update",
			Break: onIdle(func(c *Conn, s *Session, state Object) Object {
				c.a.update(func() {
					if s.state == nil && s.Turns == 0 {
						state = Object{"state": "running"}
					}
				})
				return state
			})},
		{Name: "status-running-after-resume", Description: "says in session/status that a session is running that it has just reported as idle on session/resume", Break: runningAfterResume},
		{Name: "status-state-when-inactive", Description: "says of a session that is not in memory that it is idle", Break: whenInactive("idle")},
		{Name: "status-running-when-inactive", Description: "says of a session that is not in memory that it is running", Break: whenInactive("running")},
		{Name: "status-drops-background", Description: "leaves the background work out of the state in session/status",
			Break: onStatusState(func(_ *Conn, _ *Session, state Object) any { return lacking(state, "background") })},
		{Name: "status-wrong-stop-reason", Description: "names another stop reason in session/status than that of the last turn",
			Break: onIdle(func(_ *Conn, _ *Session, state Object) Object {
				switch state["stopReason"] {
				case nil:
					return state
				case "refusal":
					return with(state, "stopReason", "max_tokens")
				}
				return with(lacking(state, "error"), "stopReason", "refusal")
			})},
		{Name: "status-stop-reason-at-first", Description: "names a stop reason in session/status although there was no turn",
			Break: onIdle(func(c *Conn, s *Session, state Object) Object {
				if c.a.turnsOf(s) == 0 {
					return with(state, "stopReason", "end_turn")
				}
				return state
			})},
		{Name: "status-recounts-usage", Description: "reports usage with every answer about an idle session, and more each time", Break: recountUsage},
	}
	for i := range rows {
		rows[i].Protocols = []int{latestVersion}
	}
	return rows
}

func keepsWaiting(b *Behaviour) {
	var waited idSet
	onStatusState(func(_ *Conn, s *Session, state Object) any {
		if state["state"] == "requires_action" {
			waited.add(s.ID)
		}
		if waited.has(s.ID) {
			return Object{"state": "requires_action"}
		}
		return state
	})(b)
}

func staleState(b *Behaviour) {
	var mu sync.Mutex
	last, before := map[*Session]Object{}, map[*Session]Object{}
	update := b.StateUpdate
	b.StateUpdate = func(c *Conn, s *Session, state Object) Object {
		state = update(c, s, state)
		mu.Lock()
		defer mu.Unlock()
		if before[s] = last[s]; before[s] == nil {
			before[s] = Object{"state": "idle"}
		}
		last[s] = state
		return state
	}
	onStatusState(func(_ *Conn, s *Session, state Object) any {
		mu.Lock()
		defer mu.Unlock()
		if before[s] != nil {
			return before[s]
		}
		return state
	})(b)
}

func runningAfterResume(b *Behaviour) {
	var mu sync.Mutex
	turns := map[*Session]int{} // at the last resume
	before := b.ResumeState
	b.ResumeState = func(c *Conn, s *Session) Object {
		now := c.a.turnsOf(s)
		mu.Lock()
		turns[s] = now
		mu.Unlock()
		return before(c, s)
	}
	onIdle(func(c *Conn, s *Session, state Object) Object {
		now := c.a.turnsOf(s)
		mu.Lock()
		defer mu.Unlock()
		if then, ok := turns[s]; ok && then == now {
			return Object{"state": "running"}
		}
		return state
	})(b)
}

func usage(tokens int64) Object {
	return Object{"totalTokens": 3 * tokens, "inputTokens": tokens, "outputTokens": 2 * tokens}
}

func recountUsage(b *Behaviour) {
	var asked atomic.Int64
	onIdle(func(_ *Conn, _ *Session, state Object) Object { return with(state, "usage", usage(100*asked.Add(1))) })(b)
}
