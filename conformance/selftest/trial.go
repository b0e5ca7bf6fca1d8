package selftest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/acp-conform/acp-conform/conformance/engine"
	"github.com/acp-conform/acp-conform/conformance/result"
	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/fakeagent"
)

type counter struct{ n atomic.Int64 }

func newCounter() *counter { return &counter{} }

func (c *counter) next() int64 { return c.n.Add(1) }

// experiment is a fault in one version of the protocol.
type experiment struct {
	fakeagent.Fault
	protocol int
}

// experiments are the faults to try, in each version that they exist in.
func (t *trial) experiments() ([]experiment, error) {
	chosen, err := t.chosen()
	if err != nil {
		return nil, err
	}
	var all []experiment
	for _, f := range fakeagent.Faults() {
		for _, protocol := range f.Protocols {
			fires := expectations()[f.Name].in(protocol).fires()
			wanted := len(t.Patterns) == 0 || slices.ContainsFunc(chosen, func(r rule.Rule) bool { return slices.Contains(fires, r.ID) })
			if wanted && (!f.Process || t.Self != nil) {
				all = append(all, experiment{f, protocol})
			}
		}
	}
	return all, nil
}

// chosen are the rules that the patterns choose.
func (t *trial) chosen() ([]rule.Rule, error) {
	if len(t.Patterns) == 0 {
		return t.Rules, nil
	}
	return engine.Select(t.Rules, t.Patterns)
}

// rules are those of a version.
func (t *trial) rules(protocol int) []rule.Rule {
	return slices.DeleteFunc(slices.Clone(t.Rules), func(r rule.Rule) bool { return !r.For(protocol) })
}

// concerned are the rules whose clean run touched what the fault replaces; watching rules always are.
func (b *baseline) concerned(all []rule.Rule, f fakeagent.Fault) []rule.Rule {
	replaced := f.Replaces()
	return slices.DeleteFunc(slices.Clone(all), func(r rule.Rule) bool { return r.Act != nil && !b.touches(r.ID, replaced) })
}

// selection are rules to try a fault on, and what is expected of them.
type selection struct {
	rules []rule.Rule
	want  expectation
	again bool // a run whose survey differs from the clean one is not enough
}

// selections are the rules to try a fault on, the fewest first: the next ones are tried where a fault shows something else than
// expected.
func (t *trial) selections(base *baseline, f experiment) []selection {
	all, want := t.rules(f.protocol), expectations()[f.Name].in(f.protocol)
	if t.alone() {
		chosen, _ := t.chosen()
		all = slices.DeleteFunc(slices.Clone(chosen), func(r rule.Rule) bool { return !r.For(f.protocol) })
		want = want.only(all)
	}
	whole := selection{rules: all, want: want}
	if t.Full || f.Process && !t.alone() {
		return []selection{whole}
	}
	if t.alone() {
		fewer := cheaper(all, costly, want.fires()...)
		less := want.only(fewer)
		return []selection{{base.concerned(fewer, f.Fault), less, true}, {rules: fewer, want: less}, whole}
	}
	sel := []selection{{base.concerned(all, f.Fault), want, true}, whole}
	if !want.concerns(sharing) && !strings.HasPrefix(f.Name, sharing+"-") {
		fewer, less := want.without(sharing, all), want.leave(sharing)
		sel = append([]selection{{base.concerned(fewer, f.Fault), less, true}, {rules: fewer, want: less}}, sel...)
	}
	return sel
}

// alone tells whether only rules of the area were chosen that brings about all that it looks at: then no others need to run.
func (t *trial) alone() bool {
	chosen, _ := t.chosen()
	return len(t.Patterns) > 0 && !slices.ContainsFunc(chosen, func(r rule.Rule) bool { return r.Area() != sharing })
}

