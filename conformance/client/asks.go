package client

import (
	"context"
	"encoding/json"
	"sync"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/acp-conform/acp-conform/conformance/wire"
)

// Ask is a request of the agent to us.
type Ask struct {
	c       *Client
	req     *jsonrpc2.Request
	Method  string
	Params  json.RawMessage
	Session string
	Frame   wire.Frame
	once    sync.Once
}

// Policy decides how a request of the agent is answered. Hold as the error means: not now, the rule answers it itself.
type Policy func(*Ask) (any, *Error)

// Hold, returned by a policy, leaves the request open until Reply or Fail is called.
var Hold = &Error{Message: "held open"}

type asks struct {
	mu       sync.Mutex
	policies map[string]Policy
	all      []*Ask
	held     []*Ask
	running  sync.WaitGroup
}

func (a *asks) wait() { a.running.Wait() }

func (a *asks) holding() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.held) > 0
}

// On replaces the answer to one method for this connection.
func (c *Client) On(method string, p Policy) {
	c.asks.mu.Lock()
	defer c.asks.mu.Unlock()
	c.asks.policies[method] = p
}

// HoldAll leaves every request of this method open.
func (c *Client) HoldAll(method string) {
	c.On(method, func(*Ask) (any, *Error) { return nil, Hold })
}

// Asked gives the agent's requests of a method so far.
func (c *Client) Asked(method string) []*Ask {
	c.asks.mu.Lock()
	defer c.asks.mu.Unlock()
	var got []*Ask
	for _, a := range c.asks.all {
		if a.Method == method {
			got = append(got, a)
		}
	}
	return got
}

// AwaitAsk waits until the agent has sent a request of this method, or the call has been answered without one.
func (c *Client) AwaitAsk(method string, unless *Call) (*Ask, bool) {
	c.await(c.Timeouts.Turn, func() (State, string) {
		switch {
		case len(c.Asked(method)) > 0:
			return Met, ""
		case unless != nil && unless.Done():
			return Never, "the turn ended without it"
		}
		return NotYet, ""
	})
	if got := c.Asked(method); len(got) > 0 {
		return got[0], true
	}
	return nil, false
}

// handler answers the agent's requests. The library calls it on its read loop, so that what takes time runs beside it.
type handler struct{ c *Client }

func (h handler) Handle(_ context.Context, _ *jsonrpc2.Conn, req *jsonrpc2.Request) {
	if req.Notif {
		return // seen by the tap; updates are a record, not a call
	}
	c := h.c
	a := &Ask{c: c, req: req, Method: req.Method, Frame: c.lastRequest(req.ID)}
	if req.Params != nil {
		a.Params = *req.Params
	}
	a.Session = text(member(a.Params, "sessionId"))
	c.asks.mu.Lock()
	c.asks.all = append(c.asks.all, a)
	policy, ok := c.asks.policies[req.Method]
	c.asks.running.Add(1)
	c.asks.mu.Unlock()
	if !ok {
		policy = unknownMethod
	}
	go func() {
		defer c.asks.running.Done()
		c.answer(a, policy)
	}()
}

func unknownMethod(a *Ask) (any, *Error) {
	return nil, &Error{Code: CodeMethodNotFound, Message: "this client does not serve " + a.Method}
}

func (c *Client) answer(a *Ask, policy Policy) {
	result, failure := policy(a)
	if failure == Hold {
		c.asks.mu.Lock()
		c.asks.held = append(c.asks.held, a)
		c.asks.mu.Unlock()
	} else {
		a.reply(result, failure)
	}
	c.mu.Lock()
	c.busy--
	c.mu.Unlock()
	c.wake()
}

// lastRequest finds the line of a request that has just been read.
func (c *Client) lastRequest(id jsonrpc2.ID) wire.Frame {
	key, _ := json.Marshal(id)
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := len(c.record.agent) - 1; i >= 0; i-- {
		if l := c.record.agent[i]; l.Kind == wire.Request && l.Key() == string(key) {
			return l.Frame
		}
	}
	return wire.Frame{}
}

// Reply answers a held request with a result.
func (a *Ask) Reply(result any) { a.release(); a.reply(result, nil) }

// Fail answers a held request with an error.
func (a *Ask) Fail(code int, message string) {
	a.release()
	a.reply(nil, &Error{Code: code, Message: message})
}

func (a *Ask) release() {
	a.c.asks.mu.Lock()
	defer a.c.asks.mu.Unlock()
	for i, h := range a.c.asks.held {
		if h == a {
			a.c.asks.held = append(a.c.asks.held[:i], a.c.asks.held[i+1:]...)
			return
		}
	}
}

func (a *Ask) reply(result any, failure *Error) {
	a.once.Do(func() {
		if failure == nil {
			_ = a.c.conn.Reply(a.c.ctx, a.req.ID, result)
			return
		}
		e := &jsonrpc2.Error{Code: int64(failure.Code), Message: failure.Message}
		if failure.Data != nil {
			e.SetError(failure.Data)
		}
		_ = a.c.conn.ReplyWithError(a.c.ctx, a.req.ID, e)
	})
}

// heldFor takes the held requests of a session and method.
func (c *Client) heldFor(session, method string) []*Ask {
	c.asks.mu.Lock()
	defer c.asks.mu.Unlock()
	var got []*Ask
	for _, a := range c.asks.held {
		if a.Session == session && a.Method == method {
			got = append(got, a)
		}
	}
	return got
}
