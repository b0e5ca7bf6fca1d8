package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/selftest"
	"github.com/acp-conform/acp-conform/fakeagent"
)

// configName is how the examples call the file of --config.
const configName = "acp-conform.yaml"

// showOf is what shows a rule broken, in the first version that has the rule.
func showOf(r rule.Rule) (show selftest.Show, version int, ok bool) {
	version = defaultProtocol
	if !r.For(version) {
		version = 2
	}
	show, ok = selftest.ShowOf(version, r.ID)
	return show, version, ok
}

// see shows a command by which the rule is seen broken, and what it needs.
func (p *program) see(r rule.Rule) {
	show, version, ok := showOf(r)
	if !ok {
		return
	}
	rules := r.ID
	if show.Beside != "" {
		rules += "," + show.Beside
	}
	more := ""
	if show.Others > 0 {
		more = " (and " + counted(show.Others, "other fault") + ")"
	}
	p.about("see it", settingLine(version, "--rules "+rules, show.Setting, "--fault "+show.Fault)+more)
	p.configured(show.Profile)
}

// protocolFlag is what a run needs that is to have the rule.
func protocolFlag(r rule.Rule) string {
	if r.For(defaultProtocol) {
		return ""
	}
	return " --protocol 2"
}

// runFault shows a command by which the fault, or the variant, is seen, and what it needs.
func (p *program) runFault(kind string, f fakeagent.Fault) {
	version := defaultProtocol
	if !slices.Contains(f.Protocols, version) {
		version = 2
	}
	set, agent := selftest.SettingOf(f.Name), "--"+kind+" "+f.Name
	if f.Process && strings.HasPrefix(f.Name, "status-") {
		agent = "--store sessions " + agent // a process keeps sessions nowhere else, and there is nothing to ask about without any
	}
	p.about("run it", settingLine(version, "", set, agent))
	p.configured(set.Profile)
}

// settingLine is a command that judges the fake agent in a setting. The last words are those of the agent.
func settingLine(version int, flags string, set selftest.Setting, agent string) string {
	words := []string{programName}
	if version != defaultProtocol {
		words = append(words, fmt.Sprintf("--protocol %d", version))
	}
	if flags != "" {
		words = append(words, flags)
	}
	if len(profileLines(set.Profile)) > 0 {
		words = append(words, "--config "+configName)
	}
	words = append(words, fakeName)
	for _, v := range set.Config.Variants {
		words = append(words, "--variant "+v)
	}
	if set.Config.EvictAfter != 0 {
		words = append(words, "--evict-after "+set.Config.EvictAfter.String())
	}
	return strings.Join(append(words, agent), " ")
}

// configured shows what a configuration file has to say.
func (p *program) configured(f rule.Profile) {
	if lines := profileLines(f); len(lines) > 0 {
		p.about("with", "a file "+configName+" that says")
		for _, l := range lines {
			p.about("", l)
		}
	}
}

// profileLines are the lines of a configuration file, of the members that the settings of faults need.
func profileLines(f rule.Profile) []string {
	var lines []string
	if f.ProbeUnadvertised {
		lines = append(lines, "probeUnadvertised: true")
	}
	if f.EvictAfter != 0 {
		lines = append(lines, "evictAfter: "+f.EvictAfter.String())
	}
	if f.SharedStore {
		lines = append(lines, "sharedStore: true")
	}
	return lines
}
