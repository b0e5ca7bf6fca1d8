package rules

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	. "github.com/onsi/gomega"

	"github.com/acp-conform/acp-conform/conformance/client"
	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/wire"
)

const (
	burstMost   = 1000 // questions in one piece
	burstFewest = 100
	burstTime   = 5 * time.Second // that they may take where an agent is slow
	burstRounds = 30              // waits for the answers, each of them as long as for one
)

var statusFrequentCalls = rule.Rule{
	ID:    "status.perf.frequent-calls",
	Title: "a thousand questions at once are each answered, and rightly",
	Level: rule.Should, Basis: rule.Stated, Stability: rule.Unstable, Versions: both,
	Ref:    statusPage("contract"),
	Advice: "Keep no queue that can run over, limit no rate and share nothing between the answers: routers ask about many sessions at once.",
	Needs:  statusNeeds(),
	Act: func(c *rule.Case) {
		b := newBurst(c)
		n := c.Env.Times(burstMost, burstFewest)
		if trip := c.Env.Facts.RoundTrip; trip > 0 {
			n = max(burstFewest, min(n, int(burstTime/trip)))
		}
		mark, err := b.send(n)
		b.await(mark, n)
		c.Require(err == nil || b.cl.Gone(), "the questions could not be written: %v", err)
		for i, answers := range b.answers(mark, n) {
			if len(answers) != 1 {
				c.Expect(len(answers), jsonrpcCite(answers)...).To(Equal(1), "question %d of %d in one piece got %d answers", i+1, n, len(answers))
				continue
			}
			c.Expect(b.told(i, answers[0]), append(b.at(i).Frames(), answers[0].Frame)...).To(Equal(asAlone), "question %d of %d in one piece got another answer than alone", i+1, n)
		}
		c.Alive(b.cl, true, fmt.Sprintf("the agent answers nothing any more after %d questions in one piece", n))
	},
}

// burst are questions about some sessions, again and again.
type burst struct {
	cl    *client.Client
	alone []burstSession
}

// burstSession is a session, and what the agent says when it is asked about it alone.
type burstSession struct {
	client.Status
	real bool
}

// newBurst asks about each of the sessions alone, twice: where the second answer is another one, or comes twice, it is not the
// burst that makes it so.
func newBurst(c *rule.Case) *burst {
	home, _ := c.Env.OwnHome()
	b := &burst{cl: c.ConnectAt(home)}
	a, other := c.NewSessionOn(b.cl), c.NewSessionOn(b.cl)
	mark := b.cl.Mark()
	ids := []string{a.ID, c.UnknownID(), other.ID, mutant(c, a.ID), c.UnknownID()}
	for _, id := range ids {
		b.alone = append(b.alone, burstSession{ask(c, b.cl, id), id == a.ID || id == other.ID})
	}
	for i, id := range ids {
		again := ask(c, b.cl, id)
		c.Require(b.alone[i].as(again), "an answer changes by itself: first %s, then %s", b.alone[i].Status, again)
	}
	b.cl.Fenced()
	seen := map[string]bool{}
	for _, l := range b.cl.Since(mark) {
		c.Require(l.Kind != wire.Response || !seen[l.Key()], "each question is answered twice also alone")
		seen[l.Key()] = true
	}
	return b
}

func burstID(i int) string { return fmt.Sprintf(`"q%d"`, i) }

func (b *burst) at(i int) burstSession { return b.alone[i%len(b.alone)] }

// send writes all questions in one piece.
func (b *burst) send(n int) (client.Mark, error) {
	var text strings.Builder
	for i := range n {
		fmt.Fprintf(&text, `{"jsonrpc":"2.0","id":%s,"method":"session/status","params":{"sessionId":%s}}`+"\n", burstID(i), rule.JSON(b.at(i).ID))
	}
	mark := b.cl.Mark()
	return mark, b.cl.Chunks(0, []byte(text.String()))
}

func isBurst(l client.Line) bool { return l.Kind == wire.Response && strings.HasPrefix(l.Key(), `"q`) }

// await waits until there are as many answers as questions, or none comes any more.
func (b *burst) await(mark client.Mark, n int) {
	before := 0
	for range burstRounds {
		got := 0
		_, state, _ := b.cl.AwaitLine(mark, func(l client.Line) bool {
			if isBurst(l) {
				got++
			}
			return got >= n
		})
		if state != client.NotYet || got == before {
			break
		}
		before = got
	}
	b.cl.Fenced()
}

// answers are the answers to each question.
func (b *burst) answers(mark client.Mark, n int) [][]client.Line {
	by := map[string][]client.Line{}
	for _, l := range b.cl.Since(mark) {
		if isBurst(l) {
			by[l.Key()] = append(by[l.Key()], l)
		}
	}
	all := make([][]client.Line, n)
	for i := range all {
		all[i] = by[burstID(i)]
	}
	return all
}

// asAlone is an answer that says what the question was answered alone.
const asAlone = "the same as alone"

// told says in what an answer differs from the one that was given to the question alone, if it does.
func (b *burst) told(i int, l client.Line) string {
	alone := b.at(i)
	got := client.ReadStatus(alone.ID, client.Answer{State: client.Met, Result: l.Result, Err: errorOf(l)})
	named, ok := text(wire.Member(wire.Member(l.Error, "data"), "sessionId"))
	if ok && named != alone.ID && slices.ContainsFunc(b.alone, func(o burstSession) bool { return o.ID == named }) {
		return "an error about the session of another question"
	}
	if alone.as(got) {
		return asAlone
	}
	return fmt.Sprintf("%s in place of %s", got, alone.Status)
}

// as tells whether another answer about the session says the same. One that exists may leave memory, and come back, at any time.
func (s burstSession) as(o client.Status) bool {
	moves := func(s client.Standing) bool { return s == client.Active || s == client.Inactive || s == client.Other }
	return s.real && moves(s.Standing) && moves(o.Standing) || s.Standing == o.Standing && s.Code() == o.Code()
}

// errorOf is the error of a response, nil where it has none.
func errorOf(l client.Line) *client.Error {
	if l.Error == nil {
		return nil
	}
	e := &client.Error{}
	if json.Unmarshal(l.Error, e) != nil {
		e.Message = string(l.Error)
	}
	return e
}
