package selftest

import (
	"cmp"
	"fmt"
	"slices"
	"testing"

	"go.uber.org/goleak"

	"github.com/acp-conform/acp-conform/conformance/judge"
	"github.com/acp-conform/acp-conform/conformance/judge/reference"
	"github.com/acp-conform/acp-conform/conformance/result"
	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/rules"
)

// The reference client keeps every rule about clients, in each version and in both at once, and misses no occasion.
func TestClientsTheReferenceKeepsEveryRule(t *testing.T) {
	defer goleak.VerifyNone(t)
	for _, protocols := range [][]int{{1}, {2}, {1, 2}} {
		t.Run(fmt.Sprint(protocols), func(t *testing.T) {
			run, err := Reference(t.Context(), nil, nil, protocols, nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, o := range run.Rules {
				want := result.Pass
				if !slices.ContainsFunc(protocols, func(p int) bool { return slices.Contains(versionsOf(o.ID), p) }) {
					want = result.Skipped
				}
				if o.Verdict != want || want == result.Pass && o.Reason != "" {
					t.Errorf("%s: %s, want %s: %s %v", o.ID, o.Verdict, want, o.Reason, o.Evidence)
				}
			}
			if run.Verdict != result.Conformant || run.ExitCode != result.ExitOK {
				t.Errorf("%s, exit code %d: %s", run.Verdict, run.ExitCode, run.ExitReason)
			}
		})
	}
}

func versionsOf(id string) []int {
	for _, r := range rules.Client() {
		if r.ID == id {
			return r.Versions
		}
	}
	return nil
}

// Each wrong client breaks its own rule and no other, each legal one breaks none, and each rule is broken by one.
func TestClientsMutationTable(t *testing.T) {
	defer goleak.VerifyNone(t)
	var rep Report
	o := Options{Jobs: 2}
	if raced { // only those in which things happen at the same time; the narrow selections below try the others
		o.Patterns = []string{"status.client.idle-snapshot-*", "status.client.result-by-id", "status.client.no-probe-storm"}
	}
	if err := Clients(t.Context(), o, &rep); err != nil {
		t.Fatal(err)
	}
	for _, p := range rep.Problems {
		t.Error(p)
	}
	if raced {
		return
	}
	if len(rep.Faults) < 60 || len(rep.Rules) != len(rules.Client()) || len(rep.Variants) < 20 {
		t.Errorf("%d faults, %d rules, %d variants", len(rep.Faults), len(rep.Rules), len(rep.Variants))
	}
}

// A narrower selection gives each fault the same verdict.
func TestClientsNarrowSelections(t *testing.T) {
	for name, ids := range clientFaults {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, id := range ids {
				chosen := slices.DeleteFunc(rules.Client(), func(r rule.Rule) bool { return r.ID != id })
				run, err := Reference(t.Context(), []string{name}, nil, nil, chosen)
				if err != nil {
					t.Fatal(err)
				}
				if v := run.Rules[0].Verdict; v != result.Fail && v != result.Warn {
					t.Errorf("%s: %s: %s", id, v, run.Rules[0].Reason)
				}
			}
		})
	}
}

// A client that does what its user does is conformant, however it differs. One that does not is not called so, and what it kept from
// being seen has a reason.
func TestClientsThatDoNotDoAll(t *testing.T) {
	short := map[string]result.RunVerdict{
		"client-never-starts-agent 1": result.Inconclusive, "client-never-starts-agent 2": result.Inconclusive,
		"client-only-shakes-hands 1": result.Inconclusive, "client-only-shakes-hands 2": result.Inconclusive,
		"client-leaves-early 1": result.Incomplete, "client-leaves-early 2": result.Inconclusive,
		"client-never-asks 1": result.Incomplete, "client-never-asks 2": result.Incomplete,
	}
	for _, v := range reference.Variants() {
		for _, protocol := range v.Protocols {
			name := fmt.Sprint(v.Name, " ", protocol)
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				run, err := Reference(t.Context(), nil, []string{v.Name}, []int{protocol}, nil)
				if err != nil {
					t.Fatal(err)
				}
				if want := cmp.Or(short[name], result.Conformant); run.Verdict != want {
					t.Errorf("%s, want %s: %s", run.Verdict, want, run.ExitReason)
				}
				for _, o := range run.Rules {
					if o.Verdict == result.NotObserved && o.Reason == "" {
						t.Errorf("%s: no reason", o.ID)
					}
				}
			})
		}
	}
}

// Every rule about clients has a script, and every script a rule that looks at it.
func TestClientsScriptsAndRules(t *testing.T) {
	wanted := map[string]bool{Scripts()[0].Name: true}
	for _, r := range rules.Client() {
		n := len(wanted)
		for _, s := range Scripts() {
			if rules.ClientWants(r.ID, s.Name) {
				wanted[s.Name] = true
				n = -1
			}
		}
		if n >= 0 {
			t.Errorf("%s has no script", r.ID)
		}
	}
	for _, s := range Scripts() {
		if !wanted[s.Name] {
			t.Errorf("no rule looks at the script %s", s.Name)
		}
	}
}

// The reference client keeps every rule in the words of the other vocabulary, too.
func TestClientsInOtherWords(t *testing.T) {
	words := [2]string{"open", "saved"}
	dir := t.TempDir()
	a := &actor{dir: dir, words: words}
	run, err := judge.Run(t.Context(), judge.Config{Scripts: Scripts(), Words: words, Play: a.play})
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range run.Rules {
		if o.Verdict != result.Pass {
			t.Errorf("%s: %s %s %v", o.ID, o.Verdict, o.Reason, o.Evidence)
		}
	}
}
