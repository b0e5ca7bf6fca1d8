package rules

import (
	"strings"

	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/wire"
)

// jsonrpcFrames are the rungs of the ladder that concern the envelope, by
// https://agentclientprotocol.com/protocol/v1/overview#communication-model.
func jsonrpcFrames() []rule.Rule {
	return []rule.Rule{jsonrpcVersionField, jsonrpcEnvelopeShape, jsonrpcNoExtraEnvelopeKeys, jsonrpcAgentSendsNoBatch, jsonrpcParamsObject}
}

// whole tells whether the line is an object of the agent that got past the rungs below at.
func whole(r *rule.Reading, at wire.Rung) bool {
	return r.Mine() && (r.Broken == wire.Whole || r.Broken >= at) && !r.Array
}

var jsonrpcAgentSendsNoBatch = rule.Rule{
	ID:    "jsonrpc.agent-sends-no-batch",
	Title: "the agent sends no batches",
	Level: rule.Must, Basis: rule.Stated, Versions: both,
	Ref:      rule.Ref{Page: "schema"},
	Advice:   "Write each message on a line of its own: ACP has no batches, and clients drop arrays.",
	Occasion: rule.Always,
	Watch: rule.EachFrame(func(l *rule.Log, r *rule.Reading) {
		if !r.Mine() || r.Broken != wire.Whole && r.Broken < wire.RungObject {
			return
		}
		l.Occasion()
		if r.Array {
			l.Broken(rule.Finding{Why: "the agent wrote a JSON array", Expected: "an object", Found: head(r.Line), Cite: r.Cite()})
		}
	}),
}

var jsonrpcEnvelopeShape = rule.Rule{
	ID:    "jsonrpc.envelope-shape",
	Title: "each message is exactly one of request, notification and response",
	Level: rule.Must, Basis: rule.Stated, Versions: both,
	Ref:      rule.Ref{Page: "overview", Anchor: "error-handling"},
	Advice:   "A request has id and method, a notification method and no id, a response id and exactly one of result and error.",
	Occasion: rule.Always,
	Watch: rule.EachFrame(func(l *rule.Log, r *rule.Reading) {
		if !whole(r, wire.RungShape) || r.Scalar {
			return
		}
		l.Occasion()
		if r.Broken == wire.RungShape {
			l.Broken(rule.Finding{Why: "a message is not exactly one of request, notification and response: " + r.Why, Found: head(r.Line), Cite: r.Cite()})
		}
	}),
}

var jsonrpcVersionField = rule.Rule{
	ID:    "jsonrpc.version-field",
	Title: `every message says "jsonrpc": "2.0"`,
	Level: rule.Must, Basis: rule.Stated, Versions: both,
	Ref:      rule.Ref{Page: "overview", Anchor: "communication-model"},
	Advice:   `Put the member "jsonrpc" with the string "2.0" into every message, responses included.`,
	Occasion: rule.Always,
	Watch: rule.EachFrame(func(l *rule.Log, r *rule.Reading) {
		if !whole(r, wire.RungVersion) || r.Kind == wire.None {
			return
		}
		l.Occasion()
		if r.Broken == wire.RungVersion {
			l.Broken(rule.Finding{Why: "a message has the wrong JSON-RPC version: " + r.Why, Expected: `"jsonrpc":"2.0"`, Found: head(r.Line), Cite: r.Cite()})
		}
	}),
}

var jsonrpcNoExtraEnvelopeKeys = rule.Rule{
	ID:    "jsonrpc.no-extra-envelope-keys",
	Title: "the envelope holds no members of the agent's own",
	Level: rule.Must, Basis: rule.Stated, Versions: both,
	Ref:      rule.Ref{Page: "extensibility", Anchor: "the-_meta-field"},
	Advice:   "Put custom data under _meta inside params or result; the root of a message belongs to JSON-RPC.",
	Occasion: rule.Always,
	Watch: rule.EachFrame(func(l *rule.Log, r *rule.Reading) {
		if !whole(r, wire.RungVersion) || r.Kind == wire.None {
			return
		}
		l.Occasion()
		if len(r.Extra) > 0 {
			l.Broken(rule.Finding{Why: "a message has members at its root that JSON-RPC does not define: " + strings.Join(r.Extra, ", "),
				Expected: "only jsonrpc, id, method, params, result, error", Found: r.Extra, Cite: r.Cite()})
		}
	}),
}

var jsonrpcParamsObject = rule.Rule{
	ID:    "jsonrpc.params-object",
	Title: "params are an object",
	Level: rule.Must, Basis: rule.Stated, Versions: both,
	Ref:      rule.Ref{Page: "schema", Anchor: "AgentRequest"},
	Advice:   "All params of ACP are objects; only custom methods (with a leading underscore) may take arrays.",
	Occasion: rule.AgentsChoice,
	Watch: rule.EachFrame(func(l *rule.Log, r *rule.Reading) {
		if !whole(r, wire.RungID) || r.Params == nil || r.Name == "" {
			return
		}
		l.Occasion()
		custom := strings.HasPrefix(r.Name, "_")
		switch {
		case r.Params[0] == '{', custom && (r.Params[0] == '[' || string(r.Params) == "null"):
		case string(r.Params) == "null" && !r.Known:
		default:
			l.Broken(rule.Finding{Why: "the params of " + r.Name + " are not an object", Expected: "an object", Found: head(r.Params), Cite: r.Cite()})
		}
	}),
}
