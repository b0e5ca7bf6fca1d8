package fuzz

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/acp-conform/acp-conform/conformance/wire"
)

// trial is what came of playing a script on a fresh agent.
type trial struct {
	matched bool
	suspect suspect // the one that is looked for, as it was seen here
	found   []suspect
	frames  []Frame
	stderr  []byte
	late    bool                  // it took all the time that there was
	lags    map[int]time.Duration // from each line to the end of the agent, by the indices of the steps
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
	if how == met {
		how = p.watch(ctx, s.watch)
	}
	t.found, _ = p.judge(how)
	p.end(endGrace(how))
	t.frames, t.stderr = frames.all(), p.peer.Stderr()
	if ctx.Err() != nil {
		return t
	}
	if i := slices.IndexFunc(t.found, s.same); i >= 0 {
		t.matched, t.suspect, t.lags = !t.found[i].milder(s), t.found[i], p.lags()
	}
	return t
}

// frames are the last of a connection, as they are shown.
type frames struct {
	mu   sync.Mutex
	seen []Frame
}

func (f *frames) see(frame wire.Frame, _ wire.Envelope) {
	if frame.From != wire.Client && frame.From != wire.Agent {
		return
	}
	shown := frameOf(frame)
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.seen) >= 2*mostFrames {
		f.seen = slices.Clone(f.seen[mostFrames:])
	}
	f.seen = append(f.seen, shown)
}

func (f *frames) all() []Frame {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.seen[max(0, len(f.seen)-mostFrames):])
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
