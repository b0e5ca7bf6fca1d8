package main

import (
	"context"

	"github.com/acp-conform/acp-conform/conformance"
	"github.com/acp-conform/acp-conform/conformance/engine"
	"github.com/acp-conform/acp-conform/conformance/selftest"
)

// runSelftest tests the rules about agents and those about clients, as far as the patterns choose them.
func runSelftest(ctx context.Context, o selftest.Options) (selftest.Report, error) {
	rep := selftest.Report{Faults: []selftest.FaultReport{}, Variants: []selftest.VariantReport{}, FalsePositives: []string{}, OK: true}
	if _, err := engine.Select(conformance.Rules(), o.Patterns); err == nil {
		if rep, err = selftest.Run(ctx, o); err != nil {
			return rep, err
		}
	}
	return rep, selftest.Clients(ctx, o, &rep)
}
