package wire

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
)

// EndStrays ends the processes that have this mark in their environment, such as descendants of an agent that left its process
// group, and returns their ids. It looks again until it finds none, because one may start another meanwhile.
func EndStrays(mark string) []int {
	var ended []int
	for range 10 {
		found := endMarked([]byte(Marker + "=" + mark))
		if len(found) == 0 {
			break
		}
		ended = append(ended, found...)
	}
	slices.Sort(ended)
	return slices.Compact(ended)
}

func endMarked(needle []byte) []int {
	var ended []int
	files, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, f := range files {
		env, err := os.ReadFile(f) // empty for a process that has ended and waits to be reaped
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
