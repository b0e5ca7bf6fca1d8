package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/acp-conform/acp-conform/conformance/result"
	"github.com/acp-conform/acp-conform/conformance/selftest"
	"github.com/acp-conform/acp-conform/fakeagent"
	"github.com/acp-conform/acp-conform/fakeagent/hostile"
)

// enemy is the fake agent with --hostile, or one of the processes that it starts.
type enemy struct {
	mode  string
	scale float64
	child string
}

// childFlag starts a process of a hostile mode; nobody else has a use for it.
const childFlag = "hostile-child"

func (e *enemy) flags(c *cobra.Command) {
	c.Flags().StringVar(&e.mode, "hostile", "", "be hostile in the way `MODE`; `"+programName+" faults --hostile` lists them")
	c.Flags().Float64Var(&e.scale, "hostile-scale", 1, "multiply the sizes and counts of a hostile mode by `FACTOR`")
	c.Flags().StringVar(&e.child, childFlag, "", "be a process that a hostile mode starts")
	_ = c.Flags().MarkHidden(childFlag)
	_ = c.RegisterFlagCompletionFunc("hostile", cobra.FixedCompletions(hostileNames(), cobra.ShellCompDirectiveNoFileComp))
}

func (e *enemy) wanted() bool { return e.mode != "" || e.child != "" }

func (e *enemy) check(c *cobra.Command) error {
	if c.Flags().Changed("hostile") {
		if _, err := hostile.Lookup(e.mode); err != nil {
			return fmt.Errorf("--hostile: %w (`%s faults --hostile` lists the modes)", err, programName)
		}
	}
	if !(e.scale > 0 && e.scale <= 1000) {
		return fmt.Errorf("--hostile-scale %s: give a factor above 0, such as 0.01", ftoa(e.scale))
	}
	if c.Flags().NFlag() > 1 && e.mode != "" && !(c.Flags().NFlag() == 2 && c.Flags().Changed("hostile-scale")) {
		return errors.New("--hostile goes with no flag but --hostile-scale: a hostile mode is an agent of its own")
	}
	return nil
}

// beHostile plays the mode on the pipes of this process.
func (p *program) beHostile(ctx context.Context, e enemy) error {
	stdin, isFile := p.stdin.(*os.File)
	stdout, isToo := p.stdout.(*os.File)
	if !isFile || !isToo {
		return errors.New("--hostile needs a stdin and a stdout that are files or pipes")
	}
	self, err := self()
	if err != nil {
		return err
	}
	self = append(self, "--"+childFlag)
	if e.child != "" {
		err = hostile.Child(self, e.child, stdout)
	} else {
		err = hostile.Serve(ctx, e.mode, hostile.Options{Scale: e.scale, Child: self}, stdin, stdout, p.stderr)
	}
	var ended *fakeagent.ExitError
	switch {
	case errors.As(err, &ended):
		return exit(ended.Code)
	case ctx.Err() != nil:
		return exit(result.ExitInterrupted)
	case err != nil:
		return exit(result.ExitFailed)
	}
	return nil
}

func hostileNames() []string {
	var names []string
	for _, m := range hostile.Modes() {
		names = append(names, m.Name)
	}
	return names
}

// listedMode is a hostile mode as `faults --hostile --format json` writes it, with what a run on it comes to.
type listedMode struct {
	Name        string            `json:"name"`
	Description string            `json:"description"`
	Subject     string            `json:"subject"`
	Protocols   []int             `json:"protocols"`
	Verdict     result.RunVerdict `json:"verdict"`
	ExitCode    int               `json:"exitCode"`
	Rules       []string          `json:"rules"`
}

func (p *program) listHostile(format string) error {
	if err := checkFormat(format); err != nil {
		return err
	}
	all := hostile.Modes()
	if format == "json" {
		list := []listedMode{}
		for _, m := range all {
			want := selftest.Hostile(m.Name)
			list = append(list, listedMode{m.Name, m.Description, "agent", []int{1}, want.Verdict, want.ExitCode, want.Rules})
		}
		return p.printJSON(list)
	}
	for _, m := range all {
		p.printf("  %-32s %s\n", m.Name, m.Description)
	}
	p.printf("\n%d hostile modes; `%s fake-agent --hostile NAME` is an agent of one, which takes the memory, the time and the processes that it can get\n", len(all), programName)
	return nil
}
