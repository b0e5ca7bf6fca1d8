package wire

import (
	"os"
	"os/exec"
	"syscall"
)

const homeVariable = "USERPROFILE"

func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

// signalGroup can only end the process itself: there are no signals, and its children are not ours to find.
func signalGroup(cmd *exec.Cmd, _ bool) { _ = cmd.Process.Kill() }

func signalOf(*os.ProcessState) string { return "" }
