package steady

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/acp-conform/acp-conform/conformance/client"
	"github.com/acp-conform/acp-conform/conformance/engine"
	"github.com/acp-conform/acp-conform/conformance/result"
	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/reports"
)

// hung is how long one run may take, and patient how long it waits. The fake says when it is idle, so that no wait is as long as its
// timeout; on a machine that is busy with other things it may well seem so.
const (
	hung    = 2 * time.Minute
	patient = 20 * time.Second
)

// FuzzAgent gives the whole suite agents whose lines are garbled: whatever an agent says, the run ends, the suite does not fail, the
// reports can be written, and the same lines get the same verdicts. The bytes are a recipe, as read reads it.
func FuzzAgent(f *testing.F) {
	for kind := range kinds {
		for protocol := range 2 {
			for target := range targets {
				if (kind+target)%5 == 0 { // enough to begin with
					f.Add([]byte{byte(protocol), byte(kind + target), 0, byte(target), byte(target), byte(kind), byte(kind), byte(7 * kind), byte(11 * kind), 3, 'x', '"', '\n'})
				}
			}
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		r := read(b)
		first := r.run(t)
		for _, o := range first.Rules {
			if o.Verdict == result.Error {
				t.Errorf("%s: the suite failed: %s", o.ID, o.Reason)
			}
		}
		second := r.run(t)
		if first.Verdict != second.Verdict {
			t.Errorf("the run is %s and %s", first.Verdict, second.Verdict)
		}
		for i, o := range first.Rules {
			if p := second.Rules[i]; o.Verdict != p.Verdict || o.Reason != p.Reason {
				t.Errorf("%s is %s (%s) and %s (%s)", o.ID, o.Verdict, o.Reason, p.Verdict, p.Reason)
			}
		}
	})
}

// run is the suite on such an agent.
func (r recipe) run(t *testing.T) result.Run {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), hung)
	defer cancel()
	done := make(chan struct{})
	defer close(done)
	go func() {
		select {
		case <-done:
		case <-time.After(hung + 5*time.Second):
			stacks := make([]byte, 1<<20)
			panic(fmt.Sprintf("the run does not end when it is interrupted:\n%s", stacks[:runtime.Stack(stacks, true)]))
		}
	}()
	acting := all(t, r.protocol)
	chosen, err := engine.Select(acting, r.acting)
	if err != nil { // version 2 has none of them
		chosen = all(t, r.protocol, "status.unknown.*")
	}
	rules := slices.DeleteFunc(acting, func(x rule.Rule) bool {
		return x.Act != nil && !slices.ContainsFunc(chosen, func(y rule.Rule) bool { return x.ID == y.ID })
	})
	out, err := engine.Run(ctx, engine.Config{Launch: garbled(r), Command: []string{"garbled"}, Protocol: r.protocol, Rules: rules, MaxPrompts: -1, TempDir: t.TempDir(), Share: share, Jobs: 2,
		Timeouts: client.Timeouts{Start: patient, Request: patient, Turn: patient, Exit: time.Second, Window: 50 * time.Millisecond}})
	if err != nil {
		t.Fatal(err)
	}
	if ctx.Err() != nil {
		t.Fatalf("the run took more than %s", hung)
	}
	for name, err := range map[string]error{"text": reports.Text(io.Discard, out, reports.TextOptions{Verbose: true}), "JSON": reports.JSON(io.Discard, out)} {
		if err != nil {
			t.Errorf("the %s report: %v", name, err)
		}
	}
	return out
}
