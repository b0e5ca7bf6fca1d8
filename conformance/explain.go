package conformance

import (
	"fmt"
	"strings"

	"github.com/acp-conform/acp-conform/conformance/result"
)

// explain is an outcome for a person who has never seen this suite: what was wrong, the lines that prove it, where the
// protocol says it, and how to see it again.
func explain(o result.Outcome) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n%s rule: %s\n", o.ID, o.Verdict, o.Level, o.Title)
	if o.Reason != "" {
		fmt.Fprintf(&b, "%s\n", o.Reason)
	}
	for _, seen := range o.Evidence {
		observation(&b, seen)
	}
	b.WriteString("\n")
	more := ""
	if o.Suppressed > 0 {
		more = counted(o.Suppressed, "further observation") + " of these kinds not shown"
	}
	for _, line := range []struct{ what, text string }{{"more", more}, {"reference", o.Ref}, {"advice", o.Advice}, {"rerun", o.Rerun}} {
		if line.text != "" {
			fmt.Fprintf(&b, "%-10s %s\n", line.what+":", line.text)
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func observation(b *strings.Builder, o result.Observation) {
	fmt.Fprintf(b, "\n%s: %s\n", o.Severity, o.Explanation)
	for _, line := range []struct{ what, text string }{{"expected", o.Expected}, {"found", o.Actual}} {
		if line.text != "" {
			fmt.Fprintf(b, "  %-9s %s\n", line.what+":", line.text)
		}
	}
	if len(o.Frames) > 0 {
		fmt.Fprintf(b, "  lines of the conversation of %s:\n", o.SeenIn)
	}
	for _, f := range o.Frames {
		fmt.Fprintf(b, "  %5d %s: %s\n", f.Seq, f.From, cited(f))
	}
}

func cited(f result.Frame) string {
	text := f.Line
	if f.Base64 != "" {
		text = "(not UTF-8, in base64) " + f.Base64
	}
	if f.Cut > 0 {
		text += " … (" + counted(f.Cut, "more byte") + ")"
	}
	if f.Deliberate {
		text = "(bad on purpose) " + text
	}
	return text
}

func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// brief is what was wrong, without the lines.
func brief(o result.Outcome) string {
	var parts []string
	for _, seen := range o.Evidence {
		if seen.Severity != result.Noted {
			parts = append(parts, seen.Explanation)
		}
	}
	if o.Reason != "" {
		parts = append(parts, o.Reason)
	}
	return strings.Join(parts, "; ")
}

// unjudged is why a rule was not judged.
func unjudged(o result.Outcome) string { return fmt.Sprintf("%s: %s", o.Verdict, o.Reason) }

// problem is why the whole run is no success, "" if it is one or if the outcomes of its rules say so already.
func problem(run result.Run) string {
	if run.ExitCode == result.ExitOK || run.Verdict == result.Nonconformant {
		return ""
	}
	text := fmt.Sprintf("%s: %s", run.Verdict, run.ExitReason)
	if run.Problem != "" && !run.Interrupt { // an interrupt is not the agent's doing
		text += "\n" + run.Problem
	}
	return text
}
