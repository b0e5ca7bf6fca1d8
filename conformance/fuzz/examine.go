package fuzz

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/acp-conform/acp-conform/conformance/wire"
)

// evidence is what a suspect was seen in.
type evidence struct {
	suspect
	where   int    // the number of the script
	history []Step // everything that was said on the connection
	from    int    // where the script begins in it
}

// examine finds out what a suspicion is worth: whether it happens again, and what is needed for it.
func (r *run) examine(ctx context.Context, where int, history []Step, from int, found []suspect) {
	r.examining.Lock()
	defer r.examining.Unlock()
	for i, s := range found {
		if slices.ContainsFunc(found[:i], s.same) || !r.goesOn(ctx) {
			continue
		}
		e := evidence{s, where, history, from}
		if r.book.explains(e, r.marksOf(history, from)) {
			continue
		}
		if r.Log != nil {
			r.Log(r.book.event("shortening what led to a " + string(s.kind)))
		}
		r.prove(ctx, e)
	}
}

// replay plays a script that was kept. Whatever it shows is a finding.
func (r *run) replay(ctx context.Context, s Script) {
	t := r.try(ctx, s.Steps, suspect{}, r.Request)
	r.book.played(len(s.Steps), nil)
	for i, found := range t.found {
		if ctx.Err() == nil && !found.echo && !slices.ContainsFunc(t.found[:i], found.same) {
			t.suspect = found
			r.book.add(r.finding(evidence{suspect: found}, s.Steps, t))
		}
	}
}

// prove makes a finding of a suspicion that is confirmed.
func (r *run) prove(ctx context.Context, e evidence) {
	whole := r.reproduce(ctx, e)
	if ctx.Err() != nil {
		return
	}
	if whole == nil {
		r.book.unconfirmed(e.suspect)
		return
	}
	short := r.shrink(ctx, whole, e.suspect)
	t := r.confirm(ctx, short, e.suspect)
	if !t.matched {
		if short, t = whole, r.confirm(ctx, whole, e.suspect); !t.matched {
			r.book.unconfirmed(e.suspect)
			return
		}
	}
	switch {
	case ctx.Err() != nil:
	case t.suspect.echo:
		r.book.echo(t.suspect)
	default:
		r.book.add(r.finding(e, short, t))
	}
}

// reproduce gives the conversation that shows a suspicion again, nil if none does: the script alone, with what it speaks of, or
// everything that came before it as well. Little time is enough at first, because it is confirmed later.
func (r *run) reproduce(ctx context.Context, e evidence) []Step {
	for _, limit := range []time.Duration{r.pace.short(r.Request), r.Request} {
		for _, steps := range [][]Step{closure(e.history, e.from), e.history} {
			if r.try(ctx, steps, e.suspect, limit).matched {
				return steps
			}
		}
	}
	return nil
}

// confirmations is how often a script has to show what it is said to show. Where that takes all the time that there is, once is
// enough: it has been seen before.
const confirmations = 2

// confirm plays a script with all the time that the agent may take.
func (r *run) confirm(ctx context.Context, steps []Step, s suspect) trial {
	var t trial
	for range confirmations {
		if t = r.try(ctx, steps, s, r.Request); !t.matched || t.late {
			break
		}
	}
	return t
}

// trial is what came of playing a script on a fresh agent.
type trial struct {
	matched bool
	suspect suspect // the one that is looked for, as it was seen here
	found   []suspect
	frames  []wire.Frame
	stderr  []byte
	late    bool // it took all the time that there was
}

// try plays a script on a fresh agent and tells whether the suspect is seen again.
func (r *run) try(ctx context.Context, steps []Step, s suspect, limit time.Duration) (t trial) {
	var frames frames
	p, err := r.start(ctx, limit, frames.see)
	if err != nil {
		return t
	}
	p.hurried = s.kind == Hang
	begun := r.Now()
	how := p.play(ctx, steps)
	t.late = r.Now().Sub(begun) >= limit
	t.found, _ = p.judge(how)
	p.end(endGrace(how))
	t.frames, t.stderr = frames.all(), p.peer.Stderr()
	if ctx.Err() != nil {
		return t
	}
	if i := slices.IndexFunc(t.found, s.same); i >= 0 {
		t.matched, t.suspect = true, t.found[i]
	}
	return t
}

// frames are those of a connection.
type frames struct {
	mu   sync.Mutex
	seen []wire.Frame
}

func (f *frames) see(frame wire.Frame, _ wire.Envelope) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.seen = append(f.seen, frame)
}

func (f *frames) all() []wire.Frame {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.seen)
}

// closure is a part of a history with what it speaks of: the handshake and the steps whose results it uses.
func closure(history []Step, from int) []Step {
	needed := map[string]bool{helloName: true}
	for _, s := range history[from:] {
		for _, name := range names(s.Send) {
			needed[name] = true
		}
	}
	var steps []Step
	for _, s := range history[:from] {
		if s.Name != "" && needed[s.Name] {
			s.Then = Answer
			steps = append(steps, s)
		}
	}
	return append(steps, history[from:]...)
}
