// Package compare tells what changed between two runs: the regression gate between two builds of an agent.
package compare

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/acp-conform/acp-conform/conformance/result"
)

// Kind says what became of a rule.
type Kind string

// What can become of a rule, the worst first.
const (
	Worse  Kind = "worse"  // it fails or warns now, and did not; or it fails, and only warned
	Unseen Kind = "unseen" // it was judged, and is not any more
	Better Kind = "better" // the opposite of worse
	Seen   Kind = "seen"   // the opposite of unseen
	Gone   Kind = "gone"   // it is no part of the newer run
	New    Kind = "new"    // it was no part of the older run
	Other  Kind = "other"  // another reason why it was not judged
)

// Change is a rule that is not what it was.
type Change struct {
	Rule string         `json:"rule"`
	Kind Kind           `json:"kind"`
	Old  result.Verdict `json:"old,omitempty"`
	New  result.Verdict `json:"new,omitempty"`
	Why  string         `json:"why,omitempty"` // what the newer run says of it
}

// Report is what changed between two runs.
type Report struct {
	Schema       string       `json:"schema"`
	Old          Side         `json:"old"`
	New          Side         `json:"new"`
	Worse        int          `json:"worse"`        // rules that became worse
	Unlisted     int          `json:"unlisted"`     // of these, rules that are no part of the older run
	NotJudged    string       `json:"notJudged"`    // why the newer run says nothing of its build, though the older one did; "" = it does
	Changes      []Change     `json:"changes"`      // of rules, the worst first
	Capabilities []Difference `json:"capabilities"` // of what the agent advertises, by their paths
	Timings      []Difference `json:"timings"`      // that differ by more than twice
	Remarks      []string     `json:"remarks"`      // why the two are hard to compare
}

// Side is one of the two runs.
type Side struct {
	File    string            `json:"file"`
	Agent   string            `json:"agent"`
	Version string            `json:"version,omitempty"`
	Verdict result.RunVerdict `json:"verdict"`
}

// Schema is the value of Report.Schema.
const Schema = "acp-conform/comparison/1"

// Runs compares two runs. The names are those of their files. The error says that the two have no rule in common; of a run that could
// not be made that is no wonder.
func Runs(oldName string, old result.Run, newName string, now result.Run) (Report, error) {
	if onlyOld, onlyNew := apart(old, now); min(onlyOld, onlyNew) > 0 && onlyOld == len(old.Rules) && onlyNew == len(now.Rules) {
		why := ""
		if old.Who() != now.Who() {
			why = ": " + otherSubjects
		}
		return Report{}, fmt.Errorf("%s and %s have no rule in common%s; compare two runs of the same rules", oldName, newName, why)
	}
	r := Report{Schema: Schema, Old: side(oldName, old), New: side(newName, now), Changes: []Change{}, Capabilities: []Difference{}, Timings: []Difference{}, Remarks: remarks(old, now)}
	if !unmade(old.Verdict) && (unmade(now.Verdict) || unjudged(old, old) == "") {
		r.NotJudged = unjudged(now, old)
	}
	r.Changes = append(r.Changes, changes(old, now)...)
	for _, c := range r.Changes {
		if c.Kind == Worse {
			r.Worse++
			if c.Old == "" {
				r.Unlisted++
			}
		}
	}
	r.Capabilities = append(r.Capabilities, differences("", plain(old.Agent.Capabilities), plain(now.Agent.Capabilities))...)
	r.Timings = append(r.Timings, timings(old, now)...)
	return r, nil
}

const otherSubjects = "one is about a client and one about an agent"

// apart is how many rules only one of the runs has.
func apart(old, now result.Run) (onlyOld, onlyNew int) {
	lacking := func(rules, others []result.Outcome) (n int) {
		there := map[string]bool{}
		for _, o := range others {
			there[o.ID] = true
		}
		for _, o := range rules {
			if !there[o.ID] {
				n++
			}
		}
		return n
	}
	return lacking(old.Rules, now.Rules), lacking(now.Rules, old.Rules)
}

