package client

import (
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/acp-conform/acp-conform/conformance/wire"
)

// waitDrained waits until everything that the agent wrote has been seen, also what came when its input was closed.
func (c *Client) waitDrained() {
	t := time.NewTimer(c.Timeouts.Exit)
	defer t.Stop()
	select {
	case <-c.drained:
	case <-t.C: // something else holds its output open
	}
}

// Cross notes that the agent has crossed a limit. After some of them nothing more is read from it, or expected: what it leaves open
// then is our doing.
func (c *Client) Cross(x *wire.Crossed) {
	final := slices.Contains([]wire.Limit{wire.LimitRecorded, wire.LimitChildren, wire.LimitRule, wire.LimitRun}, x.Limit)
	c.mu.Lock()
	if final {
		c.crossed = x
	}
	c.paced = c.paced || x.Limit == wire.LimitFrames
	c.mu.Unlock()
	c.Remark(Remark{Limit: x.Limit, Why: x.Why, Closing: final})
}

// crossedGrace is how long an agent is given to end that is ended because it crossed a limit.
const crossedGrace = 200 * time.Millisecond

// cutShort tells whether we have given an agent up because it crossed a limit: what it leaves open then is our doing.
func (c *Client) cutShort() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.crossed != nil
}

func (c *Client) grace() time.Duration {
	if c.cutShort() {
		return min(c.Timeouts.Exit, crossedGrace)
	}
	return c.Timeouts.Exit
}

// End brings the connection and the agent to an end, once; later calls return the first ending.
func (c *Client) End() wire.Ending {
	if c.Ending != nil {
		c.Ending()
	}
	c.mu.Lock()
	if c.ending != nil {
		e := *c.ending
		c.mu.Unlock()
		return e
	}
	c.mu.Unlock()
	c.lastChance()
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	c.Remark(Remark{Closing: true})
	resume := func() {}
	if c.Park != nil {
		resume = c.Park()
	}
	end := c.Peer.End(c.grace())
	if n := int64(len(end.Strays)); n > c.Limits.Children {
		c.Cross(&wire.Crossed{Limit: wire.LimitChildren, Why: fmt.Sprintf("has more than %d processes", c.Limits.Children)})
	}
	c.waitDrained()
	resume()
	c.Remark(Remark{Ended: end.String()})
	c.cancel()
	_ = c.conn.Close()
	c.asks.wait()
	c.terms.close()
	if f, ok := c.Peer.Output().(io.Closer); ok {
		_ = f.Close()
	}
	c.mu.Lock()
	c.ending = &end
	c.mu.Unlock()
	c.finish.Do(func() { close(c.finished) })
	return end
}

// lastChance gives an agent that owes us answers a window to give them: whether one is still written or cut off by our end would be
// a matter of chance.
func (c *Client) lastChance() {
	c.mu.Lock()
	closed := c.closed
	c.mu.Unlock()
	if closed || c.cutShort() {
		return // it has been asked to end before, or nothing of it is wanted any more
	}
	c.await(c.Timeouts.Window, func() (State, string) {
		c.mu.Lock()
		defer c.mu.Unlock()
		return stateIf(!c.record.pending()), ""
	})
}

// Finished is closed when End has ended everything.
func (c *Client) Finished() <-chan struct{} { return c.finished }

// EndTerminals ends the commands that run for the agent, and starts no more of them. End does so as well.
func (c *Client) EndTerminals() { c.terms.close() }
