package main

import (
	"io"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"github.com/acp-conform/acp-conform/conformance/result"
)

const narrowColumns = 30

// inTerminal runs the program to its end with a terminal for its streams, and gives what that was told.
func inTerminal(t *testing.T, env []string, args ...string) string {
	t.Helper()
	master, terminal := pty(t)
	defer func() { _ = master.Close() }()
	narrow := [4]uint16{24, narrowColumns}
	if _, _, e := syscall.Syscall(syscall.SYS_IOCTL, master.Fd(), syscall.TIOCSWINSZ, uintptr(unsafe.Pointer(&narrow))); e != 0 {
		t.Skip(e)
	}
	cmd := command(t, args...)
	cmd.Env = append(append(cmd.Env, "CI=", "NO_COLOR=", "TERM=xterm"), env...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = terminal, terminal, terminal
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = terminal.Close()
	told, _ := io.ReadAll(master) // it ends with an error when the terminal has no other end any more
	if _ = cmd.Wait(); cmd.ProcessState.ExitCode() != result.ExitFailed {
		t.Fatalf("%s: %s", cmd.ProcessState, told)
	}
	return string(told)
}

// A terminal is shown how far the run is, in colours; CI is not, NO_COLOR takes the colours away, and --quiet everything.
func TestWhatATerminalIsTold(t *testing.T) {
	run := []string{"--rules", "cancel.stop-reason-cancelled", "@fake", "--fault", "cancel-ends-turn"}
	const red = "\x1b[31m"
	for _, c := range []struct {
		name             string
		env, flags       []string
		progress, colour bool
	}{
		{"a terminal", nil, nil, true, true},
		{"in CI", []string{"CI=true"}, nil, false, true},
		{"without colours", []string{"NO_COLOR=1"}, nil, true, false},
		{"--no-color", nil, []string{"--no-color"}, true, false},
		{"a dumb terminal", []string{"TERM=dumb"}, nil, false, false},
		{"--quiet", nil, []string{"--quiet"}, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			told := inTerminal(t, c.env, append(c.flags, run...)...)
			if strings.Contains(told, clearLine+"survey") != c.progress || strings.Contains(told, clearLine+"1/1  1 fail") != c.progress {
				t.Errorf("progress: %q", told)
			}
			for _, drawn := range strings.Split(told, clearLine)[1:] {
				if line, _, _ := strings.Cut(drawn, "\r\n"); c.progress && strings.HasPrefix(line, "1/1") && len([]rune(line)) >= narrowColumns {
					t.Errorf("this line of progress wraps: %q", line)
				}
			}
			if strings.Contains(told, red) != c.colour {
				t.Errorf("colour: %q", told)
			}
		})
	}
}