// unjudged tells why a run says nothing of its build as a whole, "" if it does. A failure hides none of the reasons: a build that opens no
// session any more says less than one that did, though both break the same rule. Where the older one opened none, none is asked for.
func unjudged(r, old result.Run) string {
	if r.Verdict == result.Nonconformant {
		r = r.Without(func(result.Outcome) bool { return true }, result.Policy{AllowNoSession: !old.Survey.Session})
	}
	if !unmade(r.Verdict) {
		return ""
	}
	return cmp.Or(firstLine(r.ExitReason), "the run is "+string(r.Verdict))
}

// unmade tells whether a run with this verdict was not made, or not to its end.
func unmade(v result.RunVerdict) bool { return v == result.Interrupted || v == result.Inconclusive }

// Failed tells whether the newer build is the worse one. One that was not judged is: a build that does not even start breaks no rule.
func (r Report) Failed() bool { return r.Worse > 0 || r.NotJudged != "" }

func side(name string, r result.Run) Side {
	s := Side{File: name, Agent: strings.Join(r.Agent.Command, " "), Verdict: r.Verdict}
	if r.Agent.Info != nil {
		s.Version = strings.TrimSpace(r.Agent.Info.Name + " " + r.Agent.Info.Version)
	}
	return s
}

func remarks(old, now result.Run) []string {
	all := []string{}
	say := func(different bool, format string, args ...any) {
		if different {
			all = append(all, fmt.Sprintf(format, args...))
		}
	}
	say(old.Tool.Version != now.Tool.Version, "they were made by different versions of the suite: %s and %s", old.Tool.Version, now.Tool.Version)
	say(old.Protocol.Requested != now.Protocol.Requested, "they are about different versions of the protocol: %d and %d", old.Protocol.Requested, now.Protocol.Requested)
	say(old.Who() != now.Who(), otherSubjects)
	onlyOld, onlyNew := apart(old, now)
	say(onlyOld+onlyNew > 0 && len(old.Rules) > 0 && len(now.Rules) > 0, "they are of different selections of rules: %s only in the older run, %s only in the newer one", counted(onlyOld), counted(onlyNew))
	say(unjudged(old, old) != "", "the older run says too little of its build: %s", unjudged(old, old))
	say(unjudged(now, old) != "", "the newer run says too little of its build: %s", unjudged(now, old))
	return all
}

// order are the kinds as a report lists them.
var order = []Kind{Worse, Unseen, Better, Seen, Gone, New, Other}

func changes(old, now result.Run) []Change {
	before := map[string]result.Outcome{}
	for _, o := range old.Rules {
		before[o.ID] = o
	}
	var all []Change
	there := map[string]bool{}
	for _, o := range now.Rules {
		there[o.ID] = true
		was, known := before[o.ID]
		c := Change{Rule: o.ID, Old: was.Verdict, New: o.Verdict, Kind: kind(was, o), Why: why(o)}
		if !known && c.Kind != Worse {
			c.Kind = New
		}
		if c.Kind != "" {
			all = append(all, c)
		}
	}
	for _, o := range old.Rules {
		if !there[o.ID] {
			all = append(all, Change{Rule: o.ID, Kind: Gone, Old: o.Verdict})
		}
	}
	slices.SortStableFunc(all, func(a, b Change) int { return slices.Index(order, a.Kind) - slices.Index(order, b.Kind) })
	return all
}

// rank is how bad a verdict is, of those that conclude.
func rank(v result.Verdict) int {
	return slices.Index([]result.Verdict{result.Pass, result.Warn, result.Fail}, v)
}

func kind(was, is result.Outcome) Kind {
	a, b := rank(was.Verdict), rank(is.Verdict)
	switch {
	case b > max(a, rank(result.Pass)): // what was not judged before, or was no part of the run, is held to be well
		return Worse
	case a >= 0 && b < 0:
		return Unseen
	case a >= 0 && b < a:
		return Better
	case a < 0 && b >= 0:
		return Seen
	case a < 0 && (was.Verdict != is.Verdict || was.Reason != is.Reason):
		return Other
	}
	return ""
}

// why is what a run says of a rule that it did not keep, or did not judge.
func why(o result.Outcome) string {
	for _, severity := range []result.Severity{result.Failed, result.Warned} {
		for _, ob := range o.Evidence {
			if ob.Severity == severity {
				return ob.Explanation
			}
		}
	}
	return firstLine(o.Reason)
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}
