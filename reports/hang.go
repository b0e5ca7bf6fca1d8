package reports

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/acp-conform/acp-conform/conformance/result"
)

// longest are the waits in vain, the longest first.
func longest(hangs []result.Hang) []result.Hang {
	all := slices.Clone(hangs)
	slices.SortStableFunc(all, func(a, b result.Hang) int { return cmp.Compare(b.WaitedMs, a.WaitedMs) })
	return all
}

// plight tells in plain text of a wait in vain: for what, the last lines of each side, and what the agent was doing.
func plight(h result.Hang) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", Printable(waited(h)))
	for _, f := range lastFrames(h, len(h.Sent)+len(h.Received)) {
		fmt.Fprintf(&b, "  %s %s\n", lane(f), said(f))
	}
	if len(h.Received) == 0 {
		b.WriteString("  < nothing came before\n")
	}
	for _, p := range h.Processes {
		fmt.Fprintf(&b, "  process %s%s\n", strings.Repeat("  ", p.Depth), Printable(about(p)))
	}
	for _, l := range h.Stderr {
		fmt.Fprintf(&b, "  stderr  %s\n", Printable(l))
	}
	return b.String()
}

// waited says what was waited for, how long, and why nobody does any longer.
func waited(h result.Hang) string {
	return fmt.Sprintf("waited %s for %s: %s", took(h.WaitedMs), h.WaitedFor, h.Ended)
}

func took(millis int64) string { return (time.Duration(millis) * time.Millisecond).String() }

// about tells of a process.
func about(p result.Process) string {
	return fmt.Sprintf("%d %s, %s of CPU: %s", p.Pid, p.State, took(p.CPUMs), p.Command)
}

// lastFrames are the last n lines of each side and the request that was waited for, in the order in which they crossed.
func lastFrames(h result.Hang, n int) []result.Frame {
	all := slices.Concat(h.Sent[max(0, len(h.Sent)-n):], h.Received[max(0, len(h.Received)-n):])
	if r := h.Request; r != nil && !slices.ContainsFunc(all, func(f result.Frame) bool { return f.Seq == r.Seq }) {
		all = append(all, *r)
	}
	slices.SortStableFunc(all, func(a, b result.Frame) int { return cmp.Compare(a.Seq, b.Seq) })
	return all
}
