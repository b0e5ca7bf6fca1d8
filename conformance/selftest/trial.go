package selftest

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/acp-conform/acp-conform/conformance/engine"
	"github.com/acp-conform/acp-conform/conformance/result"
	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/fakeagent"
)

type counter struct{ n atomic.Int64 }

func newCounter() *counter { return &counter{} }

func (c *counter) next() int64 { return c.n.Add(1) }

// clean runs everything against the correct fake: nothing may fail, and it shows which behaviours each rule touches.
func (t *trial) clean(ctx context.Context) (err error) {
	t.touched = map[string]map[string]bool{}
	var mu sync.Mutex
	touch := func(who, field string) {
		mu.Lock()
		defer mu.Unlock()
		if t.touched[who] == nil {
			t.touched[who] = map[string]bool{}
		}
		t.touched[who][field] = true
	}
	t.cleanRun, err = t.run(ctx, "", t.launcher(fakeagent.Config{}, false, touch), false, t.Rules)
	for _, o := range t.cleanRun.Rules {
		if o.Verdict != result.Pass && !slices.Contains(unseenOnFake, o.ID) {
			t.upset = append(t.upset, o.ID)
		}
	}
	return err
}

// faults are the faults to try.
func (t *trial) faults() ([]fakeagent.Fault, error) {
	all := fakeagent.Faults()
	if t.Self == nil {
		all = slices.DeleteFunc(slices.Clone(all), func(f fakeagent.Fault) bool { return f.Process })
	}
	if len(t.Patterns) == 0 {
		return all, nil
	}
	chosen, err := engine.Select(t.Rules, t.Patterns)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(slices.Clone(all), func(f fakeagent.Fault) bool {
		return !slices.ContainsFunc(chosen, func(r rule.Rule) bool { return slices.Contains(expectations()[f.Name].fires(), r.ID) })
	}), nil
}

// concerned are the rules whose clean run touched what the fault replaces; watching rules always are.
func (t *trial) concerned(f fakeagent.Fault) []rule.Rule {
	replaced := f.Replaces()
	return slices.DeleteFunc(slices.Clone(t.Rules), func(r rule.Rule) bool {
		return r.Act != nil && !slices.ContainsFunc(replaced, func(field string) bool { return t.touched[r.ID][field] })
	})
}

func (t *trial) fault(ctx context.Context, f fakeagent.Fault) (FaultReport, error) {
	want := expectations()[f.Name]
	rep := FaultReport{Name: f.Name, Protocol: 1, Subject: f.Subject, Expected: sorted(want.fires())}
	chosen := t.Rules
	if !t.Full && !f.Process {
		chosen = t.concerned(f)
	}
	launch := t.launcher(fakeagent.Config{Faults: []string{f.Name}}, f.Process, nil)
	run, err := t.run(ctx, f.Name, launch, f.Process, chosen)
	if err == nil && len(chosen) < len(t.Rules) && (run.Survey != t.surveyOf(run) || t.starved(run)) {
		run, err = t.run(ctx, f.Name, launch, f.Process, t.Rules)
	}
	if err != nil {
		return rep, err
	}
	rep.ExitCode, rep.Millis = run.ExitCode, run.DurationMs
	rep.Fired, rep.Blocked, rep.errors = t.compare(run)
	rep.Failed = failed(run)
	rep.OK = len(rep.errors) == 0 && slices.Equal(rep.Fired, rep.Expected) && slices.Equal(rep.Failed, sorted(want.fails)) &&
		slices.Equal(rep.Blocked, sorted(want.blocked)) && rep.ExitCode == want.exit()
	return rep, nil
}

// starved tells whether a watching rule met no occasion: with fewer rules that act it may have been there for the taking.
func (t *trial) starved(run result.Run) bool {
	_, blocked, _ := t.compare(run)
	return slices.ContainsFunc(run.Rules, func(o result.Outcome) bool { return o.Kind == "watch" && slices.Contains(blocked, o.ID) })
}

// surveyOf is the clean survey with this run's timing.
func (t *trial) surveyOf(run result.Run) result.Survey {
	s := t.cleanRun.Survey
	s.RoundTripMs = run.Survey.RoundTripMs
	return s
}

// compare gives the rules that failed or warned, those that met an occasion on the correct fake and none here, and those that
// ended in an error.
func (t *trial) compare(run result.Run) (fired, blocked, errs []string) {
	clean := map[string]result.Verdict{}
	for _, o := range t.cleanRun.Rules {
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

func (t *trial) variant(ctx context.Context, v legalAgent) (VariantReport, error) {
	rep := VariantReport{Name: v.name, Protocol: 1, OK: true}
	run, err := t.run(ctx, v.name, t.launcher(v.config, v.process, nil), v.process, t.Rules)
	fired, _, errs := t.compare(run)
	rep.Upset = append(fired, errs...)
	rep.OK = len(rep.Upset) == 0
	return rep, err
}

func (t *trial) conclude(rep *Report) {
	killed := map[string][]string{}
	columns := map[string]string{}
	for _, f := range rep.Faults {
		for _, id := range f.Fired {
			killed[id] = append(killed[id], f.Name)
		}
		if !f.OK {
			rep.Problems = append(rep.Problems, f.explain(expectations()[f.Name]))
		}
	}
	for _, r := range t.Rules {
		rr := RuleReport{ID: r.ID, Subject: "agent", KilledBy: killed[r.ID], Unfalsifiable: unfalsifiable[r.ID]}
		if rr.KilledBy == nil {
			rr.KilledBy = []string{}
		}
		rep.Rules = append(rep.Rules, rr)
		rep.Problems = append(rep.Problems, t.judgeColumn(rr, columns)...)
	}
	for _, v := range rep.Variants {
		if !v.OK {
			rep.Problems = append(rep.Problems, fmt.Sprintf("the legal variant %s upsets %v", v.Name, v.Upset))
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

// explain says how a row of the table differs from what was seen.
func (f FaultReport) explain(want expectation) string {
	return fmt.Sprintf("fault %s: expected to fail %v, to warn %v, to block %v and exit %d, but it failed %v, fired %v, blocked %v and exited %d %v",
		f.Name, sorted(want.fails), sorted(want.warned), sorted(want.blocked), want.exit(), f.Failed, f.Fired, f.Blocked, f.ExitCode, f.errors)
}

// judgeColumn checks that a rule can be broken, and that it is not another rule under a second name.
func (t *trial) judgeColumn(r RuleReport, columns map[string]string) []string {
	if len(t.Patterns) > 0 || t.Self == nil {
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
