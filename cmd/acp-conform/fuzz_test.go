package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/acp-conform/acp-conform/conformance/fuzz"
	"github.com/acp-conform/acp-conform/conformance/result"
	"github.com/acp-conform/acp-conform/fakeagent"
)

func TestFuzzingTheCorrectAgent(t *testing.T) {
	s := call(t, "fuzz", "--scripts", "60", "@fake")
	if s.code != result.ExitOK || strings.Contains(s.stdout, "FAILURE") || strings.Contains(s.stdout, "WARNING") {
		t.Errorf("exit code %d: %s%s", s.code, s.stdout, s.stderr)
	}
	contains(t, "the report", s.stdout, "@fake, version 1 of the protocol, seed 1: 60 scripts with", "PASSED: 0 failures, 0 warnings")
	contains(t, "stderr", s.stderr, "fuzzing @fake for 60 scripts, with the seed 1")
}

// What is found is shown with the command that shows it again, in this process and in one of its own.
func TestAFindingOfTheFuzzerCanBePlayedAgain(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, agent := range [][]string{{"@fake", "--fault", "input-null-meta"}, {self, "fake-agent", "--fault", "input-null-meta"}} {
		keep := filepath.Join(t.TempDir(), "found")
		s := call(t, append([]string{"fuzz", "--scripts", "400", "--findings", "1", "--keep", keep}, agent...)...)
		if s.code != result.ExitFailed {
			t.Fatalf("%q: exit code %d: %s%s", agent, s.code, s.stdout, s.stderr)
		}
		contains(t, "the report", s.stdout, "FAILURE 1: crash", "the agent does not survive a request", `"_meta":null`, "FAILED: 1 failure, 0 warnings")
		m := regexp.MustCompile(`(?m)^  rerun      acp-conform (.*)$`).FindStringSubmatch(s.stdout)
		if m == nil || !strings.Contains(m[1], keep) {
			t.Fatalf("%q: no command shows it again: %s", agent, s.stdout)
		}
		again := call(t, strings.Fields(m[1])...)
		if again.code != result.ExitFailed || !strings.Contains(again.stdout, "FAILURE 1: crash") {
			t.Errorf("%s: exit code %d: %s%s", m[1], again.code, again.stdout, again.stderr)
		}
		if s := call(t, "fuzz", "--script", filepath.Join(keep, "fuzz-1.json"), "@fake"); s.code != result.ExitOK {
			t.Errorf("the correct agent: exit code %d: %s%s", s.code, s.stdout, s.stderr)
		}
	}
}

