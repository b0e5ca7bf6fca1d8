//go:build unix

package client

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

// terminalVariables are what a command gets of our own environment: enough to find programs, and none of our secrets.
var terminalVariables = []string{"PATH", "LANG"}

// homeVariables name a directory of the run to a command: what it writes where it is at home goes with the run.
var homeVariables = []string{"HOME", "TMPDIR"}

// isolateCommand gives a command a process group of its own, so that all of it can be ended, by way of a session of its own, so
// that it has no terminal either: a password prompt must fail instead of reading what the user types.
func isolateCommand(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// killCommand ends the command and everything in its group.
func killCommand(cmd *exec.Cmd) {
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // no such group: everything has gone already
}

// exitSignal names the signal that ended a process, "" if none did.
func exitSignal(st *os.ProcessState) string {
	ws, ok := st.Sys().(syscall.WaitStatus)
	if !ok || !ws.Signaled() {
		return ""
	}
	if name, ok := signalNames[ws.Signal()]; ok {
		return name
	}
	return fmt.Sprintf("SIG%d", int(ws.Signal()))
}

var signalNames = map[syscall.Signal]string{
	syscall.SIGABRT: "SIGABRT", syscall.SIGALRM: "SIGALRM", syscall.SIGBUS: "SIGBUS", syscall.SIGFPE: "SIGFPE",
	syscall.SIGHUP: "SIGHUP", syscall.SIGILL: "SIGILL", syscall.SIGINT: "SIGINT", syscall.SIGKILL: "SIGKILL",
	syscall.SIGPIPE: "SIGPIPE", syscall.SIGQUIT: "SIGQUIT", syscall.SIGSEGV: "SIGSEGV", syscall.SIGSYS: "SIGSYS",
	syscall.SIGTERM: "SIGTERM", syscall.SIGTRAP: "SIGTRAP", syscall.SIGUSR1: "SIGUSR1", syscall.SIGUSR2: "SIGUSR2",
	syscall.SIGXCPU: "SIGXCPU", syscall.SIGXFSZ: "SIGXFSZ",
}
