package rules

import "github.com/acp-conform/acp-conform/conformance/rule"

// configOptions is https://agentclientprotocol.com/protocol/v1/session-config-options.
func configOptions() []rule.Rule { return []rule.Rule{configCategoryCustomUnderscore} }

var configCategoryCustomUnderscore = rule.Rule{
	ID:    "config.category-custom-underscore",
	Title: "the category of a configuration option is one of the protocol's, or begins with an underscore",
	Level: rule.Must, Basis: rule.Stated, Versions: v1,
	Ref:      rule.Ref{Page: "session-config-options", Anchor: "option-categories"},
	Advice:   "Begin a category of your own with an underscore, or leave it out: other names are kept for the protocol.",
	Mild:     openList,
	Occasion: rule.AgentsChoice,
	Soft:     true,
	Watch: textRule("config.category-custom-underscore",
		spot{"session/new", "configOptions.*.category"}, spot{"session/load", "configOptions.*.category"},
		spot{"session/resume", "configOptions.*.category"}, spot{"session/fork", "configOptions.*.category"},
		spot{"session/set_config_option", "configOptions.*.category"}, spot{"config_option_update", "configOptions.*.category"}),
}
