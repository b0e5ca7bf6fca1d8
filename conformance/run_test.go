package conformance_test

import (
	"context"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/onsi/gomega"
	"go.uber.org/goleak"

	"github.com/acp-conform/acp-conform/conformance"
	"github.com/acp-conform/acp-conform/conformance/result"
	"github.com/acp-conform/acp-conform/fakeagent"
)

func run(t testing.TB, cfg conformance.Config) result.Run {
	t.Helper()
	out, err := conformance.Run(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// timeless is a run without what is a matter of time. How much an agent says before a cancel reaches it is one as well, and
// with it how often a watching rule had something to look at.
func timeless(r result.Run) result.Run {
	r.StartedAt, r.Timeline, r.DurationMs, r.Survey.RoundTripMs = "", nil, 0, 0
	r.Frames.Checked, r.Frames.Extensions = 0, 0 // the rules about cost make as many requests as there is time for
	r.Rules = slices.Clone(r.Rules)
	for i := range r.Rules {
		o := &r.Rules[i]
		o.DurationMs, o.Occasions, o.Suppressed = 0, min(o.Occasions, 1), min(o.Suppressed, 1)
		o.Evidence = slices.Clone(o.Evidence)
		if strings.HasPrefix(o.ID, "status.perf.") {
			o.Evidence = nil // figures
		}
		for j := range o.Evidence {
			seen := &o.Evidence[j]
			seen.Frames = nil // they name temporary directories
			if _, err := time.ParseDuration(seen.Actual); err == nil {
				seen.Actual = ""
			}
		}
	}
	return r
}

func verdicts(r result.Run) map[string]result.Verdict {
	all := map[string]result.Verdict{}
	for _, o := range r.Rules {
		all[o.ID] = o.Verdict
	}
	return all
}

func outcome(t testing.TB, r result.Run, id string) result.Outcome {
	t.Helper()
	i := slices.IndexFunc(r.Rules, func(o result.Outcome) bool { return o.ID == id })
	if i < 0 {
		t.Fatalf("there is no outcome of %s", id)
	}
	return r.Rules[i]
}

func TestTheFakeConforms(t *testing.T) {
	got := run(t, conformance.Config{Serve: fake(t, fakeagent.Config{})})
	wantNoBlame(t, got)
	if got.Counts[result.Pass] == 0 {
		t.Error("nothing passed")
	}
}

func TestRunTwiceGivesTheSame(t *testing.T) {
	for _, faults := range [][]string{nil, {"jsonrpc-missing"}} {
		first := timeless(run(t, conformance.Config{Serve: fake(t, fakeagent.Config{Faults: faults})}))
		second := timeless(run(t, conformance.Config{Serve: fake(t, fakeagent.Config{Faults: faults})}))
		for i := range min(len(first.Rules), len(second.Rules)) {
			if !reflect.DeepEqual(first.Rules[i], second.Rules[i]) {
				t.Errorf("faults %v: two outcomes of one rule:\n%+v\n%+v", faults, first.Rules[i], second.Rules[i])
			}
		}
		if len(first.Rules) == len(second.Rules) {
			first.Rules, second.Rules = nil, nil // compared above
		}
		if !reflect.DeepEqual(first, second) {
			t.Errorf("faults %v: two runs:\n%+v\n%+v", faults, first, second)
		}
	}
}

func TestRunsAtTheSameTimeDoNotMix(t *testing.T) {
	faults := [][]string{nil, {"jsonrpc-missing"}}
	want := []result.Verdict{result.Pass, result.Fail}
	got := make([]result.Run, len(faults))
	var wg sync.WaitGroup
	for i := range faults {
		serve := fake(t, fakeagent.Config{Faults: faults[i]})
		wg.Go(func() {
			out, err := conformance.Run(t.Context(), conformance.Config{Serve: serve})
			if err != nil {
				t.Error(err)
			}
			got[i] = out
		})
	}
	wg.Wait()
	for i := range got {
		if o := outcome(t, got[i], "jsonrpc.version-field"); o.Verdict != want[i] {
			t.Errorf("run %d: %s", i, o.Verdict)
		}
	}
}

func TestVerdictsDoNotDependOnOrderJobsOrLoad(t *testing.T) {
	g := gomega.NewWithT(t)
	config := func() conformance.Config {
		return conformance.Config{Serve: fake(t, fakeagent.Config{Faults: []string{"jsonrpc-missing", "speaks-first"}})}
	}
	want := verdicts(run(t, config()))
	same := func(how string, change func(*conformance.Config)) {
		cfg := config()
		change(&cfg)
		g.Expect(verdicts(run(t, cfg))).To(gomega.Equal(want), how)
	}
	same("one job", func(c *conformance.Config) { c.Jobs = 1 })
	same("eight jobs", func(c *conformance.Config) { c.Jobs = 8 })
	same("random order", func(c *conformance.Config) { c.Seed = 1 })
	same("another random order, one job", func(c *conformance.Config) { c.Seed, c.Jobs = 2, 1 })
	loaded(t, 2, func() { same("under load", func(*conformance.Config) {}) })
}

// loaded calls f while n processes keep the machine busy.
func loaded(t *testing.T, n int, f func()) {
	t.Helper()
	for range n {
		cmd := child{Part: "busy"}.command(t)
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		defer func() {
			_ = in.Close()
			_ = cmd.Wait()
		}()
	}
	f()
}

func TestUsageErrors(t *testing.T) {
	serve, less := mute, -1
	command := []string{"an-agent-that-is-never-started"}
	for name, tc := range map[string]struct {
		cfg  conformance.Config
		want string
	}{
		"no agent":           {conformance.Config{}, "no agent is given"},
		"two agents":         {conformance.Config{Command: command, Serve: serve}, "two agents are given"},
		"protocol":           {conformance.Config{Command: command, Protocol: 7}, "there is no version 7 of the protocol"},
		"pattern":            {conformance.Config{Command: command, Rules: []string{"jsonrpc.version-filed"}}, `did you mean "jsonrpc.version-field"?`},
		"no rule left":       {conformance.Config{Command: command, Rules: []string{"jsonrpc", "!jsonrpc.*"}}, "leave no rule"},
		"prompt":             {conformance.Config{Command: command, Prompts: map[string]string{"shrot": "hi"}}, "the names are long, permission, read,"},
		"negative limit":     {conformance.Config{Command: command, PromptLimit: &less}, "cannot be limited to -1"},
		"no name":            {conformance.Config{Command: []string{""}}, "the agent's name is empty"},
		"too many sequences": {conformance.Config{Command: command, ModelSequences: conformance.MaxModelSequences + 1}, "10001 sequences cannot be tried; there may be 10000"},
		"negative factor":    {conformance.Config{Command: command, Slow: -1}, "cannot be multiplied by -1"},
		"absurd factor":      {conformance.Config{Command: command, Slow: 1e7}, "cannot be multiplied by 1e+07"},
		"no factor":          {conformance.Config{Command: command, Slow: math.NaN()}, "cannot be multiplied by NaN"},
		"negative timeout":   {conformance.Config{Command: command, Timeouts: conformance.Timeouts{Turn: -1}}, "a timeout cannot be -1ns"},
		"negative jobs":      {conformance.Config{Command: command, Jobs: -2}, "-2 rules cannot work at the same time"},
		"no directory":       {conformance.Config{Command: command, Dir: "no/such"}, "the directory no/such: "},
		"file as one":        {conformance.Config{Command: command, Dir: "run_test.go"}, "the directory run_test.go is none"},
		"environment":        {conformance.Config{Command: command, Env: []string{"DEBUG"}}, "write NAME=value"},
		"empty name in it":   {conformance.Config{Command: command, Env: []string{"=1"}}, "write NAME=value"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := conformance.Run(t.Context(), tc.cfg)
			if !errors.As(err, new(conformance.UsageError)) || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got %v, want a UsageError with %q", err, tc.want)
			}
		})
	}
}

