package engine

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/acp-conform/acp-conform/conformance/client"
	"github.com/acp-conform/acp-conform/conformance/result"
	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/wire"
)

// stage is where one rule, or the survey, works: it counts the connections and keeps their audiences.
type stage struct {
	r         *run
	name      string // of the acting rule, or "survey"
	watching  []*rule.Rule
	audiences []*rule.Audience
	closers   []func()
	turn      func() (func(), error)
	pausing   func() func()
	sessions  sessions
	exit      bool // the rule looks at how the agent ends
	homes     int  // how many agents have had a HOME of their own
	budget    *wire.Budget
	timeline  *timeline // of the survey; nil = none
	mu        sync.Mutex
	clients   []*client.Client // guarded by mu: a clock looks at them
	hangs     []result.Hang    // guarded by mu
}

// dial starts an agent and connects it to an audience of all watching rules.
func (s *stage) dial(ctx context.Context, l wire.Launch) (*client.Client, error) {
	r := s.r
	l.For = s.name
	l.Env = append(append([]string{}, r.Env...), l.Env...)
	if l.Dir == "" {
		l.Dir = r.Dir
	}
	own := l.Home != ""
	if !own && r.Process { // an agent in this process is told of a HOME only where it has one to itself
		l.Home = r.Home
	}
	r.restore()
	n := len(s.audiences) + 1
	if s.budget == nil {
		s.budget = wire.NewBudget(r.Limits.Recorded)
	}
	o := client.Options{Timeouts: s.timeouts(), Dir: r.root, Name: fmt.Sprintf("%s-%d", s.name, n), Now: r.Now, Rests: true, Park: s.pausing, StartTurn: s.turn, Fence: r.facts.Fence,
		Limits: r.Limits, Budget: s.budget, Heavy: &r.heavy, Stuck: s.stuck, Ending: r.live.looked}
	tap := &wire.StderrTap{Limit: r.Limits.Stderr}
	if r.Keep != "" {
		s.keep(n, &o, tap)
	}
	l.Stderr = tap
	peer, err := r.live.launch(func() (wire.Peer, error) { return r.Launch(ctx, l) })
	if err != nil {
		return nil, err
	}
	a := rule.NewAudience(r.Edition, s.watching, s.name)
	a.Conversation.Vocabulary = r.vocabulary()
	s.audiences = append(s.audiences, a)
	o.Taps = []wire.Tap{until(ctx, a.Tap), r.slots.tap}
	if s.timeline != nil {
		o.Taps = append(o.Taps, s.timeline.tap)
	}
	if !own { // what is in a HOME of its own goes with it
		o.Taps = append(o.Taps, s.sessions.tap)
	}
	c := client.Dial(ctx, peer, o)
	r.live.attach(peer, c, s)
	s.mu.Lock()
	s.clients = append(s.clients, c)
	s.mu.Unlock()
	tap.Crossed = c.Cross
	tap.Bind(c.Transcript)
	return c, nil
}

// until shows frames to a tap for as long as the run goes on: what an agent leaves open or cuts off after an interrupt is our
// doing, and nobody may judge it.
func until(ctx context.Context, tap wire.Tap) wire.Tap {
	return func(f wire.Frame, e wire.Envelope) {
		if ctx.Err() == nil {
			tap(f, e)
		}
	}
}

// lingerGrace is how long an agent that did not end by itself after the survey is given to end after other rules.
const lingerGrace = 250 * time.Millisecond

// A quiet window is at least as long as the configuration says, and longer where the agent is slow.
const (
	tripsInWindow = 20
	longestWindow = 2 * time.Second
)

// timeouts are those of the run; an agent that is known to stay when its input is closed is not waited for each time.
func (s *stage) timeouts() client.Timeouts {
	t := s.r.Timeouts
	t.Window = max(t.Window, min(tripsInWindow*s.r.facts.RoundTrip, longestWindow))
	if s.r.facts.Lingers && !s.exit {
		t.Exit = min(t.Exit, lingerGrace)
	}
	return t
}

// close ends the watching and the files. The agents have been ended by whoever started them.
func (s *stage) close() {
	for _, f := range s.closers {
		f()
	}
	s.closers = nil
	s.mu.Lock()
	s.clients = nil // what they remember of their agents is worth nothing any more, and may be long
	s.mu.Unlock()
}
