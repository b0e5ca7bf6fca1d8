package rules

import (
	"fmt"
	"strings"

	. "github.com/onsi/gomega"

	"github.com/acp-conform/acp-conform/conformance/client"
	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/wire"
)

// statusStates is https://agentclientprotocol.com/rfds/session-status#foreground-state-v2.
func statusStates() []rule.Rule {
	return []rule.Rule{
		statusStateAbsent1,
		statusStateIncluded,
		statusStateShape,
		statusStateEqualsLast,
		statusStateIdleInitial,
		statusStateUsage,
		statusStateBackground,
		statusStateAbsentWhenStored,
		statusStateRequiresAction,
	}
}

var statusStateAbsent1 = rule.Rule{
	ID:    "status.state.v1-absent",
	Title: "in version 1 an answer to session/status has no state",
	Level: rule.Must, Basis: rule.Stated, Stability: rule.Unstable, Versions: v1,
	Ref:      statusPage("foreground-state-v2"),
	Advice:   "Leave state out on connections of version 1, which has no states of the foreground.",
	Mild:     "null reads as absent",
	Occasion: rule.AgentsChoice,
	Watch: rule.EachFrame(func(l *rule.Log, r *rule.Reading) {
		if !isStatus(r) || !strings.HasPrefix(string(r.Result), "{") {
			return
		}
		l.Occasion()
		state := wire.Member(r.Result, "state")
		if state == nil {
			return
		}
		f := rule.Finding{Why: "an answer to session/status has a state, which version 1 does not know", Expected: "no member state", Found: state, Cite: r.Cite()}
		if string(state) == "null" {
			l.Soft(f)
		} else {
			l.Broken(f)
		}
	}),
}

var statusStateIncluded = rule.Rule{
	ID:    "status.state.v2-included",
	Title: "in version 2 the answer about an active session has its state",
	Level: rule.Should, Basis: rule.Stated, Stability: rule.Unstable, Versions: v2,
	Ref:      statusPage("foreground-state-v2"),
	Advice:   "Add the snapshot that you last sent as state_update, so that a client need not attach to see whether the session works or waits.",
	Occasion: rule.AgentsChoice,
	Watch: rule.EachFrame(func(l *rule.Log, r *rule.Reading) {
		if !isStatus(r) || standingOf(r) != client.Active || !issuedHere(r.Conversation, r.Session) {
			return
		}
		l.Occasion()
		if state, ok := snapshotOf(r); !ok {
			l.Broken(rule.Finding{Why: "the answer about an active session has no state", Expected: "a state", Found: state, Cite: r.Cite()})
		}
	}),
}

var statusStateShape = rule.Rule{
	ID:    "status.state.v2-shape",
	Title: "the state in an answer to session/status is a snapshot as in a state_update",
	Level: rule.Must, Basis: rule.Stated, Stability: rule.Unstable, Versions: v2,
	Ref:      statusPage("foreground-state-v2"),
	Advice:   `Write {"state": {"state": "idle"}}, or leave state out: clients drop what is not an object with a state of its own.`,
	Mild:     "the state can be read, and readers pass over the rest",
	Occasion: rule.AgentsChoice,
	Watch: rule.EachFrame(func(l *rule.Log, r *rule.Reading) {
		state, ok := snapshotOf(r)
		if !isStatus(r) || !ok {
			return
		}
		l.Occasion()
		tag, tagged := text(wire.Member(state, "state"))
		if !tagged || tag == "" {
			l.Broken(rule.Finding{Why: "the state in an answer to session/status is no snapshot", Expected: `an object with a member state, such as {"state": "idle"}`, Found: state, Cite: r.Cite()})
			return
		}
		for _, f := range owned(r, "status.state.v2-shape") { // the state counts, and readers drop what is malformed in it
			l.Soft(finding(r, f))
		}
		if update := wire.Member(state, "sessionUpdate"); update != nil {
			l.Soft(rule.Finding{Why: "the state in an answer to session/status is written as an update", Expected: "no member sessionUpdate", Found: update, Cite: r.Cite()})
		}
	}),
}

