package selftest

import (
	"maps"
	"slices"
	"strings"
	"testing"

	. "github.com/onsi/gomega"

	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/rules"
	"github.com/acp-conform/acp-conform/fakeagent"
)

func TestTableHasARowForEveryFault(t *testing.T) {
	rows := maps.Clone(expectations())
	for _, f := range fakeagent.Faults() {
		if _, ok := rows[f.Name]; !ok {
			t.Errorf("the fault %s has no row", f.Name)
		}
		delete(rows, f.Name)
	}
	for name := range rows {
		t.Errorf("the row %s has no fault", name)
	}
}

func TestRowsNameWhatThereIs(t *testing.T) {
	catalogue, err := rules.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	isRow := func(id string) bool {
		return slices.ContainsFunc(catalogue, func(r rules.Row) bool { return r.ID == id })
	}
	isRule := func(id string) bool {
		return slices.ContainsFunc(rules.All(), func(r rule.Rule) bool { return r.ID == id })
	}
	for name, e := range expectations() {
		for _, id := range append(e.anywhere(), e.blocked...) {
			if !isRule(id) {
				t.Errorf("%s: %s is no rule", name, id)
			}
		}
		switch {
		case len(e.anywhere()) > 0 != (e.laterRow == "" && e.reason == ""):
			t.Errorf("%s should break a rule or say why it breaks none, and not both", name)
		case e.laterRow != "" && (!isRow(e.laterRow) || isRule(e.laterRow)):
			t.Errorf("%s waits for %s, which is no row of the catalogue or has its rule already", name, e.laterRow)
		}
	}
	for id := range unfalsifiable {
		if !isRule(id) {
			t.Errorf("%s is no rule", id)
		}
	}
	if n, all := len(unfalsifiable), len(rules.All()); n*20 > all {
		t.Errorf("%d of %d rules are said to be unbreakable, more than one in twenty", n, all)
	}
}

// A rule that cannot fail, and a rule that fails the correct agent, are found out.
func TestSelftestSaysNo(t *testing.T) {
	for name, tt := range map[string]struct {
		act  func(*rule.Case)
		want string
	}{
		"a rule that cannot fail":       {func(c *rule.Case) { c.Connect(); c.Expect(1).To(Equal(1)) }, "fault no-agent-info in version 1: expected to fail [], to warn [init.agent-info]"},
		"a rule that accuses everybody": {func(c *rule.Case) { c.Connect(); c.Expect(1).To(Equal(2)) }, "init.agent-info does not pass on the correct agent"},
		"a rule that sees nothing":      {func(c *rule.Case) { c.NotObserved("nothing") }, "init.agent-info does not pass on the correct agent"},
		"a rule that panics":            {func(*rule.Case) { panic("oops") }, "init.agent-info does not pass on the correct agent"},
	} {
		t.Run(name, func(t *testing.T) {
			broken := slices.Clone(rules.All())
			i := slices.IndexFunc(broken, func(r rule.Rule) bool { return r.ID == "init.agent-info" })
			broken[i].Act = tt.act
			rep, err := Run(t.Context(), Options{Rules: broken[i : i+1], Patterns: []string{"init.agent-info"}})
			if err != nil {
				t.Fatal(err)
			}
			if all := strings.Join(rep.Problems, "\n"); rep.OK || !strings.Contains(all, tt.want) {
				t.Errorf("ok %v; %s", rep.OK, all)
			}
		})
	}
}

func TestColumnsMustDiffer(t *testing.T) {
	tr := &trial{Options: Options{Self: []string{"fake"}, Rules: []rule.Rule{{ID: "a.one"}, {ID: "b.twin"}, {ID: "c.never"}}}}
	rep := Report{Faults: []FaultReport{{Name: "f", Fired: []string{"a.one", "b.twin"}, OK: true}}}
	tr.conclude(&rep)
	all := strings.Join(rep.Problems, "\n")
	if rep.OK || !strings.Contains(all, "b.twin and a.one are broken by the same faults") || !strings.Contains(all, "c.never is broken by no fault") {
		t.Error(all)
	}
}
