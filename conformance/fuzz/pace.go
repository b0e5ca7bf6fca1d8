package fuzz

import (
	"slices"
	"sync"
	"time"
)

// clock tells how long scripts have been played. What an agent takes to be ready for the first one does not
// count: a short run of a slow agent would play none.
type clock struct {
	mu    sync.Mutex
	first time.Time
	alarm func() // is called when it starts; nil = nothing
}

// start starts the clock, unless it goes already.
func (c *clock) start(now func() time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.first.IsZero() {
		return
	}
	if c.first = now(); c.alarm != nil {
		c.alarm()
	}
}

// since is how long the clock goes.
func (c *clock) since(now func() time.Time) time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.first.IsZero() {
		return 0
	}
	return now().Sub(c.first)
}

// passes gives the moment at which the clock will have gone for so long.
func (c *clock) passes(d time.Duration) time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.first.Add(d)
}

// pace is how quickly the agent answers what costs it nothing, over all connections.
type pace struct {
	mu   sync.Mutex
	seen [128]time.Duration // the last answers
	n    int
}

// took notes how long an answer took.
func (p *pace) took(d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.seen[p.n%len(p.seen)] = d
	p.n++
}

const (
	manyTimes = 30
	shortest  = 150 * time.Millisecond
)

// short is how long something is waited for that need not come: many times as long as nine of ten answers take, and not beyond the
// limit. What is concluded from it is tried again with all the time that there is.
func (p *pace) short(limit time.Duration) time.Duration {
	p.mu.Lock()
	seen := slices.Clone(p.seen[:min(p.n, len(p.seen))])
	p.mu.Unlock()
	if len(seen) == 0 {
		return limit
	}
	slices.Sort(seen)
	return min(limit, max(shortest, manyTimes*seen[len(seen)*9/10]))
}
