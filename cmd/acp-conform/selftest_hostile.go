package main

import (
	"context"
	"errors"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/acp-conform/acp-conform/conformance/selftest"
)

// hostileTrial is the part of the selftest about hostile agents.
type hostileTrial struct {
	only  bool
	scale float64
}

func (t *hostileTrial) flags(c *cobra.Command) {
	c.Flags().BoolVar(&t.only, "hostile", false, "judge only the agents that 'faults --hostile' lists, at full length")
	c.Flags().Float64Var(&t.scale, "hostile-scale", 0, "judge them at `SHARE` of their length (1 with --hostile, else 0.01)")
}

func (t *hostileTrial) check(c *cobra.Command) error {
	if c.Flags().Changed("hostile-scale") && !(t.scale > 0 && t.scale <= 1) {
		return errors.New("--hostile-scale: give a share above 0 and up to 1, such as 0.1")
	}
	if t.only && (c.Flags().Changed("full") || c.Flags().Changed("rules")) {
		return errors.New("--hostile goes without --full and --rules: hostile agents are no faults of a rule")
	}
	if t.only && runtime.GOOS == "windows" {
		return errors.New("--hostile: hostile agents are played on Unix only")
	}
	return nil
}

// run makes the selftest, or the part of it that was asked for.
func (t *hostileTrial) run(ctx context.Context, o selftest.Options) (selftest.Report, error) {
	rep := selftest.Report{Faults: []selftest.FaultReport{}, Rules: []selftest.RuleReport{}, Variants: []selftest.VariantReport{}, FalsePositives: []string{}, OK: true}
	var err error
	if !t.only {
		if rep, err = runSelftest(ctx, o); err != nil || !o.Full || len(o.Patterns) > 0 || runtime.GOOS == "windows" {
			return rep, err
		}
	}
	scale := t.scale
	if scale == 0 && t.only {
		scale = 1
	}
	reports, err := selftest.RunHostile(ctx, selftest.HostileOptions{Program: o.Self[:1], Scale: scale, Jobs: hostileJobs(o.Jobs, t.only)})
	rep.AddHostile(reports)
	return rep, err
}

// hostileJobs is how many hostile agents are judged at the same time: most of them wait, but not at full length.
func hostileJobs(jobs int, full bool) int {
	if jobs == 0 && full {
		return runtime.NumCPU()
	}
	return jobs
}
