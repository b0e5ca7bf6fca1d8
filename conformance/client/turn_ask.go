package client

// AwaitAsk waits until the agent has sent a request of this method in the turn. It is false where the turn ended without one.
func (t *Turn) AwaitAsk(method string) (*Ask, bool) {
	c := t.s.c
	var found *Ask
	c.await(c.Timeouts.Turn, func() (State, string) {
		for _, a := range c.settled(method) {
			if a.Session == t.s.ID && a.Frame.Seq > t.sentAt() {
				found = a
				return Met, ""
			}
		}
		if t.Done() {
			return Never, "the turn ended without it"
		}
		return NotYet, ""
	})
	return found, found != nil
}

// sentAt is the place of the prompt in the transcript, 0 where it has not been written.
func (t *Turn) sentAt() int {
	t.s.c.mu.Lock()
	defer t.s.c.mu.Unlock()
	return t.s.c.record.sent[t.id].Seq
}
