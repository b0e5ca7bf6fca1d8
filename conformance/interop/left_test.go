package interop

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

// nothingLeft looks for processes that have inherited the mark and outlived the run, and ends them. Only Linux shows the
// environment of other processes.
func nothingLeft(t *testing.T, mark string) {
	t.Helper()
	left := marked(mark)
	for deadline := time.Now().Add(killGrace); len(left) > 0 && time.Now().Before(deadline); left = marked(mark) {
		time.Sleep(10 * time.Millisecond) // the end of a killed process is not announced to anybody but its parent
	}
	for pid, command := range left {
		t.Errorf("process %d was left behind: %s", pid, command)
		if process, err := os.FindProcess(pid); err == nil {
			_ = process.Kill()
		}
	}
}

// marked gives the command lines of the processes in whose environment the mark stands.
func marked(mark string) map[int]string {
	found := map[int]string{}
	files, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, file := range files {
		env, err := os.ReadFile(file)
		if err != nil || !bytes.Contains(append([]byte{0}, env...), []byte("\x00"+mark+"\x00")) {
			continue // it has gone, or it belongs to somebody else
		}
		folder := filepath.Dir(file)
		pid, _ := strconv.Atoi(filepath.Base(folder))
		command, _ := os.ReadFile(filepath.Join(folder, "cmdline"))
		found[pid] = string(bytes.ReplaceAll(command, []byte{0}, []byte(" ")))
	}
	return found
}
