//go:build unix

package wire

import (
	"os"
	"os/exec"
	"syscall"
)

const homeVariable = "HOME"

// ownGroup gives the agent a process group of its own, so that all of it can be ended and a Ctrl-C does not reach it first. The group has
// a session of its own, so that it has no terminal either, as under an editor: whoever has one can make itself the one that Ctrl-C goes to.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

func signalGroup(cmd *exec.Cmd, kill bool) {
	sig := syscall.SIGTERM
	if kill {
		sig = syscall.SIGKILL
	}
	_ = syscall.Kill(-cmd.Process.Pid, sig) // no such group: everything has gone already
}

func signalOf(st *os.ProcessState) string {
	if ws, ok := st.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return ws.Signal().String()
	}
	return ""
}
