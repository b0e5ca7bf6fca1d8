package fuzz

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/acp-conform/acp-conform/conformance/result"
	"github.com/acp-conform/acp-conform/conformance/wire"
	"github.com/acp-conform/acp-conform/fakeagent"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// serve makes an agent of its own for each connection.
func serve(t testing.TB, cfg fakeagent.Config, change func(*fakeagent.Behaviour)) wire.Launcher {
	var made atomic.Int64
	return wire.InProcess(func(ctx context.Context, r io.Reader, w io.Writer) error {
		cfg := cfg
		cfg.Salt = strconv.FormatInt(made.Add(1), 10)
		a, err := fakeagent.New(cfg)
		if err != nil {
			t.Error(err)
			return err
		}
		if change != nil {
			change(a.Behaviour)
		}
		return a.Serve(ctx, r, w)
	})
}

func config(t testing.TB, cfg fakeagent.Config) Config {
	return Config{Launch: serve(t, cfg, nil), Seed: 1, Prompts: -1, Request: 20 * time.Second, Now: time.Now}
}

func fuzz(t testing.TB, cfg Config) Result {
	t.Helper()
	res, err := Run(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// less is a number of scripts, or a part of it where the race detector slows everything down.
func less(scripts int) int {
	if raced {
		return scripts / 8
	}
	return scripts
}

// show says what was found.
func (r Result) show() string {
	var b strings.Builder
	for _, f := range r.Findings {
		fmt.Fprintf(&b, "%s, %s: %s\n", f.Severity, f.Kind, f.Why)
		for _, s := range f.Script.Steps {
			fmt.Fprintf(&b, "    %-7s %s\n", s.Then, head(s.Send, 300))
		}
		for _, frame := range f.Frames {
			fmt.Fprintf(&b, "        %s %s%s\n", frame.From, head(frame.Line, 300), frame.Base64)
		}
	}
	for _, n := range r.Unconfirmed {
		fmt.Fprintf(&b, "once: %s\n", n.Text)
	}
	return b.String()
}

// kinds are what each fault of the fake may be found by.
var kinds = map[string][]Kind{
	"input-escaped-session-id": {Hang}, "input-unknown-cancel": {Hang},
	"input-text-id": {Missing}, "input-zero-id": {Missing}, "input-two-at-once": {Missing}, "input-early-cancel": {Missing}, "input-astral-text": {Missing},
	"input-large-id": {Invalid, Missing}, "input-long-title": {Invalid}, "input-proto-member": {Invalid}, "input-request-without-id": {Invalid},
	"input-nul-character": {Duplicate},
}

// scriptsForFault is the budget of one fault: a number of scripts, so that it does not matter how quick the machine is.
const scriptsForFault = 4000

func TestInputFaultsAreFound(t *testing.T) {
	for i, f := range fakeagent.InputFaults() {
		if raced && i%5 != 0 {
			continue
		}
		t.Run(f.Name, func(t *testing.T) {
			cfg := config(t, fakeagent.Config{Faults: []string{f.Name}})
			cfg.Scripts, cfg.Findings = scriptsForFault, 1
			cfg.Protocol = f.Protocols[i%len(f.Protocols)] // half of them in each version
			cfg.Keep = t.TempDir()
			if f.Name == "input-escaped-session-id" { // the one agent that does not say that it has nothing left to do
				cfg.Request = 3 * time.Second // a machine that is busy may rest for one
			}
			res := fuzz(t, cfg)
			t.Logf("version %d: %d scripts, %d ms\n%s", cfg.Protocol, res.Scripts, res.DurationMs, res.show())
			if len(res.Findings) == 0 {
				t.Fatal("nothing was found")
			}
			want := kinds[f.Name]
			if want == nil {
				want = []Kind{Crash}
			}
			if got := res.Findings[0]; !slices.Contains(want, got.Kind) || len(got.Script.Steps) > 12 || len(got.Frames) == 0 {
				t.Errorf("found a %s in %d steps, want one of %v", got.Kind, len(got.Script.Steps), want)
			}
			again(t, cfg, res.Findings[0])
		})
	}
}

// again plays the script of a finding as it was kept.
func again(t *testing.T, cfg Config, f Finding) {
	t.Helper()
	b, err := os.ReadFile(f.File)
	if err != nil {
		t.Fatal(err)
	}
	s, err := ReadScript(b)
	if err != nil {
		t.Fatal(err)
	}
	res, err := Play(t.Context(), cfg, s)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(res.Findings, func(g Finding) bool { return g.Kind == f.Kind && g.Severity == f.Severity }) {
		t.Errorf("the script does not show it again: %s", res.show())
	}
}

// A fault that needs two lines in one piece is shown by a script of one, if what comes behind it is in the same piece, and by no other.
func TestTheLastLineMayBeJoined(t *testing.T) {
	for then, want := range map[Then]int{Join: 1, Answer: 0} {
		cfg := config(t, fakeagent.Config{Faults: []string{"input-two-at-once"}})
		last := Step{Send: `{"jsonrpc":"2.0","id":7,"method":"session/list","params":{}}`, Then: then}
		res, err := Play(t.Context(), cfg, Script{Protocol: 1, Steps: []Step{hello(1), last}})
		if err != nil || len(res.Findings) != want {
			t.Errorf("%s: %v, %s", then, err, res.show())
		}
	}
}

func TestNothingIsFoundOnTheCorrectAgent(t *testing.T) {
	for version := 1; version <= 2; version++ {
		for _, without := range [][]string{nil, fakeagent.Capabilities()} {
			cfg := config(t, fakeagent.Config{Without: without})
			cfg.Protocol, cfg.Scripts = version, less(500)
			res := fuzz(t, cfg)
			if len(res.Findings)+len(res.Unconfirmed) > 0 || res.Verdict != Passed || res.Scripts != cfg.Scripts || res.Lines < cfg.Scripts {
				t.Errorf("version %d: %s after %d scripts\n%s", version, res.Verdict, res.Scripts, res.show())
			}
		}
	}
}

func TestNothingIsFoundOnLegalVariants(t *testing.T) {
	for i, v := range fakeagent.Variants() {
		if raced && i%8 != 0 {
			continue
		}
		cfg := config(t, fakeagent.Config{Variants: []string{v.Name}, Pace: 0.001})
		cfg.Protocol, cfg.Scripts, cfg.Seed = v.Protocols[i%len(v.Protocols)], 16, uint64(i)
		if res := fuzz(t, cfg); len(res.Findings) > 0 || res.Verdict != Passed {
			t.Errorf("%s, version %d: %s %s\n%s", v.Name, cfg.Protocol, res.Verdict, res.ExitReason, res.show())
		}
	}
}

// What an agent may do with input that is no valid message is no failure, however odd it is.
func TestLenienceAndSilenceAreNoFailures(t *testing.T) {
	for _, faults := range [][]string{
		{"parse-error-unanswered", "invalid-request-unanswered", "scalar-unanswered", "batch-unanswered"},
		{"parse-error-code", "invalid-request-code", "batch-error-per-entry"},
		{"batch-executed", "jsonrpc-not-required"},
		{"parse-error-id"},
		{"unknown-method-succeeds", "extension-request-succeeds"},
		{"unknown-method-code", "extension-request-code"},
	} {
		cfg := config(t, fakeagent.Config{Faults: faults})
		cfg.Scripts = less(200)
		res := fuzz(t, cfg)
		for _, f := range res.Findings {
			if f.Severity == Failure {
				t.Errorf("%v: %s", faults, res.show())
			}
		}
	}
}

// What does not survive a line that is no message is warned about; on a message it fails.
func TestWhatIsNoMessageOnlyWarns(t *testing.T) {
	for fault, want := range map[string]Severity{"scalar-fatal": Warning, "batch-fatal": Warning, "parse-error-fatal": Warning, "parse-error-deafens": Warning,
		"unknown-method-fatal": Failure, "extension-notification-fatal": Failure} {
		cfg := config(t, fakeagent.Config{Faults: []string{fault}})
		cfg.Scripts, cfg.Findings = 400, 1
		res := fuzz(t, cfg)
		if len(res.Findings) != 1 || res.Findings[0].Severity != want || (res.ExitCode == result.ExitFailed) != (want == Failure) {
			t.Errorf("%s: exit code %d\n%s", fault, res.ExitCode, res.show())
		}
	}
}

// The same seed makes the same scripts and finds the same, whichever agent is quicker.
func TestTheSameSeedFindsTheSame(t *testing.T) {
	found := func(jobs int, seed uint64) string {
		cfg := config(t, fakeagent.Config{Faults: []string{"input-null-meta", "input-zero-id"}})
		cfg.Scripts, cfg.Jobs, cfg.Seed = less(640), jobs, seed
		res := fuzz(t, cfg)
		var all []string
		for _, f := range res.Findings {
			all = append(all, fmt.Sprint(f.Kind, f.Severity, f.marks))
		}
		slices.Sort(all)
		if len(all) < 2 {
			t.Errorf("%d jobs: %s", jobs, res.show())
		}
		return fmt.Sprint(res.Scripts, all)
	}
	one := found(1, 3)
	if again := found(1, 3); again != one {
		t.Errorf("one job:\n%s\nand again:\n%s", one, again)
	}
	if four := found(4, 3); four != one {
		t.Errorf("one job:\n%s\nfour:\n%s", one, four)
	}
}

func TestWithoutAHandshakeNothingIsConcluded(t *testing.T) {
	for fault, want := range map[string]string{"exits-at-once": "it exited with status 1", "initialize-unanswered": "did not answer initialize"} {
		cfg := config(t, fakeagent.Config{Faults: []string{fault}})
		cfg.Scripts = 10
		res := fuzz(t, cfg)
		if res.Verdict != Inconclusive || res.ExitCode != result.ExitInconclusive || !strings.Contains(res.ExitReason, want) || res.Scripts > 0 {
			t.Errorf("%s: %s, %d: %s", fault, res.Verdict, res.ExitCode, res.ExitReason)
		}
	}
	cfg := config(t, fakeagent.Config{})
	cfg.Launch, cfg.Scripts = wire.Command([]string{"/nowhere/agent"}), 1
	if res := fuzz(t, cfg); res.Verdict != Inconclusive || !strings.Contains(res.ExitReason, "could not be started") {
		t.Errorf("%s: %s", res.Verdict, res.ExitReason)
	}
}

func TestAnInterruptKeepsWhatIsKnown(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cfg := config(t, fakeagent.Config{})
	cfg.Log = func(e Event) {
		if e.Scripts == 50 {
			cancel()
		}
	}
	cfg.For = time.Hour
	res, err := Run(ctx, cfg)
	if err != nil || res.Verdict != Interrupted || res.ExitCode != result.ExitInterrupted || res.Scripts < 50 || len(res.Findings) > 0 {
		t.Errorf("%v: %s after %d scripts, %s", err, res.Verdict, res.Scripts, res.show())
	}
}

func TestNoMorePromptsAreSentThanAllowed(t *testing.T) {
	for _, limit := range []int{0, 7} {
		var prompts atomic.Int64
		cfg := config(t, fakeagent.Config{})
		cfg.Launch = serve(t, fakeagent.Config{OnLine: func(d fakeagent.Direction, line []byte) {
			if d == fakeagent.FromClient && wire.Inspect(line).Name == "session/prompt" {
				prompts.Add(1)
			}
		}}, nil)
		cfg.Scripts, cfg.Prompts = less(200), limit
		fuzz(t, cfg)
		if n := int(prompts.Load()); n > limit {
			t.Errorf("%d prompts were sent, %d are allowed", n, limit)
		}
	}
}

func TestTheResultIsJSON(t *testing.T) {
	cfg := config(t, fakeagent.Config{Faults: []string{"input-null-meta"}})
	cfg.Scripts, cfg.Findings, cfg.Command = 200, 1, []string{"agent"}
	b, err := json.Marshal(fuzz(t, cfg))
	var back Result
	if err := cmp.Or(err, json.Unmarshal(b, &back)); err != nil || back.Schema != resultSchema || len(back.Findings) != 1 || back.Findings[0].Script.Protocol != 1 {
		t.Errorf("%v: %s", err, b)
	}
}
