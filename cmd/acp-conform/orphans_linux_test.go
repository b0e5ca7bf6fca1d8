package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A process that an agent hides, without its environment and in a session of its own, is ended, and the reports tell of it.
func TestWhatAgentsHideIsTold(t *testing.T) {
	for _, tool := range []string{"env", "setsid", "sleep"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip(err)
		}
	}
	dir := t.TempDir()
	agent, report, pid := filepath.Join(dir, "agent"), filepath.Join(dir, "report.json"), filepath.Join(dir, "pid")
	script := "#!/bin/sh\nenv -i PATH=\"$PATH\" setsid sh -c 'echo $$ > " + pid + "; exec sleep 600' > /dev/null 2>&1 < /dev/null &\nread line\n"
	if err := os.WriteFile(agent, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	cmd := command(t, "--quiet", "--start-timeout", "2s", "--rules", "init", "--report", "json="+report, agent)
	said, _ := cmd.CombinedOutput()
	const told = "that the agent had left behind, hidden from the suite, had to be ended"
	if !strings.Contains(string(said), told) {
		t.Errorf("it said %s", said)
	}
	if hints := strings.Join(readRun(t, report).Hints, "\n"); !strings.Contains(hints, told) {
		t.Errorf("the hints are %q", hints)
	}
	if b, err := os.ReadFile(pid); err == nil {
		if _, err := os.Stat("/proc/" + strings.TrimSpace(string(b))); err == nil {
			t.Errorf("process %s is still there", b)
		}
	}
}
