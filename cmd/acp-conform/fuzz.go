package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/acp-conform/acp-conform/conformance"
	"github.com/acp-conform/acp-conform/conformance/fuzz"
	"github.com/acp-conform/acp-conform/conformance/result"
	"github.com/acp-conform/acp-conform/conformance/wire"
	"github.com/acp-conform/acp-conform/reports"
)

// fuzzOptions are the flags of the fuzzer.
type fuzzOptions struct {
	options         // of these the ones about the agent's process, time and reports
	length          time.Duration
	scripts, ending int
	seed            uint64
	script, format  string
}

const (
	defaultFuzzing  = time.Minute
	defaultFuzzSeed = 1
)

const fuzzLong = `fuzz looks for input that an agent does not survive, does not answer, or answers wrongly. It makes conversations from the schemas of
the protocol: valid ones, and such with something wrong or unusual in them. What it finds is tried again on a fresh agent, made as
short as it can be, and kept as a script that ` + "`fuzz --script FILE`" + ` plays again.

An agent may refuse what is invalid with any error, and accept it; it may be silent about what has no id that can be read. Failures are:
an agent that ends or hangs on a message, a request that is never answered, and answers that are no valid message, have another id
or come twice. On lines that are no message the same is a warning, if nothing but them brings it about. An agent that ended is never
passed over: if it does not do so again, that is a failure that was seen once. Answers that are wrong once are warnings, answers that are
missing once may be the fault of the machine. Who crosses one of the limits of a run (lines, what is written, requests, processes) floods,
which is a warning.

One finding is made shorter for at most 10 seconds, and all of them only until 10 seconds after --for; one --timeout later the run is
over, whatever the agent does.

It sends prompts, many of them: by default the agent gets an empty HOME, so that no login and no session of yours plays a part. Only
methods that the agent advertises are called, and none that logs in or out. MCP servers that it names do not exist, and what the agent
asks for is not permitted.`

func (p *program) fuzzCommand() *cobra.Command {
	var o fuzzOptions
	c := &cobra.Command{
		Use:   "fuzz [flags] AGENT [ARG...]",
		Short: "Look for input that an agent does not survive, or answers wrongly",
		Long:  fuzzLong,
		Example: `  acp-conform fuzz ./my-agent --its --own --flags
  acp-conform fuzz --for 10m --seed 7 --keep findings ./my-agent
  acp-conform fuzz --script findings/fuzz-1.json ./my-agent   play again what was found
  acp-conform fuzz @fake --fault input-null-meta              see what a finding looks like`,
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error { return p.fuzz(c, &o, args) },
	}
	o.flags(c.Flags())
	c.Flags().SetInterspersed(false)
	c.ValidArgsFunction = completeFake()
	return c
}

func (o *fuzzOptions) flags(f *pflag.FlagSet) {
	f.SortFlags = false
	f.DurationVar(&o.length, "for", defaultFuzzing, "begin no more scripts after `TIME`, which counts from the first one")
	f.IntVar(&o.scripts, "scripts", 0, "play `N` scripts, however long it takes, in place of --for")
	f.IntVar(&o.ending, "findings", 0, "end after `N` findings; 0 goes on")
	f.Uint64Var(&o.seed, "seed", defaultFuzzSeed, "make the scripts from `N`: the same number makes the same ones")
	f.StringVar(&o.script, "script", "", "play the script in `FILE`, and nothing else")
	f.IntVar(&o.protocol, "protocol", defaultProtocol, "the `VERSION` of the protocol: 1 or 2")
	f.StringVar(&o.prompts, "prompts", "", "send at most `N` prompts (N may be none)")
	f.StringArrayVar(&o.env, "env", nil, "add `NAME=VALUE` to the agent's environment (repeatable)")
	f.StringVar(&o.cwd, "cwd", "", "start the agent in `DIR`; relative paths in its command line count from there")
	f.StringVar(&o.home, "home", homeTemp, "the agent's HOME: temp (an empty one for this run), inherit or `DIR`")
	f.DurationVar(&o.startTimeout, "start-timeout", 0, "wait for the answer to initialize (30s)")
	f.DurationVar(&o.timeout, "timeout", 0, "wait for an agent that is silent and owes an answer (10s)")
	f.StringArrayVar(&o.limits, "limit", nil, "set a limit on what the agent may cost on one connection, `NAME=VALUE` (repeatable), as for a run")
	f.IntVar(&o.jobs, "jobs", 0, "let `N` agents run at the same time (the number of CPUs)")
	f.StringArrayVar(&o.reports, "report", nil, "write a report: `FORMAT[=FILE]` with the formats text and json (repeatable)")
	f.StringVar(&o.format, "format", "text", "print `FORMAT`: text or json")
	f.BoolVar(&o.noRedact, "no-redact", false, "leave secrets and your home directory in reports and scripts")
	f.StringVar(&o.keep, "keep", "", "keep the scripts of the findings in `DIR`; by default in a temporary one")
	f.BoolVar(&o.strict, "strict", false, "let warnings end with exit code 1")
	f.BoolVar(&o.quiet, "quiet", false, "print neither the text report nor progress")
	f.BoolVar(&o.noColor, "no-color", false, "no colours; the variable NO_COLOR does the same")
}

