package reports

import (
	"strings"

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
	all := longest(t.Hangs)
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
