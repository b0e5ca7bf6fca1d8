package reports

import (
	"fmt"
	"slices"
	"strings"

	"github.com/acp-conform/acp-conform/conformance/result"
)

// theRun is the case of the run itself: a CI system shows cases, not exit codes.
const theRun = "the run"

// aboutRun is a suite with a case for the run. There is none where the cases of the rules tell why the exit code is what it is: one
// that always passes would only make every count wrong by one. A run that tells nothing of the agent is an error; a failure is what no
// rule fails for.
func aboutRun(r result.Run) []junitSuite {
	p := &junitProblem{Message: Printable(string(r.Verdict) + after(": ", firstLine(r.ExitReason))), Type: fmt.Sprintf("exit code %d", r.ExitCode)}
	c := junitCase{Class: "acp-conform", Name: theRun, Time: seconds(0)}
	s := junitSuite{Name: c.Class, Tests: 1, Time: c.Time, Timestamp: junitTime(r.StartedAt), Properties: verdictOfRun(r)}
	about := []string{r.ExitReason}
	switch more := unblamed(r); {
	case r.ExitCode == result.ExitOK, r.ExitCode == result.ExitFailed && len(more) == 0 && slices.ContainsFunc(r.Rules, newFailure):
		return nil
	case r.ExitCode == result.ExitFailed:
		about = append(about, more...)
		c.Failure, s.Failures = p, 1
	default:
		c.Error, s.Errors = p, 1
	}
	if !r.Interrupt { // what an interrupt cut short is nobody's problem
		about = append(about, r.Problem)
	}
	p.Text = "\n" + lines(strings.Join(about, "\n"))
	s.Cases = []junitCase{c}
	return []junitSuite{s}
}

// newFailure tells whether a rule is broken that no baseline expects to be.
func newFailure(o result.Outcome) bool { return o.Verdict == result.Fail && o.Known == "" }

// unblamed are the things, a line each, that make the exit code 1 and no rule fail: entries of the baseline that are stale, and what
// only --strict minds.
func unblamed(r result.Run) (all []string) {
	warned := func(result.Outcome) bool { return strings.HasPrefix(r.ExitReason, "--strict") }
	if b := r.Baseline; b != nil {
		for _, s := range b.Stale {
			all = append(all, "stale: "+s.Rule+": "+s.Why)
		}
		warned = func(o result.Outcome) bool { return slices.Contains(b.Unknown, o.ID) }
	}
	for _, o := range r.Rules {
		switch {
		case o.Verdict == result.Warn && warned(o):
			all = append(all, "warned: "+o.ID+": "+firstExplanation(o))
		case o.Verdict == result.NotObserved && o.Owed && strings.HasPrefix(r.ExitReason, "--strict"):
			all = append(all, "not observed: "+o.ID+": "+firstLine(o.Reason))
		}
	}
	return all
}

func verdictOfRun(r result.Run) []junitProperty {
	return []junitProperty{{"acp-conform.verdict", string(r.Verdict)}}
}