var statusStateAbsentWhenStored = rule.Rule{
	ID:    "status.state.v2-absent-when-stored",
	Title: "the answer about an inactive session has no state",
	Level: rule.Should, Basis: rule.Stated, Stability: rule.Unstable, Versions: v2,
	Ref:      statusPage("foreground-state-v2"),
	Advice:   "Leave state out for a session that is not in memory: nothing goes on in it, and idle reads as if it were there.",
	Occasion: rule.AgentsChoice,
	Watch: rule.EachFrame(func(l *rule.Log, r *rule.Reading) {
		if !isStatus(r) || standingOf(r) != client.Inactive {
			return
		}
		l.Occasion()
		state, ok := snapshotOf(r)
		if !ok {
			return
		}
		f := rule.Finding{Why: "the answer about an inactive session has a state", Expected: "no state", Found: state, Cite: r.Cite()}
		switch tag, _ := text(wire.Member(state, "state")); tag {
		case "running", "requires_action":
			f.Why = "a session is called inactive, which means that it is not in memory, and " + tag
			l.Contradiction(f)
		default:
			l.Broken(f)
		}
	}),
}

var statusStateIdleInitial = rule.Rule{
	ID:    "status.state.v2-idle-initial",
	Title: "a new session about which nothing was reported is idle",
	Level: rule.Should, Basis: rule.Stated, Stability: rule.Unstable, Versions: v2,
	Ref:    statusPage("foreground-state-v2"),
	Advice: "Report idle for a new session, or send a state_update first.",
	Needs:  statusNeeds(),
	Act: func(c *rule.Case) {
		cl := c.Client()
		mark := cl.Mark()
		s := c.NewSession()
		st := ask(c, cl, s.ID)
		cl.Fenced() // an update that overtook nothing but was on its way explains the state
		c.Require(len(statesSince(cl, s.ID, mark)) == 0, "the agent reports the state of a new session by itself")
		state := wire.Member(st.Result, "state")
		tag, ok := text(wire.Member(state, "state"))
		c.Require(ok, "the answer about a new session has no state that can be read")
		c.Expect(st.Is(tag)).NotTo(Or(Equal("running"), Equal("requires_action")), "a new session is %s, and no state_update said so", tag)
		reason, _ := text(wire.Member(state, "stopReason"))
		c.ExpectSoft(st.Is(reason)).To(BeEmpty(), "the state of a new session has a stopReason, although there was no turn")
	},
}

// statesSince are the state updates of a session behind a mark.
func statesSince(cl *client.Client, id string, m client.Mark) []client.Line {
	var got []client.Line
	for _, l := range cl.Since(m) {
		kind, _ := text(wire.Member(wire.Member(l.Params, "update"), "sessionUpdate"))
		session, _ := text(wire.Member(l.Params, "sessionId"))
		if l.Name == "session/update" && kind == "state_update" && session == id {
			got = append(got, l)
		}
	}
	return got
}

var statusStateRequiresAction = rule.Rule{
	ID:    "status.state.requires-action",
	Title: "a session that waits for the user is called so",
	Level: rule.Should, Basis: rule.Stated, Stability: rule.Unstable, Versions: v2,
	Ref:     statusPage("foreground-state-v2"),
	Advice:  "Report requires_action while all of the foreground waits for the user's answer, so that a client can bring the session to the front.",
	Prompts: 1,
	Needs:   rule.Needs{Session: true, Turn: true, Agent: statusNeeds().Agent, Stimulus: rule.Permission},
	Act: func(c *rule.Case) {
		const method = "session/request_permission"
		cl, s := c.Client(), c.NewSession()
		cl.HoldAll(method)
		turn := c.Prompt(s, rule.Permission)
		defer func() {
			jsonrpcStop(turn)
			cl.Status(s.ID) // it waits no longer; what it is now is told by the update that ended the turn
			cl.Fenced()
		}()
		asked, ok := cl.AwaitAsk(method, turn)
		c.Require(ok, "the turn asked for no permission")
		cl.Fenced()
		st := ask(c, cl, s.ID)
		c.Require(!turn.Done(), "the turn ended although the user had not answered")
		tag, ok := text(wire.Member(wire.Member(st.Result, "state"), "state"))
		c.Require(ok, "the answer about the session has no state that can be read")
		c.Expect(st.Is(tag), asked.Frame).To(Equal("requires_action"), fmt.Sprintf("the session waits for the user's permission, and is called %s", tag))
	},
}
