package fuzz

import (
	"fmt"
	"slices"

	"github.com/acp-conform/acp-conform/conformance/wire"
)

// replies are the answers to requests of the agent.
type replies struct {
	scripted []string // those of the script that have not been given yet
	waiting  []reply  // requests that are not answered yet, oldest first
	bytes    int      // what they cost
	asked    int64    // requests so far
	writing  bool     // somebody answers them
}

// reply is a request of the agent, and what may be its answer: the first one that is one is the last one that is given.
type reply struct {
	id      []byte
	answers []string
}

func (r reply) size() int {
	n := len(r.id) + overhead
	for _, a := range r.answers {
		n += len(a)
	}
	return n
}

// askedLocked has a request of the agent answered, which may wait for ever if it is not. One is answered after the other, so that it is
// the agent's affair alone how many of them wait; one that asks without end, or without reading the answers, has crossed a limit.
func (c *connection) askedLocked(e wire.Envelope) {
	q := &c.replies
	r := reply{id: slices.Clone(e.ID), answers: []string{policy(e)}}
	if len(q.scripted) > 0 {
		r.answers = append(q.scripted[:1:1], r.answers...)
		q.scripted = q.scripted[1:]
	}
	if q.asked++; q.asked > c.limits.Requests || q.bytes+r.size() > c.got.most {
		c.crossLocked(&wire.Crossed{Limit: wire.LimitRequests,
			Why: fmt.Sprintf("sent more than %d requests on one connection, or more at the same time than can be kept", c.limits.Requests)})
		return
	}
	q.waiting = append(q.waiting, r)
	q.bytes += r.size()
	c.busy++
	if !q.writing {
		q.writing = true
		go c.answerAll()
	}
}

// answerAll answers the requests that wait, until there are none.
func (c *connection) answerAll() {
	for {
		c.mu.Lock()
		q := &c.replies
		if len(q.waiting) == 0 {
			q.writing = false
			c.mu.Unlock()
			return
		}
		r := q.waiting[0]
		q.waiting = q.waiting[1:]
		c.mu.Unlock()
		c.answer(r)
		c.mu.Lock()
		q.bytes -= r.size()
		c.busy--
		c.wakeLocked()
		c.mu.Unlock()
	}
}

func (c *connection) answer(r reply) {
	for _, text := range r.answers {
		b := expand(text, func(name string) (string, bool) {
			if name == "id" {
				return string(r.id), true
			}
			return c.lookUp(name)
		})
		_ = c.write(b) // a fence tells whether the agent still reads
		if a := wire.Inspect(b); a.Broken == wire.Whole && a.Kind == wire.Response && keyOf(a.ID) == keyOf(r.id) && !isOdd(b) {
			break
		}
	}
}
