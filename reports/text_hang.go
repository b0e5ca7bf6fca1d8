package reports

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/acp-conform/acp-conform/conformance/result"
)

// shownHangs is how many hangs the short form shows: the ones behind the first are mostly of the same making.
const shownHangs = 3

// hangs shows where the run waited in vain, the longest waits first: for what, since when, and what the agent was doing.
func (t *text) hangs() {
	if len(t.Hangs) == 0 {
		return
	}
	t.title("Waited in vain (%d)", len(t.Hangs))
	t.signs()
	all := slices.Clone(t.Hangs)
	slices.SortStableFunc(all, func(a, b result.Hang) int { return cmp.Compare(b.WaitedMs, a.WaitedMs) })
	shown := all
	if !t.Verbose {
		shown = all[:min(len(all), shownHangs)]
	}
	for _, h := range shown {
		t.line("")
		t.prose(2, "", h.Rule+" "+waited(h))
		t.hang(h)
	}
	if n := len(all) - len(shown); n > 0 {
		t.line("")
		t.line("  and %s (--verbose shows all)", plural(n, "shorter one"))
	}
}

// waited says what was waited for, how long, and why nobody does any longer.
func waited(h result.Hang) string {
	return fmt.Sprintf("waited %s for %s: %s", took(h.WaitedMs), h.WaitedFor, h.Ended)
}

func took(millis int64) string { return (time.Duration(millis) * time.Millisecond).String() }

// hang shows the last line of each side, and of the agent its processes and the last line of its stderr; the verbose form shows all.
func (t *text) hang(h result.Hang) {
	most, lines := 1, h.Stderr
	if t.Verbose {
		most = len(h.Sent) + len(h.Received)
	} else {
		lines = lines[max(0, len(lines)-1):]
	}
	for _, f := range lastFrames(h, most) {
		t.frame(result.Observation{}, f)
	}
	if len(h.Received) == 0 {
		t.line("     <       nothing came before")
	}
	for _, p := range h.Processes {
		t.line("     process %s%s", strings.Repeat("  ", p.Depth), Printable(about(p)))
	}
	for _, l := range lines {
		t.line("     stderr  %s", Printable(l))
	}
}

// about tells of a process.
func about(p result.Process) string {
	return fmt.Sprintf("%d %s, %s of CPU: %s", p.Pid, p.State, took(p.CPUMs), p.Command)
}

// lastFrames are the last n lines of each side, in the order in which they crossed.
func lastFrames(h result.Hang, n int) []result.Frame {
	all := slices.Concat(h.Sent[max(0, len(h.Sent)-n):], h.Received[max(0, len(h.Received)-n):])
	slices.SortStableFunc(all, func(a, b result.Frame) int { return cmp.Compare(a.Seq, b.Seq) })
	return all
}
