package rules

import (
	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/wire"
)

// tools are https://agentclientprotocol.com/protocol/v1/tool-calls.
func tools() []rule.Rule {
	return []rule.Rule{toolCallKindEnum, toolCallStatusEnum, toolCallDiffAbsolutePath, toolCallLocationAbsolute}
}

// toolCallSpots are where a tool call tells something: where it is announced, updated, and shown to ask for permission.
func toolCallSpots(path string) []spot {
	return []spot{{"tool_call", path}, {"tool_call_update", path}, {"session/request_permission", "toolCall." + path}}
}

var toolCallKindEnum = rule.Rule{
	ID:    "tool-call.kind-enum",
	Title: "the kind of a tool call is one of the protocol's",
	Level: rule.Must, Basis: rule.Stated, Versions: v1,
	Ref:      rule.Ref{Page: "schema", Anchor: "ToolKind"},
	Advice:   "Choose a kind from the list, other if none fits: a client takes any other word for other, and shows the wrong icon.",
	Occasion: rule.AgentsChoice,
	Watch:    enumRule("tool-call.kind-enum", "kind"),
}

var toolCallStatusEnum = rule.Rule{
	ID:    "tool-call.status-enum",
	Title: "the status of a tool call is one of the protocol's",
	Level: rule.Must, Basis: rule.Stated, Versions: v1,
	Ref:      rule.Ref{Page: "schema", Anchor: "ToolCallStatus"},
	Advice:   "Say pending, in_progress, completed or failed; a call that was cancelled has failed.",
	Occasion: rule.AgentsChoice,
	Watch:    enumRule("tool-call.status-enum", "status"),
}

// enumRule makes the Watch function of a rule about one member of a tool call, wherever one is told of.
func enumRule(id, member string) func() rule.Watcher {
	return rule.EachFrame(func(l *rule.Log, r *rule.Reading) {
		call := r.Body
		if r.Method == "session/request_permission" {
			call = wire.Member(r.Params, "toolCall")
		}
		if !r.Mine() || r.Broken != wire.Whole || !r.Known || wire.Member(call, member) == nil {
			return
		}
		l.Occasion()
		report(l, r, id)
	})
}

var toolCallDiffAbsolutePath = rule.Rule{
	ID:    "tool-call.diff-absolute-path",
	Title: "a diff names its file by an absolute path",
	Level: rule.Must, Basis: rule.Stated, Versions: v1,
	Ref:      rule.Ref{Page: "tool-calls", Anchor: "diffs"},
	Advice:   "Resolve the path of a diff against the working directory of the session before you send it; it is a path, not a URI.",
	Occasion: rule.AgentsChoice,
	Watch:    textRule("tool-call.diff-absolute-path", toolCallSpots("content.*diff.path")...),
}

var toolCallLocationAbsolute = rule.Rule{
	ID:    "tool-call.location-absolute",
	Title: "the locations of a tool call are absolute paths",
	Level: rule.Must, Basis: rule.Stated, Versions: v1,
	Ref:      rule.Ref{Page: "tool-calls", Anchor: "following-the-agent"},
	Advice:   "Resolve each location against the working directory of the session: a client that follows the agent opens the path as it is.",
	Occasion: rule.AgentsChoice,
	Watch:    textRule("tool-call.location-absolute", toolCallSpots("locations.*.path")...),
}
