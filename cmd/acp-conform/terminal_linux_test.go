package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"unsafe"

	"github.com/acp-conform/acp-conform/conformance/result"
)

// pty makes a terminal: the program runs in it, and who holds the master can take it away.
func pty(t *testing.T) (master, terminal *os.File) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip(err)
	}
	var n, unlock int32
	control(t, master, syscall.TIOCGPTN, &n)
	control(t, master, syscall.TIOCSPTLCK, &unlock)
	terminal, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip(err)
	}
	return master, terminal
}

func control(t *testing.T, f *os.File, request uintptr, arg *int32) {
	t.Helper()
	if _, _, e := syscall.Syscall(syscall.SYS_IOCTL, f.Fd(), request, uintptr(unsafe.Pointer(arg))); e != 0 {
		t.Skip(e)
	}
}

// atTerminal starts the program, with an agent that hangs, in the foreground of a terminal.
func atTerminal(t *testing.T, s *switchboard, flags ...string) (cmd *exec.Cmd, master *os.File) {
	t.Helper()
	master, terminal := pty(t)
	cmd = command(t, append(flags, family(t, s)...)...)
	cmd.Env = append(cmd.Env, "CI=", "TERM=xterm") // so that progress is shown as well
	cmd.Stdin, cmd.Stdout, cmd.Stderr = terminal, terminal, terminal
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	_ = terminal.Close()
	for range familySize {
		wait(t, s.hanging)
	}
	return cmd, master
}

// A terminal that goes away takes stdin, stdout and stderr along: the agents end, the file is written.
func TestATerminalThatGoesAway(t *testing.T) {
	t.Parallel()
	s := newSwitchboard(t, 1)
	file := filepath.Join(t.TempDir(), "r.json")
	cmd, master := atTerminal(t, s, "--report", "json="+file)
	if err := master.Close(); err != nil {
		t.Fatal(err)
	}
	if _ = cmd.Wait(); cmd.ProcessState.ExitCode() != result.ExitInterrupted {
		t.Errorf("%s", cmd.ProcessState)
	}
	if r := readRun(t, file); r.Verdict != result.Interrupted {
		t.Errorf("verdict %s", r.Verdict)
	}
	s.nothingLeft(t)
}

// A Ctrl-C that is typed reaches the program alone: the agents are in groups of their own.
func TestCtrlCAtATerminal(t *testing.T) {
	t.Parallel()
	s := newSwitchboard(t, 1)
	cmd, master := atTerminal(t, s, "--quiet")
	defer func() { _ = master.Close() }()
	if _, err := io.WriteString(master, "\x03"); err != nil {
		t.Fatal(err)
	}
	if _ = cmd.Wait(); cmd.ProcessState.ExitCode() != result.ExitInterrupted {
		t.Errorf("%s", cmd.ProcessState)
	}
	s.nothingLeft(t)
}
