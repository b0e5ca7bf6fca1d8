package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/selftest"
	"github.com/acp-conform/acp-conform/fakeagent"
)

func (p *program) explainCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "explain NAME",
		Short:   "Tell all about one rule, fault or variant, or list the rules of an area",
		Example: "  acp-conform explain transport.utf8\n  acp-conform explain transport",
		Args:    oneName,
		RunE:    func(c *cobra.Command, args []string) error { return p.explain(c.Context(), args[0]) },
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return explainable(), cobra.ShellCompDirectiveNoFileComp
		},
	}
}

func oneName(_ *cobra.Command, args []string) error {
	switch len(args) {
	case 0:
		return fmt.Errorf("explain what? Name a rule, an area, a fault or a variant, such as `%[1]s explain transport.utf8`; `%[1]s rules` and `%[1]s faults` list them", programName)
	case 1:
		return nil
	}
	return fmt.Errorf("explain takes one name, but %d were given", len(args))
}

// explainable lists everything that has an explanation.
func explainable() []string {
	names := ruleNames()
	return append(append(append(names, namesOf(everyFault())...), namesOf(everyVariant())...), namesOf(fakeagent.InputFaults())...)
}

func (p *program) explain(ctx context.Context, name string) error {
	for _, r := range everyRule() {
		if r.ID == name {
			p.explainRule(r)
			p.lines(ctx, r, exampleTime)
			return nil
		}
	}
	if p.listArea(name) {
		return nil
	}
	for flag, table := range map[string][]fakeagent.Fault{"fault": everyFault(), "variant": everyVariant()} {
		for _, f := range table {
			if f.Name == name {
				p.explainFault(flag, f)
				return nil
			}
		}
	}
	for _, f := range fakeagent.InputFaults() {
		if f.Name == name {
			p.printf("%s\n  a fault of the fake agent that only unusual input shows: it %s\n\n", f.Name, f.Description)
			p.about("protocols", versions(f.Protocols))
			p.about("see it", programName+" fuzz "+fakeName+" --fault "+f.Name)
			return nil
		}
	}
	hint := ""
	if near, ok := nearest(name, explainable()); ok {
		hint = fmt.Sprintf(" (did you mean %q?)", near)
	}
	return fmt.Errorf("no rule, area, fault or variant is called %q%s; `%s rules` and `%s faults` list them", name, hint, programName, programName)
}

func (p *program) explainRule(r rule.Rule) {
	if r.Binds() == rule.Client {
		p.explainClientRule(r)
		return
	}
	p.printf("%s\n  %s\n\n", r.ID, r.Title)
	p.about("level", strengthOf(r))
	p.about("stability", stability(r))
	p.about("protocols", versions(r.Versions))
	p.about("how", howOf(r))
	p.about("needs", needsOf(r))
	if r.Prompts > 0 {
		p.about("prompts", fmt.Sprintf("at most %d", r.Prompts))
	}
	if r.Robustness {
		p.about("input", "it sends what a conforming client would not send; --pure leaves it out")
	}
	if r.Owed() {
		p.about("owed", "any agent offers an occasion: a run that saw none is incomplete")
	}
	p.about("reference", r.Ref.URL())
	p.about("advice", r.Advice)
	p.about("run it", programName+" --rules "+r.ID+protocolFlag(r)+" ./my-agent")
	p.see(r)
}

func (p *program) about(name, text string) {
	if text != "" {
		p.printf("  %-10s %s\n", name, text)
	}
}

func strengthOf(r rule.Rule) string {
	consequence := "a breach warns"
	if r.Fails() {
		consequence = "a clear breach fails the agent; what is lenient or uncertain only warns"
	}
	basis := map[rule.Basis]string{
		rule.Stated:  "stated by the specification",
		rule.Implied: "implied by a shape, an order or a diagram of the specification",
		rule.Derived: "derived from another document",
		rule.RFD:     "only proposed so far",
	}[r.Basis]
	return fmt.Sprintf("%s, %s: %s", r.Level, basis, consequence)
}

func howOf(r rule.Rule) string {
	if r.Act != nil {
		return "acts: says something to the agent and looks at the reply"
	}
	if r.Occasion == rule.AgentsChoice {
		return "watches all conversations of the run; only some agents ever offer an occasion"
	}
	return "watches all conversations of the run"
}

func needsOf(r rule.Rule) string {
	var needs []string
	if r.Needs.Session {
		needs = append(needs, "a session that opens")
	}
	if r.Needs.Turn {
		needs = append(needs, "a turn that ends")
	}
	for _, c := range r.Needs.Agent {
		needs = append(needs, "the agent's capability "+c)
	}
	if r.Needs.Stimulus != rule.None {
		needs = append(needs, string(r.Needs.Stimulus))
	}
	if r.Needs.Process {
		needs = append(needs, "an agent that is a process of its own")
	}
	return strings.Join(needs, ", ")
}

func versions(list []int) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(list), " ", ", "), "[]")
}

func (p *program) explainFault(kind string, f fakeagent.Fault) {
	if f.Subject == rule.Client {
		p.explainClientChange(kind, f)
		return
	}
	what := "a fault of the fake agent: it"
	if kind == "variant" {
		what = "a legal variant of the fake agent, which no rule may accuse: it"
	}
	p.printf("%s\n  %s %s\n\n", f.Name, what, f.Description)
	p.about("protocols", versions(f.Protocols))
	if f.Process {
		p.about("how", "the fake agent runs as a process of its own")
	}
	if kind == "fault" {
		p.about("breaks", strings.Join(selftest.Broken(f.Name), ", "))
	}
	p.runFault(kind, f)
}
