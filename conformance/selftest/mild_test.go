package selftest

import (
	"slices"
	"strings"
	"testing"

	"github.com/acp-conform/acp-conform/conformance/result"
	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/rules"
)

// unsaid is what a report says where a rule has no reason of its own.
const unsaid = "because it is not certain enough"

// Of each rule that must be kept, and that only warns of some fault, one such warning is looked at: it says why it is no failure.
func TestRulesSayWhyTheyOnlyWarn(t *testing.T) {
	all := rules.All()
	tr := &trial{Options: Options{Rules: all, Canary: canaryCommand()}, dir: t.TempDir()}
	byID := func(id string) rule.Rule {
		return all[slices.IndexFunc(all, func(r rule.Rule) bool { return r.ID == id })]
	}
	for _, r := range all {
		if r.Level != rule.Must || r.Basis != rule.Stated {
			continue
		}
		if r.Soft && r.Mild == "" {
			t.Errorf("%s always warns, and does not say why", r.ID)
		}
		t.Run(r.ID, func(t *testing.T) {
			t.Parallel()
			for _, f := range bending(r) {
				chosen := []rule.Rule{r}
				if beside := shown[r.ID].beside; beside != "" {
					chosen = append(chosen, byID(beside))
				}
				set := settingOf(f.Name)
				set.config.Faults = []string{f.Name}
				run, err := tr.run(t.Context(), f.Name, set, f.protocol, tr.launcher(set.config, false, nil), false, chosen, 0)
				if err != nil {
					t.Fatal(err)
				}
				i := slices.IndexFunc(run.Rules[0].Evidence, func(e result.Observation) bool { return e.Severity == result.Warned })
				if i < 0 {
					continue // it takes more rules to show this one
				}
				if e := run.Rules[0].Evidence[i]; !strings.Contains(e.Explanation, "; a warning and not a failure because ") || strings.HasSuffix(e.Explanation, unsaid) {
					t.Errorf("%s in version %d: %s", f.Name, f.protocol, e.Explanation)
				}
				return
			}
		})
	}
}

// bending are the faults of which a rule only warns, without those that need a process or seconds.
func bending(r rule.Rule) []experiment {
	every, _ := (&trial{}).experiments() // without a command there are none that need a process
	return slices.DeleteFunc(every, func(f experiment) bool {
		return slices.Contains(slowFaults, f.Name) || !slices.Contains(expectations()[f.Name].in(f.protocol).warned, r.ID)
	})
}
