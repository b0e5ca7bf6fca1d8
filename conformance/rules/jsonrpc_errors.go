package rules

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/acp-conform/acp-conform/conformance/client"
	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/wire"
	"github.com/acp-conform/acp-conform/schemas"
)

// jsonrpcErrors are the rules about errors, by https://agentclientprotocol.com/protocol/v1/overview#error-handling, and the
// one about the style of keys, by https://agentclientprotocol.com/protocol/v1/overview#conventions.
func jsonrpcErrors() []rule.Rule {
	return []rule.Rule{jsonrpcErrorShape, jsonrpcErrorCodeReservedRange, jsonrpcCamelCaseKeys}
}

// refusal tells whether the agent answers with an error in an envelope that is whole.
func refusal(r *rule.Reading) bool {
	return r.Mine() && r.Broken == wire.Whole && r.Kind == wire.Response && r.Error != nil
}

var jsonrpcErrorShape = rule.Rule{
	ID:    "jsonrpc.error-shape",
	Title: "an error has a code that is an integer and a message that is a string",
	Level: rule.Must, Basis: rule.Stated, Versions: both,
	Ref:      rule.Ref{Page: "schema", Anchor: "Error"},
	Advice:   "Write errors as {\"code\": …, \"message\": …} with an integer of 32 bits and a string; what else there is to say goes into data.",
	Occasion: rule.AgentsChoice,
	Watch: rule.EachFrame(func(l *rule.Log, r *rule.Reading) {
		if !refusal(r) {
			return
		}
		l.Occasion()
		noteLongMessage(l, r)
		for _, f := range r.ErrorSchema() {
			switch {
			case f.Problem == schemas.Internal:
				l.Fault("%s", f)
			case strings.HasPrefix(f.Path, "/data"), f.Tolerated != "":
			default:
				l.Broken(rule.Finding{Why: "an error does not have the shape of one: " + f.String(), Expected: f.Expected, Found: f.Actual, Cite: r.Cite()})
			}
		}
	}),
}

// conciseMessage is how many characters a sentence may have.
const conciseMessage = 300

// noteLongMessage notes what jsonrpc.error-message-concise asks for: it is good manners, and no breach of anything.
func noteLongMessage(l *rule.Log, r *rule.Reading) {
	message, _ := text(wire.Member(r.Error, "message"))
	switch n := utf8.RuneCountInString(message); {
	case strings.Contains(message, "\n"):
		l.Note(rule.Finding{Why: "the message of an error has several lines", Expected: "one sentence", Found: head([]byte(message)), Cite: r.Cite()})
	case n > conciseMessage:
		l.Note(rule.Finding{Why: fmt.Sprintf("the message of an error has %d characters", n), Expected: "one short sentence", Found: head([]byte(message)), Cite: r.Cite()})
	}
}

// reserved are the codes that JSON-RPC keeps for itself, and what it has defined among them. Those from -32099 to -32000 are
// free for implementations.
const reservedLowest, reservedHighest = -32768, -32100

var reservedKnown = []int{client.CodeParse, client.CodeInvalidRequest, client.CodeMethodNotFound, client.CodeInvalidParams, client.CodeInternal}

var jsonrpcErrorCodeReservedRange = rule.Rule{
	ID:    "jsonrpc.error-code-reserved-range",
	Title: "of the error codes that JSON-RPC reserves only the defined ones are used",
	Level: rule.Should, Basis: rule.Stated, Versions: both,
	Ref:      rule.Ref{Page: "json-rpc", Anchor: "error_object"},
	Advice:   "Choose codes of your own outside of -32768 to -32100: JSON-RPC may give those a meaning one day.",
	Occasion: rule.AgentsChoice,
	Watch: rule.EachFrame(func(l *rule.Log, r *rule.Reading) {
		var code int
		if !refusal(r) || json.Unmarshal(wire.Member(r.Error, "code"), &code) != nil {
			return
		}
		l.Occasion()
		if code >= reservedLowest && code <= reservedHighest && !slices.Contains(reservedKnown, code) {
			l.Broken(rule.Finding{Why: fmt.Sprintf("the error code %d is in the range that JSON-RPC reserves, and has no meaning there", code),
				Expected: "a defined code, or one outside of -32768 to -32100", Found: code, Cite: r.Cite()})
		}
	}),
}

var jsonrpcCamelCaseKeys = rule.Rule{
	ID:    "jsonrpc.camel-case-keys",
	Title: "the members of ACP's objects are named in camelCase",
	Level: rule.Must, Basis: rule.Stated, Versions: v1,
	Ref:      rule.Ref{Page: "overview", Anchor: "conventions"},
	Advice:   "Set your serialiser to camelCase: a client looks for sessionId and never sees session_id.",
	Occasion: rule.Always,
	Watch: rule.EachFrame(func(l *rule.Log, r *rule.Reading) {
		if !r.Mine() || r.Broken != wire.Whole || !r.Known || r.Part == nil {
			return
		}
		l.Occasion()
		for _, u := range r.UnknownMembers() {
			if u.Snake && !u.Inside {
				l.Broken(rule.Finding{Why: fmt.Sprintf("%s: %s/%s is %s in snake_case", what(r), u.Path, u.Key, u.Nearest),
					Expected: u.Nearest, Found: u.Key, Cite: r.Cite()})
			}
		}
	}),
}
