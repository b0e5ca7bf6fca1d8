package selftest

import (
	"cmp"
	"slices"

	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/fakeagent"
)

// Show is how a rule is seen broken: by which fault, on an agent with what else, and beside which other rule.
type Show struct {
	Fault  string
	Beside string // a rule that brings about what the other one looks at; "" = none is needed
	Others int    // further faults that break the rule
	Setting
}

// Setting is what a fault needs beside itself: an agent with some optional behaviour, and what the user says about it.
type Setting struct {
	Config  fakeagent.Config
	Profile rule.Profile
}

// SettingOf is what a fault needs beside itself to be seen; the zero value for most.
func SettingOf(fault string) Setting {
	s := settingOf(fault)
	return Setting{s.config, s.profile}
}

// aTurn is a rule in which the fake says what nobody has asked it for: many faults add something to that.
const aTurn = "prompt.reports-output"

// shown are the faults by which rules are seen broken, and what has to run beside them, where a rule that runs alone does not see the
// first of its faults.
var shown = map[string]struct{ fault, beside string }{
	"cancel.tools-finalised":             {fault: "tool-goes-on-after-cancel"},
	"content.annotations-shape":          {beside: aTurn},
	"content.base64-data":                {beside: aTurn},
	"content.block-valid":                {beside: aTurn},
	"content.mime-shape":                 {beside: aTurn},
	"content.resource-text-xor-blob":     {beside: aTurn},
	"content.uri-valid":                  {beside: aTurn},
	"ext.method-underscore":              {"unknown-request", aTurn},
	"jsonrpc.camel-case-keys":            {fault: "snake-case-session-id"},
	"message.chunk-content-valid":        {beside: aTurn},
	"message.id-boundary":                {"message-id-returns", aTurn},
	"message.id-consistent-use":          {"message-id-mixed", aTurn},
	"meta.object-or-null":                {fault: "meta-string"},
	"prompt.cancelled-only-on-cancel":    {fault: "cancelled-without-cancel"},
	"schema.agent-notification-valid":    {"update-without-session", aTurn},
	"schema.agent-result-valid":          {fault: "null-session-id"},
	"schema.integer-ranges":              {fault: "protocol-version-as-float"},
	"session-info.updated-at-iso8601":    {beside: aTurn},
	"status.response.value-vocabulary":   {fault: "status-uppercase"},
	"status.sidefx.no-load":              {fault: "status-warms-up"},
	"status.state.v2-absent-when-stored": {beside: "status.response.in-memory"},
	"status.state.v2-background":         {beside: "status.subagent.readable"},
	"status.state.v2-equals-last-update": {"status-forgets-requires-action", "status.state.requires-action"},
	"subagent.cwd-absolute":              {beside: aTurn},
	"tool-call.kind-enum":                {beside: aTurn},
	"tool-call.location-absolute":        {beside: aTurn},
	"transport.within-limits":            {beside: "init.advertised-methods-exist"},
	"update.is-notification":             {beside: aTurn},
	"update.known-variant":               {beside: aTurn},
	"update.session-known":               {"update-for-unknown-session", aTurn},
}

// ShowOf says how a rule is seen broken in a version of the protocol. It prefers a fault that needs nothing else; ok is false where no
// fault breaks the rule.
func ShowOf(protocol int, rule string) (show Show, ok bool) {
	plain, faults := settingOf("").name, breakers(protocol, rule)
	if len(faults) == 0 {
		return Show{}, false
	}
	slices.SortStableFunc(faults, func(a, b string) int {
		demanding := func(fault string) int {
			if settingOf(fault).name == plain {
				return 0
			}
			return 1
		}
		return demanding(a) - demanding(b)
	})
	fault := cmp.Or(shown[rule].fault, faults[0])
	return Show{Fault: fault, Beside: shown[rule].beside, Others: len(faults) - 1, Setting: SettingOf(fault)}, true
}

// breakers are the faults that break a rule in a version of the protocol, sorted.
func breakers(protocol int, rule string) []string {
	var names []string
	for name, e := range expectations() {
		if slices.Contains(e.in(protocol).fires(), rule) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
