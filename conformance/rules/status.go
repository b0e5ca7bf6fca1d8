package rules

import (
	"slices"

	"github.com/acp-conform/acp-conform/conformance/client"
	"github.com/acp-conform/acp-conform/conformance/rule"
)

// status is the proposal https://agentclientprotocol.com/rfds/session-status, in its order.
func status() []rule.Rule {
	return slices.Concat(
		statusCapability(),
		statusRequests(),
		statusResponses(),
		statusUnknown(),
		statusStates(),
		statusSideEffects(),
		statusCost(),
		statusConsistency(),
		statusModel(),
	)
}

// statusCapabilityPath is the marker of session/status, by its place in version 1.
const statusCapabilityPath = "sessionCapabilities.status"

// statusNeeds is what nearly every rule of session/status needs, and further capabilities.
func statusNeeds(more ...string) rule.Needs {
	return rule.Needs{Session: true, Agent: append([]string{statusCapabilityPath}, more...)}
}

// statusPage refers to a heading of the proposal.
func statusPage(anchor string) rule.Ref { return rule.Ref{Page: "rfds/session-status", Anchor: anchor} }

// ask asks for the status of a session. It ends the rule as not observed where the answer says nothing about the session for a
// reason that other rules report: there is no answer, the agent wants a login, or it does not serve what it advertises.
func ask(c *rule.Case, cl *client.Client, id string) client.Status {
	st := cl.Status(id)
	requireAnswered(c, st.Answer)
	return st
}

func requireAnswered(c *rule.Case, a client.Answer) {
	c.Require(a.State == client.Met, "session/status: %s", a)
	c.Require(!a.Auth(), "the agent asks for authentication first")
	c.Require(a.Code() != client.CodeMethodNotFound, "the agent does not serve session/status, which it advertises")
}