// cheaper leaves out costly rules but for some.
func cheaper(all []rule.Rule, costly func(id string) bool, but ...string) []rule.Rule {
	return slices.DeleteFunc(slices.Clone(all), func(r rule.Rule) bool { return costly(r.ID) && !slices.Contains(but, r.ID) })
}

// costly tells whether a rule is one of those that take longer than all others together: they compare conversations, make hundreds of
// calls or play many sequences. A chosen few faults are tried on them only if they should notice, and legal variants as wholly says:
// that no other upsets them is for the whole table to show.
func costly(id string) bool {
	return strings.HasPrefix(id, "status.sidefx.") || timing(id) || slices.Contains([]string{"status.model", "status.response.in-memory",
		"status.consistency.open-vs-methods", "status.request.unknown-fields-ignored"}, id)
}

// timing tells whether a rule is about what answers cost, which no legal variant changes.
func timing(id string) bool {
	return slices.Contains([]string{"status.perf.active-cheap", "status.perf.frequent-calls", "status.perf.history-independent"}, id)
}

func (t *trial) fault(ctx context.Context, f experiment) (rep FaultReport, err error) {
	set := settingOf(f.Name)
	base, err := t.baseline(ctx, set, f.protocol)
	if err != nil {
		return rep, err
	}
	config := set.config
	config.Faults = []string{f.Name}
	for _, sel := range t.selections(base, f) {
		run, err := t.run(ctx, f.Name, set, f.protocol, t.launcher(config, f.Process, nil), f.Process, sel.rules, 0)
		if err != nil {
			return rep, err
		}
		if sel.again && (run.Survey != base.surveyOf(run) || base.starved(run)) {
			continue
		}
		if t.alone() {
			run.Rules, sel.want = acting(run.Rules, &sel.want)
		}
		if rep = base.report(f, sel.want, run); rep.OK {
			break
		}
	}
	return rep, nil
}

// acting leaves out the watching rules that met no occasion: with few rules beside them there may be none, fault or not.
func acting(all []result.Outcome, want *expectation) ([]result.Outcome, expectation) {
	e := *want
	idle := func(id string) bool {
		return slices.ContainsFunc(all, func(o result.Outcome) bool { return o.ID == id && o.Kind == "watch" })
	}
	e.blocked = slices.DeleteFunc(slices.Clone(e.blocked), idle)
	return slices.DeleteFunc(slices.Clone(all), func(o result.Outcome) bool { return o.Kind == "watch" && o.Verdict == result.NotObserved }), e
}

// report compares a run with what is expected of a fault.
func (b *baseline) report(f experiment, want expectation, run result.Run) FaultReport {
	rep := FaultReport{Name: f.Name, Protocol: f.protocol, Subject: f.Subject, Expected: sorted(want.fires()), Failed: failed(run), ExitCode: run.ExitCode, Millis: run.DurationMs}
	rep.Fired, rep.Blocked, rep.errors = b.compare(run)
	rep.OK = len(rep.errors) == 0 && slices.Equal(rep.Fired, rep.Expected) && slices.Equal(rep.Failed, sorted(want.fails)) &&
		slices.Equal(rep.Blocked, sorted(want.blocked)) && rep.ExitCode == want.exit()
	return rep
}

// starved tells whether a watching rule met no occasion: with fewer rules that act it may have been there for the taking.
func (b *baseline) starved(run result.Run) bool {
	_, blocked, _ := b.compare(run)
	return slices.ContainsFunc(run.Rules, func(o result.Outcome) bool { return o.Kind == "watch" && slices.Contains(blocked, o.ID) })
}

// surveyOf is the clean survey with this run's timing.
func (b *baseline) surveyOf(run result.Run) result.Survey {
	s := b.run.Survey
	s.RoundTripMs = run.Survey.RoundTripMs
	return s
}

