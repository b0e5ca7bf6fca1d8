package rules

import (
	. "github.com/onsi/gomega"

	"github.com/acp-conform/acp-conform/conformance/client"
	"github.com/acp-conform/acp-conform/conformance/rule"
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
		for range probes(c) - 1 {
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
