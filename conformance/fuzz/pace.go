package fuzz

import (
	"slices"
	"sync"
	"time"
)

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
