package fakeagent

import (
	"encoding/json"
	"fmt"
	"sync"
	"time"
)

// errorScripts answer with errors where the status did not let one expect it, or say that the session is unknown.
func errorScripts() []Script {
	unknown := func(name string, data any, what string) Script {
		return Script{Name: "unknown" + name, Description: "does not know the session that it lists, and says so " + what, Actions: Look,
			Break: answering(func(*Conn, string, string) (any, *Error) {
				return nil, &Error{Code: codeNotFound, Message: "No such thing", Data: data}
			})}
	}
	failing := &Error{Code: codeInternal, Message: "The session could not be restored"}
	return []Script{
		{Name: "resume-gone", Description: "calls the session active and does not know it when it is resumed",
			Break: together(activeWith(nil), reopening(unknownSession(ScriptSession)))},
		{Name: "resume-fails", Description: "calls the session active and fails to resume it", Break: together(activeWith(nil), reopening(failing))},
		{Name: "prompt-gone", Description: "calls the session active, resumes it and does not know it when it is prompted", Break: together(activeWith(nil), promptGone)},
		{Name: "lazy", Description: "calls the session inactive without having looked, and does not know it when it is resumed", Break: together(
			answering(func(_ *Conn, _, inactive string) (any, *Error) { return Object{"status": inactive}, nil }), lazily,
			reopening(unknownSession(ScriptSession)))},
		unknown("", Object{"sessionId": ScriptSession}, "with its id"),
		unknown("-without-data", nil, "without its id"),
		unknown("-null-data", json.RawMessage("null"), "with null in place of its id"),
		unknown("-text-data", "x", "with some text in place of its id"),
		unknown("-uri-data", Object{"uri": "file:///somewhere/else"}, "with something else in place of its id"),
	}
}

// reopening fails every load and resume of the script's session.
func reopening(e *Error) func(*Behaviour) {
	refuse := func(before func(*Conn, *Request) (any, *Error)) func(*Conn, *Request) (any, *Error) {
		return func(c *Conn, r *Request) (any, *Error) {
			if text(r.Params, "sessionId") == ScriptSession {
				return nil, e
			}
			return before(c, r)
		}
	}
	return func(b *Behaviour) {
		b.Load, b.Resume, b.Resume2 = refuse(b.Load), refuse(b.Resume), refuse(b.Resume2)
	}
}

// promptGone loses the script's session between its resume and its prompt.
func promptGone(b *Behaviour) {
	refuse := func(before func(*Conn, *Request) (any, *Error)) func(*Conn, *Request) (any, *Error) {
		return func(c *Conn, r *Request) (any, *Error) {
			if text(r.Params, "sessionId") == ScriptSession {
				return nil, unknownSession(ScriptSession)
			}
			return before(c, r)
		}
	}
	b.Prompt, b.Prompt2 = refuse(b.Prompt), refuse(b.Prompt2)
}

// pacedScripts are about when an answer comes.
func pacedScripts() []Script {
	return []Script{
		{Name: "idle-in-turn", Description: "gives an old idle state while a turn runs, and goes on with the turn", Protocols: []int{latestVersion}, Actions: Peek,
			Break: idleInTurn},
		{Name: "late-answers", Description: "has ten sessions, and answers requests for their status late and not in their order", Actions: Many,
			Break: together(seeded(manySessions()[1:]...), lateStatus)},
	}
}

const (
	idlePause = time.Second            // from the stale state to the end of the turn
	peekPause = 2 * time.Second        // for a client to ask while the turn runs
	latePause = 200 * time.Millisecond // for another request to come
	many      = 10
)

func manySessions() []string {
	ids := []string{ScriptSession}
	for n := 2; n <= many; n++ {
		ids = append(ids, fmt.Sprintf("%s_%d", ScriptSession, n))
	}
	return ids
}

