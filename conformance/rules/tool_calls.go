package rules

import "github.com/acp-conform/acp-conform/conformance/rule"

// tools are https://agentclientprotocol.com/protocol/v1/tool-calls.
func tools() []rule.Rule {
	return []rule.Rule{toolCallDiffAbsolutePath, toolCallLocationAbsolute}
}

// toolCallSpots are where a tool call tells something: where it is announced, updated, and shown to ask for permission.
func toolCallSpots(path string) []spot {
	return []spot{{"tool_call", path}, {"tool_call_update", path}, {"session/request_permission", "toolCall." + path}}
}

var toolCallDiffAbsolutePath = rule.Rule{
	ID:    "tool-call.diff-absolute-path",
	Title: "a diff names its file by an absolute path",
	Level: rule.Must, Basis: rule.Stated, Versions: v1,
	Ref:      rule.Ref{Page: "tool-calls", Anchor: "diffs"},
	Advice:   "Resolve the path of a diff against the working directory of the session before you send it; it is a path, not a URI.",
	Occasion: rule.AgentsChoice,
	Watch:    textRule("tool-call.diff-absolute-path", toolCallSpots("content.*.path")...), // of all content, only a diff has a path
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
