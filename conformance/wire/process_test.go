//go:build unix

package wire

import (
	"bufio"
	"errors"
	"io"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

func launch(t *testing.T, script string) Peer {
	t.Helper()
	p, err := Command([]string{"/bin/sh", "-c", script})(t.Context(), Launch{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.End(time.Millisecond) })
	return p
}

func TestProcessEndsWhenItsInputIsClosed(t *testing.T) {
	p := launch(t, "cat >/dev/null; echo last; exit 3")
	end := p.End(5 * time.Second)
	out, err := io.ReadAll(p.Output())
	if !end.Willing || end.Exit.Code != 3 || end.Forced != "" || string(out) != "last\n" || err != nil {
		t.Errorf("%+v, output %q, %v", end, out, err)
	}
}

func TestProcessThatIgnoresEverythingIsKilled(t *testing.T) {
	p := launch(t, "trap '' TERM; echo up; while :; do sleep 1000; done")
	if _, err := bufio.NewReader(p.Output()).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	if end := p.End(20 * time.Millisecond); end.Willing || end.Forced != "SIGKILL" || end.Escaped {
		t.Errorf("%+v", end)
	}
}

func TestStraysAreFoundAndEnded(t *testing.T) {
	if _, err := os.Stat("/proc/self/environ"); err != nil {
		t.Skip("only Linux shows the environment of other processes")
	}
	p := launch(t, "setsid sleep 1000 & echo $!; wait")
	line, err := bufio.NewReader(p.Output()).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(line))
	if err != nil {
		t.Fatal(err)
	}
	end := p.End(20 * time.Millisecond)
	if len(end.Strays) != 1 || end.Strays[0] != pid {
		t.Errorf("strays %v, want [%d]", end.Strays, pid)
	}
	for deadline := time.Now().Add(30 * time.Second); !gone(pid); {
		if time.Now().After(deadline) {
			t.Fatalf("the stray %d is still there", pid)
		}
	}
}

// gone tells whether a process has ended; one that waits to be reaped by its parent has.
func gone(pid int) bool {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return true
	}
	_, state, _ := strings.Cut(string(stat), ") ")
	return strings.HasPrefix(state, "Z") || errors.Is(syscall.Kill(pid, 0), syscall.ESRCH)
}

func TestStderrIsDrained(t *testing.T) {
	p := launch(t, "head -c 1000000 /dev/zero | tr '\\0' x >&2; echo; echo end >&2; cat >/dev/null")
	if _, err := bufio.NewReader(p.Output()).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	p.End(5 * time.Second)
	tail := p.Stderr()
	if len(tail) > stderrKept || !strings.HasSuffix(string(tail), "end\n") {
		t.Errorf("%d bytes kept, ending in %q", len(tail), tail[max(0, len(tail)-10):])
	}
}

func TestNotStarted(t *testing.T) {
	for name, argv := range map[string]string{"missing": "./no-such-agent", "not executable": "process_test.go", "not on the path": "no-such-agent-anywhere"} {
		_, err := Command([]string{argv})(t.Context(), Launch{})
		var ns *NotStarted
		if !errors.As(err, &ns) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestEnvironmentHomeAndDirectory(t *testing.T) {
	dir, home := t.TempDir(), t.TempDir()
	p, err := Command([]string{"/bin/sh", "-c", "echo $A $HOME; pwd"})(t.Context(), Launch{Env: []string{"A=1", "A=2"}, Dir: dir, Home: home})
	if err != nil {
		t.Fatal(err)
	}
	out, _ := io.ReadAll(p.Output())
	p.End(time.Second)
	if got := string(out); got != "2 "+home+"\n"+dir+"\n" {
		t.Errorf("got %q", got)
	}
}
