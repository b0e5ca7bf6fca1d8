package conformance

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/types"

	"github.com/acp-conform/acp-conform/conformance/engine"
	"github.com/acp-conform/acp-conform/conformance/result"
	"github.com/acp-conform/acp-conform/conformance/rule"
)

// Register adds one spec for each rule to the Ginkgo tree, under the container "ACP". Each carries the code location of its
// rule and the labels id, area, level, stability and version (v1), and does its own work when it runs, so that Ginkgo's
// filters and parallel processes apply: what is not selected costs nothing.
//
// A rule that the agent breaks fails with the evidence, a warning becomes a report entry (or fails, when Strict), a rule
// that was not judged is skipped with the reason. A Config that cannot be used stops the suite while its tree is built,
// whatever the filter.
func Register(cfg Config) {
	ginkgo.Describe("ACP", func() {
		e, err := cfg.engine()
		if err != nil {
			panic(err) // Ginkgo reports it as a mistake in the tree
		}
		s := &specs{Config: e}
		for _, r := range e.Rules {
			file, line := r.Location()
			ginkgo.It(r.Title, types.CodeLocation{FileName: file, LineNumber: line}, ginkgo.Label(labels(r, e.Protocol)...),
				func(ctx ginkgo.SpecContext) { s.judge(ctx, r) })
		}
	})
}

func labels(r rule.Rule, protocol int) []string {
	stability := r.Stability
	if stability == "" {
		stability = rule.Stable
	}
	return []string{r.ID, r.Area(), string(r.Level), string(stability), fmt.Sprintf("v%d", protocol)}
}

// specs is what the specs of one Register share.
type specs struct {
	engine.Config
	mu      sync.Mutex
	session *engine.Session // nil until the first spec runs
}

func (s *specs) judge(ctx context.Context, r rule.Rule) {
	run, err := s.run(ctx, r)
	if err != nil {
		ginkgo.Fail(err.Error())
	}
	i := slices.IndexFunc(run.Rules, func(o result.Outcome) bool { return o.ID == r.ID })
	o := run.Rules[i]
	switch {
	case o.Verdict == result.Fail, o.Verdict == result.Error, o.Verdict == result.Warn && s.Policy.Strict:
		ginkgo.Fail(explain(o))
	case o.Verdict == result.Warn:
		ginkgo.AddReportEntry("warning", brief(o))
	case !o.Verdict.Concluded() && s.hollow(run):
		ginkgo.Fail(problem(run))
	case !o.Verdict.Concluded():
		ginkgo.Skip(unjudged(o))
	}
}

// hollow tells whether a rule was not judged for a reason that concerns all rules: to skip them all would look like success.
func (s *specs) hollow(run result.Run) bool {
	return run.Interrupt || !run.Survey.Handshake || !run.Survey.Session && !s.Policy.AllowNoSession
}

// run runs what one rule needs. The survey is made by the first spec and shared by all.
func (s *specs) run(ctx context.Context, r rule.Rule) (result.Run, error) {
	ctx, cancel := context.WithCancel(ctx)
	ginkgo.DeferCleanup(cancel) // also when Ginkgo gives up waiting for the spec
	session, err := s.survey(ctx)
	if err != nil {
		return result.Run{}, err
	}
	return session.Judge(ctx, r.ID)
}

func (s *specs) survey(ctx context.Context) (*engine.Session, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.session != nil {
		return s.session, nil
	}
	session, err := engine.Survey(ctx, s.Config)
	if err == nil {
		s.session = session
	}
	return session, err
}
