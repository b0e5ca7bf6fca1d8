package fuzz

import (
	"context"
	"testing"
	"time"

	"github.com/acp-conform/acp-conform/conformance/wire"
)

// A finding is made shorter for a while, and for no longer than the run may last.
func TestMakingFindingsShortHasItsTime(t *testing.T) {
	begun := time.Unix(1000, 0)
	for name, c := range map[string]struct {
		length, passed, want time.Duration // from the first script on
	}{
		"in the middle of the run":   {time.Minute, 20 * time.Second, 30 * time.Second},
		"near its end":               {time.Minute, 55 * time.Second, 65 * time.Second},
		"behind its end":             {time.Minute, 65 * time.Second, 70 * time.Second},
		"long behind its end":        {time.Minute, 75 * time.Second, 70 * time.Second},
		"nobody says when it is due": {0, 75 * time.Second, 75*time.Second + shrinkTime},
	} {
		now := begun
		r, err := begin(Config{For: c.length, Now: func() time.Time { return now }})
		if err != nil {
			t.Fatal(err)
		}
		r.playing.start(r.Now)
		now = begun.Add(c.passed)
		if got := r.until().Sub(begun); got != c.want {
			t.Errorf("%s: until %s, want %s", name, got, c.want)
		}
		r.finish()
	}
}

// When there is no time to make it shorter, the finding is what there is.
func TestWithoutTimeAFindingStaysLong(t *testing.T) {
	r, err := begin(Config{Launch: clerk(func(wire.Envelope, int, int64) fate { return well }), Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	defer r.finish()
	steps := append(r.preamble(), promptStep(20, Join), promptStep(21, Join), Step{Send: cancelLine})
	if got := r.shrink(t.Context(), steps, suspect{kind: Crash}, r.Now().Add(-time.Second)); len(got) != len(steps) {
		t.Errorf("%d steps of %d are left", len(got), len(steps))
	}
}

// Whatever an agent does, the run ends a little after its time; that is no interrupt.
func TestARunHasAnEnd(t *testing.T) {
	r, err := begin(Config{For: time.Millisecond, Request: time.Millisecond, Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	defer r.finish()
	r.overtime = time.Millisecond
	ctx, done := r.bounded(t.Context())
	defer done()
	if ctx.Err() != nil {
		t.Error("it ends before it has begun")
	}
	r.playing.start(r.Now)
	<-ctx.Done()
	if interrupted(ctx) {
		t.Error("the end of the time is taken for an interrupt")
	}
	other, cancel := context.WithCancel(t.Context())
	ctx, done = r.bounded(other)
	defer done()
	if cancel(); !interrupted(ctx) {
		t.Error("an interrupt is not seen")
	}
}
