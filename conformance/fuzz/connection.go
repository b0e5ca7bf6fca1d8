package fuzz

import (
	"context"
	"encoding/json"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/acp-conform/acp-conform/conformance/wire"
)

// connection is one agent and everything that was said on its pipes.
type connection struct {
	terms
	peer   wire.Peer
	stream *wire.Stream

	mu      sync.Mutex
	changed chan struct{}
	got     lines // of the agent
	last    time.Time
	ended   bool      // the agent's output has ended
	endedAt time.Time // when that, or the end of the agent, was seen first
	busy    int       // answers of ours that are on their way
	replies replies
	known   map[string]json.RawMessage // results, by the names of their steps
	crossed []*wire.Crossed            // limits whose crossing has not been judged
	told    map[wire.Limit]bool        // limits that have been crossed
	over    *wire.Crossed              // the limit for which nothing more is read or answered
	closed  chan struct{}
	drained chan struct{} // closed when the agent's output has ended
	left    func()        // is called when the agent is ended
}

// terms are how a connection deals with its agent.
type terms struct {
	now    func() time.Time
	limit  time.Duration // of silence
	dir    string        // that placeholders name
	limits wire.Limits
	keep   int         // bytes of the agent's lines that are kept
	heavy  sync.Locker // see wire.Terms
}

// dial connects to an agent. taps see every frame; nothing is sent yet.
func dial(peer wire.Peer, terms terms, taps ...wire.Tap) *connection {
	c := &connection{terms: terms, peer: peer, changed: make(chan struct{}), last: terms.now(), got: newLines(terms.keep), told: map[wire.Limit]bool{},
		known: map[string]json.RawMessage{}, closed: make(chan struct{}), drained: make(chan struct{})}
	t := wire.NewTranscript(c.now, nil, append(taps, c.see)...)
	if q, ok := peer.(wire.Quieter); ok {
		q.OnQuiet(c.wake)
	}
	c.stream = wire.NewStream(peer.Output(), peer.Input(), t, wire.Terms{Patience: c.limit, Waiting: c.wake, Limits: c.limits, Budget: wire.NewBudget(c.limits.Recorded),
		Crossed: c.cross, Heavy: c.heavy, Stop: c.closed})
	go c.read()
	go func() {
		select {
		case <-peer.Exited():
			c.mu.Lock()
			c.endedLocked()
			c.mu.Unlock()
		case <-c.closed:
		}
	}()
	return c
}

// read takes in what the agent says, to its end or to where it has crossed a limit.
func (c *connection) read() {
	defer close(c.drained)
	for c.stopped() == nil {
		var message json.RawMessage
		if c.stream.ReadObject(&message) != nil {
			break
		}
	}
	if out, ok := c.peer.Output().(io.Closer); ok {
		_ = out.Close() // nobody else reads it, and there are thousands of connections
	}
	c.mu.Lock()
	c.ended = true
	c.endedLocked()
	c.mu.Unlock()
}

// endedLocked notes when the agent ended.
func (c *connection) endedLocked() {
	if c.endedAt.IsZero() {
		c.endedAt = c.now()
	}
	c.wakeLocked()
}

// see notes a frame, and has it answered if it is a request of the agent.
func (c *connection) see(f wire.Frame, e wire.Envelope) {
	if f.From != wire.Agent {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last = c.now()
	c.got.add(&line{Envelope: e, key: keyOf(e.ID), unread: f.Dropped > 0 || e.Deep, unended: f.Unended}, len(f.Line))
	if c.got.lost {
		c.crossLocked(&wire.Crossed{Limit: wire.LimitRecorded})
	}
	c.wakeLocked()
	if e.Kind == wire.Request && e.Broken == wire.Whole {
		c.askedLocked(e)
	}
}

// lookUp gives what a placeholder stands for.
func (c *connection) lookUp(name string) (string, bool) {
	if name == "dir" {
		return c.dir, true
	}
	return c.result(name)
}

// wake lets whoever waits look again.
func (c *connection) wake() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.wakeLocked()
}

func (c *connection) wakeLocked() {
	close(c.changed)
	c.changed = make(chan struct{})
}

// write sends lines; each of them is ended.
func (c *connection) write(lines ...[]byte) error {
	var b []byte
	for _, l := range lines {
		b = append(append(b, l...), '\n')
	}
	err := c.stream.Raw(true, nil, b)
	c.mu.Lock()
	c.last = c.now()
	c.mu.Unlock()
	return err
}

// state is how waiting ended.
type state int

const (
	met    state = iota
	gone         // the agent has ended
	silent       // it said nothing for the whole time, or has nothing left to do
)

// longestWait is how many times the limit of silence an agent may go on talking without saying what is waited for.
const longestWait = 6

// exitPatience is how long what an agent wrote before its end may take to arrive.
const exitPatience = time.Second

// await waits until the condition holds, which is asked under the lock. Every line of the agent gives it more time.
func (c *connection) await(ctx context.Context, limit time.Duration, cond func() bool) state {
	begun := c.now()
	for {
		c.mu.Lock()
		changed, now := c.changed, c.now()
		left := min(c.lastSince(begun).Add(limit).Sub(now), begun.Add(longestWait*limit).Sub(now))
		done, ended, idle := cond(), c.ended || c.over != nil, c.idleLocked()
		c.mu.Unlock()
		switch {
		case done:
			return met
		case ended || ctx.Err() != nil:
			return gone
		case idle || left <= 0:
			return silent
		}
		if over(c.peer) {
			left = min(left, exitPatience) // a child may hold its output open
		}
		timer := time.NewTimer(left)
		select {
		case <-changed:
		case <-timer.C:
			if over(c.peer) {
				timer.Stop()
				return gone
			}
		case <-ctx.Done():
		}
		timer.Stop()
	}
}

func (c *connection) lastSince(begun time.Time) time.Time {
	if c.last.After(begun) {
		return c.last
	}
	return begun
}

func over(p wire.Peer) bool {
	select {
	case <-p.Exited():
		return true
	default:
		return false
	}
}

func (c *connection) outputEnded() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.ended
}

// ending says how the agent ended whose output has ended, "" if it lives.
func (c *connection) ending() string {
	select {
	case <-c.peer.Exited(): // which is known a little later than that its output has ended
	case <-time.After(exitPatience):
		return ""
	}
	return strings.TrimPrefix(c.peer.Exit().String(), "the agent ")
}

// idleLocked tells whether an agent in this process has nothing left to do.
func (c *connection) idleLocked() bool {
	q, ok := c.peer.(wire.Quieter)
	if !ok || c.busy > 0 {
		return false
	}
	read, written := q.QuietAt()
	sent, handled := c.stream.Counts()
	return read == sent && written == handled
}

// end ends the agent.
func (c *connection) end(grace time.Duration) wire.Ending {
	c.left()
	e := c.peer.End(grace)
	close(c.closed)
	select {
	case <-c.drained:
	case <-time.After(exitPatience): // a child that escaped holds it
	}
	return e
}
