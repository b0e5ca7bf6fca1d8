package fuzz

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"time"
)

// counter gives out what may be used so many times.
type counter struct {
	mu   sync.Mutex
	used int
}

// take takes n of what is limited, and tells whether there was as much.
func (c *counter) take(n, limit int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if limit >= 0 && c.used+n > limit {
		return false
	}
	c.used += n
	return true
}

// legs works off scripts until a limit is reached: each job takes the next leg that nobody has begun.
func (r *run) legs(ctx context.Context) {
	var wg sync.WaitGroup
	var next counter
	for range r.Jobs {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for r.goesOn(ctx) {
				next.mu.Lock()
				n := next.used
				next.used++
				next.mu.Unlock()
				if r.Scripts > 0 && n*legLength >= r.Scripts {
					return
				}
				r.leg(ctx, n)
			}
		}()
	}
	wg.Wait()
}

// goesOn tells whether another script is to be played.
func (r *run) goesOn(ctx context.Context) bool {
	return ctx.Err() == nil && r.book.stand() == "" && !r.enough() && (r.For <= 0 || r.playing.since(r.Now) < r.For)
}

// enough tells whether as much has been found as was asked for.
func (r *run) enough() bool { return r.Findings > 0 && r.book.event("").Findings >= r.Findings }

// live is an agent in the middle of a leg.
type live struct {
	*player
	plan    *planner
	history []Step      // everything that was played
	times   []time.Time // when each step of it was, zero if it was not
	said    *frames     // the last of them
}

// note adds what was played to the history, and gives where it begins there.
func (l *live) note(steps []Step) (from int) {
	from = len(l.history)
	l.history = append(l.history, steps...)
	l.times = append(l.times, make([]time.Time, len(steps))...)
	for _, s := range l.sent {
		l.times[from+s.step] = s.at
	}
	return from
}

// leg plays the scripts of one leg. An agent that has done something wrong is replaced by a fresh one.
func (r *run) leg(ctx context.Context, n int) {
	var l *live
	defer func() {
		if l != nil {
			l.end(exitGrace)
		}
	}()
	for i := range legLength {
		if !r.goesOn(ctx) || r.Scripts > 0 && n*legLength+i >= r.Scripts {
			return
		}
		if l == nil {
			if l = r.begin(ctx); l == nil || !r.goesOn(ctx) {
				return
			}
		}
		r.playing.start(r.Now)
		where := n*legLength + i
		steps := l.plan.episode(rand.New(rand.NewPCG(r.Seed, uint64(where))))
		steps = r.within(steps)
		how := l.play(ctx, steps)
		if ctx.Err() != nil {
			return
		}
		found, notes := l.judge(how)
		r.book.played(len(l.sent), notes)
		from := l.note(steps)
		l.history[len(l.history)-1].Then = Settle
		if r.Log != nil {
			r.Log(r.book.event(""))
		}
		if len(found) == 0 {
			l.plan.learn(l.player, steps)
			continue
		}
		l.end(endGrace(how))
		r.examine(ctx, l.evidence(where, from), found)
		l = nil
	}
}

// endGrace is how long an agent may take to end; one that does not answer is not waited for.
func endGrace(how state) time.Duration {
	if how == silent {
		return 0
	}
	return exitGrace
}

// begin starts an agent and shakes hands. It returns nil if that is not possible any more.
func (r *run) begin(ctx context.Context) *live {
	why := ""
	for range startTries {
		said := &frames{}
		p, err := r.start(ctx, r.Request, said.see)
		if ctx.Err() != nil && err != nil {
			return nil
		}
		if err != nil {
			why = err.Error()
			continue
		}
		p.expected = r.expected
		steps := r.preamble()
		how := p.play(ctx, steps)
		found, _ := p.judge(how)
		if _, ok := p.known[helloName]; ok && how == met {
			l := &live{player: p, plan: newPlanner(r.facts, r.edition, r.mayPrompt), said: said}
			l.note(steps)
			r.examine(ctx, evidence{where: -1, history: steps, from: 1, said: said, stderr: p.peer.Stderr()}, found)
			return l
		}
		p.end(exitGrace)
		if ctx.Err() != nil {
			return nil
		}
		why = "it does not shake hands any more, though it did before"
		if x := p.stopped(); x != nil {
			why = "it " + x.Error()
		}
	}
	r.book.fail("the agent could not be started again: " + why)
	return nil
}

// expected tells whether a finding says that the line is not answered.
func (r *run) expected(s Step) bool { return r.book.missing(r.marksOf([]Step{{}, s}, 1)) }

// startTries is how often an agent is started that does not start.
const startTries = 3

// mayPrompt tells whether a prompt may be sent.
func (r *run) mayPrompt() bool {
	r.prompts.mu.Lock()
	defer r.prompts.mu.Unlock()
	return r.Prompts < 0 || r.prompts.used < r.Prompts
}

// within leaves out the prompts that may not be sent any more.
func (r *run) within(steps []Step) []Step {
	if r.Prompts < 0 {
		return steps
	}
	return slices.DeleteFunc(slices.Clone(steps), func(s Step) bool {
		n := strings.Count(strings.ReplaceAll(s.Send, escaped("session/prompt"), "session/prompt"), "session/prompt")
		return n > 0 && !r.prompts.take(n, r.Prompts)
	})
}
