//go:build unix

package hostile

import (
	"os"
	"os/exec"
	"os/signal"
	"syscall"
)

// ignoreSignals leaves only signals that cannot be ignored.
func ignoreSignals() { signal.Ignore(os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGPIPE) }

// detach has a command run in a session, and so a process group, of its own.
func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// stopSelf stops this process until somebody has it go on.
func stopSelf() error { return syscall.Kill(os.Getpid(), syscall.SIGSTOP) }

// terminate asks a process to end.
func terminate(pid int) error { return syscall.Kill(pid, syscall.SIGTERM) }

// abort asks a process to end with a picture of what it was at.
func abort(pid int) error { return syscall.Kill(pid, syscall.SIGABRT) }

func makeFIFO(path string) error { return syscall.Mkfifo(path, 0o600) }
