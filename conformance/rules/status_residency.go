package rules

import (
	"fmt"
	"time"

	"github.com/acp-conform/acp-conform/conformance/client"
	"github.com/acp-conform/acp-conform/conformance/rule"
)

var statusResidency = rule.Rule{
	ID:    "status.sidefx.residency",
	Title: "asking for the status of an idle session does not keep it in memory",
	Level: rule.Should, Basis: rule.Stated, Stability: rule.Unstable, Versions: both,
	Ref:     statusPage("contract"),
	Advice:  "Do not count a question as a use of the session when you choose which ones leave memory.",
	Prompts: 2,
	Needs:   storedNeeds(),
	Act:     residency,
}

// residency is oracle O11: a session that is asked about again and again is evicted like one that is not.
func residency(c *rule.Case) {
	after := c.Env.Profile.EvictAfter
	if after == 0 {
		c.Skip("nobody knows after what time this agent evicts a session (evictAfter)")
	}
	takes := 2 * after
	if limit := c.Env.Limit; limit > 0 {
		c.Require(takes < limit, "it takes %s to see whether a session is evicted, and a rule may take %s (--limit rule-time)", takes, limit)
	}
	left, used := evictable(c), evictable(c)
	defer c.End(left.Client())
	defer c.End(used.Client())
	for past := time.Duration(0); past < takes; past += after / 4 {
		used.Client().Rest(after / 4)
		used.Status()
	}
	alone, asked := ask(c, left.Client(), left.ID), ask(c, used.Client(), used.ID)
	c.Require(alone.Standing == client.Inactive || alone.Standing == client.Unknown, "a session that nobody asked about for %s is still called %s", takes, alone)
	c.Log.Occasion()
	if asked.Standing == client.Active {
		c.Log.Broken(rule.Finding{Why: fmt.Sprintf("a session that is asked about every %s is in memory after %s, and one that is not is evicted after %s", after/4, takes, after),
			Expected: alone.String(), Found: asked.Word, Cite: asked.Frames(), Oracle: "O11 life time", Control: "a session that nobody asked about was evicted"})
	}
}

// evictable is a session with a turn, on an agent of its own.
func evictable(c *rule.Case) *client.Session {
	home, _ := c.Env.OwnHome()
	s := c.NewSessionOn(c.ConnectAt(home))
	keep(c, s)
	return s
}
