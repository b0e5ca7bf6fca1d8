package rules

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/wire"
)

// elicitation is https://agentclientprotocol.com/protocol/v1/elicitation.
func elicitation() []rule.Rule { return []rule.Rule{elicitationCustomUnderscore} }

// The names that the protocol has for modes, for the properties of a form and for the items of a list in it.
var (
	elicitationModes = []string{"form", "url"}
	elicitationTypes = []string{"string", "number", "integer", "boolean", "array"}
	elicitationItems = []string{"string"}
)

var elicitationCustomUnderscore = rule.Rule{
	ID:    "elicitation.custom-underscore",
	Title: "the modes and types of an elicitation are the protocol's, or begin with an underscore",
	Level: rule.Must, Basis: rule.Stated, Versions: v1,
	Ref:      rule.Ref{Page: "schema", Anchor: "CreateElicitationRequest"},
	Advice:   "Begin modes and types of your own with an underscore: other names are kept for the protocol.",
	Mild:     openList,
	Occasion: rule.AgentsChoice,
	Soft:     true,
	Watch: rule.EachFrame(func(l *rule.Log, r *rule.Reading) {
		if !r.IsRequest() || r.Method != "elicitation/create" || r.Broken != wire.Whole || !r.Known {
			return
		}
		elicitationName(l, r, "the mode", wire.Member(r.Params, "mode"), elicitationModes)
		if mode, _ := text(wire.Member(r.Params, "mode")); mode == "form" { // what other modes bring along is their own
			elicitationForm(l, r)
		}
	}),
}

// elicitationForm judges the types of a form's properties.
func elicitationForm(l *rule.Log, r *rule.Reading) {
	var properties map[string]json.RawMessage
	_ = json.Unmarshal(wire.Member(wire.Member(r.Params, "requestedSchema"), "properties"), &properties)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		of := wire.Member(properties[name], "type")
		elicitationName(l, r, "the type of the property "+name, of, elicitationTypes)
		if kind, _ := text(of); kind == "array" {
			elicitationName(l, r, "the type of the items of the property "+name, wire.Member(wire.Member(properties[name], "items"), "type"), elicitationItems)
		}
	}
}

// elicitationName judges one name; what is missing or no string is the schema's business.
func elicitationName(l *rule.Log, r *rule.Reading, what string, raw json.RawMessage, known []string) {
	name, ok := text(raw)
	if !ok {
		return
	}
	l.Occasion()
	if !slices.Contains(known, name) && !strings.HasPrefix(name, "_") {
		l.Broken(rule.Finding{Why: fmt.Sprintf("%s is %q, which is not the protocol's and does not begin with an underscore", what, name),
			Expected: strings.Join(known, ", ") + ", or a name that begins with _", Found: name, Cite: r.Cite()})
	}
}
