//go:build unix

package main

import (
	"bufio"
	"io"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/acp-conform/acp-conform/conformance/result"
)

// patience is how long these tests wait for what must come.
const patience = 20 * time.Second

// switchboard tells agents what to do: those before the nth serve, all others hang, and the first that hangs is announced.
type switchboard struct {
	net.Listener
	hanging chan struct{}
	gone    chan error // one for each agent, when its process has ended
	started chan struct{}
	orders  chan struct{} // not nil: those that would hang wait until it is closed, and serve
}

func newSwitchboard(t *testing.T, n int) *switchboard {
	t.Helper()
	l, err := net.Listen("unix", filepath.Join(t.TempDir(), "s"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	s := &switchboard{Listener: l, hanging: make(chan struct{}, 1000), gone: make(chan error, 1000), started: make(chan struct{}, 1000)}
	go func() {
		for i := 1; ; i++ {
			c, err := l.Accept()
			if err != nil {
				close(s.started)
				return
			}
			s.started <- struct{}{}
			go s.attend(c, i >= n)
		}
	}()
	return s
}

func (s *switchboard) attend(c net.Conn, hang bool) {
	order := "serve\n"
	if hang && s.orders != nil {
		<-s.orders
		hang = false
	} else if hang {
		order = "hang\n"
	}
	_, _ = io.WriteString(c, order)
	r := bufio.NewReader(c)
	if hang {
		if line, _ := r.ReadString('\n'); line == "hanging\n" {
			s.hanging <- struct{}{}
		}
	}
	_ = c.SetReadDeadline(time.Now().Add(patience))
	_, err := r.ReadByte()
	s.gone <- err
}

// nothingLeft checks that every agent that was started has ended.
func (s *switchboard) nothingLeft(t *testing.T) {
	t.Helper()
	_ = s.Close()
	for range s.started {
		if err := <-s.gone; err != io.EOF && !isReset(err) {
			t.Errorf("an agent is left: %v", err)
		}
	}
}

func isReset(err error) bool {
	e, ok := err.(*net.OpError)
	return ok && !e.Timeout()
}

// started is the program as a process.
func started(t *testing.T, args ...string) (*exec.Cmd, *bufio.Reader) {
	t.Helper()
	cmd := command(t, args...)
	return cmd, begun(t, cmd)
}

// command is the program with these arguments, which keeps what is temporary in a folder of the test.
func command(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, args...)
	temp := t.TempDir()
	cmd.Env = append(os.Environ(), "TMPDIR="+temp)
	t.Cleanup(func() {
		if left, _ := os.ReadDir(temp); len(left) > 0 {
			t.Errorf("left among what is temporary: %v", left)
		}
	})
	return cmd
}

// begun starts the program and gives its stderr.
func begun(t *testing.T, cmd *exec.Cmd) *bufio.Reader {
	t.Helper()
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	return bufio.NewReader(stderr)
}

// ended waits for the program and returns its exit code.
func ended(t *testing.T, cmd *exec.Cmd, stderr io.Reader) int {
	t.Helper()
	code, _ := endedSaying(t, cmd, stderr)
	return code
}

// endedSaying waits for the program and returns its exit code and what it said meanwhile.
func endedSaying(t *testing.T, cmd *exec.Cmd, stderr io.Reader) (code int, said string) {
	t.Helper()
	done := make(chan []byte)
	go func() {
		b, _ := io.ReadAll(stderr)
		done <- b
	}()
	select {
	case b := <-done:
		_ = cmd.Wait()
		if cmd.ProcessState.ExitCode() < 0 {
			t.Logf("stderr: %s", b)
		}
		return cmd.ProcessState.ExitCode(), string(b)
	case <-time.After(patience):
		t.Fatal("the program does not end")
		return 0, ""
	}
}

func TestInterruptAtAnyMoment(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		nth    int // the agent that hangs
		signal os.Signal
		passed bool // something has been judged by then
	}{
		{"in the survey", 1, os.Interrupt, false},
		{"at the first rule", 2, os.Interrupt, true},
		{"in the middle", 12, syscall.SIGTERM, true},
		{"by somebody who wants it to quit", 2, syscall.SIGQUIT, true},
		{"by a terminal that closes", 2, syscall.SIGHUP, true},
		{"by an agent that wants it to be gone", 2, syscall.SIGABRT, true},
		{"by one that knows better", 2, syscall.SIGSEGV, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if signal.Ignored(c.signal) {
				t.Skip("the tests run under nohup, which has the program ignore this signal")
			}
			t.Parallel()
			s := newSwitchboard(t, c.nth)
			file := filepath.Join(t.TempDir(), "r.json")
			cmd, stderr := started(t, "--jobs", "2", "--report", "json="+file, self, "agent:told", s.Addr().String())
			wait(t, s.hanging)
			if err := cmd.Process.Signal(c.signal); err != nil {
				t.Fatal(err)
			}
			if code := ended(t, cmd, stderr); code != result.ExitInterrupted {
				t.Errorf("exit code %d", code)
			}
			s.nothingLeft(t)
			r := readRun(t, file)
			if r.Verdict != result.Interrupted || r.ExitCode != result.ExitInterrupted || len(r.Rules) == 0 {
				t.Errorf("verdict %s, exit code %d, %d rules", r.Verdict, r.ExitCode, len(r.Rules))
			}
			if passed := slices.ContainsFunc(r.Rules, func(o result.Outcome) bool { return o.Verdict == result.Pass }); passed != c.passed {
				t.Errorf("rules that pass: %v, expected %v", passed, c.passed)
			}
			for _, o := range r.Rules {
				if o.Verdict == result.Fail || o.Verdict == result.Error {
					t.Errorf("the interrupt is held against the agent or the suite: %s %s %s", o.ID, o.Verdict, o.Reason)
				}
			}
		})
	}
}

