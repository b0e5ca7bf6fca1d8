package interop

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// finding is a rule that fails or warns. The comment above each says why that is right.
type finding struct{ rule, verdict string }

// expectation is what a run on one agent ends with: the rules that fail or warn, and no others.
type expectation struct {
	verdict   string
	exitCode  int
	findings  []finding
	sometimes []finding // what depends on a race inside the agent
}

// compare tells whether a run ended as expected. If it did not, the message holds what was seen as lines for the table.
func (e expectation) compare(t *testing.T, run report) {
	t.Helper()
	run.soundness(t)
	if run.Verdict != e.verdict || run.ExitCode != e.exitCode {
		t.Errorf("the verdict is %s (exit code %d), want %s (%d): %s", run.Verdict, run.ExitCode, e.verdict, e.exitCode, run.ExitReason)
	}
	if more, less := differ(e.findings, e.sometimes, run.findings()); len(more)+len(less) > 0 {
		t.Errorf("other findings than expected\nnew: %s\ngone: %s\nseen in this run:\n%s", names(more), names(less), run.lines())
	}
}

// soundness checks what holds for a run on any agent: it concluded something, and the suite itself made no mistake.
func (r report) soundness(t *testing.T) {
	t.Helper()
	passed := 0
	for _, rule := range r.Rules {
		switch rule.Verdict {
		case "error":
			t.Errorf("the suite itself failed in %s: %s", rule.ID, rule.why())
		case "pass":
			passed++
		}
	}
	if passed == 0 {
		t.Errorf("no rule passed\n%s", r.text)
	}
}

func (r report) findings() []finding {
	var found []finding
	for _, rule := range r.Rules {
		if rule.Verdict == "fail" || rule.Verdict == "warn" {
			found = append(found, finding{rule.ID, rule.Verdict})
		}
	}
	return found
}

// lines are the findings as they would stand in an expectation, each below the first thing that was seen.
func (r report) lines() string {
	var b strings.Builder
	for _, rule := range r.Rules {
		if rule.Verdict == "fail" || rule.Verdict == "warn" {
			fmt.Fprintf(&b, "\t\t// %s\n\t\t{%q, %q},\n", rule.why(), rule.ID, rule.Verdict)
		}
	}
	return b.String()
}

// why is the first observation that led to the verdict.
func (r rule) why() string {
	why := r.Reason
	for _, seen := range r.Evidence {
		if seen.Severity == r.Verdict {
			why = seen.Explanation
			break
		}
	}
	return strings.Join(strings.Fields(why), " ")
}

// differ gives the findings that only the run has, and those that only the table has.
func differ(always, sometimes, got []finding) (more, less []finding) {
	for _, f := range got {
		if !slices.Contains(always, f) && !slices.Contains(sometimes, f) {
			more = append(more, f)
		}
	}
	for _, f := range always {
		if !slices.Contains(got, f) {
			less = append(less, f)
		}
	}
	return more, less
}

func names(findings []finding) string {
	if len(findings) == 0 {
		return "none"
	}
	var s []string
	for _, f := range findings {
		s = append(s, f.rule+" "+f.verdict)
	}
	return strings.Join(s, ", ")
}

func TestFindingsDifferByRuleAndByVerdict(t *testing.T) {
	always := []finding{{"a", "fail"}, {"b", "warn"}, {"c", "warn"}}
	sometimes := []finding{{"e", "warn"}, {"f", "warn"}}
	more, less := differ(always, sometimes, []finding{{"c", "fail"}, {"a", "fail"}, {"d", "warn"}, {"e", "warn"}, {"f", "fail"}})
	if names(more) != "c fail, d warn, f fail" || names(less) != "b warn, c warn" {
		t.Errorf("new: %s; gone: %s", names(more), names(less))
	}
	for _, got := range [][]finding{
		{always[2], always[0], always[1]},
		{sometimes[0], always[0], always[1], always[2]},
	} {
		if more, less := differ(always, sometimes, got); len(more)+len(less) > 0 {
			t.Errorf("%s differ: new %s, gone %s", names(got), names(more), names(less))
		}
	}
}
