package client

import (
	"os"
	"os/exec"
	"syscall"
)

// terminalVariables are what a command gets of our own environment: enough to find programs, and none of our secrets.
var terminalVariables = []string{"PATH", "PATHEXT", "SYSTEMROOT", "COMSPEC", "LANG"}

// homeVariables name a directory of the run to a command: what it writes where it is at home goes with the run.
var homeVariables = []string{"USERPROFILE", "HOME", "TEMP", "TMP", "TMPDIR"}

func isolateCommand(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

// killCommand can only end the process itself: there are no signals, and its children are not ours to find.
func killCommand(cmd *exec.Cmd) { _ = cmd.Process.Kill() }

func exitSignal(*os.ProcessState) string { return "" }
