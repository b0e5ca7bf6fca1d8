//go:build unix

package main

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	"github.com/acp-conform/acp-conform/conformance/result"
)

// family is an agent that starts two more of its kind: one in its process group, and one in a session of its own.
func family(t *testing.T, s *switchboard) []string {
	t.Helper()
	if _, err := exec.LookPath("setsid"); err != nil {
		t.Skip("there is no setsid")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	const script = `setsid "$0" agent:told "$1" & "$0" agent:told "$1" & exec "$0" agent:told "$1"`
	return []string{"sh", "-c", script, self, s.Addr().String()}
}

// familySize is how many processes an agent is that is a family.
const familySize = 3

// However often and by whatever the program is ended, the agents go with it, their children and what is temporary as well.
func TestNoAgentOutlivesTheProgram(t *testing.T) {
	for _, c := range []struct {
		name    string
		signals []os.Signal
	}{
		{"one Ctrl-C", []os.Signal{os.Interrupt}},
		{"two", []os.Signal{os.Interrupt, os.Interrupt}},
		{"somebody who loses patience", slices.Repeat([]os.Signal{os.Interrupt}, 10)},
		{"two ways", []os.Signal{syscall.SIGTERM, os.Interrupt}},
		{"a wish to quit", []os.Signal{syscall.SIGQUIT, syscall.SIGQUIT}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newSwitchboard(t, 1)
			report := filepath.Join(t.TempDir(), "report.json")
			cmd, stderr := started(t, append([]string{"--quiet", "--report", "json=" + report}, family(t, s)...)...)
			for range familySize {
				wait(t, s.hanging)
			}
			for _, sig := range c.signals {
				_ = cmd.Process.Signal(sig) // it may have ended before the last one
			}
			if code := ended(t, cmd, stderr); code != result.ExitInterrupted {
				t.Errorf("exit code %d", code)
			}
			s.nothingLeft(t)
			if text, err := os.ReadFile(report); err == nil && !json.Valid(text) || err != nil && !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("the report is neither whole nor missing: %q, %v", text, err)
			}
		})
	}
}

// Under nohup a terminal may go away.
func TestAHangUpThatIsIgnoredEndsNothing(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	s := newSwitchboard(t, 2)
	s.orders = make(chan struct{})
	file := filepath.Join(t.TempDir(), "r.json")
	cmd := command(t, "--quiet", "--jobs", "1", "--rules", "transport.utf8,jsonrpc.version-field,cancel.stop-reason-cancelled", "--report", "json="+file, self, "agent:told", s.Addr().String())
	cmd.Path, cmd.Args = "/bin/sh", append([]string{"sh", "-c", `trap "" HUP; exec "$0" "$@"`}, cmd.Args...)
	stderr := begun(t, cmd)
	wait(t, s.started) // the survey's
	wait(t, s.started)
	if err := cmd.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	close(s.orders)
	if code := ended(t, cmd, stderr); code != result.ExitOK {
		t.Errorf("exit code %d", code)
	}
	if r := readRun(t, file); r.Verdict != result.Conformant {
		t.Errorf("verdict %s", r.Verdict)
	}
}
