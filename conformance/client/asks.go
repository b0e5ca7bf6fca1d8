package client

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/acp-conform/acp-conform/conformance/wire"
)

// Ask is a request of the agent to us.
type Ask struct {
	c       *Client
	id      json.RawMessage // as the agent wrote it: the library would turn -1 into 2^64-1
	Method  string
	Params  json.RawMessage
	Session string
	Frame   wire.Frame
	Brief   bool // it was long, and is so long ago that only the beginning of its line is kept, and none of its params
	once    *sync.Once
	settled bool // answered or held; guarded by asks.mu
	open    bool // not answered yet; guarded by asks.mu
	at      int  // where it is among all requests
}

// Policy decides how a request of the agent is answered. Hold as the error means: not now, the rule answers it itself.
type Policy func(*Ask) (any, *Error)

// Hold, returned by a policy, leaves the request open until Reply or Fail is called.
var Hold = &Error{Message: "held open"}

// owes tells whether the agent still waits for an answer of ours: one that is held, one that takes time, or one that cannot be
// given because the request had no usable id.
func (c *Client) owes() bool {
	c.asks.mu.Lock()
	held := len(c.asks.held)
	c.asks.mu.Unlock()
	c.mu.Lock()
	defer c.mu.Unlock()
	return held > 0 || c.busy > 0 || c.record.unanswerable > 0
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
func (c *Client) AwaitAsk(method string, unless interface{ Done() bool }) (*Ask, bool) {
	c.await(c.Timeouts.Turn, func() (State, string) {
		switch {
		case len(c.settled(method)) > 0:
			return Met, ""
		case unless != nil && unless.Done():
			return Never, "the turn ended without it"
		}
		return NotYet, ""
	})
	if got := c.settled(method); len(got) > 0 {
		return got[0], true
	}
	return nil, false
}

// settled are the requests of a method that have been answered or are held: what is done next finds them in that state.
func (c *Client) settled(method string) []*Ask {
	c.asks.mu.Lock()
	defer c.asks.mu.Unlock()
	var got []*Ask
	for _, a := range c.asks.all {
		if a.Method == method && a.settled {
			got = append(got, a)
		}
	}
	return got
}

// handler answers the agent's requests. The library calls it on its read loop, so that what takes time runs beside it.
type handler struct{ c *Client }

func (h handler) Handle(_ context.Context, _ *jsonrpc2.Conn, req *jsonrpc2.Request) {
	c := h.c
	switch {
	case req.Notif:
		if req.Method == "$/cancel_request" && req.Params != nil {
			c.revoke(string(wire.Member(*req.Params, "requestId")))
		}
		return // seen by the tap; updates are a record, not a call
	}
	line := c.lastRequest()
	if !c.admit(len(line.Line)) {
		return
	}
	a := &Ask{c: c, id: line.ID, Method: req.Method, Params: line.Params, Frame: line.Frame, once: new(sync.Once)}
	a.Session = text(wire.Member(a.Params, "sessionId"))
	c.asks.mu.Lock()
	if c.asks.over {
		c.asks.mu.Unlock()
		return
	}
	c.asks.add(a)
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

// openMost is how many requests of an agent are answered at the same time, and openBytes how long they may be together.
const (
	openMost  = 500
	openBytes = 64 << 20
)

// admit tells whether one more request is answered: an agent that asks without end, or without reading the answers, is left
// waiting rather than served with all the memory there is.
func (c *Client) admit(bytes int) bool {
	c.asks.mu.Lock()
	n, open, most := len(c.asks.all), c.asks.open, c.asks.most
	c.asks.mu.Unlock()
	c.mu.Lock()
	ok := n < int(c.Limits.Requests) && c.busy <= openMost && (open == 0 || open+bytes <= most)
	first := !ok && !c.record.refused
	if !ok {
		c.busy--
		c.record.unanswerable++
		c.record.refused = true
	}
	c.mu.Unlock()
	if first {
		c.Cross(&wire.Crossed{Limit: wire.LimitRequests, Why: fmt.Sprintf("sent more than %d requests, or more than %d or %d MiB of them at the same time", c.Limits.Requests, openMost, most>>20)})
	}
	return ok
}

func unknownMethod(a *Ask) (any, *Error) {
	return nil, &Error{Code: CodeMethodNotFound, Message: "this client does not serve " + a.Method}
}

func (c *Client) answer(a *Ask, policy Policy) {
	c.rest(func() bool { return true }) // whether two requests were open at the same time is told by the agent's lines then, not by our speed
	result, failure := policy(a)
	if failure != Hold {
		a.reply(result, failure)
	}
	c.asks.mu.Lock()
	a.settled = true
	if failure == Hold {
		c.asks.held = append(c.asks.held, a)
	} else {
		c.asks.close(a)
	}
	gone := failure == Hold && c.asks.revoked[string(a.id)]
	c.asks.mu.Unlock()
	if gone {
		c.revoke(string(a.id))
	}
	c.mu.Lock()
	c.busy--
	c.mu.Unlock()
	c.wake()
}

// revoke answers a held request that the agent takes back: https://agentclientprotocol.com/protocol/v1/cancellation.
func (c *Client) revoke(id string) {
	c.asks.mu.Lock()
	if c.asks.revoked == nil {
		c.asks.revoked = map[string]bool{}
	}
	if len(c.asks.revoked) < openMost {
		c.asks.revoked[id] = true
	}
	var taken *Ask
	for _, a := range c.asks.held {
		if string(a.id) == id {
			taken = a
		}
	}
	c.asks.mu.Unlock()
	switch {
	case taken == nil:
	case taken.Method == "session/request_permission":
		taken.Reply(CancelledPermission())
	default:
		taken.Fail(CodeRequestCancelled, "the agent took the request back")
	}
}

// lastRequest is the line of the request that has just been read: the handler runs on the read loop, so nothing has come since.
func (c *Client) lastRequest() Line {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.record.lastRequest
}

// ID is the id of the request, as the agent wrote it.
func (a *Ask) ID() json.RawMessage { return a.id }

// Reply answers a held request with a result.
func (a *Ask) Reply(result any) { a.release(result, nil) }

// Fail answers a held request with an error.
func (a *Ask) Fail(code int, message string) {
	a.release(nil, &Error{Code: code, Message: message})
}

func (a *Ask) release(result any, failure *Error) {
	all := &a.c.asks
	all.mu.Lock()
	all.held = slices.DeleteFunc(all.held, func(h *Ask) bool { return h == a })
	all.mu.Unlock()
	a.reply(result, failure)
	all.mu.Lock()
	all.close(a)
	all.mu.Unlock()
}

// response is a response of ours.
type response struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  any             `json:"result,omitempty"`
	Error   *Error          `json:"error,omitempty"`
}

func (a *Ask) reply(result any, failure *Error) {
	a.once.Do(func() {
		r := response{Version: "2.0", ID: a.id, Error: failure}
		if failure == nil {
			r.Result = result
		}
		_ = a.c.stream.WriteObject(r)
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
