package rules

import (
	"slices"

	. "github.com/onsi/gomega"

	"github.com/acp-conform/acp-conform/conformance/client"
	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/wire"
)

// An agent that cannot look cheaply may call every session inactive that it does not have in memory, also one that does not exist:
// https://agentclientprotocol.com/rfds/session-status#contract.

// lazyID gives an id that no session has and that the agent calls inactive all the same, as it may.
func lazyID(c *rule.Case, cl *client.Client) (id string, lazy bool) {
	for range c.Env.Times(randomIDs, randomFewest) {
		if id = c.UnknownID(); ask(c, cl, id).Standing == client.Inactive {
			return id, true
		}
	}
	return "", false
}

// strangerAnswers are what the agent says about ids that nobody has given out, whatever it thinks of their look.
type strangerAnswers []client.Status

// usualAnswers asks about random ids.
func usualAnswers(c *rule.Case, cl *client.Client) strangerAnswers {
	var all strangerAnswers
	for range c.Env.Times(randomIDs, randomFewest) {
		all = append(all, ask(c, cl, c.UnknownID()))
	}
	return all
}

// has tells whether an answer says what another one says of a session that does not exist: then it says no more of its own.
func (a strangerAnswers) has(st client.Status) bool {
	return slices.ContainsFunc(a, func(o client.Status) bool {
		return o.Standing == st.Standing && o.Word == st.Word && o.Code() == st.Code()
	})
}

// says tells whether one of the answers says so.
func (a strangerAnswers) says(standing client.Standing) bool {
	return slices.ContainsFunc(a, func(o client.Status) bool { return o.Standing == standing })
}

var statusLazyResume = rule.Rule{
	ID:    "status.lazy.resume-then-32002",
	Title: "a session that was called inactive and does not exist cannot be resumed, and the error is -32002",
	Level: rule.Must, Basis: rule.Stated, Stability: rule.Unstable, Versions: both,
	Ref:      statusPage("contract"),
	Advice:   "Whoever calls every session inactive has to look on session/resume: refuse one that does not exist with -32002, and never make one.",
	Mild:     "the session was refused all the same",
	Needs:    statusNeeds(),
	Optional: true, // most agents look
	Act: func(c *rule.Case) {
		for _, st := range lazyReattach(c) {
			switch a := st.answer; {
			case a.Auth():
				c.NotObserved("the agent asks for authentication first")
			case a.State != client.Met:
				c.NotObserved("%s: %s", a.Method, a)
			case a.Err == nil:
				c.Expect(a.Is("a result"), st.called...).To(Equal("error -32002"), "%s of a session that does not exist, and that was called inactive, succeeded", a.Method)
			default:
				c.ExpectSoft(a.Is(a.Code()), st.called...).To(Equal(client.CodeNotFound), "%s of a session that does not exist, and that was called inactive, was refused with another code", a.Method)
			}
		}
	},
}

// lazyTry is what became of a session that does not exist, was called inactive and was to be started.
type lazyTry struct {
	id     string
	called []wire.Frame // the answer that called it inactive
	answer client.Answer
}

// lazyReattach resumes, and loads, sessions that do not exist and were called inactive. An agent that looks has none.
func lazyReattach(c *rule.Case) []lazyTry {
	cl := c.Client()
	c.Require(ask(c, cl, c.NewSession().ID).OK(), "the agent does not answer about a session that is there")
	var tries []lazyTry
	for _, by := range []struct {
		served bool
		start  func(*client.Session) client.Answer
	}{{cl.Init.CanResume(), (*client.Session).Resume}, {cl.Init.CanLoad(), (*client.Session).Load}} {
		if !by.served {
			continue
		}
		id, lazy := lazyID(c, cl)
		c.Require(lazy, "the agent looks whether a session exists before it calls it inactive")
		dir, err := cl.NewDir()
		c.Require(err == nil, "no directory could be made: %v", err)
		called := ask(c, cl, id)
		tries = append(tries, lazyTry{id, called.Frames(), by.start(cl.Adopt(id, dir))})
	}
	c.Require(tries != nil, "the agent can neither resume nor load a session")
	return tries
}

var statusLazyConsistent = rule.Rule{
	ID:    "status.lazy.consistent",
	Title: "a session that could not be resumed because it does not exist is not active",
	Level: rule.Should, Basis: rule.Derived, Stability: rule.Unstable, Versions: both,
	Ref:    statusPage("contract"),
	Advice: "Do not keep anything of a session that could not be resumed: it is inactive as before, or unknown now.",
	Needs:  statusNeeds(),
	Act: func(c *rule.Case) {
		cl := c.Client()
		for _, try := range lazyReattach(c) {
			c.Require(try.answer.Err != nil && !try.answer.Auth(), "%s of a session that does not exist: %s", try.answer.Method, try.answer)
			st := ask(c, cl, try.id)
			c.Expect(st.Said(), append(try.called, try.answer.Frames()...)...).NotTo(Or(Equal("active"), Equal("open")), "a session that could not be started was called %s", st.Word)
			if c.Advertises("sessionCapabilities.list") {
				rows, a, _ := cl.List()
				c.Expect(a.Is(listHas(rows, try.id)), try.answer.Frames()...).To(BeFalse(), "a session that could not be started is listed")
			}
		}
	},
}

// listHas tells whether a list has the session.
func listHas(rows []client.Row, id string) bool {
	for _, row := range rows {
		if row.ID == id {
			return true
		}
	}
	return false
}
