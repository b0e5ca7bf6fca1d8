package rules

import (
	"maps"

	. "github.com/onsi/gomega"

	"github.com/acp-conform/acp-conform/conformance/client"
	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/wire"
)

var statusSubagentReadable = rule.Rule{
	ID:    "status.subagent.readable",
	Title: "the session of a sub-agent can be asked about while it is live",
	Level: rule.Should, Basis: rule.Stated, Stability: rule.Unstable, Versions: both,
	Ref:     rule.Ref{Page: "draft/schema", Anchor: "SubagentSessionCapabilities"},
	Advice:  "Answer session/status for the sessions that you announce in a subagent_update: they are sessions in memory.",
	Prompts: 1,
	Needs:   rule.Needs{Turn: true, Agent: statusNeeds().Agent, Stimulus: rule.Subagent},
	Act: func(c *rule.Case) {
		offers := maps.Clone(client.Everything(c.Env.Version()))
		if c.Env.Version() == 1 {
			offers["subagents"] = map[string]any{}
		}
		cl := c.ConnectWith(offers)
		s := c.NewSessionOn(cl)
		fresh := ask(c, cl, s.ID)
		c.Require(fresh.OK(), "a new session is answered by %s", fresh)
		mark := cl.Mark()
		c.Ran(c.Prompt(s, rule.Subagent))
		told, ok := liveSubagent(cl, mark)
		c.Require(ok, "no sub-agent was announced that goes on")
		child, _ := text(wire.Member(wire.Member(told.Params, "update"), "sessionId"))
		st := ask(c, cl, child)
		cl.Fenced()
		now, _ := liveSubagent(cl, mark)
		c.Require(now.Seq == told.Seq, "the sub-agent may have ended before it was asked about")
		parent := ask(c, cl, s.ID)
		c.Require(parent.Standing == client.Active, "the session of the sub-agent's parent is called %s", parent)
		c.Expect(st.Is(st.OK()), told.Frame).To(BeTrue(), "a question about the session of a live sub-agent was answered by %s", st)
		cl.Fenced()
	},
}

// liveSubagent is the last that was said of a sub-agent behind a mark, and whether it is at work by that.
func liveSubagent(cl *client.Client, m client.Mark) (client.Line, bool) {
	var last client.Line
	for _, l := range cl.Since(m) {
		kind, _ := text(wire.Member(wire.Member(l.Params, "update"), "sessionUpdate"))
		if l.Name == "session/update" && kind == "subagent_update" {
			last = l
		}
	}
	state, _ := text(wire.Member(wire.Member(wire.Member(last.Params, "update"), "state"), "state"))
	return last, last.Seq > 0 && state != "idle"
}
