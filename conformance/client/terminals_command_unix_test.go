//go:build unix

package client

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// alive starts a script with a FIFO as $1, and waits until something has opened it for writing. Reading it ends when
// every process that holds it has gone.
func alive(t *testing.T, terms *terminals, script string) (json.RawMessage, *os.File) {
	t.Helper()
	name := fifo(t, filepath.Join(t.TempDir(), "fifo"))
	id := sh(t, terms, script, "args", []string{"-c", script, "sh", name})
	r, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	return id, r
}

func wantAllGone(t *testing.T, r io.Reader) {
	t.Helper()
	if _, err := io.Copy(io.Discard, r); err != nil {
		t.Error(err)
	}
}

func TestTheWholeGroupIsEnded(t *testing.T) {
	const family = `sleep 60 >"$1" & wait`
	for name, end := range map[string]func(*terminals, json.RawMessage) *Error{
		"kill":    func(terms *terminals, id json.RawMessage) *Error { _, f := terms.kill(id); return f },
		"release": func(terms *terminals, id json.RawMessage) *Error { _, f := terms.release(id); return f },
		"close":   func(terms *terminals, _ json.RawMessage) *Error { terms.close(); return nil },
	} {
		t.Run(name, func(t *testing.T) {
			terms, _ := servedTerminals(t, time.Minute)
			id, held := alive(t, terms, family)
			if failure := end(terms, id); failure != nil {
				t.Fatal(failure)
			}
			wantAllGone(t, held)
		})
	}
}

func TestNothingOfTheGroupOutlivesTheCommand(t *testing.T) {
	terms, _ := servedTerminals(t, time.Minute)
	// The command ends once the FIFO is open, and leaves behind a process that holds the FIFO and the output.
	id, held := alive(t, terms, `exec 3>"$1"; sleep 60 & echo bye`)
	if got := printed(t, terms, id); got != "bye\n" {
		t.Errorf("got %q", got)
	}
	wantAllGone(t, held)
}

const escapedVariable = "ACP_CONFORM_TEST_ESCAPE"

// TestEscapedProcess is not a test of its own: as a command of a terminal it leaves a process outside of its group behind.
func TestEscapedProcess(t *testing.T) {
	name := os.Getenv(escapedVariable)
	if name == "" {
		t.Skip("started by TestAnEscapedProcessDoesNotHoldTheExit")
	}
	cmd := exec.Command("cat", name)
	cmd.Stdout = os.Stdout
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	fmt.Println("left behind")
}

func TestAnEscapedProcessDoesNotHoldTheExit(t *testing.T) {
	terms, _ := servedTerminals(t, time.Minute)
	name := fifo(t, filepath.Join(t.TempDir(), "fifo"))
	env := []map[string]string{{"name": escapedVariable, "value": name}}
	got, failure := terms.create(asParams(t, map[string]any{
		"sessionId": ".", "command": os.Args[0], "args": []string{"-test.run=^TestEscapedProcess$"}, "env": env,
	}))
	wantJSON(t, got, failure, `{"terminalId":"term_1"}`)
	w, err := os.OpenFile(name, os.O_WRONLY, 0) // ends when the escaped process has opened the other side
	if err != nil {
		t.Fatal(err)
	}
	id := json.RawMessage(`{"sessionId":".","terminalId":"term_1"}`)
	if got := printed(t, terms, id); !strings.Contains(got, "left behind") {
		t.Errorf("got %q", got)
	}
	if _, err := w.WriteString("x"); err != nil {
		t.Error("the process had gone, so that nothing was shown:", err)
	}
	if err := w.Close(); err != nil { // the end of its input ends it
		t.Error(err)
	}
}