func (p *program) fuzz(c *cobra.Command, o *fuzzOptions, args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("no agent is given: write its command line, such as `%[1]s fuzz ./my-agent`, or try `%[1]s fuzz @fake`", programName)
	}
	cfg, err := o.fuzzConfig(c, p.guard)
	if err != nil {
		return err
	}
	agent, err := p.agent(args, o.cwd)
	if err != nil {
		return err
	}
	script, err := o.read(p.guard)
	if err != nil {
		return err
	}
	var res fuzz.Result
	sinks, err := p.fuzzSinks(o, &res)
	if err != nil {
		return err
	}
	defer discard(sinks)
	p.guard.leave(func() { discard(sinks) })
	if err := p.open(sinks, append(o.inputs("agent", args), input{"--script", o.script})); err != nil {
		return err
	}
	done, err := o.place(&cfg, &res)
	if err != nil {
		return err
	}
	defer done()
	leave, err := agent.atHome()
	if err != nil {
		return err
	}
	defer leave()
	o.start(&cfg, agent)
	secrets := o.redactor(agent.words)
	cfg.Redact = secrets
	if res, err = p.runFuzz(c, o, cfg, script); err != nil {
		_, _ = fmt.Fprintf(p.stderr, "%s: the agent could not be fuzzed: %s\n", programName, secrets.String(err.Error()))
		return exit(result.ExitInconclusive)
	}
	o.strictly(&res)
	p.complain(p.writeAll(sinks, result.Run{}))
	return exit(res.ExitCode)
}

// read reads the script of --script, if there is one.
func (o *fuzzOptions) read(g *guard) (s fuzz.Script, err error) {
	if o.script == "" {
		return s, nil
	}
	b, err := g.readFile(o.script, mostSettings)
	if err != nil {
		return s, about("--script", o.script, err, "name a script that --keep DIR has kept")
	}
	if s, err = fuzz.ReadScript(b); err != nil {
		return s, fmt.Errorf("--script %s: %w", o.script, err)
	}
	return s, nil
}

// strictly lets warnings count as failures, if that is asked for.
func (o *fuzzOptions) strictly(res *fuzz.Result) {
	if o.strict && res.ExitCode == result.ExitOK && len(res.Findings) > 0 {
		res.ExitCode, res.ExitReason = result.ExitFailed, "--strict: "+counted(len(res.Findings), "warning")
	}
}

// fuzzConfig checks the flags and makes a configuration of them. It changes nothing on disk.
func (o *fuzzOptions) fuzzConfig(c *cobra.Command, g *guard) (fuzz.Config, error) {
	o.slow, o.vocabulary = 1, autoVocabulary
	checked, err := o.config(g)
	if err != nil {
		return fuzz.Config{}, err
	}
	switch {
	case o.script == "" && c.Flags().Changed("script"):
		return fuzz.Config{}, errors.New("--script: no file is named")
	case o.length <= 0:
		return fuzz.Config{}, fmt.Errorf("--for %s: give a positive time such as 30s", o.length)
	case o.scripts < 0 || o.ending < 0:
		return fuzz.Config{}, errors.New("--scripts and --findings: give a number such as 100, or 0 for no limit")
	case o.scripts > 0 && c.Flags().Changed("for"):
		return fuzz.Config{}, errors.New("--for and --scripts: leave out one of them; either says when to end")
	}
	cfg := fuzz.Config{Protocol: o.protocol, Seed: o.seed, Scripts: o.scripts, Findings: o.ending, Prompts: -1, Start: o.startTimeout, Request: o.timeout,
		Jobs: o.jobs, Env: o.env, Dir: o.cwd, Home: checked.Home, Limits: checked.Limits, Now: time.Now}
	if o.scripts == 0 {
		cfg.For = o.length
	}
	if n := checked.PromptLimit; n != nil {
		cfg.Prompts = *n
	}
	return cfg, checkFormat(o.format)
}

