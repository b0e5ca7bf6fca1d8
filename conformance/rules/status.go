package rules

import (
	"crypto/rand"
	"fmt"
	"slices"
	"strings"

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

// randomID is an id that no agent has given out: a random UUID.
func randomID() string {
	b := make([]byte, 16)
	_, _ = rand.Read(b)
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// mutant is an id that differs from a real one in one letter or digit, so that its form cannot give it away. It is the first one of
// the last group that is changed, and not by one: the last one of an id that is counted would make it the next session's. An id that
// is too short for that has none, and a random one stands in its place.
func mutant(id string) string {
	runes := []rune(id)
	end := len(runes)
	for end > 0 && !alphanumeric(runes[end-1]) {
		end--
	}
	begin := end
	for begin > 0 && alphanumeric(runes[begin-1]) {
		begin--
	}
	if end-begin < shortestMutant {
		return randomID()
	}
	const digits, letters = "0123456789", "abcdef"
	if i := strings.IndexRune(digits, runes[begin]); i >= 0 {
		runes[begin] = rune(digits[(i+7)%len(digits)])
	} else if i := strings.IndexRune(letters, runes[begin]); i >= 0 {
		runes[begin] = rune(letters[(i+1)%len(letters)]) // what is hexadecimal stays so
	} else if runes[begin]++; !alphanumeric(runes[begin]) {
		runes[begin] -= 2
	}
	return string(runes)
}

// shortestMutant is how long the last group of an id has to be.
const shortestMutant = 4

func alphanumeric(r rune) bool {
	return r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
}
