package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/acp-conform/acp-conform/conformance"
	"github.com/acp-conform/acp-conform/conformance/redact"
	"github.com/acp-conform/acp-conform/reports"
)

const (
	defaultProtocol = 1
	homeInherit     = "inherit"
	homeTemp        = "temp"
	promptsNone     = "none"
	autoVocabulary  = "auto"
)

// options are the flags of the main job as they were typed; zero durations mean the defaults of the suite.
type options struct {
	source
	rules                              []string
	pure, strict, allowNoSession       bool
	prompts                            string
	reports                            []string
	timeout, startTimeout, turnTimeout time.Duration
	slow                               float64
	limits                             []string
	jobs                               int
	seed                               int64
	modelSequences                     int
	env                                []string
	cwd, home, keep                    string
	vocabulary, configFile             string
	init                               bool
	quiet, verbose, noColor            bool
	noRedact                           bool
	known                              known
}

// flagGroup is a part of the help.
type flagGroup struct {
	title string
	flags *pflag.FlagSet
}

// define adds the flags to the command and returns them in the groups of the help.
func (o *options) define(c *cobra.Command) []flagGroup {
	var groups []flagGroup
	group := func(title string, define func(*pflag.FlagSet)) {
		f := pflag.NewFlagSet(title, pflag.ContinueOnError)
		f.SortFlags = false
		define(f)
		c.Flags().AddFlagSet(f)
		groups = append(groups, flagGroup{title, f})
	}
	group("What is judged", func(f *pflag.FlagSet) {
		f.StringArrayVar(&o.rules, "rules", nil, "only the rules that match `PATTERN`: ids, areas and globs, comma-separated or repeated; ! leaves out")
		f.IntVar(&o.protocol, "protocol", defaultProtocol, "the `VERSION` of the protocol: 1, or 2, of which only session/status and the form of messages have rules so far")
		f.StringVar(&o.vocabulary, "status-vocabulary", autoVocabulary, "the `WORDS` of session/status: active (and inactive), open (and saved), or auto for those that the agent uses first")
		f.StringVar(&o.configFile, "config", "", "read what you know about the agent from `FILE` (acp-conform.yaml)")
		f.BoolVar(&o.init, "init", false, "write a file for --config with every setting as a comment, and judge nothing")
		f.BoolVar(&o.stableOnly, "stable-only", false, "leave out what needs an opt-in: rules of unstable features and their definitions")
		f.StringVar(&o.schemaDir, "schema", "", "compare messages with the schemas in `DIR`: a release of the protocol, or folders like schemas/")
		f.BoolVar(&o.pure, "pure", false, "send nothing that a conforming client would not send")
		f.StringVar(&o.prompts, "prompts", "", "send at most `N` prompts (N may be none)")
		f.BoolVar(&o.allowNoSession, "allow-no-session", false, "judge an agent that opens no session by what can be seen without one")
		f.BoolVar(&o.strict, "strict", false, "let warnings and an incomplete run end with exit code 1")
	})
	group("The agent's process", func(f *pflag.FlagSet) {
		f.StringArrayVar(&o.env, "env", nil, "add `NAME=VALUE` to the agent's environment (repeatable)")
		f.StringVar(&o.cwd, "cwd", "", "start the agent in `DIR`; relative paths in its command line count from there")
		f.StringVar(&o.home, "home", homeInherit, "the agent's HOME: inherit, temp (an empty one for this run) or `DIR`")
	})
	group("Time and order", func(f *pflag.FlagSet) {
		f.DurationVar(&o.startTimeout, "start-timeout", 0, "wait for the answer to initialize (30s)")
		f.DurationVar(&o.timeout, "timeout", 0, "wait for the answer to any other request (10s)")
		f.DurationVar(&o.turnTimeout, "turn-timeout", 0, "wait for the end of a turn (1m)")
		f.Float64Var(&o.slow, "slow", 1, "multiply all timeouts and the limits of time by `FACTOR`")
		f.StringArrayVar(&o.limits, "limit", nil, "set a limit on what the agent may cost, `NAME=VALUE` (repeatable): "+limitsHelp())
		f.IntVar(&o.jobs, "jobs", 0, "let `N` rules work at the same time (the number of CPUs)")
		f.Int64Var(&o.seed, "seed", 0, "run the rules in a random order made from `N`; 0 keeps the order of the contract")
		f.IntVar(&o.modelSequences, "model-sequences", 0, fmt.Sprintf("let status.model try `N` sequences of requests, drawn from the seed: 1 to %d; 0 leaves it to the rule, which tries 20 at most", conformance.MaxModelSequences))
	})
	group("Reports", func(f *pflag.FlagSet) {
		f.StringArrayVar(&o.reports, "report", nil, "write a report: `FORMAT[=FILE]` with the formats "+strings.Join(reports.Names(), ", ")+" (repeatable)")
		f.StringVar(&o.known.file, "baseline", "", "known failures are listed in `FILE`: they do not fail the run, others do, and so does an entry that is no longer right")
		f.StringVar(&o.known.write, "write-baseline", "", "write what fails now to `FILE` as known failures, and drop what passes; all other lines stay")
		f.BoolVar(&o.known.shrinkOnly, "shrink-only", false, "let --write-baseline drop entries and add none")
		f.BoolVar(&o.noRedact, "no-redact", false, "leave secrets and your home directory in reports and transcripts")
		f.StringVar(&o.keep, "keep", "", "keep the transcript of each connection in `DIR`")
		f.BoolVar(&o.verbose, "verbose", false, "list every rule in the text report, and show long lines")
		f.BoolVar(&o.quiet, "quiet", false, "print neither the text report nor progress")
		f.BoolVar(&o.noColor, "no-color", false, "no colours; the variable NO_COLOR does the same")
	})
	return groups
}