// compare gives the rules that failed or warned, those that met an occasion on the correct fake and none here, and those that
// ended in an error.
func (b *baseline) compare(run result.Run) (fired, blocked, errs []string) {
	clean := map[string]result.Verdict{}
	for _, o := range b.run.Rules {
		clean[o.ID] = o.Verdict
	}
	fired, blocked = []string{}, []string{}
	for _, o := range run.Rules {
		switch o.Verdict {
		case result.Fail, result.Warn:
			fired = append(fired, o.ID)
		case result.Error:
			errs = append(errs, o.ID+": "+o.Reason)
		case result.NotObserved, result.Skipped:
			if clean[o.ID] == result.Pass {
				blocked = append(blocked, o.ID)
			}
		}
	}
	return sorted(fired), sorted(blocked), errs
}

func failed(run result.Run) []string {
	ids := []string{}
	for _, o := range run.Rules {
		if o.Verdict == result.Fail {
			ids = append(ids, o.ID)
		}
	}
	return sorted(ids)
}

func (t *trial) conclude(rep *Report) {
	killed := map[string][]string{}
	columns := map[string]string{}
	for _, f := range rep.Faults {
		for _, id := range f.Fired {
			killed[id] = append(killed[id], f.label())
		}
		if !f.OK {
			rep.Problems = append(rep.Problems, f.explain(expectations()[f.Name].in(f.Protocol)))
		}
	}
	chosen, _ := t.chosen()
	for _, r := range chosen {
		rr := RuleReport{ID: r.ID, Subject: "agent", KilledBy: killed[r.ID], Unfalsifiable: unfalsifiable[r.ID]}
		if rr.KilledBy == nil {
			rr.KilledBy = []string{}
		}
		rep.Rules = append(rep.Rules, rr)
		rep.Problems = append(rep.Problems, t.judgeColumn(rr, columns)...)
	}
	for _, v := range rep.Variants {
		if !v.OK {
			rep.Problems = append(rep.Problems, fmt.Sprintf("the legal variant %s upsets %v in version %d", v.Name, v.Upset, v.Protocol))
		}
	}
	if rep.FalsePositives == nil {
		rep.FalsePositives = []string{}
	}
	for _, id := range rep.FalsePositives {
		rep.Problems = append(rep.Problems, id+" does not pass on the correct agent")
	}
	rep.OK = len(rep.Problems) == 0
}

// label names the fault, and its version where that is not the first.
func (f FaultReport) label() string {
	if f.Protocol == 2 {
		return f.Name + " (version 2)"
	}
	return f.Name
}

// explain says how a row of the table differs from what was seen.
func (f FaultReport) explain(want expectation) string {
	return fmt.Sprintf("fault %s in version %d: expected to fail %v, to warn %v, to block %v and exit %d, but it failed %v, fired %v, blocked %v and exited %d %v",
		f.Name, f.Protocol, sorted(want.fails), sorted(want.warned), sorted(want.blocked), want.exit(), f.Failed, f.Fired, f.Blocked, f.ExitCode, f.errors)
}

// judgeColumn checks that a rule can be broken, and that it is not another rule under a second name.
func (t *trial) judgeColumn(r RuleReport, columns map[string]string) []string {
	if t.Self == nil || t.Options.Rules != nil && len(t.Patterns) > 0 && len(t.Options.Rules) < 10 {
		return nil // not all faults ran
	}
	if (len(r.KilledBy) > 0) == (r.Unfalsifiable != "") {
		if r.Unfalsifiable != "" {
			return []string{r.ID + " is listed as one that no agent can break, but a fault breaks it"}
		}
		return []string{r.ID + " is broken by no fault, and there is no reason why"}
	}
	key := fmt.Sprint(r.KilledBy)
	if other, ok := columns[key]; ok && len(r.KilledBy) > 0 {
		return []string{fmt.Sprintf("%s and %s are broken by the same faults", r.ID, other)}
	}
	columns[key] = r.ID
	return nil
}

func sorted(s []string) []string {
	s = append([]string{}, s...)
	slices.Sort(s)
	return s
}
