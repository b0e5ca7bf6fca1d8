package rules

import (
	"encoding/json"
	"fmt"
	"strings"

	. "github.com/onsi/gomega"

	"github.com/acp-conform/acp-conform/conformance/client"
	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/wire"
)

// statusCapability is https://agentclientprotocol.com/rfds/session-status#capability: how the method is advertised, and what becomes
// of it where it is not, or not yet.
func statusCapability() []rule.Rule {
	return []rule.Rule{statusCapabilityPath1, statusCapabilityPath2, statusMarkerShape, statusUnsupported, statusBeforeInit}
}

// markerPlaces are where agents put the marker, each the right place in one version or in none. A member called status that
// belongs to something else, such as a login, is no marker.
var markerPlaces = []string{
	"agentCapabilities.sessionCapabilities.status",
	"capabilities.session.status",
	"agentCapabilities.session.status",
	"agentCapabilities.status",
	"capabilities.sessionCapabilities.status",
	"capabilities.status",
	"sessionCapabilities.status",
	"session.status",
}

// markerPlace is the right place of the marker in a version.
func markerPlace(version int) string { return markerPlaces[version-1] }

// markerAt is what stands at a place of the answer to initialize.
func markerAt(result json.RawMessage, place string) json.RawMessage {
	for _, name := range strings.Split(place, ".") {
		result = wire.Member(result, name)
	}
	return result
}

var statusCapabilityPath1 = rule.Rule{
	ID:    "status.capability.path-v1",
	Title: "session/status is advertised in version 1 as status in the sessionCapabilities of the agent",
	Level: rule.Must, Basis: rule.Stated, Stability: rule.Unstable, Versions: v1,
	Ref:      statusPage("capability"),
	Advice:   "Write agentCapabilities.sessionCapabilities.status as {}: clients look for it there and nowhere else.",
	Mild:     markerMisleadsNobody,
	Occasion: rule.AgentsChoice,
	Watch:    markerRule(1),
}

var statusCapabilityPath2 = rule.Rule{
	ID:    "status.capability.path-v2",
	Title: "session/status is advertised in version 2 as status in the session capabilities of the agent",
	Level: rule.Must, Basis: rule.Stated, Stability: rule.Unstable, Versions: v2,
	Ref:      statusPage("capability"),
	Advice:   "Write capabilities.session.status as {}: clients of version 2 look for it there and nowhere else.",
	Mild:     markerMisleadsNobody,
	Occasion: rule.AgentsChoice,
	Watch:    markerRule(2),
}

// markerRule makes the Watch function of a rule about the place of the marker. A misplaced one misleads nobody but its author, so
// it warns.
func markerRule(version int) func() rule.Watcher {
	return rule.EachFrame(func(l *rule.Log, r *rule.Reading) {
		if !r.IsResult("initialize") || r.Version != version {
			return
		}
		for _, place := range markerPlaces {
			marker := markerAt(r.Result, place)
			right := place == markerPlace(version)
			if marker == nil || !right && !strings.HasPrefix(string(marker), "{") {
				continue
			}
			l.Occasion()
			if !right {
				l.Soft(rule.Finding{Why: fmt.Sprintf("a misplaced marker: session/status is advertised at %s, where version %d does not have it", place, version),
					Expected: markerPlace(version), Found: place, Cite: r.Cite()})
			}
		}
	})
}

var statusMarkerShape = rule.Rule{
	ID:    "status.capability.marker-shape",
	Title: "the capability of session/status is an object",
	Level: rule.Must, Basis: rule.Stated, Stability: rule.Unstable, Versions: both,
	Ref:      statusPage("capability"),
	Advice:   "Write the capability as {}: clients take true, a string or a list for not supported, and never ask.",
	Mild:     "clients take it for a method that is not supported, and do not ask",
	Occasion: rule.AgentsChoice,
	Watch: rule.EachFrame(func(l *rule.Log, r *rule.Reading) {
		if !r.IsResult("initialize") || r.Version != 1 && r.Version != 2 {
			return
		}
		marker := string(markerAt(r.Result, markerPlace(r.Version)))
		if marker == "" {
			return
		}
		l.Occasion()
		if marker != "null" && marker[0] != '{' {
			l.Soft(rule.Finding{Why: "the capability of session/status is no object, which means that the method is not supported",
				Expected: "{}, or null or nothing where the method is not served", Found: marker, Cite: r.Cite()})
		}
	}),
}

var statusUnsupported = rule.Rule{
	ID:    "status.unsupported.method-not-found",
	Title: "an agent that does not advertise session/status refuses it",
	Level: rule.Should, Basis: rule.Stated, Stability: rule.Unstable, Versions: both,
	Ref:        rule.Ref{Page: "schema", Anchor: "ErrorCode"},
	Advice:     "Answer a method that you do not serve with -32601, as any other unknown method.",
	Robustness: true,
	Needs:      rule.Needs{Session: true},
	Act: func(c *rule.Case) {
		if c.Advertises(statusCapabilityPath) {
			c.Skip("the agent advertises %s", statusCapabilityPath)
		}
		if !c.Env.Profile.ProbeUnadvertised {
			c.Skip("the agent does not advertise %s, and the configuration does not allow to call it all the same (probeUnadvertised)", statusCapabilityPath)
		}
		a := c.Client().Call("session/status", client.StatusParams(c.NewSession().ID))
		c.Require(!a.Auth(), "the agent asks for authentication first")
		if a.OK() {
			c.Note(a.Is(a.String()), "the agent serves session/status without advertising it")
		}
		c.Expect(a.Is(a.State == client.Met)).To(BeTrue(), "session/status, which the agent does not advertise, was never answered: %s", a.Why)
	},
}

var statusBeforeInit = rule.Rule{
	ID:    "status.before-init",
	Title: "session/status is refused before initialize",
	Level: rule.Must, Basis: rule.Stated, Stability: rule.Unstable, Versions: both,
	Ref:        rule.Ref{Page: "initialization"},
	Advice:     "Refuse every request but initialize until a version has been agreed on: before that nobody knows what an answer means.",
	Mild:       "it is the client that has to begin with initialize",
	Robustness: true,
	Needs:      statusNeeds(),
	Act: func(c *rule.Case) {
		cl := c.Dial()
		l, state, why := jsonrpcAsk(c, cl, "session/status", string(rule.JSON(client.StatusParams(c.UnknownID()))))
		c.Require(!cl.Gone(), "the agent ended when it was asked before initialize: %s", why)
		said := "no answer"
		if state == client.Met {
			said = jsonrpcSaid(l)
		}
		// It is the client that has to begin with initialize, so what an agent makes of it is no breach of the agent's.
		c.ExpectSoft(l.Error != nil, l.Frame).To(BeTrue(), "session/status before initialize was not refused: %s", said)
	},
}
