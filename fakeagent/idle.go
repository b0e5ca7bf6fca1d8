package fakeagent

import "sync"

// age is called before every request is looked at. It evicts the sessions that nobody has used for Config.EvictAfter; no
// timer does, so that nothing happens between two requests.
func age(c *Conn, r *Request) {
	limit := c.a.cfg.EvictAfter
	if limit <= 0 {
		return
	}
	for _, s := range c.a.inMemory() {
		if c.a.idleFor(s) > limit {
			c.leaveMemory(s)
		}
	}
	if c.b.Uses(r) {
		if s := c.a.active(text(r.Params, "sessionId")); s != nil {
			c.a.use(s)
		}
	}
}

// uses tells whether a request is a use of its session. To ask for the status is none.
func uses(r *Request) bool { return r.Method != "session/status" }

// leaveMemory evicts a session and ends its servers.
func (c *Conn) leaveMemory(s *Session) {
	c.b.StopServers(c, s)
	c.a.evict(s)
}

// idleRequests is for how many requests the agents that evict idle sessions keep one that nobody uses.
const idleRequests = 12

// evictIdle evicts a session when so many requests were made since its last use. It counts requests and not seconds, so
// that it always happens at the same place of a conversation. To ask for the status does not count.
func evictIdle(limit int) func(*Behaviour) {
	return func(b *Behaviour) {
		var mu sync.Mutex
		made, used := 0, map[string]int{}
		byTime := b.Age
		b.Age = func(c *Conn, r *Request) {
			if c.a.cfg.EvictAfter > 0 { // then that is what idle means
				byTime(c, r)
				return
			}
			mu.Lock()
			defer mu.Unlock()
			if uses(r) {
				made++
			}
			for _, s := range c.a.inMemory() {
				if _, seen := used[s.ID]; !seen || c.turnOf(s) != nil {
					used[s.ID] = made
				}
				if made-used[s.ID] > limit {
					delete(used, s.ID)
					c.leaveMemory(s)
				}
			}
			if c.b.Uses(r) {
				used[text(r.Params, "sessionId")] = made
			}
		}
	}
}
