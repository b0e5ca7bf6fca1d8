package fuzz

import (
	"context"
	"slices"
	"time"

	"github.com/acp-conform/acp-conform/conformance/wire"
)

// blame looks for the line that an agent does not survive. The line behind which its end was seen need not be the one: an agent may
// take a while to end, what kills it may have come in one piece with others, or be the third of its kind where two are survived.
type blame struct {
	r       *run
	ctx     context.Context
	e       evidence
	look    suspect
	silence time.Duration // how long the agent may be silent
	tried   [][]Step
}

const (
	leastWatch = 200 * time.Millisecond // for the end of an agent, behind the last line
	mostWatch  = 2 * time.Second
	watchTimes = 5 // as long as its end took before
)

// watchFor is how long the end of an agent is waited for that took so long before.
func watchFor(took time.Duration) time.Duration {
	return min(max(leastWatch, watchTimes*took), mostWatch)
}

// blame gives the shortest beginning of the conversation that brings a crash about, or the one line that does, and how it looked. The
// trial has not matched if nothing does.
func (r *run) blame(ctx context.Context, e evidence) ([]Step, trial) {
	b := &blame{r: r, ctx: ctx, e: e, look: suspect{kind: Crash}}
	for _, b.silence = range slices.Compact([]time.Duration{r.pace.short(r.Request), r.Request}) {
		b.look.watch, b.tried = min(max(leastWatch, e.lag), mostWatch), nil
		if steps, t := b.find(); t.matched {
			return b.narrow(steps, t)
		}
	}
	return nil, trial{}
}

// find gives a conversation that brings it about again. Where lines that are no message are among it, it is tried without them first: a
// crash that messages bring about as well is theirs.
func (b *blame) find() ([]Step, trial) {
	history := upTo(b.e.history, b.e.died)
	recent := closure(history, b.e.recent)
	messages, others := b.r.sorted(recent)
	others = apart(others)
	var t trial
	if len(others) > 0 && !b.e.graver {
		t = b.try(others)
	}
	ways := [][]Step{apart(messages), messages}
	if !t.matched {
		all, _ := b.r.sorted(history)
		ways = append(ways, apart(all), all)
	}
	if steps, seen := b.first(ways...); seen.matched || b.e.graver {
		return steps, seen
	}
	if t.matched {
		return others, t
	}
	return b.first(apart(recent), recent, apart(history), history)
}

// first is the first of these conversations that brings it about.
func (b *blame) first(ways ...[]Step) ([]Step, trial) {
	for _, steps := range ways {
		if t := b.try(steps); t.matched {
			return steps, t
		}
	}
	return nil, trial{}
}

// try plays a conversation, unless that has been done already.
func (b *blame) try(steps []Step) trial {
	if b.spent() || slices.ContainsFunc(b.tried, func(s []Step) bool { return slices.Equal(s, steps) }) {
		return trial{}
	}
	b.tried = append(b.tried, steps)
	return b.r.try(b.ctx, steps, b.look, b.silence)
}

func (b *blame) spent() bool { return b.ctx.Err() != nil || b.r.Now().After(b.e.until) }

// narrow finds the line behind which the agent ends whatever follows, and whether it does so on that line alone.
func (b *blame) narrow(steps []Step, t trial) ([]Step, trial) {
	whole, lags := steps, t.lags
	b.look.severity = t.suspect.severity
	keep := func(shorter []Step, at int) bool {
		b.look.watch = watchFor(lags[at])
		n := b.try(shorter)
		if n.matched {
			steps, t = shorter, n
		}
		return n.matched
	}
	high := t.last(whole)
	if keep(alone(whole, high), high) {
		return steps, t
	}
	seen := high
	for low := 1; low < high && !b.spent(); {
		if middle := (low + high) / 2; keep(upTo(whole, middle), middle) {
			high = min(middle, t.last(steps))
		} else {
			low = middle + 1
		}
	}
	if high < seen && keep(alone(whole, high), high) {
		return steps, t
	}
	for _, alike := range []func(Step) bool{b.r.speaksOf(whole[high]), b.r.calls(whole[high])} {
		keep(slices.DeleteFunc(slices.Clone(steps), func(s Step) bool { return s.Name != helloName && !isSession(s) && !alike(s) }), high)
	}
	return steps, t
}

// last is the index of the line behind which the agent ended.
func (t trial) last(steps []Step) int {
	if t.suspect.sent != nil {
		return t.suspect.sent.step
	}
	return len(steps) - 1
}

// upTo are the steps up to one, and the answers that come later: they are for whenever the agent asks.
func upTo(steps []Step, i int) []Step {
	out := slices.Clone(steps[:min(i+1, len(steps))])
	for _, s := range steps[len(out):] {
		if s.Reply {
			out = append(out, s)
		}
	}
	return out
}

// alone is a step with nothing but what it speaks of before it.
func alone(steps []Step, i int) []Step { return apart(closure(steps[:i+1], i)) }

// apart has every line wait until it is dealt with.
func apart(steps []Step) []Step {
	out := slices.Clone(steps)
	for i := range out {
		if out[i].Then != Settle && !out[i].Reply {
			out[i].Then = Answer
		}
	}
	return out
}

// sorted parts the messages of a script from its other lines, which have those before them that later ones may speak of.
func (r *run) sorted(steps []Step) (messages, others []Step) {
	none := false
	for _, s := range steps {
		bad := !s.Reply && r.read(s).clarity == broken
		if none = none || bad; !bad {
			messages = append(messages, s)
		}
		if bad || s.Name == helloName || isSession(s) {
			others = append(others, s)
		}
	}
	if !none {
		return messages, nil
	}
	return messages, others
}

// read reads the line of a step without playing it.
func (r *run) read(s Step) *sent {
	return look(expand(s.Send, func(string) (string, bool) { return "/x", true }), 0, r.edition)
}

// speaksOf tells whether a step speaks of the same as another one, such as its session.
func (r *run) speaksOf(other Step) func(Step) bool {
	return func(s Step) bool {
		return slices.ContainsFunc(names(s.Send), func(n string) bool { return slices.Contains(names(other.Send), n) })
	}
}

// calls tells whether a step is of the same method as another one.
func (r *run) calls(other Step) func(Step) bool {
	l := r.read(other)
	return func(s Step) bool {
		o := r.read(s)
		return o.Kind == l.Kind && o.Name == l.Name && (l.Kind == wire.Request || l.Kind == wire.Notification)
	}
}