func TestNothingThatRunsIsAnInconclusiveRun(t *testing.T) {
	got := run(t, conformance.Config{Command: []string{"./no-such-agent"}})
	if got.Verdict != result.Inconclusive || got.ExitCode != result.ExitInconclusive {
		t.Errorf("%s, exit code %d", got.Verdict, got.ExitCode)
	}
	wantParts(t, got.Problem, "./no-such-agent")
}

func TestTimeoutsAreScaled(t *testing.T) {
	got := run(t, conformance.Config{Serve: mute, Timeouts: conformance.Timeouts{Start: time.Hour}, Slow: 1e-6, Rules: []string{"jsonrpc"}})
	if got.Survey.Handshake || got.Problem == "" {
		t.Errorf("an agent that says nothing shook hands: %+v", got.Survey)
	}
}

func TestPromptLimit(t *testing.T) {
	none, one := 0, 1
	cfg := conformance.Config{Serve: fake(t, fakeagent.Config{}), Rules: []string{"transport"}}
	if got := run(t, cfg); got.Prompts < 2 {
		t.Errorf("%d prompts without a limit", got.Prompts)
	}
	for _, limit := range []*int{&none, &one} {
		cfg.PromptLimit = limit
		if got := run(t, cfg); got.Prompts != *limit {
			t.Errorf("%d prompts, the limit is %d", got.Prompts, *limit)
		}
	}
}

func TestRunNamesTheTool(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	got := run(t, conformance.Config{Serve: fake(t, fakeagent.Config{}), Rules: []string{"jsonrpc"}, Version: "1.2.3"})
	if want := (result.Tool{Name: "acp-conform", Version: "1.2.3"}); got.Tool != want {
		t.Errorf("%+v", got.Tool)
	}
	if got.Protocol.Requested != 1 || len(got.Rules) == len(conformance.Rules()) {
		t.Errorf("protocol %d, %d rules", got.Protocol.Requested, len(got.Rules))
	}
}

func TestEndedContextIsAnInterruptedRun(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	got, err := conformance.Run(ctx, conformance.Config{Serve: fake(t, fakeagent.Config{})})
	if err != nil || got.Verdict != result.Interrupted {
		t.Errorf("%s, %v", got.Verdict, err)
	}
}

func TestNoContextIsOneThatDoesNotEnd(t *testing.T) {
	var none context.Context
	got, err := conformance.Run(none, conformance.Config{Serve: fake(t, fakeagent.Config{}), Rules: []string{"jsonrpc.version-field"}})
	if err != nil || got.ExitCode != result.ExitOK {
		t.Errorf("exit code %d, %v", got.ExitCode, err)
	}
}

// BenchmarkRun shows what a rule costs in wall time: per rule that concluded and per acting rule.
func BenchmarkRun(b *testing.B) {
	serve := fake(b, fakeagent.Config{})
	concluded, acting := 0, 0
	for b.Loop() {
		out := run(b, conformance.Config{Serve: serve})
		concluded, acting = 0, 0
		for _, o := range out.Rules {
			if o.Verdict.Concluded() {
				concluded++
			}
			if o.Kind == "act" {
				acting++
			}
		}
	}
	ms := b.Elapsed().Seconds() * 1000 / float64(b.N)
	b.ReportMetric(ms/float64(concluded), "ms/concluded")
	b.ReportMetric(ms/float64(acting), "ms/acting")
}