// place finds a folder for the scripts of the findings. What it returns removes one that nobody asked for and nothing was put into.
func (o *fuzzOptions) place(cfg *fuzz.Config, res *fuzz.Result) (done func(), err error) {
	if err := keepDir(o.keep); err != nil {
		return nil, err
	}
	if cfg.Keep = o.keep; o.keep != "" || o.script != "" {
		return func() {}, nil
	}
	if cfg.Keep, err = os.MkdirTemp("", "acp-conform-found-"); err != nil {
		return nil, err
	}
	return func() {
		if len(res.Findings) == 0 {
			_ = os.RemoveAll(cfg.Keep)
		}
	}, nil
}

// start says how the agent is started, and how it can be again.
func (o *fuzzOptions) start(cfg *fuzz.Config, a agent) {
	cfg.Command, cfg.Process = a.words, a.serve == nil
	if cfg.Process {
		cfg.Launch = wire.Command(a.command)
	} else {
		cfg.Launch = wire.InProcess(a.serve)
	}
	cfg.Rerun = func(file string) string {
		words := []string{programName, "fuzz"}
		give := func(is bool, flag, value string) {
			if is {
				words = append(words, flag, conformance.Quote(value))
			}
		}
		give(true, "--script", file)
		give(o.startTimeout > 0, "--start-timeout", o.startTimeout.String())
		give(o.timeout > 0, "--timeout", o.timeout.String())
		give(o.cwd != "", "--cwd", o.cwd)
		give(o.home != homeTemp, "--home", o.home)
		for _, l := range o.limits {
			words = append(words, "--limit", conformance.Quote(l))
		}
		for _, pair := range o.env {
			words = append(words, "--env", conformance.QuoteEnv(pair))
		}
		if strings.HasPrefix(a.words[0], "-") {
			words = append(words, "--")
		}
		for _, w := range a.words {
			words = append(words, conformance.Quote(w))
		}
		return strings.Join(words, " ")
	}
}

// runFuzz fuzzes the agent, or plays the one script.
func (p *program) runFuzz(c *cobra.Command, o *fuzzOptions, cfg fuzz.Config, script fuzz.Script) (fuzz.Result, error) {
	line := p.progress(&o.options)
	defer line.clear()
	cfg.Log = func(e fuzz.Event) {
		doing := ""
		if e.Doing != "" {
			doing = ": " + e.Doing
		}
		line.show(conformance.Event{Rule: fmt.Sprintf("%s, %s%s", counted(e.Scripts, "script"), counted(e.Findings, "finding"), doing)})
	}
	if o.script != "" {
		return fuzz.Play(c.Context(), cfg, script)
	}
	if !o.quiet {
		_, _ = fmt.Fprintf(p.stderr, "%s: fuzzing %s for %s, with the seed %d\n", programName, reports.Printable(strings.Join(cfg.Redact.Words(cfg.Command), " ")), o.long(), o.seed)
	}
	return fuzz.Run(c.Context(), cfg)
}

func (o *fuzzOptions) long() string {
	if o.scripts > 0 {
		return counted(o.scripts, "script")
	}
	return o.length.String()
}

// fuzzSinks are the reports of the fuzzer, with the result that there will be.
func (p *program) fuzzSinks(o *fuzzOptions, res *fuzz.Result) ([]*sink, error) {
	if o.format == "json" {
		o.reports = append(o.reports, "json")
	}
	all, err := p.sinks(&o.options)
	if err != nil {
		return nil, err
	}
	for _, s := range all {
		switch s.format {
		case "json":
			s.write = func(w io.Writer, _ result.Run) error { return writeJSON(w, res) }
		case "text":
			colour := s.path == "" && !o.noColor && p.env("NO_COLOR") == "" && p.terminal(p.stdout)
			s.write = func(w io.Writer, _ result.Run) error { return fuzzText(w, res, colour) }
		default:
			return nil, fmt.Errorf("--report %s: the fuzzer writes text and json", s.format)
		}
	}
	return all, nil
}
