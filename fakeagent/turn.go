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

	// Used by the goroutine of the turn alone.
	open []*Tool
	sent int // updates so far
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

// run does the work of the turn and answers the prompt.
func (t *Turn) run() {
	t.remember(t.userChunks()...)
	reason, err := "", error(errCancelled)
	if !t.isCancelled() {
		reason, err = t.b.Work(t)
	}
	if errors.Is(err, errGone) {
		t.detach()
		return
	}
	var e *Error
	switch {
	case t.decide() || errors.Is(err, errCancelled):
		reason = "cancelled"
		t.endCancelled()
		return
	case errors.As(err, &e):
		t.failTools()
		t.detach()
		t.answer(nil, t.b.TurnError(t, e))
	default:
		t.b.BeforeEnd(t)
		t.detach()
		t.answer(t.b.TurnResult(t, t.b.StopReason(t, reason)))
	}
	t.b.AfterTurn(t)
	t.c.replayHeld()
}

func (t *Turn) endCancelled() {
	t.b.FinishTools(t)
	t.b.LastWords(t)
	t.detach()
	if t.byRequest && !t.cancelled {
		t.answer(t.b.RequestCancelled(t))
	} else {
		t.answer(t.b.CancelledResult(t))
	}
	t.b.AfterCancelledTurn(t)
	t.c.replayHeld()
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
	cancelled := t.isCancelled()
	t.c.a.update(func() {
		t.s.turn, t.s.cancelled = nil, cancelled
		t.c.a.store.save(t.s)
	})
	t.c.mu.Lock()
	defer t.c.mu.Unlock()
	delete(t.c.turns, t)
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

// userChunks are the prompt as the history keeps it.
func (t *Turn) userChunks() []Object {
	id := t.newMessageID("user")
	chunks := make([]Object, 0, len(t.blocks))
	for _, block := range t.blocks {
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

// turnByRequest finds the turn that a client's request id belongs to.
func (c *Conn) turnByRequest(id []byte) *Turn {
	c.mu.Lock()
	defer c.mu.Unlock()
	for t := range c.turns {
		own, _ := decode(t.id)
		if string(encodeValue(own)) == string(id) {
			return t
		}
	}
	return nil
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
