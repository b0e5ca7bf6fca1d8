package conformance

import (
	"context"
	"testing"
	"time"

	"github.com/acp-conform/acp-conform/conformance/result"
)

// Test judges the agent as a part of a Go test: one subtest for each rule, named by its id. A rule that the agent breaks
// fails with the evidence, a warning is logged (or fails, when Strict), a rule that was not judged is skipped with the
// reason. A run that says nothing about the agent, because it never shook hands or opened no session, fails as a whole.
//
// The run ends a little before the deadline of the test, so that no agent is left behind.
func Test(t *testing.T, cfg Config) {
	t.Helper()
	ctx := t.Context()
	if deadline, ok := t.Deadline(); ok {
		c, cancel := context.WithDeadline(ctx, before(time.Now(), deadline))
		defer cancel()
		ctx = c
	}
	if cfg.Rerun == nil && cfg.Serve != nil && cfg.Name == "" {
		cfg.Rerun = func(ids []string) string { return testLine(t.Name(), ids) }
	}
	run, err := Run(ctx, cfg)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range run.Rules {
		t.Run(o.ID, func(t *testing.T) { tell(t, o, cfg.Strict) })
	}
	if run.TranscriptProblem != "" {
		t.Errorf("the transcripts in %s are not complete: %s", run.Transcript, run.TranscriptProblem)
	}
	if text := problem(run); text != "" {
		t.Error(text)
	} else if run.Verdict == result.Incomplete {
		t.Logf("%s: %s", run.Verdict, run.ExitReason)
	}
}

func tell(t *testing.T, o result.Outcome, strict bool) {
	t.Helper()
	switch {
	case o.Verdict == result.Fail, o.Verdict == result.Error, o.Verdict == result.Warn && strict:
		t.Error(explain(o))
	case o.Verdict == result.Warn:
		t.Log(explain(o))
	case !o.Verdict.Concluded():
		t.Skip(unjudged(o))
	}
}

const deadlineMargin = 5 * time.Second

// before is when to stop so that there is time to end the agents and to report, but most of the time is used.
func before(now, deadline time.Time) time.Time {
	return deadline.Add(-min(deadlineMargin, deadline.Sub(now)/4))
}
