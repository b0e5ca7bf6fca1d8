package main

import (
	"fmt"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/acp-conform/acp-conform/conformance/engine"
	"github.com/acp-conform/acp-conform/conformance/result"
	"github.com/acp-conform/acp-conform/conformance/selftest"
)

func (p *program) selftestCommand() *cobra.Command {
	var format string
	var o selftest.Options
	var enemies hostileTrial
	c := &cobra.Command{
		Use:   "selftest [flags]",
		Short: "Test the rules themselves: each fault must break the rules it is meant to break, and no others",
		Long: `selftest runs the rules against every fault and every legal variant of the fake agent. It ends with 0 only if each fault
breaks exactly the rules that it is expected to break, no variant and not the correct agent breaks any, and no rule is
left that nothing can break.

With --full it also judges every agent of ` + "`faults --hostile`" + `, at a hundredth of its length. --hostile judges only those, at full
length: floods of gigabytes and millions of lines.`,
		Example: "  acp-conform selftest\n  acp-conform selftest --rules cancel --format json\n  acp-conform selftest --hostile",
		Args:    noArgs,
		RunE:    func(c *cobra.Command, _ []string) error { return p.selftest(c, o, enemies, format) },
	}
	formatFlag(c, &format)
	c.Flags().StringArrayVar(&o.Patterns, "rules", nil, "only the faults that break a rule that matches `PATTERN`")
	c.Flags().BoolVar(&o.Full, "full", false, "run all rules against every fault and variant: else those that it can touch, and costly ones where they should notice")
	c.Flags().IntVar(&o.Jobs, "jobs", 0, "try `N` faults at the same time (the number of CPUs)")
	enemies.flags(c)
	return c
}

// selftestGCPercent is what a run's is for thousands of agents that live for a moment.
const selftestGCPercent = 1200

// selftestMemory is for dozens of runs at the same time, on agents that are known.
const selftestMemory = 1 << 30

func (p *program) selftest(c *cobra.Command, o selftest.Options, enemies hostileTrial, format string) error {
	if err := checkFormat(format); err != nil {
		return err
	}
	if _, err := engine.Select(everyRule(), o.Patterns); err != nil {
		return fmt.Errorf("--rules: %w", err)
	}
	if err := positive(c, "jobs"); err != nil {
		return err
	}
	if err := enemies.check(c); err != nil {
		return err
	}
	var err error
	if o.Self, err = self(); err != nil {
		return err
	}
	o.Canary = canaryCommand()
	defer p.guard.hold()()
	if p.env("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(selftestMemory)
		debug.SetGCPercent(selftestGCPercent)
	}
	rep, err := enemies.run(c.Context(), o)
	if c.Context().Err() != nil {
		return exit(result.ExitInterrupted)
	}
	if err != nil {
		_, _ = fmt.Fprintf(p.stderr, "%s: the selftest could not be run: %v\n", programName, err)
		return exit(result.ExitInconclusive)
	}
	if format == "json" {
		if err := p.printJSON(rep); err != nil {
			return err
		}
	} else {
		p.printSelftest(rep)
	}
	if !rep.OK {
		return exit(result.ExitFailed)
	}
	return nil
}

func (p *program) printSelftest(rep selftest.Report) {
	for _, f := range rep.Faults {
		p.printf("%s %-36s breaks %s\n", okWord(f.OK), f.Name, listOr(f.Fired, "nothing"))
		if !slices.Equal(f.Fired, f.Expected) {
			p.printf("     %-36s expected %s\n", "", listOr(f.Expected, "nothing"))
		}
	}
	for _, v := range rep.Variants {
		p.printf("%s %-36s legal, upsets %s\n", okWord(v.OK), v.Name, listOr(v.Upset, "nothing"))
	}
	for _, h := range rep.Hostile {
		p.printf("%s %-36s %s, fires %s\n", okWord(h.OK), h.Mode, h.Verdict, listOr(h.Fired, "nothing"))
	}
	killed, excused := 0, 0
	for _, r := range rep.Rules {
		switch {
		case len(r.KilledBy) > 0:
			killed++
		case r.Unfalsifiable != "":
			excused++
		}
	}
	if len(rep.Problems) > 0 {
		p.printf("\nProblems (%d)\n", len(rep.Problems))
	}
	for _, problem := range rep.Problems {
		p.printf("  %s\n", problem)
	}
	word := strings.ToUpper(strings.TrimSpace(okWord(rep.OK)))
	if len(rep.Rules) == 0 {
		p.printf("\n%s: %d hostile agents\n", word, len(rep.Hostile))
		return
	}
	p.printf("\n%s: %d faults, %d variants, %d hostile agents, %d rules, of which %d are broken by a fault and %d cannot be broken by an agent\n",
		word, len(rep.Faults), len(rep.Variants), len(rep.Hostile), len(rep.Rules), killed, excused)
}

func okWord(ok bool) string {
	if ok {
		return "ok  "
	}
	return "FAIL"
}

func listOr(names []string, none string) string {
	if len(names) == 0 {
		return none
	}
	return strings.Join(names, ", ")
}