// idleInTurn keeps the turn going until the client has asked for the status, and after that for a while, or until the client
// does something else: it is told no earlier than that that the turn has ended.
func idleInTurn(b *Behaviour) {
	asked, moved := make(chan struct{}), make(chan struct{})
	var once, onceMore sync.Once
	age := b.Age
	b.Age = func(c *Conn, r *Request) {
		select {
		case <-asked:
			if r.Method != "session/status" {
				onceMore.Do(func() { close(moved) })
			}
		default:
		}
		age(c, r)
	}
	plain := b.Status2
	b.Status2 = func(c *Conn, r *Request) (any, *Error) {
		s := c.a.active(text(r.Params, "sessionId"))
		if s == nil || c.turnOf(s) == nil {
			return plain(c, r)
		}
		once.Do(func() { close(asked) })
		active, _ := c.b.StatusWords(c.a)
		return Object{"status": active, "state": Object{"state": "idle", "stopReason": "end_turn"}}, nil
	}
	work := b.Work
	b.Work = func(t *Turn) (string, error) {
		t.say("working on it")
		if t.c.await(asked, peekPause) {
			t.c.await(moved, idlePause)
		}
		return work(t)
	}
}

// await waits for done, but not for longer than the limit or the connection.
func (c *Conn) await(done <-chan struct{}, limit time.Duration) bool {
	if pace := c.a.cfg.Pace; pace > 0 {
		limit = time.Duration(pace * float64(limit))
	}
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-done:
		return true
	case <-timer.C:
	case <-c.stop:
	case <-c.ctx.Done():
	}
	return false
}

// lateStatus keeps requests for the status back until there are many of them or no more come for a while, and answers the last
// one first.
// The sessions take turns in what they are: one is active, the next inactive.
func lateStatus(b *Behaviour) {
	var mu sync.Mutex
	kept, arrived := map[*Conn][]*Request{}, map[*Conn]int{}
	answer := func(c *Conn) {
		mu.Lock()
		defer mu.Unlock()
		for i := len(kept[c]) - 1; i >= 0; i-- {
			r := kept[c][i]
			result, e := lateAnswer(c, text(r.Params, "sessionId"))
			if e != nil {
				c.sayError(r.ID, e, r.Method)
				continue
			}
			c.sayResult(r.ID, result, r.Method)
		}
		delete(kept, c)
	}
	b.Status = func(c *Conn, r *Request) (any, *Error) {
		if e := c.b.CheckStatus(r); e != nil {
			return nil, e
		}
		mu.Lock()
		kept[c] = append(kept[c], r)
		n := len(kept[c])
		arrived[c]++
		here := arrived[c]
		mu.Unlock()
		if n == many {
			answer(c)
			return nil, silence
		}
		c.later(latePause, func() {
			mu.Lock()
			last := arrived[c] == here
			mu.Unlock()
			if last {
				answer(c)
			}
		})
		return nil, silence
	}
	b.Status2 = b.Status
}

func lateAnswer(c *Conn, id string) (any, *Error) {
	active, inactive := c.b.StatusWords(c.a)
	for i, known := range manySessions() {
		switch {
		case known != id:
		case i%2 == 1:
			return Object{"status": inactive}, nil
		case c.speaks(firstVersion):
			return Object{"status": active}, nil
		default:
			return Object{"status": active, "state": Object{"state": []string{"running", "idle", "requires_action"}[i/2%3]}}, nil
		}
	}
	if s := c.b.StatusSession(c, id); s != nil {
		return c.b.StatusResult(c, s, c.b.StatusWord(c, s)), nil
	}
	return c.b.StatusUnknown(c, id)
}

// later does something after a pause, while the connection goes on. Until then the agent is not idle.
func (c *Conn) later(d time.Duration, do func()) {
	c.mu.Lock()
	c.busy++
	c.mu.Unlock()
	c.wg.Add(1)
	go func() {
		defer c.wg.Done()
		defer c.leave()
		c.pause(d)
		do()
	}()
}
