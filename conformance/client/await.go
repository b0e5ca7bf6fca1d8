package client

import (
	"context"
	"errors"
	"time"

	"github.com/acp-conform/acp-conform/conformance/wire"
)

// State is the answer to "has it happened?". Waiting ends with the first Met or Never.
type State int

// The three answers.
const (
	NotYet State = iota // it may still happen
	Met                 // it has happened
	Never               // it cannot happen any more
)

func stateIf(met bool) State {
	if met {
		return Met
	}
	return NotYet
}

// await asks cond again whenever something happened, until it is met, cannot be met any more, or the time is over (NotYet).
// When the agent's output has ended, or the agent is known to have nothing left to do, what has not happened never will.
//
// Where Rests is set, an agent that knows when it is idle is let come to rest when the condition is met: whether what it says beside
// the line that was waited for comes before or behind what we do next is a matter of time, and with any other agent it has to be.
func (c *Client) await(limit time.Duration, cond func() (State, string)) (State, string) {
	s, why := c.look(limit, cond)
	if s == Met {
		c.rest(func() bool { return !c.answeringLocked() })
	}
	return s, why
}

// look is await without the rest behind it.
func (c *Client) look(limit time.Duration, cond func() (State, string)) (State, string) {
	deadline := time.Now().Add(limit)
	for first := true; ; first = false {
		c.mu.Lock()
		changed := c.changed
		c.mu.Unlock()
		over, why := c.over()
		if s, w := cond(); s != NotYet {
			return s, w
		}
		if over {
			return Never, why
		}
		left := time.Until(deadline)
		if left <= 0 && !first {
			return NotYet, "the " + limit.String() + " for it are over"
		}
		c.sleepUntil(changed, left)
	}
}

func (c *Client) sleepUntil(changed <-chan struct{}, left time.Duration) {
	if c.Park != nil {
		defer c.Park()()
	}
	t := time.NewTimer(max(left, 0))
	defer t.Stop()
	select {
	case <-changed:
	case <-t.C:
	case <-c.ctx.Done():
	}
}

// over tells whether nothing can come any more, and why. It is asked before the condition: what came in between counts.
func (c *Client) over() (bool, string) {
	switch {
	case c.ctx.Err() != nil:
		return true, Interrupted(c.ctx)
	case c.Gone() && !c.answering():
		return true, c.GoneBecause()
	case c.quiet():
		return true, "the agent has nothing left to do"
	}
	return false, ""
}

// Interrupted says why a context has ended, for a person: for a limit that was crossed, or because the run was interrupted.
func Interrupted(ctx context.Context) string {
	var x *wire.Crossed
	if errors.As(context.Cause(ctx), &x) {
		return "the agent " + x.Error()
	}
	return "the run was interrupted"
}

// GoneBecause says why the agent can say nothing any more, for a person.
func (c *Client) GoneBecause() string {
	c.mu.Lock()
	crossed := c.crossed
	c.mu.Unlock()
	if crossed != nil {
		return "the agent " + crossed.Error()
	}
	c.goneOnce.Do(func() { c.goneWhy = c.gone() })
	return c.goneWhy
}

// reaping is how long a process whose output has ended is given to be reaped: also on a busy machine it has ended then, or stays.
const reaping = time.Second

// gone says what the agent did, once: else it would depend on when one asks.
func (c *Client) gone() string {
	t := time.NewTimer(reaping)
	defer t.Stop()
	select {
	case <-c.Peer.Exited():
		return "the agent " + c.Peer.Exit().String()
	case <-t.C:
		return "the agent closed its output"
	}
}

// quiet tells whether an agent that knows when it is idle is idle now: it has taken all that we wrote, we have handled all
// that it wrote, and it is not we who owe it something.
func (c *Client) quiet() bool {
	q, ok := c.Peer.(quieter)
	if !ok {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.busy == 0 && c.idle(q)
}

// idle tells whether the agent has nothing to do until it is given something.
func (c *Client) idle(q quieter) bool {
	read, written := q.QuietAt()
	sent, handled := c.stream.Counts()
	return read == sent && written == handled
}

// rest waits until an agent that knows when it is idle is idle and also, which is asked under the lock, ours is done. One that has never
// been idle does not know it.
func (c *Client) rest(ours func() bool) {
	q, ok := c.Peer.(quieter)
	if !ok || !c.Rests {
		return
	}
	if read, _ := q.QuietAt(); read < 0 {
		return
	}
	c.look(c.Timeouts.Request, func() (State, string) {
		c.mu.Lock()
		defer c.mu.Unlock()
		return stateIf(ours() && (c.idle(q) || c.ended)), ""
	})
}

// answering tells whether we are about to answer a request of the agent, or to hold it: also of one that has gone.
func (c *Client) answering() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.answeringLocked()
}

func (c *Client) answeringLocked() bool { return c.busy > c.lasting }

// lasts notes that a request of the agent is answered when something outside has happened, until the function that it returns is called.
func (c *Client) lasts() (over func()) {
	count := func(n int) {
		c.mu.Lock()
		c.lasting += n
		c.mu.Unlock()
		c.wake()
	}
	count(1)
	return func() { count(-1) }
}

type quieter interface{ QuietAt() (read, written int64) }

// Window waits for as long as a quiet window lasts: as long as an agent may still act by itself. It ends at once when the
// agent has gone or is known to be idle.
func (c *Client) Window() { c.Wait(c.Timeouts.Window) }

// Wait is a window of a length of the caller's choice.
func (c *Client) Wait(d time.Duration) {
	c.await(d, func() (State, string) { return NotYet, "" })
}

// Rest waits for all of the time, also where the agent is known to be idle: something outside of it may happen. It ends at once
// when the agent has gone.
func (c *Client) Rest(d time.Duration) {
	deadline := time.Now().Add(d)
	for left := d; left > 0 && !c.Gone() && c.ctx.Err() == nil; left = time.Until(deadline) {
		c.mu.Lock()
		changed := c.changed
		c.mu.Unlock()
		c.sleepUntil(changed, left)
	}
}

// longWindow is how many windows an agent is given where it may act late by nature: after the end of a turn, or when it looks
// into a line that it cannot read.
const longWindow = 5

// LongWindow is a window for what may come late by nature behind a line of the agent; what has passed since then counts.
func (c *Client) LongWindow(behind wire.Frame) {
	c.Wait(longWindow*c.Timeouts.Window - c.Now().Sub(behind.At))
}
