package result

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// RunVerdict is what a run says of the agent.
type RunVerdict string

// The verdicts of a run.
const (
	Interrupted   RunVerdict = "interrupted"
	Inconclusive  RunVerdict = "inconclusive"
	Nonconformant RunVerdict = "nonconformant"
	Incomplete    RunVerdict = "incomplete"
	Conformant    RunVerdict = "conformant"
)

// The exit codes of the program. A wrong command line, configuration or report file is 2 and found before the agent is started.
const (
	ExitOK           = 0
	ExitFailed       = 1
	ExitUsage        = 2
	ExitInconclusive = 3
	ExitInterrupted  = 130
)

// Policy is what the user asked for and what changes an exit code without changing a verdict.
type Policy struct {
	Strict         bool // warnings and an incomplete run are failures
	AllowNoSession bool // judge an agent that opens no session by what could be seen
}

// Conclude counts the outcomes and sets the verdict, the exit code and its reason. The first row that applies wins.
func (r *Run) Conclude(p Policy) {
	r.Counts = map[Verdict]int{}
	for _, v := range Verdicts() {
		r.Counts[v] = 0
	}
	for _, o := range r.Rules {
		r.Counts[o.Verdict]++
	}
	r.Verdict, r.ExitCode, r.ExitReason = r.judge(p)
	if r.ExitCode == ExitOK && p.Strict {
		if n := r.Counts[Warn]; n > 0 {
			r.ExitCode, r.ExitReason = ExitFailed, fmt.Sprintf("--strict: %d warned", n)
		} else if r.Verdict == Incomplete {
			r.ExitCode, r.ExitReason = ExitFailed, "--strict: "+r.ExitReason
		}
	}
}

func (r *Run) judge(p Policy) (RunVerdict, int, string) {
	concluded := r.Counts[Pass] + r.Counts[Fail] + r.Counts[Warn]
	switch {
	case r.Interrupt:
		return Interrupted, ExitInterrupted, "the run was interrupted; the report holds what was known by then"
	case !r.Survey.Handshake && r.Protocol.Negotiated != 0:
		return Inconclusive, ExitInconclusive, "no version of the protocol was agreed on"
	case !r.Survey.Handshake:
		return Inconclusive, ExitInconclusive, "the agent never shook hands"
	case r.Counts[Fail] > 0:
		return Nonconformant, ExitFailed, ""
	case !r.Survey.Session && !p.AllowNoSession:
		return Inconclusive, ExitInconclusive, "no session could be opened: " + r.Survey.SessionReason
	case concluded == 0:
		return Inconclusive, ExitInconclusive, "no rule concluded"
	case r.Counts[Error] > 0:
		return Inconclusive, ExitInconclusive, fmt.Sprintf("the suite failed in %s", counted(r.Counts[Error], "rule"))
	}
	if owed := r.unseen(); len(owed) > 0 {
		return Incomplete, ExitOK, fmt.Sprintf("not observed: %s that any %s offers an occasion for: %s", counted(len(owed), "MUST rule"), r.Who(), strings.Join(first(owed, 3), ", "))
	}
	return Conformant, ExitOK, ""
}

// Without tells what a run that has been concluded would have come to if some of its rules had been kept that were not.
func (r *Run) Without(excused func(Outcome) bool, p Policy) Run {
	kept := *r
	kept.Rules = slices.Clone(r.Rules)
	for i, o := range kept.Rules {
		if (o.Verdict == Fail || o.Verdict == Warn) && excused(o) {
			kept.Rules[i].Verdict = Pass
		}
	}
	kept.Conclude(p)
	return kept
}

// Who is what was judged, as a word: agent or client.
func (r *Run) Who() string { return cmp.Or(r.Subject, "agent") }

// unseen lists the MUST rules whose occasion the suite owed and did not get.
func (r *Run) unseen() []string {
	var ids []string
	for _, o := range r.Rules {
		if o.Verdict == NotObserved && o.Owed {
			ids = append(ids, o.ID)
		}
	}
	return ids
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func first(s []string, n int) []string {
	if len(s) > n {
		return append(append([]string{}, s[:n]...), "…")
	}
	return s
}

// Worst is the verdict that observations add up to: a failure outweighs a warning, and notes weigh nothing.
// Without an occasion the rule was not observed.
func Worst(occasions int, seen []Observation) Verdict {
	v := Pass
	if occasions == 0 {
		v = NotObserved
	}
	for _, o := range seen {
		switch o.Severity {
		case Failed:
			return Fail
		case Warned:
			v = Warn
		}
	}
	return v
}
