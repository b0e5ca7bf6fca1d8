package wire

import (
	"slices"
	"time"
)

// Relative is a process of an agent at one moment: its own, a descendant, or one that has the mark of the agent.
type Relative struct {
	Pid, Parent int
	Depth       int           // 0 = the agent's own, or one whose parent is none of the agent's
	State       string        // as a word, such as sleeping
	CPU         time.Duration // that it has used so far
	Command     string
}

// mostRelatives is how many processes of an agent are looked at.
const mostRelatives = 30

// Family are the processes of an agent, children behind their parents, at most thirty of them. It is empty where that cannot be seen.
func Family(pid int, mark string) []Relative {
	var out []Relative
	all := relatives(pid, mark)
	known := func(pid int) bool { return slices.ContainsFunc(all, func(r Relative) bool { return r.Pid == pid }) }
	slices.SortFunc(all, func(a, b Relative) int { return a.Pid - b.Pid })
	var add func(r Relative, depth int)
	add = func(r Relative, depth int) {
		if len(out) >= mostRelatives {
			return
		}
		r.Depth = depth
		out = append(out, r)
		for _, child := range all {
			if child.Parent == r.Pid {
				add(child, depth+1)
			}
		}
	}
	for _, r := range all {
		if r.Pid == pid || !known(r.Parent) {
			add(r, 0)
		}
	}
	return out
}