func wait(t *testing.T, c <-chan struct{}) {
	t.Helper()
	select {
	case <-c:
	case <-time.After(patience):
		t.Fatal("the agent was never started")
	}
}

func TestInterruptWhileTheFakeInProcessIsSilent(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "r.json")
	cmd, stderr := started(t, "--report", "json="+file, "@fake", "--fault", "initialize-unanswered")
	if line, err := stderr.ReadString('\n'); err != nil {
		t.Fatalf("%q, %v", line, err)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if code := ended(t, cmd, stderr); code != result.ExitInterrupted && code != result.ExitInconclusive {
		t.Errorf("exit code %d", code) // 3 if the silence was proved before the signal came
	}
	readRun(t, file)
}

// Nothing has been started while the program waits for what it is to read: one signal is enough.
func TestInterruptOfReading(t *testing.T) {
	if _, err := os.Stat("/dev/stdin"); err != nil {
		t.Skip(err)
	}
	report := filepath.Join(t.TempDir(), "r.json")
	for _, args := range []string{
		"--report json=" + report + " --baseline /dev/stdin @fake", "--config /dev/stdin @fake", "--write-baseline /dev/stdin @fake",
		"compare /dev/stdin " + report, "fuzz --script /dev/stdin @fake", "schema --method initialize --check -", "schema --method initialize --check /dev/stdin",
	} {
		t.Run(args, func(t *testing.T) {
			t.Parallel()
			cmd := command(t, strings.Fields(args)...)
			in, err := cmd.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			stderr := begun(t, cmd)
			if _, err := io.WriteString(in, strings.Repeat(" ", 1<<20)); err != nil { // more than a pipe holds: it is being read
				t.Fatal(err)
			}
			if err := cmd.Process.Signal(os.Interrupt); err != nil {
				t.Fatal(err)
			}
			if code, said := endedSaying(t, cmd, stderr); code != result.ExitInterrupted || said != "" {
				t.Errorf("exit code %d, %s", code, said)
			}
			if _, err := os.Stat(report); err == nil {
				t.Error("a report is left")
			}
		})
	}
}

func TestASignalEndsTheFakeAgent(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, "fake-agent", "--fault", "ignores-eof")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	_, _ = io.WriteString(in, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}`+"\n")
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	_ = in.Close()
	_ = cmd.Process.Signal(syscall.SIGTERM)
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != result.ExitInterrupted {
		t.Errorf("exit code %d", code)
	}
}

func TestTheExitCodeOfAFaultIsThatOfTheProcess(t *testing.T) {
	t.Parallel()
	cmd, stderr := started(t, "fake-agent", "--fault", "exits-at-once")
	if code := ended(t, cmd, stderr); code != 1 {
		t.Errorf("exit code %d", code)
	}
}
