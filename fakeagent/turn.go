package fakeagent

import (
	"encoding/json"
	"errors"
)

// Turn is one prompt turn: from session/prompt to its response.
// See https://agentclientprotocol.com/protocol/v1/prompt-turn.
type Turn struct {
	c      *Conn
	s      *Session
	b      *Behaviour
	d      *dialect
	id     json.RawMessage
	blocks []any
	text   string // of the first text block
	read   int    // the number of the read that brought the prompt

	// Guarded by the lock of the connection.
	cancelled bool // by session/cancel or session/close
	byRequest bool // by $/cancel_request
	done      bool // the outcome is decided
	waiting   wait // what it waits for
	waiter    *waiter

	inserted bool     // version 2: the prompt has been answered; guarded by the lock of the lines
	then     []func() // version 2: what waits for the end of the turn; guarded by the lock of the store

	// Used by the goroutine of the turn alone.
	next   *Turn
	open   []*Tool
	sent   int  // updates so far
	evicts bool // the session leaves memory after the turn
}

// wait is what a turn waits for.
type wait int

const (
	waitNothing wait = iota
	waitCancel       // only a cancel ends it
	waitTool         // a tool that never returns
	waitPermission
	waitClient // any other request to the client
)

var (
	errCancelled = errors.New("the turn was cancelled")
	errGone      = errors.New("the connection ended")
)

// outcome is how the work of a turn ended.
type outcome struct {
	reason    string // the stop reason, if nothing else is set
	err       *Error // the work failed
	cancelled bool
	gone      bool // nobody is left to tell
}

// run does the work of the turn and tells the client how it ended.
func (t *Turn) run() {
	if t.d.begin(t) {
		reason, err := "", error(errCancelled)
		if !t.isCancelled() {
			reason, err = t.b.Work(t)
		}
		t.end(t.conclude(reason, err))
	}
	t.d.left(t)
	t.c.replayHeld()
}

// conclude fixes the outcome, and does what comes before the client is told.
func (t *Turn) conclude(reason string, err error) outcome {
	if errors.Is(err, errGone) {
		return outcome{gone: true}
	}
	var e *Error
	switch {
	case t.decide() || errors.Is(err, errCancelled):
		t.b.FinishTools(t)
		t.b.LastWords(t)
		return outcome{cancelled: true}
	case errors.As(err, &e):
		t.failTools()
	default:
		t.b.BeforeEnd(t)
	}
	return outcome{reason: reason, err: e}
}

func (t *Turn) end(o outcome) {
	t.d.end(t, o)
	switch {
	case o.cancelled:
		t.b.AfterCancelledTurn(t)
	case !o.gone:
		t.b.AfterTurn(t)
	}
}

// begin1 keeps the prompt for the history; the client is not told that the turn begins.
func begin1(t *Turn) bool {
	t.remember(t.chunks(t.newMessageID("user"))...)
	return true
}

// end1 answers the prompt.
func end1(t *Turn, o outcome) {
	t.detach()
	t.evict()
	switch {
	case o.gone:
	case o.cancelled && t.byRequest && !t.cancelled:
		t.answer(t.b.RequestCancelled(t))
	case o.cancelled:
		t.answer(t.b.CancelledResult(t))
	case o.err != nil:
		t.answer(nil, t.b.TurnError(t, o.err))
	default:
		t.answer(t.b.TurnResult(t, t.b.StopReason(t, o.reason)))
	}
}

// evict is for a session that leaves memory after the turn.
func (t *Turn) evict() {
	if t.evicts {
		t.c.leaveMemory(t.s)
	}
}

func (t *Turn) answer(result any, e *Error) {
	switch {
	case e == silence:
	case e != nil:
		t.c.sayError(t.id, e, "session/prompt")
	default:
		t.c.sayResult(t.id, result, "session/prompt")
	}
}

func turnError(_ *Turn, e *Error) *Error { return e }

func turnResult(_ *Turn, reason string) (any, *Error) { return Object{"stopReason": reason}, nil }

func stopReason(_ *Turn, reason string) string { return reason }

func cancelledResult(*Turn) (any, *Error) { return Object{"stopReason": "cancelled"}, nil }

// requestCancelled answers a prompt that $/cancel_request ended.
// See https://agentclientprotocol.com/protocol/v1/cancellation.
func requestCancelled(*Turn) (any, *Error) {
	return nil, &Error{Code: codeCancelled, Message: "Request cancelled"}
}

func turnNothing(*Turn) {}

// detach frees the session for the next prompt; it comes before the response, because the client may be quick.
func (t *Turn) detach() {
	cancelled, now := t.isCancelled(), t.c.a.stamp()
	t.c.a.change(t.s, func() { t.s.turn, t.s.cancelled, t.s.used = nil, cancelled, now })
	t.c.forgetTurn(t)
}

func (c *Conn) forgetTurn(t *Turn) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.turns, t)
}

// decide fixes the outcome: a cancel that comes later is too late.
func (t *Turn) decide() (cancelled bool) {
	t.c.mu.Lock()
	defer t.c.mu.Unlock()
	t.done = true
	return t.cancelled || t.byRequest
}

func (t *Turn) isCancelled() bool {
	t.c.mu.Lock()
	defer t.c.mu.Unlock()
	return t.cancelled || t.byRequest
}

// chunks are the prompt as one message.
func (t *Turn) chunks(id string) []Object {
	chunks := make([]Object, 0, len(t.blocks))
	for _, block := range t.blocks {
		if content, ok := block.(Object); ok {
			block = proper(content)
		}
		chunks = append(chunks, chunk("user_message_chunk", block, id))
	}
	return chunks
}

func (t *Turn) remember(updates ...Object) {
	t.c.a.update(func() { t.s.History = append(t.s.History, updates...) })
}

func (c *Conn) turnOf(s *Session) *Turn {
	c.a.store.mu.Lock()
	defer c.a.store.mu.Unlock()
	return s.turn
}

// turnByRequest finds the turn that a client's open request belongs to.
func (c *Conn) turnByRequest(id []byte) *Turn {
	c.mu.Lock()
	defer c.mu.Unlock()
	for t := range c.turns {
		if !t.inserted && t.answers(id) {
			return t
		}
	}
	return nil
}

// answers tells whether the turn belongs to the request with this id.
func (t *Turn) answers(id []byte) bool {
	own, _ := decode(t.id)
	return string(encodeValue(own)) == string(id)
}

// replayHeld handles the lines that a behaviour kept back while a turn ran.
func (c *Conn) replayHeld() {
	for {
		c.mu.Lock()
		var line []byte
		if len(c.held) > 0 && !c.closed {
			line, c.held = c.held[0], c.held[1:]
		}
		c.mu.Unlock()
		if line == nil {
			return
		}
		c.handleLine(line)
		c.launch()
	}
}
