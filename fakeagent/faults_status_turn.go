package fakeagent

import (
	"bytes"
	"sync"
	"time"
)

// inTurn does something to the turn of a session before it answers about it.
func inTurn(do func(t *Turn)) func(*Behaviour) {
	return beforeStatusDo(func(c *Conn, s *Session, _ *Request) {
		if t := c.turnOf(s); t != nil {
			do(t)
		}
	})
}

// answerPermission wakes a turn that waits for permission, as if the client had answered.
func (t *Turn) answerPermission(ans answer) {
	t.c.mu.Lock()
	defer t.c.mu.Unlock()
	if t.waiting == waitPermission && t.waiter != nil {
		t.c.wakeLocked(t.waiter, ans)
	}
}

func isStatusLine(line []byte) bool { return bytes.Contains(line, []byte(`"session/status"`)) }

// statusSlow is what an answer takes that takes long: well below any timeout.
const (
	statusSlow    = 2 * time.Second
	statusPerUnit = 8 * time.Millisecond
)

// statusTurnFaults are about probes while a turn runs.
func statusTurnFaults() []Fault {
	allowed := answer{result: Object{"outcome": Object{"outcome": "selected", "optionId": "allow"}}}
	return []Fault{
		{Name: "status-cancels-turn", Description: "cancels the turn of a session that it is asked about", Break: inTurn((*Turn).cancel)},
		{Name: "status-blocks-behind-turn", Description: "answers session/status only when no turn runs any more", Break: holdDuringTurn(isStatusLine)},
		{Name: "status-unanswered-in-turn", Description: "never answers session/status while a turn runs", Break: func(b *Behaviour) {
			before := b.Status
			b.Status = func(c *Conn, r *Request) (any, *Error) {
				if c.turnRuns() {
					return nil, silence
				}
				return before(c, r)
			}
		}},
		{Name: "status-slow-in-turn", Description: "takes seconds to answer session/status while a turn runs", Break: func(b *Behaviour) {
			b.BeforeStatus = func(c *Conn, _ *Request) {
				if c.turnRuns() {
					c.pause(statusSlow)
				}
			}
		}},
		{Name: "status-answers-permission", Description: "takes a request for the status for the user's permission", Break: inTurn(func(t *Turn) { t.answerPermission(allowed) })},
		{Name: "status-cancels-permission", Description: "takes back the request for permission of a session that it is asked about",
			Break: inTurn(func(t *Turn) { t.answerPermission(answer{cancelled: true}) })},
		{Name: "status-swallows-update", Description: "loses the next update of a turn when it is asked about its session", Break: swallowUpdate},
		{Name: "status-slow-linear", Description: "takes the longer to answer session/status the more sessions there are", Break: func(b *Behaviour) {
			b.BeforeStatus = func(c *Conn, _ *Request) { c.pause(time.Duration(len(c.a.all())) * statusPerUnit) }
		}},
		{Name: "status-slow-with-history", Description: "takes the longer to answer about a session the more was said in it",
			Break: beforeStatusDo(func(c *Conn, s *Session, _ *Request) {
				if pages := len(replay(c, s)) / 20; pages > 0 {
					c.pause(time.Duration(pages) * statusPerUnit)
				}
			})},
	}
}

func swallowUpdate(b *Behaviour) {
	var mu sync.Mutex
	asked := map[*Turn]bool{}
	inTurn(func(t *Turn) {
		mu.Lock()
		defer mu.Unlock()
		asked[t] = true
	})(b)
	before := b.TurnUpdate
	b.TurnUpdate = func(t *Turn, u Object) []*Message {
		mu.Lock()
		defer mu.Unlock()
		if asked[t] {
			delete(asked, t)
			return nil
		}
		return before(t, u)
	}
}
