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

// Marked counts the processes by the mark that they have in their environment.
func Marked() map[string]int {
	n := map[string]int{}
	eachEnvironment(func(_ int, env []byte) {
		if i := bytes.Index(env, []byte(Marker+"=")); i >= 0 {
			mark, _, _ := bytes.Cut(env[i+len(Marker)+1:], []byte{0})
			n[string(mark)]++
		}
	})
	return n
}

func endMarked(needle []byte) []int {
	var ended []int
	eachEnvironment(func(pid int, env []byte) {
		if bytes.Contains(env, needle) && syscall.Kill(pid, syscall.SIGKILL) == nil {
			ended = append(ended, pid)
		}
	})
	return ended
}

// eachEnvironment shows the environment of every process but our own that we may look at. It is empty for a process that has ended and
// waits to be reaped.
func eachEnvironment(show func(pid int, env []byte)) {
	proc, err := os.Open("/proc")
	if err != nil {
		return
	}
	defer func() { _ = proc.Close() }()
	names, _ := proc.Readdirnames(-1)
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil || pid == os.Getpid() {
			continue
		}
		if env, err := os.ReadFile("/proc/" + name + "/environ"); err == nil {
			show(pid, env)
		}
	}
}
