package fuzz

import (
	"context"
	"slices"
	"strconv"
	"time"
)

// shrinker makes a script shorter for as long as it shows the same.
type shrinker struct {
	r     *run
	ctx   context.Context
	look  suspect
	steps []Step
	left  int       // how many more scripts may be played
	slow  int       // how many more of those that take all the time that there is
	until time.Time // when to stop in any case
	vain  [][]Step  // what does not show it
}

const (
	shrinkTries = 300
	shrinkSlow  = 14
	shrinkTime  = 30 * time.Second // where nothing says how long the run may take
)

// firstPlain is out of the way of the ids that scripts are made with.
const firstPlain = 70_000

// shrink gives the shortest script that it finds: first whole steps are left out, then what is waited for, then members and values.
func (r *run) shrink(ctx context.Context, steps []Step, s suspect, until time.Time) []Step {
	k := &shrinker{r: r, ctx: ctx, look: s, steps: slices.Clone(steps), left: shrinkTries, slow: shrinkSlow, until: until}
	k.join()
	k.plain()
	k.dropSteps()
	for i := len(k.steps) - 1; i > 0; i-- {
		k.calm(i)
		k.members(i)
	}
	k.dropSteps()
	return k.steps
}

// keeps tells whether a script still shows the same; then it takes the place of the one before.
func (k *shrinker) keeps(steps []Step) bool {
	if k.spent() || slices.ContainsFunc(k.vain, func(s []Step) bool { return slices.Equal(s, steps) }) {
		return false
	}
	k.left--
	t := k.r.try(k.ctx, steps, k.look, k.r.pace.short(k.r.Request))
	if t.late {
		k.slow--
	}
	if t.matched {
		k.steps = steps
	} else {
		k.vain = append(k.vain, steps)
	}
	return t.matched
}

// spent tells whether it has been tried for long enough.
func (k *shrinker) spent() bool {
	return k.left <= 0 || k.slow <= 0 || k.ctx.Err() != nil || k.r.Now().After(k.until)
}

// dropSteps leaves steps out, many at once at first. The handshake stays.
func (k *shrinker) dropSteps() {
	for size := max(1, len(k.steps)/2); size > 0; size /= 2 {
		for i := len(k.steps) - size; i > 0; i -= size {
			if i+size <= len(k.steps) {
				k.keeps(slices.Delete(slices.Clone(k.steps), i, i+size))
			}
		}
	}
}

// join puts lines that nothing is waited for behind into one piece with the next one, the last one with the fence behind it: then it is no
// matter of luck what the agent has read of them when.
func (k *shrinker) join() {
	for i := range k.steps {
		if k.steps[i].Then == GoOn && !k.steps[i].Reply {
			k.keeps(k.then(i, Join))
		}
	}
}

// then is the script with something else that is waited for behind a step.
func (k *shrinker) then(i int, then Then) []Step {
	steps := slices.Clone(k.steps)
	steps[i].Then = then
	return steps
}

// plain makes all prompts the plainest one, in the first session: what needs several of them seldom needs more of them than that.
func (k *shrinker) plain() {
	steps := slices.Clone(k.steps)
	for i, s := range steps {
		if k.r.isPrompt(s) {
			steps[i].Send = plainPrompt(i, "s1")
		}
	}
	if !slices.Equal(steps, k.steps) {
		k.keeps(steps)
	}
}

// calm has a step wait for its answer, unless what happens needs it otherwise.
func (k *shrinker) calm(i int) {
	if then := k.steps[i].Then; then == Answer || k.steps[i].Reply {
		return
	}
	k.keeps(k.then(i, Answer))
}

// with is the script with another line in a step.
func (k *shrinker) with(i int, line string) []Step {
	steps := slices.Clone(k.steps)
	steps[i].Send = line
	return steps
}

// members makes the line of a step smaller.
func (k *shrinker) members(i int) {
	if s := k.steps[i]; k.r.isPrompt(s) {
		k.keeps(k.with(i, plainPrompt(i, append(names(s.Send), "s1")[0])))
	}
	t, err := read(k.steps[i].Send)
	if err != nil {
		k.raw(i)
		return
	}
	if line := t.String(); line != k.steps[i].Send && !k.keeps(k.with(i, line)) {
		return // it matters how it is written
	}
	for at := 1; at < len(t.spots()) && !k.spent(); at++ {
		for n := 0; at < len(t.spots()) && !k.spent(); n++ {
			c := t.clone()
			change := simpler(c.spots()[at], n)
			if change == nil {
				break
			}
			change()
			if id := c.get("id"); id != nil && id.text == plainID {
				id.text = strconv.Itoa(firstPlain + i)
			}
			if k.better(i, t, c) {
				t, n = c, -1
			}
		}
		if at < len(t.spots()) {
			t = k.shorten(i, t, at)
		}
	}
}

// better tells whether a smaller message still shows the same. What is valid stays so: it proves more.
func (k *shrinker) better(i int, t, c *tree) bool {
	return c.String() != t.String() && (k.invalid(i, t) || !k.invalid(i, c)) && k.keeps(k.with(i, c.String()))
}

func (k *shrinker) invalid(i int, t *tree) bool {
	s := k.steps[i]
	s.Send = t.String()
	return k.r.invalid(s)
}

// raw makes a line smaller that is no message, by what is cut off behind it and before it.
func (k *shrinker) raw(i int) {
	for _, line := range []string{"{", "x"} {
		if k.keeps(k.with(i, line)) {
			return
		}
	}
	for size := len(k.steps[i].Send) / 2; size > 0; size /= 2 {
		line := k.steps[i].Send
		if size < len(line) && !k.keeps(k.with(i, line[:len(line)-size])) {
			k.keeps(k.with(i, line[size:]))
		}
	}
}
