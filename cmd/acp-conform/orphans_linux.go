package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// adopt makes this process the parent of whoever has lost its own: a process that has shed its environment, its group and its parent is
// found by nothing else. Only the command does so, for it changes the whole process.
func adopt() { _ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) }

// orphansPatience is how long orphans are ended for: one may start another meanwhile.
const orphansPatience = 2 * time.Second

// endOrphans ends the children of this process, all of whom are orphans of agents when no agent runs any more, and returns how many
// were alive.
func endOrphans() int {
	ended := map[int]bool{}
	for begin := time.Now(); time.Since(begin) < orphansPatience; {
		children := children()
		if len(children) == 0 {
			break
		}
		for pid, alive := range children {
			ended[pid] = ended[pid] || alive
			_ = syscall.Kill(pid, syscall.SIGKILL)
			_, _ = syscall.Wait4(pid, nil, 0, nil)
		}
	}
	n := 0
	for _, alive := range ended {
		if alive {
			n++
		}
	}
	return n
}

// children are the processes whose parent this one is, and whether they are alive.
func children() map[int]bool {
	all := map[int]bool{}
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return all
	}
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil {
			continue
		}
		// The name of the program is in parentheses and may hold anything; state and parent come behind it.
		rest := string(stat)
		fields := strings.Fields(rest[strings.LastIndexByte(rest, ')')+1:])
		if len(fields) > 1 && fields[1] == strconv.Itoa(os.Getpid()) {
			all[pid] = fields[0] != "Z"
		}
	}
	return all
}
