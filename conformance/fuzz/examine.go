package fuzz

import (
	"context"
	"slices"
	"time"
)

// evidence is what a suspect was seen in.
type evidence struct {
	suspect
	where   int           // the number of the script
	history []Step        // everything that was said on the connection
	from    int           // where the script begins in it
	recent  int           // where that begins in it that was sent shortly before the end of the agent
	died    int           // the step of it behind which the agent ended
	lag     time.Duration // from the first of the recent lines to its end
	said    *frames
	stderr  []byte
	until   time.Time // when to stop looking for something shorter
	graver  bool      // it counts only if messages bring it about: that other lines do is known
}

// examine finds out what suspicions are worth: whether they happen again, and what is needed for them.
func (r *run) examine(ctx context.Context, e evidence, found []suspect) {
	r.examining.Lock()
	defer r.examining.Unlock()
	for i, s := range found {
		if slices.ContainsFunc(found[:i], s.same) {
			continue
		}
		e.suspect, e.until = s, r.until()
		if s.kind == Crash {
			r.crashed(ctx, e)
		} else {
			r.suspected(ctx, e)
		}
	}
}

// suspected looks into what is no crash. What proves itself counts also where it does not happen again, or there is no time to try it.
func (r *run) suspected(ctx context.Context, e evidence) {
	goesOn, certain := r.goesOn(ctx), provesItself[e.kind] && !e.partial && !e.echo
	if !goesOn && (!certain || r.enough()) || r.book.explains(e, r.marksOf(e.history, e.from)) {
		return
	}
	switch {
	case goesOn && r.prove(ctx, e), interrupted(ctx):
	case certain:
		r.book.sawOnce(r.once(e, closure(e.history, e.from)))
	default:
		r.book.unconfirmed(e.suspect)
	}
}

// replay plays a script that was kept. Whatever it shows is a finding.
func (r *run) replay(ctx context.Context, s Script) {
	look := suspect{watch: max(leastWatch, time.Duration(s.WatchMs)*time.Millisecond)}
	t := r.try(ctx, s.Steps, look, r.Request)
	r.book.played(len(s.Steps), nil)
	for i, found := range t.found {
		if ctx.Err() == nil && !found.echo && !slices.ContainsFunc(t.found[:i], found.same) {
			t.suspect = found
			t.suspect.watch = look.watch
			r.book.add(r.finding(evidence{suspect: found}, s.Steps, t))
		}
	}
}

// prove makes a finding of a suspicion, and tells whether it is confirmed.
func (r *run) prove(ctx context.Context, e evidence) bool {
	if r.Log != nil {
		r.Log(r.book.event("shortening what led to a " + string(e.kind)))
	}
	whole, first := r.reproduce(ctx, e)
	if whole == nil {
		return false
	}
	look := e.suspect
	if e.kind == Crash {
		look.severity, look.watch = first.suspect.severity, watchFor(first.lags[first.last(whole)])
	}
	short := r.shrink(ctx, whole, look, e.until)
	t := r.confirm(ctx, short, look)
	if !t.matched {
		short, t = whole, r.confirm(ctx, whole, look)
	}
	if !t.matched && ctx.Err() != nil && e.kind == Crash {
		t = first // there is no time to see it once more
	}
	if !t.matched {
		return false
	}
	if t.suspect.watch = look.watch; t.suspect.echo {
		r.book.echo(t.suspect)
	} else {
		r.book.add(r.finding(e, short, t))
	}
	return true
}

// reproduce gives the conversation that shows a suspicion again, nil if none does: the script alone, with what it speaks of, or
// everything that came before it as well; without lines that are no message at first, which make it weigh less. Little time is enough
// for now, because it is confirmed later.
func (r *run) reproduce(ctx context.Context, e evidence) ([]Step, trial) {
	if e.kind == Crash {
		return r.blame(ctx, e)
	}
	for _, limit := range []time.Duration{r.pace.short(r.Request), r.Request} {
		for _, steps := range [][]Step{closure(e.history, e.from), e.history} {
			messages, others := r.sorted(steps)
			if len(others) > 0 && (e.sent == nil || e.sent.clarity != broken) {
				if t := r.try(ctx, messages, e.suspect, limit); t.matched {
					return messages, t
				}
			}
			if t := r.try(ctx, steps, e.suspect, limit); t.matched {
				return steps, t
			}
		}
	}
	return nil, trial{}
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
