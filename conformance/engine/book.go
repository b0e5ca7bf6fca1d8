package engine

import (
	"os"
	"slices"
	"sync"
	"time"

	"github.com/acp-conform/acp-conform/conformance/result"
	"github.com/acp-conform/acp-conform/conformance/rule"
)

// book keeps what the acting rules came to, by id.
type book struct {
	mu      sync.Mutex
	entries map[string]entry
}

type entry struct {
	judgement rule.Judgement
	stage     *stage
	took      time.Duration
}

func (b *book) put(id string, e entry) result.Verdict {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.entries == nil {
		b.entries = map[string]entry{}
	}
	b.entries[id] = e
	return e.judgement.Verdict
}

// outcomes makes one outcome of each rule, in the order of the contract. What the watchers saw is merged in that order as
// well, the survey first, so that neither the order of the run nor the number of jobs can be seen in a report.
func (r *run) outcomes(s *survey, stages []*stage) ([]result.Outcome, result.Frames) {
	for i := range r.Rules {
		if e, ok := r.book.entries[r.Rules[i].ID]; ok && e.stage != nil {
			stages = append(stages, e.stage)
		}
	}
	var out []result.Outcome
	for i := range r.Rules {
		p := &r.Rules[i]
		if p.Watch != nil {
			out = append(out, r.watched(p, stages))
			continue
		}
		out = append(out, r.acted(p, s))
	}
	if fault := s.stage.fault(); fault != "" {
		out = append(out, result.Outcome{ID: surveyName, Area: surveyName, Kind: "act", Subject: "agent", Title: "the survey's own messages are valid",
			Verdict: result.Error, Reason: fault})
	}
	return out, framesOf(result.Frames{Edition: r.Edition.Name(), Source: r.SchemaDir}, stages)
}

// framesOf adds up how many frames of all connections were compared with a definition.
func framesOf(sum result.Frames, stages []*stage) result.Frames {
	for _, s := range stages {
		for _, a := range s.audiences {
			sum.Add(a.Conversation.Frames)
		}
	}
	return sum
}

func (r *run) outcome(p *rule.Rule) result.Outcome {
	o := result.Outcome{ID: p.ID, Area: p.Area(), Level: string(p.Level), Basis: string(p.Basis), Stability: string(p.Stability), Kind: p.Kind(),
		Subject: "agent", Title: p.Title, Ref: p.Ref.URL(), Advice: p.Advice, Owed: p.Owed(), Rerun: r.Rerun([]string{p.ID})}
	if o.Stability == "" {
		o.Stability = string(rule.Stable)
	}
	return o
}

// acted is the outcome of an acting rule. A bad frame of ours on one of its connections makes it an error of the suite.
func (r *run) acted(p *rule.Rule, s *survey) result.Outcome {
	o := r.outcome(p)
	e, ok := r.book.entries[p.ID]
	if !ok {
		o.Verdict, o.Reason = result.NotObserved, "the agent did not shake hands"
		return o
	}
	l := e.judgement.Log
	o.Verdict, o.Reason, o.Occasions, o.Evidence, o.Suppressed = e.judgement.Verdict, e.judgement.Reason, l.Occasions, l.Seen, l.Suppressed
	o.DurationMs = e.took.Milliseconds()
	if e.stage != nil {
		if fault := e.stage.fault(); fault != "" {
			o.Verdict, o.Reason = result.Error, fault
		}
	}
	return o
}

// watched merges what the watchers of a rule saw on all connections.
func (r *run) watched(p *rule.Rule, stages []*stage) result.Outcome {
	o := r.outcome(p)
	internal := ""
	var seen []result.Observation
	for _, s := range stages {
		n := slices.IndexFunc(s.watching, func(w *rule.Rule) bool { return w.ID == p.ID })
		for _, a := range s.audiences {
			l := a.Logs[n]
			o.Occasions += l.Occasions
			o.Suppressed += l.Suppressed
			seen = append(seen, l.Seen...)
			if internal == "" {
				internal = l.Internal
			}
		}
	}
	o.Verdict = result.Worst(o.Occasions, seen)
	o.Evidence = result.Distinct(seen, &o.Suppressed)
	for _, ob := range o.Evidence {
		if ob.Severity != result.Noted && ob.SeenIn != surveyName {
			o.Rerun = r.Rerun([]string{p.ID, ob.SeenIn})
			break
		} else if ob.Severity != result.Noted {
			break
		}
	}
	switch {
	case internal != "":
		o.Verdict, o.Reason = result.Error, internal
	case o.Verdict == result.NotObserved && !r.facts.Handshake:
		o.Reason = "the agent did not shake hands"
	case o.Verdict == result.NotObserved:
		o.Reason = "the agent offered no occasion"
	}
	return o
}

// fault is what the suite did wrong on the stage's own connections.
func (s *stage) fault() string {
	for _, a := range s.audiences {
		if f := a.Conversation.Fault; f != "" {
			return f
		}
	}
	return ""
}

func mkdirTemp(root, pattern string) (string, error) { return os.MkdirTemp(root, pattern) }
