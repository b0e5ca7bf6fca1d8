package rules

import "github.com/acp-conform/acp-conform/conformance/rule"

// terminals is https://agentclientprotocol.com/protocol/v1/terminals.
func terminals() []rule.Rule { return []rule.Rule{terminalCwdAbsolute} }

var terminalCwdAbsolute = rule.Rule{
	ID:    "terminal.cwd-absolute",
	Title: "the working directory of a terminal is an absolute path",
	Level: rule.Must, Basis: rule.Stated, Versions: v1,
	Ref:      rule.Ref{Page: "terminals", Anchor: "executing-commands"},
	Advice:   "Send an absolute cwd, or leave it out to run the command in the session's own directory.",
	Occasion: rule.AgentsChoice,
	Watch:    textRule("terminal.cwd-absolute", spot{"terminal/create", "cwd"}),
}
