package fuzz

import (
	"fmt"

	"github.com/dustin/go-humanize"

	"github.com/acp-conform/acp-conform/conformance/wire"
)

// final are the limits that end a connection when they are crossed: nothing more is read of the agent, or nothing more of it is answered.
var final = map[wire.Limit]bool{wire.LimitRecorded: true, wire.LimitRequests: true, wire.LimitChildren: true}

// cross notes that the agent has crossed a limit.
func (c *connection) cross(x *wire.Crossed) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.crossLocked(x)
}

func (c *connection) crossLocked(x *wire.Crossed) {
	if c.told[x.Limit] {
		return
	}
	c.told[x.Limit] = true
	if x.Limit == wire.LimitRecorded {
		x = &wire.Crossed{Limit: x.Limit, Why: fmt.Sprintf("wrote more than %s to stdout on one connection, or more answers than can be kept", size(c.limits.Recorded))}
	}
	c.crossed = append(c.crossed, x)
	if final[x.Limit] && c.over == nil {
		c.over = x
		c.busy -= len(c.replies.waiting)
		c.replies.waiting = nil
	}
	c.wakeLocked()
}

// size says how many bytes a limit has, for a person.
func size(n int64) string { return humanize.IBytes(uint64(max(n, 0))) }

// stopped is the limit for which the connection is over, nil if it is not.
func (c *connection) stopped() *wire.Crossed {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.over
}

// floods are the limits that the agent has crossed since the last time. They are ours and not those of the protocol, so that this is
// a warning, as it is in a run.
func (p *player) floods() []suspect {
	p.mu.Lock()
	crossed := p.crossed
	p.crossed = nil
	p.mu.Unlock()
	after := p.after
	if after == nil {
		after = p.lastSent()
	}
	behind := "what it was sent"
	if after != nil {
		behind = after.what()
	}
	var all []suspect
	for _, x := range crossed {
		all = append(all, suspect{kind: Flood, cause: string(x.Limit), severity: Warning, sent: after,
			why: fmt.Sprintf("the agent crosses the limit %q after %s: it %s", x.Limit, behind, x.Why)})
	}
	return all
}
