package reports

import (
	"fmt"
	"math"
	"strings"

	"github.com/acp-conform/acp-conform/conformance/result"
)

// findings shows each rule that fails, or each that warns, with all that somebody needs to repair it.
func (t *text) findings(v result.Verdict) {
	found := t.with(v)
	if len(found) == 0 {
		return
	}
	t.title("%s (%d)", map[result.Verdict]string{result.Fail: "Failures", result.Warn: "Warnings"}[v], len(found))
	t.signs()
	for _, o := range found {
		t.line("")
		t.finding(o)
	}
}

// signs explains, once, what stands in front of a cited line.
func (t *text) signs() {
	if !t.legend {
		t.legend = true
		t.line("%s", t.paint(dim, "  cited lines: > from the client, < from the agent, ! on its stderr, # a remark; with their number in the conversation"))
	}
}

func (t *text) finding(o result.Outcome) {
	t.line("%s %s %s", t.paint(colour(o.Verdict), strings.ToUpper(string(o.Verdict))), t.paint(bold, o.ID), t.paint(dim, strength(o)))
	t.prose(2, "", o.Title)
	for i, ob := range o.Evidence {
		t.line("")
		t.observation(o, i+1, ob)
	}
	t.line("")
	t.label("more", unshown(o))
	t.label("reference", o.Ref)
	t.label("known", o.Known)
	t.label("advice", o.Advice)
	t.label("rerun", o.Rerun)
}

// strength says how binding a rule is and what that rests on, where that is not the specification's own sentence.
func strength(o result.Outcome) string {
	s := o.Level
	if o.Basis != "" && o.Basis != "stated" {
		s += ", " + o.Basis
	}
	if o.Stability != "" && o.Stability != "stable" {
		s += ", " + o.Stability
	}
	return s
}

// label writes a named line under a rule. References and command lines stay whole, so that they can be copied.
func (t *text) label(name, s string) {
	switch {
	case s == "":
	case name == "advice":
		t.prose(13, "  advice", s)
	default:
		t.line("  %-10s %s", name, Printable(s))
	}
}

func (t *text) observation(o result.Outcome, n int, ob result.Observation) {
	lead := fmt.Sprintf("  %d.", n)
	if string(ob.Severity) != string(o.Verdict) {
		lead += " (" + string(ob.Severity) + ")"
	}
	t.prose(max(5, len(lead)+1), lead, ob.Explanation)
	for _, f := range ob.Frames {
		t.frame(ob, f)
	}
	expected, found := ob.Excerpts(t.shown())
	if expected != "" {
		t.line("     expected  %s", Printable(expected))
	}
	if found != "" {
		t.line("     found     %s", Printable(found))
	}
	if ob.Oracle != "" {
		t.prose(15, "     oracle", ob.Oracle+"; "+ob.Control)
	}
	if ob.SeenIn != "" && ob.SeenIn != o.ID {
		t.line("     seen in   %s", Printable(ob.SeenIn))
	}
}

// sides are the signs and colours of those who wrote a line.
var sides = map[string]struct{ sign, colour string }{
	"client": {">", cyan}, "agent": {"<", yellow}, "agent-stderr": {"!", dim}, "suite": {"#", dim},
}

// shownChars is about how many characters of a cited line are shown: it may hold a whole file, of which one member matters.
const shownChars = 200

// shown is how many characters of a line are shown; the verbose form shows all that the report has.
func (t *text) shown() int {
	if t.Verbose {
		return math.MaxInt32
	}
	return shownChars
}

// frame shows a cited line with its number in the transcript, cut around what the observation is about.
func (t *text) frame(ob result.Observation, f result.Frame) {
	side, ok := sides[f.From]
	if !ok {
		side.sign = "?"
	}
	line, left := ob.Excerpt(f, t.shown())
	if line = Printable(line); f.Base64 != "" {
		line = "(not UTF-8, in base64) " + line
	}
	if left > 0 {
		line += fmt.Sprintf(" … (%s)", plural(left, "more byte"))
	}
	if f.Deliberate {
		line = "(bad on purpose) " + line
	}
	t.line("%s", t.paint(side.colour, strings.TrimRight(fmt.Sprintf("     %s %4d  %s", side.sign, f.Seq, line), " ")))
}

// every lists all rules with their verdicts, and the notes of those that neither fail nor warn.
func (t *text) every() {
	t.title("Every rule (%d)", len(t.Rules))
	area := ""
	for _, o := range t.Rules {
		if o.Area != area {
			area = o.Area
			t.line("  %s", area)
		}
		t.line("    %s %s: %s", t.paint(colour(o.Verdict), fmt.Sprintf("%-12s", o.Verdict)), o.ID, o.Title)
		reason, _, _ := strings.Cut(o.Reason, "\n")
		if reason != "" {
			t.prose(17, "", reason)
		}
		if o.Verdict == result.Fail || o.Verdict == result.Warn {
			continue
		}
		for _, ob := range o.Evidence {
			t.prose(23, "                 "+string(ob.Severity)+":", ob.Explanation)
		}
	}
}
