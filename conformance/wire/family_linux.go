package wire

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// states are the words for the letters of the system.
var states = map[string]string{"R": "running", "S": "sleeping", "D": "waiting for a device", "Z": "ended, and not reaped", "T": "stopped", "t": "traced", "I": "idle", "X": "ended"}

// tick is the unit of the times of processes, the same on every Linux.
const tick = 10 * time.Millisecond

// longestCommand is how many bytes of a command line are told.
const longestCommand = 200

// relatives are the process, its descendants, and those that have the mark in their environment, in no order.
func relatives(pid int, mark string) []Relative {
	all := map[int]Relative{}
	children := map[int][]int{}
	entries, _ := os.ReadDir("/proc")
	for _, e := range entries {
		id, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		if r, ok := readStat(id); ok {
			all[id] = r
			children[r.Parent] = append(children[r.Parent], id)
		}
	}
	mine := map[int]bool{}
	if _, ok := all[pid]; ok {
		mine[pid] = true
	}
	eachEnvironment(func(id int, env []byte) {
		if bytes.Contains(env, []byte(Marker+"="+mark)) {
			mine[id] = true
		}
	})
	queue := []int{}
	for id := range mine {
		queue = append(queue, id)
	}
	for i := 0; i < len(queue); i++ {
		for _, child := range children[queue[i]] {
			if !mine[child] {
				mine[child] = true
				queue = append(queue, child)
			}
		}
	}
	var out []Relative
	for id := range mine {
		if r, ok := all[id]; ok {
			out = append(out, r)
		}
	}
	return out
}

// readStat reads what the system says of a process. Its name stands in parentheses and may hold anything.
func readStat(pid int) (Relative, bool) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	open, shut := bytes.IndexByte(stat, '('), bytes.LastIndexByte(stat, ')')
	if err != nil || open < 0 || shut < open {
		return Relative{}, false
	}
	fields := strings.Fields(string(stat[shut+1:]))
	if len(fields) < 13 {
		return Relative{}, false
	}
	parent, _ := strconv.Atoi(fields[1])
	user, _ := strconv.ParseInt(fields[11], 10, 64)
	system, _ := strconv.ParseInt(fields[12], 10, 64)
	state, ok := states[fields[0]]
	if !ok {
		state = "in state " + fields[0]
	}
	return Relative{Pid: pid, Parent: parent, State: state, CPU: time.Duration(user+system) * tick, Command: commandOf(pid, string(stat[open:shut+1]))}, true
}

// commandOf is the command line of a process, or what stands for it where it has none.
func commandOf(pid int, name string) string {
	line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	words := strings.TrimSpace(strings.ReplaceAll(string(line), "\x00", " "))
	if err != nil || words == "" {
		return name
	}
	if len(words) > longestCommand {
		words = strings.ToValidUTF8(words[:longestCommand], "") + "…"
	}
	return strings.ToValidUTF8(words, "\uFFFD")
}
