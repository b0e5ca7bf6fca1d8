package reports

import (
	"fmt"
	"io"
	"strings"

	"github.com/acp-conform/acp-conform/conformance/result"
)

// annotations is how many of each kind GitHub shows for a step; what is beyond them is in the summary.
const annotations = 10

// GitHub writes workflow commands, which make the findings annotations of the step: errors for what failed, warnings for what warned.
// See https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands. The summary of the step is a Markdown report.
func GitHub(w io.Writer, r result.Run) error {
	var b strings.Builder
	kind := "notice"
	if r.ExitCode != 0 {
		kind = "error"
	}
	said := map[string]int{}
	say := func(kind, title, message string) {
		if said[kind]++; said[kind] <= annotations {
			fmt.Fprintf(&b, "::%s title=%s::%s\n", kind, property(title), data(message))
		}
	}
	// The verdict comes first, or it would be the one that is not shown.
	say(kind, "acp-conform", fmt.Sprintf("%s, exit code %d%s", r.Verdict, r.ExitCode, after(": ", r.ExitReason)))
	for _, o := range r.Rules {
		switch o.Verdict {
		case result.Fail:
			say(kindOf("error", o), o.ID, annotation(o, result.Failed))
		case result.Error:
			say("error", o.ID, "the suite failed: "+lines(o.Reason))
		case result.Warn:
			say(kindOf("warning", o), o.ID, annotation(o, result.Warned))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// kindOf is the kind of an annotation, which is only a notice where the baseline knows of it.
func kindOf(kind string, o result.Outcome) string {
	if o.Known != "" {
		return "notice"
	}
	return kind
}

func annotation(o result.Outcome, severity result.Severity) string {
	return strings.TrimRight(account(o, severity), "\n")
}

// data is a message of a workflow command.
func data(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

// property is a property of a workflow command.
func property(s string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(data(Printable(s)))
}
