package baseline

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/acp-conform/acp-conform/conformance/result"
)

// entry finds the entry for a rule.
func (f *File) find(rule string) (Entry, bool) {
	i := slices.IndexFunc(f.Entries, func(e Entry) bool { return e.Rule == rule })
	if i < 0 {
		return Entry{}, false
	}
	return f.Entries[i], true
}

// Apply compares a run that has been concluded with the baseline: known failures do not fail the run, others do, and so does an entry
// that passes now, or has expired, whether its rule was a part of the run or not. It changes the exit code and its reason, never a verdict.
// A run that is inconclusive or was interrupted keeps its exit code, and one that would be inconclusive without its known failures gets the
// code of one: they excuse themselves, and not what could not be judged. now is the time of the run.
func (f *File) Apply(run *result.Run, p result.Policy, now time.Time) {
	b := &result.Baseline{File: f.Name, Known: []string{}, Unknown: []string{}, Stale: []result.Stale{}}
	run.Baseline = b
	for i := range run.Rules {
		o := &run.Rules[i]
		bad := o.Verdict == result.Fail || o.Verdict == result.Warn
		e, listed := f.find(o.ID)
		switch {
		case listed && o.Verdict == result.Pass:
			b.Stale = append(b.Stale, result.Stale{Rule: o.ID, Why: passesNow})
		case listed && e.expired(now): // below
		case listed && bad:
			o.Known = e.Reason
			b.Known = append(b.Known, o.ID)
		case o.Verdict == result.Fail, o.Verdict == result.Warn && p.Strict:
			b.Unknown = append(b.Unknown, o.ID)
		}
	}
	for _, e := range f.Entries {
		if e.expired(now) && !slices.ContainsFunc(b.Stale, func(s result.Stale) bool { return s.Rule == e.Rule }) {
			b.Stale = append(b.Stale, result.Stale{Rule: e.Rule, Why: "it expired on " + e.Expires.Format(dayForm)})
		}
	}
	if run.ExitCode == result.ExitOK || run.ExitCode == result.ExitFailed {
		run.ExitCode, run.ExitReason = exit(b, run, p)
	}
}

func (e Entry) expired(now time.Time) bool {
	return !e.Expires.IsZero() && !now.Before(e.Expires.AddDate(0, 0, 1))
}

// exit is the exit code of a run that says something of the agent.
func exit(b *result.Baseline, run *result.Run, p result.Policy) (int, string) {
	rest := run.Without(func(o result.Outcome) bool { return o.Known != "" }, p)
	switch {
	case len(b.Unknown) > 0 && len(b.Stale) > 0:
		return result.ExitFailed, unknown(b) + "; " + stale(b)
	case len(b.Unknown) > 0:
		return result.ExitFailed, unknown(b)
	case rest.Verdict == result.Inconclusive:
		return rest.ExitCode, rest.ExitReason
	case len(b.Stale) > 0:
		return result.ExitFailed, stale(b)
	case rest.ExitCode != result.ExitOK: // incomplete, and strict
		return rest.ExitCode, rest.ExitReason
	case len(b.Known) > 0:
		return result.ExitOK, fmt.Sprintf("%s, as the baseline %s says", count(len(b.Known), "rule is", "rules are")+" not kept", b.File)
	}
	return run.ExitCode, run.ExitReason
}

func unknown(b *result.Baseline) string {
	return fmt.Sprintf("%s not kept that %s does not know: %s", count(len(b.Unknown), "rule is", "rules are"), b.File, strings.Join(some(b.Unknown), ", "))
}

// passesNow is why an entry is stale that is needed no more; the other reason is that it has expired.
const passesNow = "the rule passes now"

func stale(b *result.Baseline) string {
	var all []string
	passing := 0
	for _, s := range b.Stale {
		all = append(all, s.Rule+" ("+s.Why+")")
		if s.Why == passesNow {
			passing++
		}
	}
	advice := "fix what breaks the rule, or change or remove `expires`" // a new baseline would keep the entry as it is
	switch passing {
	case 0:
	case len(b.Stale):
		advice = "--write-baseline drops what passes"
	default:
		advice = "--write-baseline drops what passes; where an entry has expired, " + advice
	}
	return fmt.Sprintf("in %s %s: %s; %s", b.File, count(len(b.Stale), "entry is stale", "entries are stale"), strings.Join(some(all), ", "), advice)
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

func some(all []string) []string {
	if len(all) > 5 {
		return append(slices.Clone(all[:5]), fmt.Sprintf("and %d more", len(all)-5))
	}
	return all
}
