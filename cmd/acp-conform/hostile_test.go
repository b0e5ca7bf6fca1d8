package main

import (
	"encoding/json"
	"os/exec"
	"testing"

	"github.com/acp-conform/acp-conform/conformance/result"
	"github.com/acp-conform/acp-conform/fakeagent/hostile"
)

func TestHostileModesAreListedWithTheirVerdicts(t *testing.T) {
	s := call(t, "faults", "--hostile", "--format", "json")
	var list []listedMode
	if err := json.Unmarshal([]byte(s.stdout), &list); err != nil || s.code != result.ExitOK {
		t.Fatalf("exit code %d, %v: %s", s.code, err, s.stderr)
	}
	if len(list) < 60 || len(list) != len(hostile.Modes()) {
		t.Errorf("%d modes", len(list))
	}
	for _, m := range list {
		if m.Name == "" || m.Description == "" || m.Verdict == "" || m.Rules == nil {
			t.Errorf("%+v", m)
		}
	}
	contains(t, "the text", call(t, "faults", "--hostile").stdout, list[0].Name, list[0].Description)
}

func TestHostileFlagsThatMakeNoSense(t *testing.T) {
	refused(t, []string{"fake-agent", "--hostile", "gigabite-line"}, `"gigabite-line"`, `"gigabyte-line"`, "faults --hostile")
	refused(t, []string{"fake-agent", "--hostile", ""}, "no hostile mode")
	refused(t, []string{"fake-agent", "--hostile", "yes", "--fault", "sends-batch"}, "--hostile-scale")
	refused(t, []string{"fake-agent", "--hostile", "yes", "--hostile-scale", "-1"}, "above 0")
	refused(t, []string{"faults", "--hostile", "--variants"}, "one of them")
	refused(t, []string{"selftest", "--hostile", "--full"}, "--full")
	refused(t, []string{"selftest", "--hostile-scale", "2"}, "up to 1")
}

func TestAHostileAgentEndsAsItsModeSays(t *testing.T) {
	words, err := self()
	if err != nil {
		t.Fatal(err)
	}
	for mode, code := range map[string]int{"exits-1-at-start": 1, "exits-0-at-start": 0, "silent": 0} {
		cmd := exec.Command(words[0], append(words[1:], "--hostile", mode)...)
		_ = cmd.Run() // with an input that is empty
		if got := cmd.ProcessState.ExitCode(); got != code {
			t.Errorf("%s: exit code %d", mode, got)
		}
	}
}
