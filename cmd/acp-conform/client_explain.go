package main

import (
	"strings"

	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/rules"
	"github.com/acp-conform/acp-conform/conformance/selftest"
	"github.com/acp-conform/acp-conform/fakeagent"
)

// explainClientRule tells all about a rule that binds clients.
func (p *program) explainClientRule(r rule.Rule) {
	p.printf("%s\n  %s\n\n", r.ID, r.Title)
	p.about("binds", "clients")
	p.about("level", strings.Replace(strengthOf(r), "fails the agent", "fails the client", 1))
	p.about("stability", stability(r))
	p.about("protocols", versions(r.Versions))
	p.about("how", "watches what the client says to the fake agent, and what the client prints")
	var scripts []string
	for _, s := range scriptNames() {
		if rules.ClientWants(r.ID, s) {
			scripts = append(scripts, s)
		}
	}
	p.about("scripts", strings.Join(scripts, ", "))
	if rules.ClientOwed(r) {
		p.about("owed", "any client that does what the user of the scripts does offers an occasion: a run that saw none is incomplete")
	}
	p.about("reference", r.Ref.URL())
	p.about("advice", r.Advice)
	p.about("run it", programName+" client --rules "+r.ID+" ./driver")
	faults := selftest.ClientBreakers(r.ID)
	more := ""
	if n := len(faults) - 1; n > 0 {
		more = " (and " + counted(n, "other fault") + ")"
	}
	p.about("see it", programName+" client --rules "+r.ID+" "+referenceName+" --fault "+faults[0]+more)
}

// explainClientChange tells all about a fault or variant of the reference client.
func (p *program) explainClientChange(kind string, f fakeagent.Fault) {
	what := "a fault of the reference client: it"
	if kind == "variant" {
		what = "a legal variant of the reference client, which no rule may accuse: it"
	}
	p.printf("%s\n  %s %s\n\n", f.Name, what, f.Description)
	p.about("protocols", versions(f.Protocols))
	if kind == "fault" {
		p.about("breaks", strings.Join(selftest.ClientBroken(f.Name), ", "))
	}
	p.about("run it", programName+" client "+referenceName+" --"+kind+" "+f.Name)
}