// config checks the options and makes a configuration of them. It changes nothing on disk.
func (o *options) config(g *guard) (conformance.Config, error) {
	cfg := conformance.Config{Protocol: o.protocol, StableOnly: o.stableOnly, Rules: o.rules, Pure: o.pure, Strict: o.strict, AllowNoSession: o.allowNoSession,
		Env: o.env, Dir: o.cwd, Keep: o.keep, Jobs: o.jobs, Seed: o.seed, ModelSequences: o.modelSequences, Slow: o.slow, Canary: canaryCommand(),
		Timeouts: conformance.Timeouts{Start: o.startTimeout, Request: o.timeout, Turn: o.turnTimeout}}
	file := func(cfg *conformance.Config) error { return o.checkConfig(g, cfg) }
	for _, check := range []func(*conformance.Config) error{o.checkProtocol, o.checkVocabulary, file, o.checkNumbers, o.checkLimits, o.checkPrompts, o.checkEnv, o.checkDirs, o.checkSchemas} {
		if err := check(&cfg); err != nil {
			return cfg, err
		}
	}
	return cfg, nil
}

func (o *options) checkProtocol(*conformance.Config) error {
	if o.protocol != 1 && o.protocol != 2 {
		return fmt.Errorf("--protocol %d: there is no such version of the protocol; there are 1 and 2", o.protocol)
	}
	return nil
}

func (o *options) checkVocabulary(cfg *conformance.Config) error {
	switch o.vocabulary {
	case autoVocabulary:
	case "active", "open":
		cfg.StatusVocabulary = o.vocabulary
	default:
		return fmt.Errorf("--status-vocabulary %s: there are active (and inactive), open (and saved), and auto", o.vocabulary)
	}
	return nil
}

func (o *options) checkNumbers(*conformance.Config) error {
	if !(o.slow > 0 && o.slow <= 1000) {
		return fmt.Errorf("--slow %s: give a factor above 0, such as 3 for a machine that is three times as slow", ftoa(o.slow))
	}
	if most := conformance.MaxModelSequences; o.modelSequences < 0 || o.modelSequences > most {
		return fmt.Errorf("--model-sequences %d: give a number from 1 to %d, or 0 to leave it to the rule", o.modelSequences, most)
	}
	return nil
}

// limitsHelp lists the limits with their defaults.
func limitsHelp() string {
	var all []string
	for _, l := range conformance.DefaultLimits().Describe() {
		all = append(all, fmt.Sprintf("%s=%s (%s)", l[0], l[2], l[1]))
	}
	return strings.Join(all, ", ")
}

func (o *options) checkLimits(cfg *conformance.Config) error {
	for _, l := range o.limits {
		if err := cfg.Limits.Parse(l); err != nil {
			name, _, _ := strings.Cut(l, "=")
			return fmt.Errorf("--limit %s: %w%s", l, err, otherLimit(name))
		}
	}
	return nil
}

// otherLimit asks for the limit that was probably meant, where there is none of that name.
func otherLimit(name string) string {
	var names []string
	for _, l := range conformance.DefaultLimits().Describe() {
		if l[0] == name {
			return ""
		}
		names = append(names, l[0])
	}
	return didYouMean(name, names)
}

func (o *options) checkPrompts(cfg *conformance.Config) error {
	if o.prompts == "" {
		return nil
	}
	n := 0
	if o.prompts != promptsNone {
		var err error
		if n, err = strconv.Atoi(o.prompts); err != nil || n < 0 {
			return fmt.Errorf("--prompts %s: give a number such as 20, or none", o.prompts)
		}
	}
	cfg.PromptLimit = &n
	return nil
}

func (o *options) checkEnv(*conformance.Config) error {
	for _, pair := range o.env {
		if strings.Index(pair, "=") < 1 {
			return fmt.Errorf("--env %s: write NAME=VALUE", pair)
		}
	}
	return nil
}

func (o *options) checkDirs(cfg *conformance.Config) error {
	if o.cwd != "" {
		if err := isDir(o.cwd); err != nil {
			return fmt.Errorf("--cwd %s: %w; give an existing directory", o.cwd, err)
		}
	}
	switch o.home {
	case homeInherit:
	case homeTemp:
		cfg.Home = homeTemp
	default:
		if err := isDir(o.home); err != nil {
			return fmt.Errorf("--home %s: %w; give inherit, temp or an existing directory", o.home, err)
		}
		home, err := filepath.Abs(o.home)
		if err != nil {
			return fmt.Errorf("--home %s: %w", o.home, err)
		}
		cfg.Home = home
	}
	return nil
}

// checkSchemas reads the definitions of --schema.
func (o *options) checkSchemas(cfg *conformance.Config) error {
	if o.schemaDir == "" {
		return nil
	}
	var err error
	if cfg.Schemas, _, err = o.open(); err != nil {
		return err
	}
	cfg.SchemaDir, err = o.place()
	return err
}

// redactor knows the secrets of the run of a command.
func (o *options) redactor(command []string) *redact.Redactor {
	return redactor(o.noRedact, o.env, command)
}

// redactor knows the secrets of the environment and of what is added to it, and those of a command line; nil if none is to be taken out.
func redactor(none bool, env, command []string) *redact.Redactor {
	if none {
		return nil
	}
	home, _ := os.UserHomeDir()
	return redact.New(append(os.Environ(), env...), command, home)
}

func isDir(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return cause(err)
	}
	if !info.IsDir() {
		return fmt.Errorf("not a directory")
	}
	return nil
}

func ftoa(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }
