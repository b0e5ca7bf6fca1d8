package main

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/acp-conform/acp-conform/fakeagent"
)

// theatre are the flags of the fake agent that serve to judge a client.
type theatre struct {
	transcript string
	printed    string
	protocol   int
	noRedact   bool
}

func (t *theatre) flags(c *cobra.Command, cfg *fakeagent.Config) {
	f := c.Flags()
	f.StringVar(&cfg.Script, "script", "", "play the part `NAME` for a client under test; `"+programName+" client --list` lists them")
	f.IntVar(&t.protocol, "protocol", 0, "speak only the `VERSION` 1 or 2 of the protocol; 0 = both")
	f.StringVar(&t.transcript, "transcript", "", "write every line of both sides to `FILE`; "+processID+" in its name is the process id")
	f.BoolVar(&t.noRedact, "no-redact", false, "leave secrets and your home directory in the transcript")
	f.StringVar(&t.printed, "printed", "", "note in the transcript how long `FILE` is, to which the client prints")
	_ = f.MarkHidden("printed")
	_ = c.RegisterFlagCompletionFunc("script", cobra.FixedCompletions(scriptNames(), cobra.ShellCompDirectiveNoFileComp))
}

// check finds what no agent can do.
func (t *theatre) check(cfg fakeagent.Config) error {
	if t.protocol != 0 && t.protocol != 1 && t.protocol != 2 {
		return fmt.Errorf("--protocol %d: there is no such version of the protocol; give 1, 2, or 0 for both", t.protocol)
	}
	if cfg.Script == "" || slices.Contains(scriptNames(), cfg.Script) {
		return nil
	}
	_, err := fakeagent.New(fakeagent.Config{Script: cfg.Script})
	return fmt.Errorf("--script: %w (`%s client --list` lists them)", err, programName)
}

// restrict leaves the agent one version, if only one is wanted.
func (t *theatre) restrict(a *fakeagent.Agent) {
	if t.protocol != 0 {
		a.Behaviour.Speaks = func(*fakeagent.Conn) []int { return []int{t.protocol} }
	}
}
