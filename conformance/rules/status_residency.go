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
	lived := func(every time.Duration) client.Status {
		home, _ := c.Env.OwnHome()
		cl := c.ConnectAt(home)
		defer c.End(cl)
		s := c.NewSessionOn(cl)
		keep(c, s)
		for past := time.Duration(0); past < 2*after; past += every {
			cl.Rest(every)
			if every < after {
				s.Status()
			}
		}
		return ask(c, cl, s.ID)
	}
	alone := lived(2 * after)
	c.Require(alone.Standing == client.Inactive || alone.Standing == client.Unknown, "a session that nobody asked about for %s is still called %s", 2*after, alone)
	asked := lived(after / 4)
	c.Log.Occasion()
	if asked.Standing == client.Active {
		c.Log.Broken(rule.Finding{Why: fmt.Sprintf("a session that is asked about every %s is in memory after %s, and one that is not is evicted after %s", after/4, 2*after, after),
			Expected: alone.String(), Found: asked.Word, Cite: asked.Frames(), Oracle: "O11 life time", Control: "a session that nobody asked about was evicted"})
	}
}
