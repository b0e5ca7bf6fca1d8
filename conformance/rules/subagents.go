package rules

import "github.com/acp-conform/acp-conform/conformance/rule"

// subagents is https://agentclientprotocol.com/protocol/v1/draft/schema#subagentupdate.
func subagents() []rule.Rule { return []rule.Rule{subagentCwdAbsolute} }

var subagentCwdAbsolute = rule.Rule{
	ID:    "subagent.cwd-absolute",
	Title: "the directories of a subagent are absolute paths",
	Level: rule.Must, Basis: rule.Stated, Stability: rule.Unstable, Versions: v1,
	Ref:      rule.Ref{Page: "draft/schema", Anchor: "SubagentUpdate"},
	Advice:   "Send cwd and additionalDirectories of a subagent as absolute paths, or leave them out.",
	Occasion: rule.AgentsChoice,
	Watch:    textRule("subagent.cwd-absolute", spot{"subagent_update", "cwd"}, spot{"subagent_update", "additionalDirectories.*"}),
}
