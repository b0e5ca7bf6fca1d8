package main

import (
	"errors"
	"fmt"
	"os"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/acp-conform/acp-conform/conformance/result"
	"github.com/acp-conform/acp-conform/fakeagent"
)

// fakeAgentCommand is the other end: an agent on stdin and stdout for the tests of a client.
func (p *program) fakeAgentCommand() *cobra.Command {
	var cfg fakeagent.Config
	var t theatre
	var e enemy
	c := &cobra.Command{
		Use:   "fake-agent [flags]",
		Short: "Be an agent on stdin and stdout, correct by default and wrong on request",
		Long: `fake-agent speaks versions 1 and 2 of the protocol on its stdin and stdout, for a client that starts it as its agent. It is
deterministic, and steered by the lines of the prompt:

` + directiveTable() + `
A prompt without such a line is echoed.`,
		Example: `  acp-conform fake-agent                           what a client starts in its tests
  acp-conform fake-agent --fault jsonrpc-missing   an agent that is wrong in one way
  acp-conform fake-agent --without loadSession`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := e.check(c); err != nil {
				return err
			}
			if e.wanted() {
				return p.beHostile(c.Context(), e)
			}
			return p.beFake(c, cfg, t)
		},
	}
	fakeFlags(c.Flags(), &cfg)
	c.Flags().StringVar(&cfg.Salt, "salt", "", "put `TEXT` into every session id; by default something that no other instance has")
	t.flags(c, &cfg)
	e.flags(c)
	_ = c.RegisterFlagCompletionFunc("fault", cobra.FixedCompletions(append(namesOf(fakeagent.Faults()), namesOf(fakeagent.InputFaults())...), cobra.ShellCompDirectiveNoFileComp))
	_ = c.RegisterFlagCompletionFunc("variant", cobra.FixedCompletions(namesOf(fakeagent.Variants()), cobra.ShellCompDirectiveNoFileComp))
	_ = c.RegisterFlagCompletionFunc("status-vocabulary", cobra.FixedCompletions(fakeagent.StatusVocabularies(), cobra.ShellCompDirectiveNoFileComp))
	_ = c.RegisterFlagCompletionFunc("without", cobra.FixedCompletions(fakeagent.Capabilities(), cobra.ShellCompDirectiveNoFileComp))
	return c
}

func directiveTable() string {
	table := ""
	for _, d := range fakeagent.Directives() {
		table += fmt.Sprintf("  %-30s %s\n", "/"+d.Name+" "+d.Args, d.Description)
	}
	return table
}

func (p *program) beFake(c *cobra.Command, cfg fakeagent.Config, t theatre) (failed error) {
	if err := t.check(cfg); err != nil {
		return err
	}
	if err := checkFake(cfg); err != nil {
		return err
	}
	if !c.Flags().Changed("salt") {
		cfg.Salt = strconv.Itoa(os.Getpid())
	}
	cfg.Stderr = p.stderr
	transcript, err := openTranscript(t.transcript, t.printed, redactor(t.noRedact, nil, nil), &cfg)
	if err != nil {
		return err
	}
	defer func() { failed = errors.Join(failed, transcript.end()) }()
	a, err := fakeagent.New(cfg)
	if err != nil {
		return err
	}
	t.restrict(a)
	if p.terminal(p.stdin) {
		_, _ = fmt.Fprintln(p.stderr, programName+": this is an agent that reads JSON-RPC lines from stdin; a client starts it, and Ctrl-D ends it")
	}
	err = a.Serve(c.Context(), p.stdin, p.stdout)
	var ended *fakeagent.ExitError
	switch {
	case errors.As(err, &ended):
		return exit(ended.Code)
	case c.Context().Err() != nil:
		return exit(result.ExitInterrupted)
	case err != nil:
		_, _ = fmt.Fprintf(p.stderr, "%s: the connection failed: %v\n", programName, err)
		return exit(result.ExitFailed)
	}
	return nil
}

func namesOf(faults []fakeagent.Fault) []string {
	var names []string
	for _, f := range faults {
		names = append(names, f.Name)
	}
	return names
}
