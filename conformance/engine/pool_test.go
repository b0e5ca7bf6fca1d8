package engine

import (
	"strings"
	"sync/atomic"
	"testing"

	"github.com/acp-conform/acp-conform/conformance/rule"
)

// Rules on an agent of long lines run one after the other, whatever the number of jobs: each of them may hold many.
func TestAnAgentOfLongLinesIsJudgedByOneRuleAtATime(t *testing.T) {
	for _, c := range []struct {
		text string
		most int32
	}{{strings.Repeat("x", 2*longLine), 1}, {"x", 2}} {
		a := correct.with("initialize", `"result":{"protocolVersion":1,"agentInfo":{"name":"small","version":"1"},"agentCapabilities":{},"_meta":{"x":"`+c.text+`"}}`)
		var now, peak atomic.Int32
		both := make(chan struct{}, 2)
		var rules []rule.Rule
		for _, id := range []string{"a.one", "b.two"} {
			rules = append(rules, acting(id, func(k *rule.Case) {
				n := now.Add(1)
				peak.Store(max(n, peak.Load()))
				if both <- struct{}{}; c.most > 1 { // the other one has to come before this one goes
					for len(both) < cap(both) {
						k.Client().Call("_test/fence", nil)
					}
				}
				passes(k)
				now.Add(-1)
			}))
		}
		r := runRules(t, a, func(c *Config) { c.Jobs = 2 }, rules...)
		if got := verdicts(r); got != "a.one=pass b.two=pass" || peak.Load() != c.most {
			t.Errorf("%d bytes: %s, %d at a time", len(c.text), got, peak.Load())
		}
	}
}
