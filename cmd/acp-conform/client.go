package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/acp-conform/acp-conform/conformance"
	"github.com/acp-conform/acp-conform/conformance/judge"
	"github.com/acp-conform/acp-conform/conformance/redact"
	"github.com/acp-conform/acp-conform/conformance/result"
	"github.com/acp-conform/acp-conform/fakeagent"
	"github.com/acp-conform/acp-conform/reports"
)

// clientOptions are the flags of the command that judges clients.
type clientOptions struct {
	options             // of these the ones about reports
	versions   string   // 1, 2 or both
	vocabulary string   // the words of the agent in session/status
	scripts    []string // only these, and the plain one
	list       bool
}

const (
	bothProtocols = "both"
	scriptTimeout = 30 * time.Second
)

const clientLong = `client judges a client of the Agent Client Protocol: it has the client play a number of scripts with the fake agent, which gives an
odd answer in each, and says which rules the client keeps and which it breaks.

CLIENT is a driver of the client under test, started once for each script in an empty HOME and working directory. It reads what to
do from its environment:

  ACP_CONFORM_AGENT     the command line of the agent to start, over stdio
  ACP_CONFORM_ACTIONS   what the user does: visit, look, peek or many
  ACP_CONFORM_SCRIPT    the name of the script (` + "`--list`" + ` tells about each)
  ACP_CONFORM_PROTOCOL  the only version of the protocol that the agent speaks
  ACP_CONFORM_SESSION   the session that the user comes back to

  visit  list the sessions, look at the status of the session three times, send it a prompt and wait for the end of the turn, look
         again, delete the session
  look   list the sessions, look at the status of the session once
  peek   start a new session, send it a prompt, look at its status while the turn runs, wait for the end of the turn, look again,
         delete the session
  many   list the sessions, look at the status of all of them at once

What the client does not offer its user is left out. The driver exits with 0 when the user has done all that, whatever the agent
answered. It may print what its user sees, a line of JSON for each step: without it the rules about what is shown are not observed.

  {"step":"status","sessionId":"…","status":"active","shown":"idle","completions":0,"usage":0,"error":null}

conformance/judge/README.md tells the whole of it. @reference stands for the client that is built in.`

func (p *program) clientCommand() *cobra.Command {
	var o clientOptions
	c := &cobra.Command{
		Use:   "client [flags] CLIENT [ARG...]",
		Short: "Tell whether a client keeps to the protocol",
		Long:  clientLong,
		Example: `  acp-conform client @reference                                 see what a run looks like
  acp-conform client @reference --fault client-dies-of-words    and now it breaks a rule
  acp-conform client --protocol 1 node driver.mjs`,
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error { return p.client(c, &o, args) },
	}
	o.flags(c.Flags())
	c.Flags().SetInterspersed(false)
	c.ValidArgsFunction = completeReference()
	_ = c.RegisterFlagCompletionFunc("protocol", cobra.FixedCompletions([]string{"1", "2", bothProtocols}, cobra.ShellCompDirectiveNoFileComp))
	_ = c.RegisterFlagCompletionFunc("script", cobra.FixedCompletions(scriptNames(), cobra.ShellCompDirectiveNoFileComp))
	return c
}

func (o *clientOptions) flags(f *pflag.FlagSet) {
	f.SortFlags = false
	f.StringArrayVar(&o.rules, "rules", nil, "only the rules that match `PATTERN`: ids and globs, comma-separated or repeated; ! leaves out")
	f.StringVar(&o.versions, "protocol", bothProtocols, "the `VERSION` of the protocol: 1, 2 or both, as far as the client speaks them")
	f.StringSliceVar(&o.scripts, "script", nil, "play only the script `NAME` (repeatable) besides the plain one")
	f.StringVar(&o.vocabulary, "status-vocabulary", "", "the agent speaks of sessions with the `WORDS` active (and inactive, the default) or open (and saved)")
	f.BoolVar(&o.list, "list", false, "list the scripts, and play none")
	f.BoolVar(&o.strict, "strict", false, "let warnings and an incomplete run end with exit code 1")
	f.StringArrayVar(&o.env, "env", nil, "add `NAME=VALUE` to the client's environment (repeatable)")
	f.DurationVar(&o.timeout, "timeout", scriptTimeout, "end a client by force that has not ended by itself")
	f.IntVar(&o.jobs, "jobs", 0, "play `N` scripts at the same time (the number of CPUs)")
	f.StringArrayVar(&o.reports, "report", nil, "write a report: `FORMAT[=FILE]` with the formats "+strings.Join(reports.Names(), ", ")+" (repeatable)")
	f.BoolVar(&o.noRedact, "no-redact", false, "leave secrets and your home directory in reports and transcripts")
	f.StringVar(&o.keep, "keep", "", "keep the transcript of each connection in `DIR`")
	f.BoolVar(&o.verbose, "verbose", false, "list every rule in the text report")
	f.BoolVar(&o.quiet, "quiet", false, "print neither the text report nor progress")
	f.BoolVar(&o.noColor, "no-color", false, "no colours; the variable NO_COLOR does the same")
}

