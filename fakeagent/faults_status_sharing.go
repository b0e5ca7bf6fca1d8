package fakeagent

// statusSharingFaults are about sessions that are archived, locked by another process, or those of sub-agents.
func statusSharingFaults() []Fault {
	return []Fault{
		{Name: "status-unarchives", Description: "archives sessions, and unarchives one that it is asked about",
			Break: together(archiving, afterStatusDo(func(c *Conn, s *Session) { c.setArchived(s, false) }))},
		{Name: "status-steals-lock", Description: "locks the sessions that it has in memory, and takes the lock of one that another process has in memory when it is asked about it",
			Break: together(lockSessions, afterStatusDo(ifStored(func(c *Conn, s *Session) { c.a.steal(s.ID) })))},
		{Name: "status-unknown-subagent", Description: "answers that it does not know the live session of a sub-agent",
			Break: knowing(func(c *Conn, s *Session) (known bool) {
				c.a.update(func() { known = !s.child })
				return known
			})},
	}
}

// lockSessions is what the variant does.
func lockSessions(b *Behaviour) { b.Locks = func(*Agent) bool { return true } }
