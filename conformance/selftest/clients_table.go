package selftest

import (
	"context"
	"fmt"
	"slices"

	"github.com/acp-conform/acp-conform/conformance/judge/reference"
	"github.com/acp-conform/acp-conform/conformance/result"
	"github.com/acp-conform/acp-conform/conformance/rules"
)

// clientFaults are the faults of the reference client, each with the rules that it breaks, in the order of the contract.
var clientFaults = map[string][]string{
	"client-asks-unadvertised":   {"status.client.gate"},
	"client-takes-any-marker":    {"status.client.invalid-marker"},
	"client-takes-truthy-marker": {"status.client.invalid-marker"},
	"client-takes-array-marker":  {"status.client.invalid-marker"},
	"client-wants-empty-marker":  {"status.client.invalid-marker"},
	"client-drops-siblings":      {"status.client.marker-sibling-isolation"},
	"client-takes-any-word":      {"status.client.unknown-value"},
	"client-reads-case-loosely":  {"status.client.unknown-value"},
	"client-dies-of-words":       {"status.client.unknown-value-no-crash"},
	"client-dies-of-any-status": {"status.client.unknown-value-no-crash", "status.client.non-string-status", "status.client.unknown-error",
		"status.client.data-missing-tolerated"},
	"client-takes-no-word":              {"status.client.non-string-status"},
	"client-dies-of-no-word":            {"status.client.non-string-status"},
	"client-takes-active-for-leave":     {"status.client.resume-before-prompt"},
	"client-waits-for-updates":          {"status.client.no-update-expectation"},
	"client-takes-no-state-for-idle":    {"status.client.omitted-state-not-idle"},
	"client-takes-bad-state-for-idle":   {"status.client.omitted-state-not-idle"},
	"client-takes-word-for-state":       {"status.client.omitted-state-not-idle"},
	"client-dies-of-bad-state":          {"status.client.omitted-state-not-idle"},
	"client-takes-other-state-for-idle": {"status.client.unrecognised-state"},
	"client-dies-of-other-state":        {"status.client.unrecognised-state"},
	"client-counts-snapshots":           {"status.client.idle-not-completion"},
	"client-adds-usage-of-snapshots":    {"status.client.idle-not-completion"},
	"client-ends-turn-by-snapshot":      {"status.client.idle-snapshot-does-not-end-running"},
	"client-reads-state-in-version-1":   {"status.client.v1-ignores-state"},
	"client-shows-state-in-version-1":   {"status.client.v1-ignores-state"},
	"client-dies-of-resume":             {"status.client.snapshot-errors"},
	"client-resumes-for-ever":           {"status.client.snapshot-errors"},
	"client-ignores-resume-error":       {"status.client.snapshot-errors"},
	"client-prompts-for-ever":           {"status.client.snapshot-errors"},
	"client-dies-of-lazy-agent":         {"status.client.lazy-agent"},
	"client-resumes-lazy-for-ever":      {"status.client.lazy-agent"},
	"client-ignores-lazy-error":         {"status.client.lazy-agent"},
	"client-resumes-unknown":            {"status.client.unknown-error"},
	"client-dies-of-unknown":            {"status.client.unknown-error"},
	"client-needs-error-data":           {"status.client.data-missing-tolerated"},
	"client-dies-of-error-data":         {"status.client.data-missing-tolerated"},
	"client-matches-by-order":           {"status.client.result-by-id"},
	"client-probes-without-pause":       {"status.client.no-probe-storm"},
}

// clientWarns are the faults that only make their rule warn, though it is one that fails.
var clientWarns = []string{"client-wants-empty-marker"}

// clientRow is a fault or a variant of the reference client in a version.
type clientRow struct {
	fault, variant string
	protocol       int
}

func rowsOf(c reference.Change, fault, variant string) (rows []clientRow) {
	for _, p := range c.Protocols {
		rows = append(rows, clientRow{fault, variant, p})
	}
	return rows
}

func (r clientRow) run(ctx context.Context) (result.Run, error) {
	var faults, variants []string
	if r.fault != "" {
		faults = []string{r.fault}
	}
	if r.variant != "" && slices.ContainsFunc(reference.Variants(), func(c reference.Change) bool { return c.Name == r.variant }) {
		variants = []string{r.variant}
	}
	return Reference(ctx, faults, variants, []int{r.protocol}, rules.Client())
}

// report adds the row to the report.
func (r clientRow) report(run result.Run, rep *Report, killed map[string][]string) {
	fired, failed := []string{}, []string{}
	for _, o := range run.Rules {
		switch o.Verdict {
		case result.Fail:
			fired, failed = append(fired, o.ID), append(failed, o.ID)
		case result.Warn:
			fired = append(fired, o.ID)
		case result.Error:
			rep.Problems = append(rep.Problems, fmt.Sprintf("%s%s: %s: %s", r.fault, r.variant, o.ID, o.Reason))
		}
	}
	if r.fault == "" {
		rep.Variants = append(rep.Variants, VariantReport{Name: r.variant, Protocol: r.protocol, Upset: fired, OK: len(fired) == 0})
		if len(fired) > 0 {
			rep.Problems = append(rep.Problems, fmt.Sprintf("the legal variant %s of the reference client upsets %v in version %d", r.variant, fired, r.protocol))
		}
		return
	}
	expected := clientFaults[r.fault]
	mustFail := []string{}
	for _, rl := range rules.Client() {
		if slices.Contains(expected, rl.ID) && rl.Fails() && !slices.Contains(clientWarns, r.fault) {
			mustFail = append(mustFail, rl.ID)
		}
	}
	ok := slices.Equal(fired, expected) && slices.Equal(failed, mustFail)
	rep.Faults = append(rep.Faults, FaultReport{Name: r.fault, Protocol: r.protocol, Subject: "client", Expected: expected, Fired: fired, Failed: failed,
		Blocked: []string{}, ExitCode: run.ExitCode, Millis: run.DurationMs, OK: ok})
	if !ok {
		rep.Problems = append(rep.Problems, fmt.Sprintf("fault %s of the reference client in version %d: expected %v, but it fired %v and failed %v", r.fault, r.protocol, expected, fired, failed))
	}
	for _, id := range fired {
		if !slices.Contains(killed[id], r.fault) {
			killed[id] = append(killed[id], r.fault)
		}
	}
}

// ClientBroken are the rules that a fault of the reference client breaks.
func ClientBroken(fault string) []string { return clientFaults[fault] }

// ClientBreakers are the faults of the reference client that break a rule.
func ClientBreakers(rule string) []string {
	var names []string
	for _, f := range reference.Faults() {
		if slices.Contains(clientFaults[f.Name], rule) {
			names = append(names, f.Name)
		}
	}
	return names
}
