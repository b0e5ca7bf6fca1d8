package rules

import (
	"fmt"
	"strings"

	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/wire"
	"github.com/acp-conform/acp-conform/schemas"
)

// schema are the generic rules of shape: https://agentclientprotocol.com/protocol/v1/schema. They report only what no rule
// about the place itself owns.
func schema() []rule.Rule {
	return []rule.Rule{schemaAgentRequestValid, schemaAgentNotificationValid, schemaAgentResultValid, schemaStrictOptional, schemaIntegerRanges}
}

var schemaAgentRequestValid = rule.Rule{
	ID:    "schema.agent-request-valid",
	Title: "the params of the agent's requests fit the schema, wherever no other rule judges them",
	Level: rule.Must, Basis: rule.Stated, Versions: both,
	Ref:      rule.Ref{Page: "schema"},
	Advice:   "Build requests with the types of an SDK, or check them against the schema in your own tests.",
	Mild:     readersCope,
	Occasion: rule.AgentsChoice,
	Watch:    messageRule("schema.agent-request-valid", wire.Request),
}

var schemaAgentNotificationValid = rule.Rule{
	ID:    "schema.agent-notification-valid",
	Title: "the params of the agent's notifications fit the schema, wherever no other rule judges them",
	Level: rule.Must, Basis: rule.Stated, Versions: both,
	Ref:      rule.Ref{Page: "schema"},
	Advice:   "Build notifications with the types of an SDK, or check them against the schema in your own tests.",
	Mild:     readersCope,
	Occasion: rule.Always,
	Watch:    messageRule("schema.agent-notification-valid", wire.Notification),
}

var schemaAgentResultValid = rule.Rule{
	ID:    "schema.agent-result-valid",
	Title: "results fit the schema of the request that they answer, wherever no other rule judges them",
	Level: rule.Must, Basis: rule.Stated, Versions: both,
	Ref:      rule.Ref{Page: "schema"},
	Advice:   "Build results with the types of an SDK, or check them against the schema in your own tests; an empty result is {}.",
	Mild:     readersCope,
	Occasion: rule.Always,
	Watch: rule.EachFrame(func(l *rule.Log, r *rule.Reading) {
		if !r.Mine() || r.Broken != wire.Whole || !r.Known || r.Kind != wire.Response {
			return
		}
		l.Occasion()
		if string(r.Result) == "null" && len(schemas.Check(r.Definition, []byte("{}"))) == 0 {
			nullResult(l, r)
			return
		}
		report(l, r, "schema.agent-result-valid")
	}),
}

// messageRule makes the Watch function of a generic rule about what the agent sends by itself.
func messageRule(id string, kind wire.Kind) func() rule.Watcher {
	return rule.EachFrame(func(l *rule.Log, r *rule.Reading) {
		if !r.Mine() || r.Broken != wire.Whole || r.Kind != kind || r.Version != 0 && r.Version != r.Conversation.Edition.Protocol() {
			return
		}
		if r.Known {
			l.Occasion()
			report(l, r, id)
		} else if others := r.Conversation.Edition.Meanings(r.Method); len(others) > 0 && r.Method != "session/update" {
			l.Occasion()
			l.Broken(rule.Finding{Why: fmt.Sprintf("%s is a %s of the %s, and was sent as a %s of the agent", r.Method, others[0].Kind, others[0].Sender, kind),
				Expected: "a method that an agent may send so", Found: r.Method, Cite: r.Cite()})
		}
	})
}

// nullResult judges a null where an empty object would do: a page of the specification shows it for session/load, so it is
// no breach there and a mild one elsewhere.
func nullResult(l *rule.Log, r *rule.Reading) {
	f := rule.Finding{Why: "the result of " + r.Method + " is null", Expected: "an object, {} if it is empty", Found: r.Result, Cite: r.Cite()}
	if r.Method == "session/load" {
		l.Note(f)
		return
	}
	l.Soft(f)
}

var schemaStrictOptional = rule.Rule{
	ID:    "schema.strict-optional",
	Title: "optional members are well formed, also where tolerant readers would repair them",
	Level: rule.Should, Basis: rule.Stated, Versions: v1,
	Ref:      rule.Ref{Page: "schema"},
	Advice:   "Readers may drop or replace such a value silently: what you meant to say is lost, so send what the schema asks for.",
	Occasion: rule.Always,
	Watch:    shapeRule("schema.strict-optional", func(*rule.Reading) bool { return true }),
}

var schemaIntegerRanges = rule.Rule{
	ID:    "schema.integer-ranges",
	Title: "integers are within the range of their type and written as integers",
	Level: rule.Must, Basis: rule.Stated, Versions: both,
	Ref:      rule.Ref{Page: "schema"},
	Advice:   "Write whole numbers without a fraction or exponent and keep them in the range of the schema's format: typed readers refuse the rest.",
	Mild:     "readers that are less strict take it for the integer that it stands for, or pass over it",
	Occasion: rule.Always,
	Watch: rule.EachFrame(func(l *rule.Log, r *rule.Reading) {
		if !r.Mine() || r.Broken != wire.Whole || !r.Known {
			return
		}
		l.Occasion()
		for _, f := range owned(r, "schema.integer-ranges") {
			l.BrokenIf(f.Problem == schemas.Range && f.Tolerated == "", finding(r, f))
		}
		for _, f := range r.Schema() {
			if f.Problem == schemas.Internal {
				l.Fault("the validator failed on %s: %s", strings.ToValidUTF8(string(r.Line), "?"), f.Expected)
			}
		}
	}),
}
