package wire

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// endStrays ends the descendants of an agent that left its process group, found by the marker in their environment, and
// returns their ids.
func endStrays(mark string) []int {
	var ended []int
	needle := []byte(Marker + "=" + mark)
	files, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, f := range files {
		env, err := os.ReadFile(f)
		if err != nil || !bytes.Contains(env, needle) {
			continue
		}
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(f)))
		if err == nil && pid != os.Getpid() && syscall.Kill(pid, syscall.SIGKILL) == nil {
			ended = append(ended, pid)
		}
	}
	return ended
}
