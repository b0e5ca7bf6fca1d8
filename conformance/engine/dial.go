package engine

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/acp-conform/acp-conform/conformance/client"
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
	n := len(s.audiences) + 1
	if s.budget == nil {
		s.budget = wire.NewBudget(r.Limits.Recorded)
	}
	o := client.Options{Timeouts: s.timeouts(), Dir: r.root, Name: fmt.Sprintf("%s-%d", s.name, n), Now: r.Now, Park: s.pausing, StartTurn: s.turn, Fence: r.facts.Fence,
		Limits: r.Limits, Budget: s.budget, Heavy: &r.heavy}
	tap := &wire.StderrTap{Limit: r.Limits.Stderr}
	if r.Keep != "" {
		if err := s.keep(n, &o, tap); err != nil {
			return nil, err
		}
	}
	l.Stderr = tap
	peer, err := r.Launch(ctx, l)
	if err != nil {
		return nil, err
	}
	a := rule.NewAudience(r.Edition, s.watching, s.name)
	a.Conversation.Vocabulary = r.vocabulary()
	s.audiences = append(s.audiences, a)
	o.Taps = []wire.Tap{until(ctx, a.Tap)}
	if s.timeline != nil {
		o.Taps = append(o.Taps, s.timeline.tap)
	}
	if !own { // what is in a HOME of its own goes with it
		o.Taps = append(o.Taps, s.sessions.tap)
	}
	c := client.Dial(ctx, peer, o)
	r.live.add(peer, c.Cross)
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

// keep opens the files of --keep for a connection.
func (s *stage) keep(n int, o *client.Options, tap *wire.StderrTap) error {
	base := filepath.Join(s.r.Keep, fmt.Sprintf("%s-%d", s.name, n))
	t, err := os.Create(base + ".jsonl")
	if err != nil {
		return err
	}
	e, err := os.Create(base + ".stderr")
	if err != nil {
		return err
	}
	s.closers = append(s.closers, func() { _ = t.Close() }, func() { _ = e.Close() })
	o.Keep, tap.Copy = t, e
	return nil
}

// close ends the watching and the files. The agents have been ended by whoever started them.
func (s *stage) close() {
	for _, f := range s.closers {
		f()
	}
	s.closers = nil
}

// live is the table of the agents that run now, so that all of them can be ended at once.
type live struct {
	mu      sync.Mutex
	peers   map[wire.Peer]func(*wire.Crossed) // and who is told that one crosses a limit
	done    chan struct{}
	gone    chan struct{} // closed when nobody ends agents any more
	counted chan struct{} // closed when nobody counts their processes any more
	over    bool
}

const interruptGrace = 200 * time.Millisecond

// newLive ends every agent when the context ends.
func newLive(ctx context.Context) *live {
	l := &live{peers: map[wire.Peer]func(*wire.Crossed){}, done: make(chan struct{}), gone: make(chan struct{}), counted: make(chan struct{})}
	go func() {
		defer close(l.gone)
		select {
		case <-ctx.Done():
			l.endAll()
		case <-l.done:
		}
	}()
	return l
}

func (l *live) add(p wire.Peer, cross func(*wire.Crossed)) {
	l.mu.Lock()
	l.peers[p] = cross
	over := l.over
	l.mu.Unlock()
	if over {
		p.End(interruptGrace)
		return
	}
	go func() {
		<-p.Exited()
		l.mu.Lock()
		delete(l.peers, p)
		l.mu.Unlock()
	}()
}

func (l *live) endAll() {
	l.mu.Lock()
	l.over = true
	var all []wire.Peer
	for p := range l.peers {
		all = append(all, p)
	}
	l.mu.Unlock()
	var wg sync.WaitGroup
	for _, p := range all {
		wg.Add(1)
		go func() { defer wg.Done(); p.End(interruptGrace) }()
	}
	wg.Wait()
}

func (l *live) stop() {
	close(l.done)
	<-l.gone
	<-l.counted
}