func (p *program) client(c *cobra.Command, o *clientOptions, args []string) error {
	if o.list {
		if err := o.listAlone(c, args); err != nil {
			return err
		}
		p.listScripts()
		return nil
	}
	if len(args) == 0 {
		return fmt.Errorf("no client is given: write the command line of its driver, such as `%[1]s client ./driver`, or try `%[1]s client %[2]s`; `%[1]s client --help` tells what a driver does", programName, referenceName)
	}
	if err := positive(c, "timeout", "jobs"); err != nil {
		return err
	}
	cfg, err := o.judgeConfig()
	if err != nil {
		return err
	}
	under, err := p.clientUnder(args, o)
	if err != nil {
		return err
	}
	sinks, err := p.sinks(&o.options)
	if err != nil {
		return err
	}
	if err := keepDir(o.keep); err != nil {
		return err
	}
	defer discard(sinks)
	p.guard.leave(func() { discard(sinks) })
	if err := p.open(sinks, o.inputs("client", args)); err != nil {
		return err
	}
	cfg.Name, cfg.Tool, cfg.Keep = args, result.Tool{Name: programName, Version: p.version}, o.keep
	cfg.Rerun = o.rerun(args)
	secrets := o.redactor(args)
	if secrets != nil {
		cfg.Redact = secrets.Lines
	}
	p.announceClient(o, cfg, secrets)
	run, err := p.judgeClient(c.Context(), o, cfg, under)
	if err != nil {
		return err
	}
	return p.conclude(sinks, secrets.Run(run))
}

// judgeClient plays the scripts. An error that is not about the command line makes a report of its own.
func (p *program) judgeClient(ctx context.Context, o *clientOptions, cfg judge.Config, command []string) (result.Run, error) {
	defer p.guard.hold()()
	dir, err := os.MkdirTemp("", "acp-conform-client-")
	if err != nil {
		return result.Run{}, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	words, err := plainSelf(dir)
	if err != nil {
		return result.Run{}, err
	}
	agent := clientAgent{words: words, vocabulary: o.vocabulary}
	player := judge.Process{Command: command, Env: o.env, Session: fakeagent.ScriptSession, Agent: agent.line, Dir: dir, Timeout: o.timeout}
	cfg.Play = player.Play
	line := p.progress(&o.options)
	cfg.Log = func(done, total int, script string) {
		line.show(conformance.Event{Done: done, Total: total, Rule: script})
	}
	run, err := judge.Run(ctx, cfg)
	line.clear()
	if err != nil {
		run.Conclude(result.Policy{})
		run.Problem, run.ExitReason = "The run could not be made: "+err.Error(), err.Error()
	}
	return run, nil
}

func (p *program) announceClient(o *clientOptions, cfg judge.Config, secrets *redact.Redactor) {
	if o.quiet {
		return
	}
	n := 0
	for i, s := range cfg.Scripts {
		if i == 0 || cfg.Only == nil || slices.Contains(cfg.Only, s.Name) {
			n++
		}
	}
	_, _ = fmt.Fprintf(p.stderr, "%s: judging the client %s by %s in up to %s\n", programName, reports.Printable(strings.Join(secrets.Words(cfg.Name), " ")),
		counted(len(cfg.Rules), "rule"), counted(n, "script"))
}

// rerun is the command line that judges the client by some rules again.
func (o *clientOptions) rerun(args []string) func([]string) string {
	return func(ids []string) string {
		words := []string{programName, "client", "--rules", conformance.Quote(strings.Join(ids, ","))}
		give := func(is bool, flag, value string) {
			if is {
				words = append(words, flag, conformance.Quote(value))
			}
		}
		give(o.versions != bothProtocols, "--protocol", o.versions)
		give(o.vocabulary != "" && o.vocabulary != "active", "--status-vocabulary", o.vocabulary)
		give(len(o.scripts) > 0, "--script", strings.Join(o.scripts, ","))
		give(o.timeout != scriptTimeout, "--timeout", o.timeout.String())
		for _, pair := range o.env {
			words = append(words, "--env", conformance.QuoteEnv(pair))
		}
		if strings.HasPrefix(args[0], "-") {
			words = append(words, "--")
		}
		for _, word := range args {
			words = append(words, conformance.Quote(word))
		}
		return strings.Join(words, " ")
	}
}

func scriptNames() []string {
	var names []string
	for _, s := range fakeagent.Scripts() {
		names = append(names, s.Name)
	}
	return names
}

// listScripts tells what the agent does in each script, and what the user does meanwhile.
func (p *program) listScripts() {
	for _, s := range fakeagent.Scripts() {
		p.printf("  %-24s %-6s %-4s  the agent %s\n", s.Name, s.Actions, versions(s.Protocols), s.Description)
	}
	p.printf("\n%s; the second column is what the user does (`%s client --help`), the third the versions of the protocol\n",
		counted(len(fakeagent.Scripts()), "script"), programName)
}

var errNoClient = errors.New("the name of the client is empty: write its command line, such as `" + programName + " client ./driver`")
