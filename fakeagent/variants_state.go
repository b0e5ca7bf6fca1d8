package fakeagent

// sharingVariants are agents that archive and lock sessions.
func sharingVariants() []Fault {
	return []Fault{
		{Name: "archives", Description: "has session/archive and session/unarchive", Break: archiving},
		{Name: "locks-sessions", Description: "locks the sessions that it has in memory, so that no other process can load or resume them", Break: lockSessions},
	}
}

// stateVariants report the foreground state of version 2 in other ways.
func stateVariants() []Fault {
	rows := []Fault{
		{Name: "status-state-meta", Description: "says more about the state of a session in session/status, under _meta",
			Break: onStatusState(func(_ *Conn, _ *Session, state Object) any {
				return with(state, "_meta", Object{"vendor.example/since": 7, "state": "running"})
			})},
		{Name: "status-state-brief", Description: "says in session/status in which state a session is, and not how it came to be idle",
			Break: onStatusState(func(_ *Conn, _ *Session, state Object) any { return lacking(state, "stopReason", "error") })},
		{Name: "idle-with-usage", Description: "reports the usage of a turn with the state in which it ends", Break: func(b *Behaviour) {
			before := b.Idle
			b.Idle = func(t *Turn, stopReason string, e *Error) Object {
				return with(before(t, stopReason, e), "usage", usage(100))
			}
		}},
	}
	for i := range rows {
		rows[i].Protocols = []int{latestVersion}
	}
	return rows
}
