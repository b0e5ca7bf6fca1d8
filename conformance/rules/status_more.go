package rules

import (
	"maps"

	. "github.com/onsi/gomega"

	"github.com/acp-conform/acp-conform/conformance/client"
	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/wire"
)

var statusKeepsArchived = rule.Rule{
	ID:    "status.archive.keeps-archived",
	Title: "an archived session that is asked about stays archived",
	Level: rule.Must, Basis: rule.Stated, Stability: rule.Unstable, Versions: both,
	Ref:     statusPage("contract"),
	Advice:  "Do not take a question for use: only session/unarchive brings a session back into the list.",
	Prompts: 2,
	Needs:   statusNeeds("sessionCapabilities.archive", "sessionCapabilities.list"),
	// An agent need not archive.
	Optional: true,
	Act: func(c *rule.Case) {
		cl := c.Client()
		probed, other := archived(c, cl), archived(c, cl)
		in := func() (bool, bool) { return archivedNow(c, cl, probed), archivedNow(c, cl, other) }
		for range closePolls { // a list may be late
			if a, b := in(); a && b {
				break
			}
			cl.Window()
		}
		a, b := in()
		c.Require(a && b, "a session that was archived is not listed as such")
		st := ask(c, cl, probed.ID)
		for range probes - 1 {
			st = ask(c, cl, probed.ID)
		}
		cl.Fenced()
		cl.Window()
		is, control := in()
		if !is && control { // once more: a list may have been made in the middle of something
			cl.Window()
			is, control = in()
		}
		c.Require(control, "a session that nobody asked about is not listed as archived any more")
		c.Expect(st.Is(is)).To(BeTrue(), "an archived session was not archived any more when it had been asked about")
	},
}

// archived makes a session, with a turn in it where turns end, and archives it.
func archived(c *rule.Case, cl *client.Client) *client.Session {
	s := c.NewSessionOn(cl)
	if c.Env.Facts.Turn {
		c.Ran(c.Prompt(s, rule.ShortTurn))
	}
	a := cl.Checked("session/archive", client.StatusParams(s.ID))
	c.Require(a.OK(), "session/archive: %s", a)
	return s
}

// archivedNow tells whether the list of the archived sessions has a session, and the other list has it not.
func archivedNow(c *rule.Case, cl *client.Client, s *client.Session) bool {
	only, a, ok := cl.ListWith(map[string]any{"archived": "only"})
	c.Require(ok, "session/list of the archived sessions: %s", a)
	rest, a, ok := cl.ListWith(map[string]any{"archived": "exclude"})
	c.Require(ok, "session/list of the other sessions: %s", a)
	return listHas(only, s.ID) && !listHas(rest, s.ID)
}

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
