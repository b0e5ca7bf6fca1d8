package engine

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"

	"github.com/acp-conform/acp-conform/conformance/result"
	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/wire"
)

// slots are the places in which rules work. A rule that merely waits gives its place to another, so that waits overlap and
// the wall time is set by work; started bounds how many rules, and so processes, are open at the same time.
type slots struct {
	working chan struct{}
	started chan struct{}
	single  chan struct{} // for rules on an agent of long lines
	long    atomic.Bool   // it has written one
}

// longLine is from how many bytes on an agent's line is long: of one that writes such, the rules that run side by side would hold too many.
const longLine = 1 << 20

func newSlots(jobs int) *slots {
	return &slots{working: make(chan struct{}, jobs), started: make(chan struct{}, max(8, 4*jobs)), single: make(chan struct{}, 1)}
}

// tap notes whether the agent writes long lines.
func (s *slots) tap(f wire.Frame, _ wire.Envelope) {
	if f.From == wire.Agent && len(f.Line) > longLine {
		s.long.Store(true)
	}
}

// take takes the places of a rule, of which an agent of long lines has only one, and gives what gives back those that it keeps to its end.
func (s *slots) take() (leave func()) {
	s.started <- struct{}{}
	alone := s.long.Load()
	if alone {
		s.single <- struct{}{}
	}
	s.working <- struct{}{}
	return func() {
		if alone {
			<-s.single
		}
		<-s.started
	}
}

// park gives the place back while a rule waits.
func (s *slots) park() (resume func()) {
	<-s.working
	return func() { s.working <- struct{}{} }
}

// turns limits prompts: how many at the same time, so that a model is not flooded, and how many in all.
type turns struct {
	mu    sync.Mutex
	left  int // negative = no limit
	n     int
	sem   *semaphore.Weighted
	most  int64
	freed bool
}

func newTurns(limit int, most int64) *turns {
	return &turns{left: limit, sem: semaphore.NewWeighted(most), most: most}
}

func (t *turns) unlimited() { t.freed = true }

func (t *turns) count() int { t.mu.Lock(); defer t.mu.Unlock(); return t.n }

var errNoPrompts = errors.New("no more prompts are allowed (--prompts)")

func (t *turns) take() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.left == 0 {
		return errNoPrompts
	}
	t.left--
	t.n++
	return nil
}

// of gives the StartTurn function of one rule. The rule takes its share with its first turn and keeps it to its end: two
// rules that each need two turns at once cannot lock each other out.
func (t *turns) of(ctx context.Context, park func() func()) (start func() (func(), error), end func()) {
	holds := false
	start = func() (func(), error) {
		if err := t.take(); err != nil {
			return nil, err
		}
		if !holds && !t.freed {
			resume := park()
			err := t.sem.Acquire(ctx, 1)
			resume()
			if err != nil {
				return nil, errors.New("the run was interrupted")
			}
			holds = true
		}
		return func() {}, nil
	}
	return start, func() {
		if holds {
			t.sem.Release(1)
		}
	}
}

// act runs the acting rules: all but the last ones side by side, then those.
func (r *run) act(ctx context.Context) {
	var now, last []*rule.Rule
	for i := range r.Rules {
		switch p := &r.Rules[i]; {
		case p.Act == nil:
		case p.Last:
			last = append(last, p)
		default:
			now = append(now, p)
		}
	}
	if r.Order != nil {
		r.Order(len(now), func(i, j int) { now[i], now[j] = now[j], now[i] })
	}
	for _, batch := range [][]*rule.Rule{now, last} {
		var g errgroup.Group
		for _, p := range batch {
			// Both places are taken here, so that rules begin in their order.
			leave := r.slots.take()
			g.Go(func() error {
				defer leave()
				r.Begun(p.ID)
				r.tell(p.ID, r.one(ctx, p))
				return nil
			})
		}
		_ = g.Wait()
	}
}

// told are the rules of which it has been told that they have concluded.
type told struct {
	mu  sync.Mutex
	ids map[string]bool
}

// tell tells once of a rule that it has concluded.
func (r *run) tell(id string, v result.Verdict) {
	r.told.mu.Lock()
	if r.told.ids == nil {
		r.told.ids = map[string]bool{}
	}
	before := r.told.ids[id]
	r.told.ids[id] = true
	done := len(r.told.ids)
	r.told.mu.Unlock()
	if !before {
		r.Progress(Event{Rule: id, Verdict: v, Done: done, Total: len(r.Rules)})
	}
}

// one runs one acting rule in a place that has been taken for it, and notes what came of it.
func (r *run) one(ctx context.Context, p *rule.Rule) result.Verdict {
	defer func() { <-r.slots.working }()
	if ctx.Err() != nil || r.late() {
		reason := "the run was interrupted before the rule began"
		if ctx.Err() == nil {
			reason = "the agent " + r.overTime().Error() + ", before the rule began"
			r.refused.Store(true)
		}
		return r.book.put(p.ID, entry{judgement: rule.Judgement{Verdict: result.NotObserved, Reason: reason, Log: rule.NewLog(p, p.ID)}})
	}
	if r.Pure && p.Robustness {
		return r.book.put(p.ID, entry{judgement: rule.Judgement{Verdict: result.Skipped, Reason: "--pure: its stimulus is not what a conforming client sends", Log: rule.NewLog(p, p.ID)}})
	}
	if p.Needs.Process && !r.Process {
		return r.book.put(p.ID, entry{judgement: rule.Judgement{Verdict: result.NotObserved, Reason: "the agent is no process of its own here", Log: rule.NewLog(p, p.ID)}})
	}
	started := r.Now()
	s := r.stage(p.ID)
	s.pausing, s.exit = r.slots.park, p.Needs.Exit
	start, end := r.turns.of(ctx, r.slots.park)
	s.turn = start
	ctx, stop := s.clock(ctx)
	j := rule.Execute(ctx, p, r.env(ctx, s))
	stop()
	end()
	s.close()
	return r.book.put(p.ID, entry{judgement: j, stage: s, took: r.Now().Sub(started)})
}

func (r *run) stage(name string) *stage {
	s := &stage{r: r, name: name, turn: nil}
	for i := range r.Rules {
		if r.Rules[i].Watch != nil {
			s.watching = append(s.watching, &r.Rules[i])
		}
	}
	return s
}

func (s *stage) tempDir() (string, error) { return mkdirTemp(s.r.root, fmt.Sprintf("%s-dir-", s.name)) }
