package hostile

import (
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
)

func ignoreSignals() { signal.Ignore(os.Interrupt) }

func detach(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

func stopSelf() error { return errors.ErrUnsupported }

func terminate(int) error { return errors.ErrUnsupported }

func abort(int) error { return errors.ErrUnsupported }

func makeFIFO(string) error { return errors.ErrUnsupported }
