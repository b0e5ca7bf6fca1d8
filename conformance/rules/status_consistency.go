package rules

import (
	"slices"
	"time"

	. "github.com/onsi/gomega"

	"github.com/acp-conform/acp-conform/conformance/client"
	"github.com/acp-conform/acp-conform/conformance/rule"
)

// statusConsistency are the rules about what session/status and other methods say of the same session, as it follows from
// https://agentclientprotocol.com/rfds/session-status and from the pages of those methods.
func statusConsistency() []rule.Rule {
	return []rule.Rule{statusOpenVsMethods, statusAfterClose, statusAfterDelete, statusErrorAcross, statusKeepsArchived, statusSubagentReadable}
}

const sandwiches = 3

var statusOpenVsMethods = rule.Rule{
	ID:    "status.consistency.open-vs-methods",
	Title: "a session that is called active takes prompts on the connection that opened it",
	Level: rule.Should, Basis: rule.Derived, Stability: rule.Unstable, Versions: both,
	Ref:     statusPage("contract"),
	Advice:  "Answer session/status from the same table in which session/prompt looks the session up.",
	Prompts: 2*sandwiches + 1,
	Needs:   statusNeeds(),
	Act: func(c *rule.Case) {
		home, _ := c.Env.OwnHome()
		cl := c.ConnectAt(home)
		c.Require(!usualAnswers(c, cl).says(client.Active), "the agent calls sessions active that do not exist")
		sandwich(c, c.NewSessionOn(cl))
		if task, ok := c.Env.Stimuli(rule.Evict, ""); ok { // what was in memory need not be there any more
			s := c.NewSessionOn(cl)
			c.Ran(c.PromptTask(s, task))
			sandwich(c, s)
		}
	},
}

// sandwich prompts a session between two questions, and does so again where they do not agree: it may leave memory between any two
// of them, but not always.
func sandwich(c *rule.Case, s *client.Session) {
	const honest = "a prompt that is taken, or another status"
	said, lies := honest, 0
	var last client.Answer
	for range sandwiches {
		before := ask(c, s.Client(), s.ID)
		last = c.Prompt(s, rule.ShortTurn).End()
		after := ask(c, s.Client(), s.ID)
		last.Beside = slices.Concat(last.Beside, before.Frames(), after.Frames())
		if last.OK() || before.Standing != client.Active || after.Standing != client.Active {
			break
		}
		c.Require(last.Code() == client.CodeNotFound, "session/prompt: %s", last)
		if lies++; lies == sandwiches {
			said = before.Word + ", and " + last.String()
		}
	}
	c.Expect(last.Is(said)).To(Equal(honest), "session/status calls a session active before and after each prompt, which is refused because the session is not there")
}

var statusAfterClose = rule.Rule{
	ID:    "status.consistency.after-close",
	Title: "a session that was closed is not active",
	Level: rule.Should, Basis: rule.Derived, Stability: rule.Unstable, Versions: both,
	Ref:     rule.Ref{Page: "session-setup", Anchor: "closing-active-sessions"},
	Advice:  "Take a session out of memory when it is closed, and answer session/status from what is there.",
	Prompts: 1,
	Needs:   statusNeeds("sessionCapabilities.close"),
	Act: func(c *rule.Case) {
		cl, s := c.Client(), activeSession(c)
		a := s.Close()
		c.Require(a.OK(), "session/close: %s", a)
		st := settles(c, cl, s.ID)
		c.Expect(st.Is(st.Standing == client.Active), a.Frames()...).To(BeFalse(), "a session was still called %s some time after it was closed", st.Word)
	},
}

// activeSession opens a session, has a turn in it where turns end, and makes sure that it is called active.
func activeSession(c *rule.Case) *client.Session {
	s := c.NewSession()
	if c.Env.Facts.Turn {
		c.Ran(c.Prompt(s, rule.ShortTurn))
	}
	st := ask(c, s.Client(), s.ID)
	c.Require(st.Standing == client.Active, "a new session is not called active: %s", st)
	return s
}

