package fuzz

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/acp-conform/acp-conform/conformance/result"
	"github.com/acp-conform/acp-conform/conformance/wire"
	"github.com/acp-conform/acp-conform/fakeagent"
)

// An agent that takes longer to be ready than the whole run may last is fuzzed nevertheless.
func TestPreparationIsNoPartOfTheTime(t *testing.T) {
	const slow = 300 * time.Millisecond
	cfg := config(t, fakeagent.Config{})
	launch := serve(t, fakeagent.Config{}, nil)
	cfg.Launch = func(ctx context.Context, l wire.Launch) (wire.Peer, error) {
		time.Sleep(slow)
		return launch(ctx, l)
	}
	cfg.Jobs, cfg.For = 1, slow/3
	if res := fuzz(t, cfg); res.Verdict != Passed || res.Scripts == 0 {
		t.Errorf("%s (%s) after %d scripts", res.Verdict, res.ExitReason, res.Scripts)
	}
}

// A run that has played nothing has found nothing, which is no praise.
func TestARunWithoutScriptsIsInconclusive(t *testing.T) {
	r := &run{Config: config(t, fakeagent.Config{}), facts: &facts{}}
	res := r.result(t.Context(), r.problem())
	if res.Verdict != Inconclusive || res.ExitCode != result.ExitInconclusive || !strings.Contains(res.ExitReason, "no script was played") || !strings.Contains(res.ExitReason, "--for") {
		t.Errorf("%s, exit code %d: %s", res.Verdict, res.ExitCode, res.ExitReason)
	}
	r.book.played(1, nil)
	if res := r.result(t.Context(), r.problem()); res.Verdict != Passed {
		t.Errorf("with a script: %s (%s)", res.Verdict, res.ExitReason)
	}
}
