package fuzz

import (
	"context"
	"errors"
	"time"
)

// overtime is how long what was found may be made shorter when the time for scripts is over, and how long one finding may take of it.
const overtime = 10 * time.Second

// until is when to stop making a finding shorter that is looked into from now on.
func (r *run) until() time.Time {
	if r.For <= 0 {
		return r.Now().Add(shrinkTime)
	}
	end, most := r.playing.passes(r.For+r.overtime), r.Now().Add(r.overtime)
	if most.Before(end) {
		return most
	}
	return end
}

// errTimeUp is why a run stops that would take much longer than it was given.
var errTimeUp = errors.New("the time is up")

// bounded is a context that ends when the run has to be over, whatever it does then. Its time goes as the clock for scripts does.
func (r *run) bounded(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	if r.For > 0 {
		r.playing.alarm = func() {
			timer := time.AfterFunc(r.For+r.overtime+r.Request, func() { cancel(errTimeUp) })
			context.AfterFunc(ctx, func() { timer.Stop() })
		}
	}
	return ctx, func() { cancel(nil) }
}

// interrupted tells whether somebody else has stopped the run.
func interrupted(ctx context.Context) bool {
	return ctx.Err() != nil && !errors.Is(context.Cause(ctx), errTimeUp)
}
