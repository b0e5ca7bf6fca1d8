package selftest

import (
	"context"
	"slices"
	"strings"

	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/fakeagent"
)

// legalAgent is an agent that differs from the default and keeps every rule.
type legalAgent struct {
	fakeagent.Fault // what differs; nothing is known where a capability is left out
	name            string
	config          fakeagent.Config
	protocol        int
}

// legal are the variants, and the agents that lack one optional capability.
func legal() []legalAgent {
	var all []legalAgent
	for _, v := range fakeagent.Variants() {
		for _, protocol := range v.Protocols {
			all = append(all, legalAgent{v, v.Name, fakeagent.Config{Variants: []string{v.Name}}, protocol})
		}
	}
	for _, c := range fakeagent.Capabilities() {
		versions := []int{1, 2}
		for _, protocol := range versions {
			all = append(all, legalAgent{fakeagent.Fault{Protocols: versions}, "without " + c, fakeagent.Config{Without: []string{c}}, protocol})
		}
	}
	return all
}

func (t *trial) variant(ctx context.Context, v legalAgent) (VariantReport, error) {
	rep := VariantReport{Name: v.name, Protocol: v.protocol, OK: true}
	chosen, err := t.chosen()
	if err != nil {
		return rep, err
	}
	chosen = slices.DeleteFunc(slices.Clone(chosen), func(r rule.Rule) bool { return !r.For(v.protocol) })
	set := settingOf(v.name)
	set.config.Variants, set.config.Without = append(slices.Clone(set.config.Variants), v.config.Variants...), append(slices.Clone(set.config.Without), v.config.Without...)
	base, err := t.baseline(ctx, set, v.protocol)
	if err != nil {
		return rep, err
	}
	for _, some := range t.attempts(base, v, chosen) {
		run, err := t.run(ctx, v.name, set, v.protocol, t.launcher(set.config, v.Process, nil), v.Process, some.rules, some.sequences)
		if err != nil {
			return rep, err
		}
		if some.again && run.Survey != base.surveyOf(run) {
			continue // rules that have nothing to do with the variant find another agent
		}
		fired, _, errs := base.compare(run)
		rep.Upset = append(fired, errs...)
		break
	}
	rep.OK = len(rep.Upset) == 0
	return rep, nil
}

// attempt are rules to try a legal variant on.
type attempt struct {
	rules     []rule.Rule
	sequences int
	again     bool // a run whose survey differs from the clean one is not enough
}

// wholly tells whether a variant is tried on the costly rules as well: once, in the first of the versions that it exists in, and only
// if it is one of this area, which no kind of prompt is. Those exist in both versions, or in the second.
func (v legalAgent) wholly() bool {
	return v.protocol == v.Protocols[0] && !slices.Equal(v.Protocols, []int{1}) && !strings.Contains(v.name, "promptCapabilities")
}

// opens tells whether a variant has to do with how sessions are kept, listed and opened, and so with when their MCP servers start, each
// of which is a process.
func (v legalAgent) opens() bool {
	return v.Break == nil || slices.ContainsFunc(v.Replaces(), func(b string) bool {
		return slices.Contains([]string{"Start", "Age", "Keeps", "Archives", "Locks", "Load", "Resume", "PromptUnknown", "Servers", "SessionInfo"}, b)
	})
}

// attempts are those for a variant: where not the whole table is tried, the rules that have to do with what it replaces.
func (t *trial) attempts(base *baseline, v legalAgent, chosen []rule.Rule) []attempt {
	if t.Full {
		return []attempt{{rules: chosen}}
	}
	switch {
	case t.alone() && v.wholly() && v.opens():
		chosen = cheaper(chosen, timing)
	case t.alone() && v.wholly():
		chosen = cheaper(chosen, func(id string) bool { return timing(id) || id == "status.sidefx.no-mcp-start" })
	case t.alone():
		chosen = cheaper(chosen, costly)
	}
	if v.Break == nil || v.Process {
		return []attempt{{rules: chosen, sequences: fewSequences}}
	}
	return []attempt{{base.concerned(chosen, v.Fault), fewSequences, true}, {rules: chosen, sequences: fewSequences}}
}
