package main

import (
	"bufio"
	"context"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/acp-conform/acp-conform/conformance/canary"
	"github.com/acp-conform/acp-conform/conformance/result"
)

func TestTheCanaryServesItsStdin(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	s := callWith(t, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`+"\n", canary.Command, "--log", log)
	if s.code != result.ExitOK {
		t.Errorf("exit code %d: %s", s.code, s.stderr)
	}
	contains(t, "stdout", s.stdout, `"id":1`, `"sing"`)
	if c, err := canary.Count(log); err != nil || c != (canary.Counts{Starts: 1, Lists: 1}) {
		t.Errorf("%+v, %v", c, err)
	}
}

func TestTheCanarysLogIsNamedByTheEnvironment(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	t.Setenv(canary.Variable, log)
	if s := call(t, canary.Command); s.code != result.ExitOK {
		t.Errorf("exit code %d: %s", s.code, s.stderr)
	}
	if c, _ := canary.Count(log); c.Starts != 1 {
		t.Errorf("%+v", c)
	}
}

func TestACanaryWithoutALog(t *testing.T) {
	t.Setenv(canary.Variable, "")
	s := call(t, canary.Command)
	if s.code != result.ExitUsage {
		t.Errorf("exit code %d", s.code)
	}
	contains(t, "the message", s.stderr, "--log", canary.Variable)
	if s = call(t, canary.Command, "--log", filepath.Join(t.TempDir(), "no", "log")); s.code != result.ExitFailed {
		t.Errorf("exit code %d", s.code)
	}
}

func TestTheCanaryIsNotInTheHelp(t *testing.T) {
	if s := call(t, "--help"); strings.Contains(s.stdout, canary.Command) {
		t.Error(s.stdout)
	}
}

// A signal ends the canary although its input is open.
func TestTheCanaryEndsWhenItIsTold(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	r, w := io.Pipe()
	defer func() { _ = w.Close() }()
	log := filepath.Join(t.TempDir(), "log")
	code := run(ctx, nil, []string{canary.Command, "--log", log}, whenRead{r, cancel}, io.Discard, io.Discard)
	if c, err := canary.Count(log); code != result.ExitInterrupted || c.Starts != 1 {
		t.Errorf("exit code %d, %+v, %v", code, c, err)
	}
}

// whenRead calls a function when somebody begins to read.
type whenRead struct {
	io.Reader
	begun func()
}

func (r whenRead) Read(b []byte) (int, error) {
	r.begun()
	return r.Reader.Read(b)
}

// What a session gets as its server is started, answers, and is gone when its stdin has ended.
func TestTheEntryOfTheCanaryWorks(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	entry := canary.Server(canaryCommand(), log)
	var args []string
	for _, arg := range entry["args"].([]any) {
		args = append(args, arg.(string))
	}
	cmd := exec.CommandContext(t.Context(), entry["command"].(string), args...)
	cmd.Dir = t.TempDir()
	in, _ := cmd.StdinPipe()
	out, _ := cmd.StdoutPipe()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_, _ = io.WriteString(in, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}`+"\n")
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil || !strings.Contains(line, "2025-06-18") {
		t.Errorf("%v: %q", err, line)
	}
	_ = in.Close()
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
	if c, err := canary.Count(log); err != nil || c != (canary.Counts{Starts: 1, Initializes: 1}) {
		t.Errorf("%+v, %v", c, err)
	}
}
