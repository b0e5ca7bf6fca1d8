package wire

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
)

// Footprint is what a process and its descendants hold.
type Footprint struct{ Processes, Files int }

// FootprintOf counts the open files of a process and its descendants. ok is false where that cannot be seen.
func FootprintOf(pid int) (f Footprint, ok bool) {
	if _, err := os.Stat(fmt.Sprintf("/proc/%d", pid)); err != nil {
		return f, false
	}
	children := map[int][]int{}
	entries, _ := os.ReadDir("/proc")
	for _, e := range entries {
		if child, err := strconv.Atoi(e.Name()); err == nil {
			parent := parentOf(child)
			children[parent] = append(children[parent], child)
		}
	}
	family := []int{pid}
	for i := 0; i < len(family); i++ {
		family = append(family, children[family[i]]...)
	}
	for _, member := range family {
		files, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", member))
		if err == nil {
			f.Processes++
			f.Files += len(files)
		}
	}
	return f, f.Processes > 0
}

// parentOf reads the parent of a process: the second field behind its name, which may hold anything.
func parentOf(pid int) int {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) < 2 {
		return 0
	}
	parent, _ := strconv.Atoi(string(fields[1]))
	return parent
}