func TestTheFuzzerWritesJSON(t *testing.T) {
	file := filepath.Join(t.TempDir(), "fuzz.json")
	s := call(t, "fuzz", "--scripts", "300", "--findings", "1", "--quiet", "--format", "json", "--report", "text="+file, "--keep", t.TempDir(), "@fake", "--fault", "scalar-fatal")
	var res fuzz.Result
	if err := json.Unmarshal([]byte(s.stdout), &res); err != nil || s.code != result.ExitOK || s.stderr != "" {
		t.Fatalf("%v, exit code %d: %s", err, s.code, s.stderr)
	}
	if res.Verdict != fuzz.Passed || len(res.Findings) != 1 || res.Findings[0].Severity != fuzz.Warning || res.Findings[0].File == "" {
		t.Errorf("%+v", res)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	contains(t, "the text", string(text), "WARNING 1: crash", "PASSED: 0 failures, 1 warning")
	strict := call(t, "fuzz", "--scripts", "300", "--findings", "1", "--strict", "--keep", t.TempDir(), "@fake", "--fault", "scalar-fatal")
	if strict.code != result.ExitFailed || !strings.Contains(strict.stdout, "--strict: 1 warning") {
		t.Errorf("--strict: exit code %d: %s", strict.code, strict.stdout)
	}
}

// What did not happen again is marked, so that nobody wonders about a script that shows nothing.
func TestWhatWasSeenOnceIsMarked(t *testing.T) {
	for once, want := range map[bool]int{true: 1, false: 0} {
		var b strings.Builder
		res := fuzz.Result{Verdict: fuzz.Failed, Findings: []fuzz.Finding{{Number: 1, Kind: fuzz.Crash, Severity: fuzz.Failure, Why: "the agent ended", Once: once}}}
		if err := fuzzText(&b, &res, false); err != nil || strings.Count(b.String(), "  seen once  it did not happen again") != want {
			t.Errorf("%v: %v: %s", once, err, b.String())
		}
	}
}

// The limits of a run hold for the fuzzer, and are part of the command that shows a flood again.
func TestLimitsOfTheFuzzer(t *testing.T) {
	s := call(t, "fuzz", "--scripts", "5", "--limit", "recorded=2KiB", "--keep", t.TempDir(), "@fake")
	contains(t, "the report", s.stdout, "WARNING 1: flood", `crosses the limit "recorded"`, "wrote more than 2.0 KiB", " --limit recorded=2KiB @fake", "INCONCLUSIVE")
	if s.code != result.ExitInconclusive {
		t.Errorf("exit code %d: %s%s", s.code, s.stdout, s.stderr)
	}
}

func TestHintsOfTheFuzzerAreShown(t *testing.T) {
	var b strings.Builder
	if err := fuzzText(&b, &fuzz.Result{Hints: []string{"it could not be removed"}}, false); err != nil || !strings.Contains(b.String(), "\nhint: it could not be removed\n") {
		t.Errorf("%v: %s", err, b.String())
	}
}

func TestAnAgentThatCannotBeFuzzed(t *testing.T) {
	for _, agent := range []string{"/nowhere/agent", "false"} {
		s := call(t, "fuzz", "--scripts", "5", agent)
		if s.code != result.ExitInconclusive || !strings.Contains(s.stdout, "INCONCLUSIVE") {
			t.Errorf("%s: exit code %d: %s%s", agent, s.code, s.stdout, s.stderr)
		}
	}
}

func TestCommandLinesThatTheFuzzerRefuses(t *testing.T) {
	bad := filepath.Join(t.TempDir(), "bad.json")
	if err := os.WriteFile(bad, []byte(`{"schema":"x"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ args, want string }{
		{"", "no agent is given"},
		{"--for 0s @fake", "--for 0s: give a positive time"},
		{"--for 5 @fake", "write 5s for seconds"},
		{"--for 5s --scripts 3 @fake", "leave out one of them"},
		{"--seed x @fake", "--seed x: give a whole number; `acp-conform fuzz --help`"},
		{"--seed=-1 @fake", "--seed -1: give a whole number that is not negative;"},
		{"--scripts -1 @fake", "give a number such as 100"},
		{"--protocol 3 @fake", "no such version"},
		{"--prompts few @fake", "--prompts few"},
		{"--script /nowhere/x.json @fake", "--script /nowhere/x.json: no such file"},
		{"--script " + bad + " @fake", `the member schema is "x"`},
		{"--script= @fake", "no file is named"},
		{"--report junit @fake", "--report junit"},
		{"--format xml @fake", "--format xml"},
		{"--home /nowhere @fake", "--home /nowhere"},
		{"--env X @fake", "write NAME=VALUE"},
		{"--limit record=1MiB @fake", `did you mean recorded?`},
		{"@fake --fault input-nul-meta", `did you mean "input-null-meta"?`},
		{"--rules x @fake", "--rules goes with an agent"},
	} {
		s := call(t, append([]string{"fuzz"}, strings.Fields(c.args)...)...)
		if s.code != result.ExitUsage || s.stdout != "" || !strings.Contains(s.stderr, c.want) {
			t.Errorf("%s: exit code %d: %s%s", c.args, s.code, s.stdout, s.stderr)
		}
	}
}

func TestInputFaultsAreListedByThemselves(t *testing.T) {
	s := call(t, "faults", "--input", "--format", "json")
	var list []map[string]any
	if err := json.Unmarshal([]byte(s.stdout), &list); err != nil || len(list) != len(fakeagent.InputFaults()) || s.code != result.ExitOK {
		t.Errorf("%v, exit code %d, %d faults", err, s.code, len(list))
	}
	all := call(t, "faults").stdout
	for _, f := range fakeagent.InputFaults() {
		if strings.Contains(all, f.Name) {
			t.Errorf("%s is among the others", f.Name)
		}
	}
	if s := call(t, "faults", "--input", "--variants"); s.code != result.ExitUsage {
		t.Errorf("exit code %d", s.code)
	}
	contains(t, "the list", call(t, "faults", "--input").stdout, "acp-conform fuzz @fake --fault NAME")
	contains(t, "explain", call(t, "explain", "input-null-meta").stdout, "_meta is null")
}
