package client

import (
	"slices"
	"time"

	"github.com/acp-conform/acp-conform/conformance/wire"
)

// Waiting is something that is waited for: whoever has to say where an agent hangs asks for it.
type Waiting struct {
	For   string    // what should come, for a person
	Since time.Time // by the clock of the wall
	Why   string    // why nobody waits any longer; "" while somebody does
	// Request is the line of ours that should be answered, without what nobody would be shown of it; zero where there is none.
	Request wire.Frame
}

// awaitFor is await for something that an agent owes, or may owe. That it is waited for can be seen meanwhile, and still when the
// run has ended for another reason; that it did not come in the time for a request is told. id is that of the request of ours from
// which it should come, "" = of none.
func (c *Client) awaitFor(id, what string, limit time.Duration, cond func() (State, string)) (State, string) {
	w := &Waiting{For: what, Since: time.Now()}
	c.mu.Lock()
	w.Request = shown(c.record.sent[id].Frame)
	c.waits = append(c.waits, w)
	c.mu.Unlock()
	state, why := c.await(limit, cond)
	if c.ctx.Err() != nil {
		return state, why
	}
	c.mu.Lock()
	c.waits = slices.DeleteFunc(c.waits, func(o *Waiting) bool { return o == w })
	c.behind = c.behind || state == NotYet && (c.paced || c.stream.Working())
	c.mu.Unlock()
	if state == NotYet && c.Stuck != nil && limit >= min(c.Timeouts.Start, c.Timeouts.Request) {
		told := *w
		told.Why = why
		c.Stuck(c, told)
	}
	return state, why
}

// Behind tells whether something was waited for in vain on this connection while the agent's lines may have been waiting for us: it writes
// faster than they are handled, or one of them took long. What did not come by then is no silence of the agent.
func (c *Client) Behind() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.behind
}

// Waits are what is waited for now, the longest first.
func (c *Client) Waits() []Waiting {
	c.mu.Lock()
	defer c.mu.Unlock()
	var all []Waiting
	for _, w := range c.waits {
		all = append(all, *w)
	}
	return all
}

// shownLines is how many lines of each side are shown where an agent hangs, and shownBytes how much of each.
const (
	shownLines = 3
	shownBytes = 2 << 10
)

// LastLines are the last lines of both sides.
func (c *Client) LastLines() (sent, received []wire.Frame) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.record.lastSent), slices.Clone(c.record.lastReceived)
}

// latest adds a line to the last ones, without what nobody would be shown of it.
func latest(lines []wire.Frame, f wire.Frame) []wire.Frame {
	lines = append(lines, shown(f))
	return lines[max(0, len(lines)-shownLines):]
}

// shown is a line without what nobody would be shown of it.
func shown(f wire.Frame) wire.Frame {
	if over := len(f.Line) - shownBytes; over > 0 {
		f.Line, f.Dropped = slices.Clone(f.Line[:shownBytes]), f.Dropped+over
	}
	return f
}
