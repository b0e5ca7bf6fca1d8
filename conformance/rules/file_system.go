package rules

import "github.com/acp-conform/acp-conform/conformance/rule"

// fileSystem is https://agentclientprotocol.com/protocol/v1/file-system.
func fileSystem() []rule.Rule { return []rule.Rule{fsPathAbsolute} }

var fsPathAbsolute = rule.Rule{
	ID:    "fs.path-absolute",
	Title: "the client is asked for files by absolute paths",
	Level: rule.Must, Basis: rule.Stated, Versions: v1,
	Ref:      rule.Ref{Page: "overview", Anchor: "argument-requirements"},
	Advice:   "Join the path that the model names with the working directory of the session before you ask the client for it.",
	Occasion: rule.AgentsChoice,
	Watch:    textRule("fs.path-absolute", spot{"fs/read_text_file", "path"}, spot{"fs/write_text_file", "path"}),
}
