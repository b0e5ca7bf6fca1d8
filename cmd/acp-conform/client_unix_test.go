//go:build unix

package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/acp-conform/acp-conform/conformance/result"
)

// An interrupt ends a client that ignores signals, and is held against nobody.
func TestClientInterrupted(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	s := newSwitchboard(t, 1)
	file := filepath.Join(t.TempDir(), "r.json")
	cmd, stderr := started(t, "client", "--report", "json="+file, self, "agent:told", s.Addr().String())
	wait(t, s.hanging)
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if code := ended(t, cmd, stderr); code != result.ExitInterrupted {
		t.Errorf("exit code %d", code)
	}
	s.nothingLeft(t)
	r := readRun(t, file)
	if r.Verdict != result.Interrupted || len(fell(r)) > 0 {
		t.Errorf("verdict %s, %v", r.Verdict, fell(r))
	}
}

// A client that does not end is ended by force when its time is over, and leaves nothing behind.
func TestClientThatHangs(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	s := newSwitchboard(t, 1)
	cmd, stderr := started(t, "client", "--timeout", "300ms", self, "agent:told", s.Addr().String())
	if code := ended(t, cmd, stderr); code != result.ExitInconclusive {
		t.Errorf("exit code %d", code)
	}
	s.nothingLeft(t)
}
