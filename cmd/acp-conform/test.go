package main

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/acp-conform/acp-conform/conformance"
	"github.com/acp-conform/acp-conform/conformance/engine"
	"github.com/acp-conform/acp-conform/conformance/redact"
	"github.com/acp-conform/acp-conform/conformance/result"
	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/rules"
	"github.com/acp-conform/acp-conform/reports"
)

// testCommand is the main job.
func (p *program) testCommand() *cobra.Command {
	var o options
	c := &cobra.Command{
		Use:     programName + " [flags] AGENT [ARG...]",
		Short:   "Tell whether an agent keeps to the Agent Client Protocol",
		Long:    testLong,
		Example: testExamples,
		Args:    cobra.ArbitraryArgs,
		Version: p.version,
		RunE:    func(c *cobra.Command, args []string) error { return p.test(c, &o, args) },
	}
	c.SetVersionTemplate("{{.Name}} {{.Version}}\n")
	groups := o.define(c)
	c.Flags().Bool("version", false, "print the version")
	c.Flags().Bool("help", false, "print this help")
	c.Flags().SetInterspersed(false) // what follows the agent is the agent's own
	c.SetHelpFunc(p.help(c, groups))
	c.ValidArgsFunction = completeFake()
	return c
}

func (p *program) test(c *cobra.Command, o *options, args []string) error {
	if o.init {
		return p.writeInitial(o, args)
	}
	if len(args) == 0 {
		return fmt.Errorf("no agent is given: write its command line, such as `%[1]s ./my-agent`, or try `%[1]s @fake`; `%[1]s --help` tells more", programName)
	}
	if err := cmp.Or(o.checkGiven(c), positive(c, "start-timeout", "timeout", "turn-timeout", "jobs")); err != nil {
		return err
	}
	cfg, err := o.config(p.guard)
	if err != nil {
		return err
	}
	if c.ArgsLenAtDash() != 0 {
		if err := misspelt(c.Root(), args[0], o.cwd); err != nil {
			return err
		}
	}
	agent, err := p.agent(args, o.cwd)
	if err != nil {
		return err
	}
	chosen, err := selected(o)
	if err != nil {
		return fmt.Errorf("--rules: %w", err)
	}
	sinks, err := p.sinks(o)
	if err != nil {
		return err
	}
	inputs := o.inputs("agent", args)
	if err := cmp.Or(o.known.apart(inputs), o.known.read(p.guard)); err != nil {
		return err
	}
	if err := keepDir(o.keep); err != nil {
		return err
	}
	defer discard(sinks)
	p.guard.leave(func() { discard(sinks) })
	if err := p.open(sinks, inputs); err != nil {
		return err
	}
	leave, err := agent.atHome()
	if err != nil {
		return err
	}
	defer leave()
	release := p.guard.hold()
	defer release()
	agent.into(&cfg)
	cfg.AgentsEnded = func() { leave(); release() }
	cfg.Version = p.version
	cfg.Rerun = agent.typed(cfg).CommandLine
	secrets := o.redactor(agent.words)
	if secrets != nil {
		cfg.Redact = secrets.Lines
	}
	p.announce(o, agent, chosen, secrets)
	p.begin(sinks, agent.words, secrets)
	run, err := p.judge(c, o, cfg, sinks)
	if err != nil {
		return err
	}
	run.Agent.Command = agent.words
	diagnose(agent.words, &run)
	if left := p.guard.leftBehind(); left != "" {
		run.Hints = append(run.Hints, left)
		p.complain(errors.New(left))
	}
	p.compare(&o.known, &run, result.Policy{Strict: o.strict, AllowNoSession: o.allowNoSession}, secrets)
	return p.conclude(sinks, secrets.Run(run))
}

// judge runs the suite. An error that is not about the command line makes a report of its own.
func (p *program) judge(c *cobra.Command, o *options, cfg conformance.Config, sinks []*sink) (result.Run, error) {
	line := p.progress(o)
	line.begin("survey")
	cfg.Begun = line.begin
	cfg.Log = func(e conformance.Event) {
		line.show(e)
		p.tell(sinks, e)
	}
	run, err := p.suite(c.Context(), cfg)
	line.clear()
	var usage conformance.UsageError
	if errors.As(err, &usage) {
		return run, err
	}
	if err != nil {
		run.Conclude(result.Policy{})
		run.Problem = "The run could not be made: " + err.Error()
		run.ExitReason = err.Error()
	}
	return run, nil
}

// selected are the rules of the run. An error says where a rule is that the run does not have.
func selected(o *options) ([]rule.Rule, error) {
	chosen, err := selectedIn(o)
	if err == nil {
		return chosen, nil
	}
	if p := ofOthers(o.rules, conformance.Rules(), rules.Client()); p != "" {
		return nil, fmt.Errorf("%q is about clients: `%s client --rules %s ./driver` judges a client by it", p, programName, conformance.Quote(p))
	}
	other := *o
	other.protocol = 3 - o.protocol
	if _, there := selectedIn(&other); there == nil {
		err = fmt.Errorf("%w; there is one of version %d of the protocol: add --protocol %d", err, other.protocol, other.protocol)
	}
	return nil, err
}

func selectedIn(o *options) ([]rule.Rule, error) {
	var all, stable []rule.Rule
	for _, r := range conformance.Rules() {
		if !r.For(o.protocol) {
			continue
		}
		all = append(all, r)
		if r.Stability != rule.Unstable {
			stable = append(stable, r)
		}
	}
	if !o.stableOnly {
		return engine.Select(all, o.rules)
	}
	chosen, err := engine.Select(stable, o.rules)
	if _, other := engine.Select(all, o.rules); err != nil && other == nil {
		err = fmt.Errorf("%w; there is one of an unstable feature: leave out --stable-only", err)
	}
	return chosen, err
}

// mostPrompts is how many prompts a run sends at most.
func mostPrompts(o *options, chosen []rule.Rule, fake bool) int {
	n := engine.SurveyPrompts(fake)
	for _, r := range chosen {
		switch {
		case o.pure && r.Robustness:
		case rules.Seeded(r.ID):
			n += rules.ModelPrompts(fake, o.modelSequences)
		default:
			n += r.Prompts
		}
	}
	var cfg conformance.Config
	if o.checkPrompts(&cfg) == nil && cfg.PromptLimit != nil {
		n = min(n, *cfg.PromptLimit)
	}
	return n
}

// announce says what is about to happen, and what it may cost.
func (p *program) announce(o *options, a agent, chosen []rule.Rule, secrets *redact.Redactor) {
	if o.quiet {
		return
	}
	_, _ = fmt.Fprintf(p.stderr, "%s: judging %s by %s; at most %s will be sent (--prompts limits them)\n",
		programName, reports.Printable(strings.Join(secrets.Words(a.words), " ")), counted(len(chosen), "rule"), counted(mostPrompts(o, chosen, a.fake), "prompt"))
}

func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
