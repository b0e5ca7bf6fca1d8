package selftest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/acp-conform/acp-conform/conformance/engine"
	"github.com/acp-conform/acp-conform/conformance/result"
	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/rules"
	"github.com/acp-conform/acp-conform/fakeagent"
)

// statusRuns are the agents on which the rules of session/status are shown to pass, each in both versions.
var statusRuns = []setting{
	{name: "plain"},
	{name: "other words", config: fakeagent.Config{StatusVocabulary: "open"}},
	{name: "lazy", config: fakeagent.Config{Variants: []string{"status-lazy"}}},
	{name: "lazy, other words", config: fakeagent.Config{Variants: []string{"status-lazy"}, StatusVocabulary: "open"}},
	{name: "without the marker", config: fakeagent.Config{Without: []string{"sessionCapabilities.status"}}},
	settingNamed("evicting"),
	{name: "without the marker, asking all the same", config: fakeagent.Config{Without: []string{"sessionCapabilities.status"}}, profile: rule.Profile{ProbeUnadvertised: true}},
	settingNamed("archiving"),
	settingNamed("before a login"),
	settingNamed("sharing a store"),
}

func settingNamed(name string) setting {
	for _, s := range settings {
		if s.name == name {
			return s.setting
		}
	}
	panic("no setting is called " + name)
}

// statusReasons is the written list: why a rule of session/status need not pass in a run. The run may be any ("") or one that begins
// with the words, the rule may end in a star, and the reason is the beginning of the one that the report gives.
var statusReasons = []struct{ run, rule, reason string }{
	{"without", "status.*", "the agent does not advertise sessionCapabilities.status"},
	{"without", "status.*", "the agent offered no occasion"},
	{"before a login", "status.*", "the agent asks for authentication first"},
	{"before a login", "status.*", "the agent offered no occasion"},
	{"", "status.unsupported.method-not-found", "the agent advertises sessionCapabilities.status"},
	{"", "status.unsupported.method-not-found", "nobody allows requests"},
	{"", "status.lazy.*", "the agent looks whether a session exists before it calls it inactive"},
	{"lazy", "status.unknown.error-data", "session/status was answered by no error -32002"},
	{"lazy", "status.unknown.not-a-result", "the agent calls every session inactive that does not exist"},
	{"lazy", "status.consistency.error-across-methods", "no other method refused a session that does not exist"},
	{"evicting", "status.*", ""}, // a session may be gone before a rule is done with it
	{"", "status.sidefx.residency", "nobody knows after what time this agent evicts a session"},
	{"", "status.sidefx.auth", "the agent asks for no login"},
	{"", "status.archive.keeps-archived", "the agent does not advertise sessionCapabilities.archive"},
	{"", "status.sidefx.no-mcp-start", "O7 MCP canary: a resume that names no MCP servers starts none"},
}

// Over these runs each rule passes at least once, none fails, warns or errs, and what does not pass has a reason in the list.
func TestStatusRules(t *testing.T) {
	chosen, err := engine.Select(rules.All(), []string{"status.*"})
	if err != nil {
		t.Fatal(err)
	}
	tr := &trial{Options: Options{Rules: chosen, Self: self(), Canary: canaryCommand()}, dir: t.TempDir()}
	passed := map[string]bool{}
	for i, set := range statusRuns {
		if raced && i > 0 {
			return // one is enough to find races
		}
		for _, protocol := range []int{1, 2} {
			t.Run(fmt.Sprintf("%s, version %d", set.name, protocol), func(t *testing.T) {
				run, err := tr.run(t.Context(), "", set, protocol, tr.launcher(set.config, false, nil), false, tr.rules(protocol), 0)
				if err != nil {
					t.Fatal(err)
				}
				for _, o := range run.Rules {
					passed[o.ID] = passed[o.ID] || o.Verdict == result.Pass
					if o.Verdict != result.Pass && !excused(set.name, o) {
						t.Errorf("%s: %s %s", o.ID, o.Verdict, o.Reason)
					}
				}
			})
		}
	}
	for _, r := range chosen {
		if !passed[r.ID] {
			t.Errorf("%s passes in no run", r.ID)
		}
	}
}

func excused(run string, o result.Outcome) bool {
	if o.Verdict != result.Skipped && o.Verdict != result.NotObserved {
		return false
	}
	for _, x := range statusReasons {
		prefix, star := strings.CutSuffix(x.rule, "*")
		if strings.HasPrefix(run, x.run) && strings.HasPrefix(o.Reason, x.reason) && (o.ID == x.rule || star && strings.HasPrefix(o.ID, prefix)) {
			return true
		}
	}
	return false
}
