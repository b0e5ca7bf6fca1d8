package fuzz

import (
	"context"
	"slices"
	"time"
)

// crashed looks into the end of an agent. An end is never passed over: where no line can be named that brings it about, it is
// reported as what was seen once.
func (r *run) crashed(ctx context.Context, e evidence) {
	explained, partly := r.book.knows(e, r.marksOf(e.history, e.recent), r.marksOf(e.history[:e.died+1], 0))
	if explained {
		return
	}
	enough := r.enough()
	if enough && r.book.failed() {
		return
	}
	e.graver = partly || enough
	if !r.prove(ctx, e) && !e.graver && !interrupted(ctx) {
		r.book.end(r.lastWords(e))
	}
}

// knows tells whether a crash is explained by what is known; partly, if what is known is only that the agent does not survive a line that
// is no message, which others are near.
func (b *book) knows(e evidence, script, history []marks) (explained, partly bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	graver, others := 0, 0
	for _, f := range b.findings {
		if f.Kind != Crash {
			continue
		}
		if f.Severity == Failure {
			graver++
		} else {
			others++
		}
		switch near := f.near(script, history, max(1, e.together)); {
		case near && f.Severity == Failure, e.together == 1 && f.sameLine(&Finding{sent: e.sent}):
			f.Seen++
			return true, false
		case near:
			partly = true
		}
	}
	return graver >= mostAlike, partly || others >= mostAlike
}

// near tells whether a conversation has all that a finding needs. What has nothing unusual about it has to end it as well, with one of
// the last lines; where it takes several such lines, it is their number that counts and not what else they say.
func (f *Finding) near(script, history []marks, last int) bool {
	switch {
	case len(f.marks) == 0:
		return false
	case f.marks[0].unusual():
		return holds(script, f.marks)
	}
	wanted := f.marks
	if len(wanted) > 1 {
		wanted = methods(wanted)
	}
	for ; last > 0 && len(history) > 0; last-- {
		if holds(history, wanted) && within(wanted[len(wanted)-1], history[len(history)-1]) {
			return true
		}
		history = history[:len(history)-1]
	}
	return false
}

// sameLine tells whether two crashes are about lines that are no message in the same way.
func (f *Finding) sameLine(o *Finding) bool {
	return f.Kind == Crash && f.sent != nil && o.sent != nil && f.sent.clarity == broken && o.sent.clarity == broken && masked(f.sent.Why) == masked(o.sent.Why)
}

// lastWords is the end of an agent that was seen, and not again.
func (r *run) lastWords(e evidence) *Finding {
	e.severity = Warning
	if messages, _ := r.sorted(e.history[1:]); slices.ContainsFunc(messages, func(s Step) bool { return !isSession(s) && !s.Reply }) {
		e.severity = Failure
	}
	e.why = "the agent ended in the middle of the conversation, and not when it was played again, so that it is not known which line it does not survive: " + e.how
	return r.once(e, upTo(e.history, e.died))
}

// once is what was seen in a conversation, and not again.
func (r *run) once(e evidence, steps []Step) *Finding {
	f := r.finding(e, steps, trial{suspect: e.suspect, frames: e.said.all(), stderr: e.stderr})
	f.Once = true
	return f
}

const (
	recently   = time.Second // before the end of an agent
	mostRecent = 24          // lines
)

// evidence is what the last script of a leg has shown.
func (l *live) evidence(where, from int) evidence {
	e := evidence{where: where, history: l.history, from: from, recent: from, died: len(l.history) - 1, said: l.said, stderr: l.peer.Stderr()}
	if l.after != nil {
		e.died = from + l.after.step
	}
	for e.recent > 1 && from-e.recent < mostRecent && l.lagAt(e.recent-1) < recently {
		e.recent--
	}
	e.lag = l.lagAt(e.recent)
	return e
}

// lagAt is how long before the end of the agent a step of the history was played.
func (l *live) lagAt(i int) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.endedAt.IsZero() || l.times[i].IsZero() {
		return 0
	}
	return l.endedAt.Sub(l.times[i])
}
