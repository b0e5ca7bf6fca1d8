package engine

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	. "github.com/onsi/gomega"

	"github.com/acp-conform/acp-conform/conformance/result"
	"github.com/acp-conform/acp-conform/conformance/rule"
)

// An agent that removes the directory of the run costs its own rule at most, and it is told of.
func TestTheDirectoryOfTheRunIsMadeAgain(t *testing.T) {
	root := ""
	works := acting("b.works", func(c *rule.Case) {
		if dir := filepath.Dir(c.NewSession().Dir); dir != root {
			t.Errorf("the run works in %s now, not in %s", dir, root)
		}
		c.Expect(1).To(Equal(1))
	})
	works.Last = true
	r := runRules(t, correct, func(*Config) {}, acting("a.removes", func(c *rule.Case) {
		root = filepath.Dir(c.NewSession().Dir)
		if err := os.RemoveAll(root); err != nil {
			t.Error(err)
		}
		c.Expect(1).To(Equal(1))
	}), works)
	for _, o := range r.Rules {
		if o.Verdict != result.Pass {
			t.Errorf("%s: %s %s", o.ID, o.Verdict, o.Reason)
		}
	}
	if len(r.Hints) != 1 || !strings.Contains(r.Hints[0], filepath.Base(root)+", was removed while it was in use") {
		t.Errorf("hints: %q", r.Hints)
	}
	if _, err := os.Stat(root); err == nil {
		t.Error("it is still there")
	}
}