// settleTime is what an agent may take to put a session away.
const settleTime = 5 * time.Second

// settles asks about a session until it is not active any more, for as long as that may take.
func settles(c *rule.Case, cl *client.Client, id string) client.Status {
	began := time.Now()
	for range closePolls {
		st := ask(c, cl, id)
		if st.Standing != client.Active || time.Since(began) > settleTime {
			return st
		}
		cl.Fenced()
		cl.Window()
	}
	return ask(c, cl, id)
}

var statusAfterDelete = rule.Rule{
	ID:    "status.consistency.after-delete",
	Title: "a session that was deleted is not active",
	Level: rule.Should, Basis: rule.Derived, Stability: rule.Unstable, Versions: both,
	Ref:     rule.Ref{Page: "session-delete"},
	Advice:  "Forget a deleted session: answer session/status for it with -32002.",
	Prompts: 1,
	Needs:   statusNeeds("sessionCapabilities.delete"),
	Act: func(c *rule.Case) {
		cl, s := c.Client(), activeSession(c)
		c.Require(!usualAnswers(c, cl).says(client.Active), "the agent calls sessions active that do not exist")
		closed := c.Advertises("sessionCapabilities.close")
		if closed {
			a := s.Close()
			c.Require(a.OK(), "session/close: %s", a)
		}
		a := s.Delete()
		c.Require(a.OK(), "session/delete: %s", a)
		st := settles(c, cl, s.ID)
		switch {
		case st.Standing == client.Inactive:
			c.Note(st.Said(), "a deleted session is known, or the agent does not look")
		case st.Standing == client.Active && !closed: // whether that can be done at all is for the agent to say
			c.Note(st.Said(), "a session that was deleted while it was active is still called so")
		}
		c.Expect(st.Is(st.Standing == client.Active && closed), a.Frames()...).To(BeFalse(), "a session was still called %s some time after it was closed and deleted", st.Word)
	},
}

var statusErrorAcross = rule.Rule{
	ID:    "status.consistency.error-across-methods",
	Title: "other methods refuse a session that does not exist as session/status does",
	Level: rule.Should, Basis: rule.Stated, Stability: rule.Unstable, Versions: both,
	Ref:     statusPage("errors"),
	Advice:  "Use -32002 wherever a request names a session that you do not know, so that a client need not know a code for each method.",
	Prompts: 1, // an agent may run it
	Needs:   statusNeeds(),
	Act: func(c *rule.Case) {
		cl := c.Client()
		_, lazy := lazyID(c, cl)
		dir, err := cl.NewDir()
		c.Require(err == nil, "no directory could be made: %v", err)
		s := cl.Adopt(c.UnknownID(), dir)
		for _, a := range refusals(c, s, lazy) {
			if a.State == client.Met && a.Err != nil && !a.Auth() && a.Code() != client.CodeMethodNotFound {
				c.Expect(a.Is(a.Code())).To(Equal(client.CodeNotFound), "%s was answered by %s for a session that does not exist", a.Method, a)
			}
		}
		c.Require(c.Log.Occasions > 0, "no other method refused a session that does not exist")
	},
}

// refusals are the answers of other methods for a session that does not exist. What a lazy agent says to a resume is
// status.lazy.resume-then-32002, and what an agent of version 1 says to a prompt is error.resource-not-found-code.
func refusals(c *rule.Case, s *client.Session, lazy bool) []client.Answer {
	var all []client.Answer
	in := s.Client().Init
	if !lazy && in.CanResume() {
		all = append(all, s.Resume())
	}
	if !lazy && in.CanLoad() {
		all = append(all, s.Load())
	}
	if in.Version == 2 {
		all = append(all, s.Close(), c.Prompt(s, rule.ShortTurn).End())
	}
	return all
}
