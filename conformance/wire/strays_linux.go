package wire

import (
	"bytes"
	"os"
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
	proc, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer func() { _ = proc.Close() }()
	names, _ := proc.Readdirnames(-1)
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil || pid == os.Getpid() {
			continue
		}
		env, err := os.ReadFile("/proc/" + name + "/environ") // empty for a process that has ended and waits to be reaped
		if err == nil && bytes.Contains(env, needle) && syscall.Kill(pid, syscall.SIGKILL) == nil {
			ended = append(ended, pid)
		}
	}
	return ended
}
