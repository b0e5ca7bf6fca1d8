package rules

import (
	"bytes"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/acp-conform/acp-conform/conformance/rule"
)

var updateLedger = flag.Bool("update", false, "rewrite ledger.csv")

func TestLedgerIsCurrent(t *testing.T) {
	var b bytes.Buffer
	if err := Ledger(&b, append(All(), Client()...)); err != nil {
		t.Fatal(err)
	}
	if *updateLedger {
		if err := os.WriteFile("ledger.csv", b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	old, err := os.ReadFile("ledger.csv")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(old, b.Bytes()) {
		t.Error("ledger.csv is not what the catalogue and the rules make; run `go test ./conformance/rules -update`")
	}
}

func TestEveryRuleIsARow(t *testing.T) {
	rows, err := Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	agent, client := 0, 0
	byID := map[string]Row{}
	for _, r := range rows {
		byID[r.ID] = r
		if r.Side == "agent" {
			agent++
		} else {
			client++
		}
	}
	if agent != 502 || client != 91 {
		t.Errorf("the catalogue has %d rows on agents and %d on clients, want 502 and 91", agent, client)
	}
	seen := map[string]bool{}
	for _, r := range All() {
		row, ok := byID[r.ID]
		switch {
		case !ok:
			t.Errorf("%s is not a row of the catalogue", r.ID)
		case seen[r.ID]:
			t.Errorf("%s is there twice", r.ID)
		case string(r.Level) != row.Level || string(r.Basis) != row.Basis:
			t.Errorf("%s is %s %s; its row says %s %s", r.ID, r.Level, r.Basis, row.Level, row.Basis)
		case noted[r.ID] != "" || unseen[r.ID] != "":
			t.Errorf("%s is a rule and is listed as none", r.ID)
		}
		seen[r.ID] = true
	}
	for id, of := range noted {
		if _, ok := byID[id]; !ok || !seen[of] {
			t.Errorf("%s is noted by %s: one of them does not exist", id, of)
		}
	}
	for id := range unseen {
		if _, ok := byID[id]; !ok {
			t.Errorf("%s is no row", id)
		}
	}
}

// What a failing developer reads has to be there, and the titles have to read as the contract.
func TestEveryRuleExplainsItself(t *testing.T) {
	for _, r := range All() {
		switch {
		case r.Title == "" || strings.HasSuffix(r.Title, "."):
			t.Errorf("%s: the title %q should be a sentence without a full stop", r.ID, r.Title)
		case !strings.HasSuffix(r.Advice, "."):
			t.Errorf("%s: the advice %q should be a sentence", r.ID, r.Advice)
		case r.Ref.Page == "":
			t.Errorf("%s has no reference", r.ID)
		case (r.Act == nil) == (r.Watch == nil):
			t.Errorf("%s should either act or watch", r.ID)
		case (r.Watch != nil) != (r.Occasion != ""):
			t.Errorf("%s: a watching rule, and only one, declares its occasion", r.ID)
		case len(r.Versions) == 0:
			t.Errorf("%s belongs to no version", r.ID)
		}
		if i := slices.IndexFunc(All(), func(o rule.Rule) bool { return o.Title == r.Title }); All()[i].ID != r.ID {
			t.Errorf("%s and %s have the same title", r.ID, All()[i].ID)
		}
	}
}
