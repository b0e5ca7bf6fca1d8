package rules

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/acp-conform/acp-conform/conformance/client"
	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/wire"
)

// weigh decides what a contradiction counts, and reports it if it counts; it tells whether the search is over. It counts when the
// sequence shows it again on a fresh agent, and no control says that it is the agent's right.
func (l *modelLab) weigh(sequence int, x *modelConflict) (over bool) {
	again := l.fresh(x.steps, true)
	if again == nil || again.modelClass != x.modelClass {
		if l.doubted[x.modelClass]++; l.doubted[x.modelClass] > 1 {
			l.settled[x.modelClass] = true
		}
		return false
	}
	l.settled[x.modelClass] = !l.counts(again)
	if l.settled[x.modelClass] {
		return false
	}
	f := modelFinding{sequence: sequence, modelConflict: l.shortest(again), warns: again.warns()}
	l.found = append(l.found, f)
	l.settled[x.modelClass] = true
	l.report(f)
	return !f.warns
}

// counts tells whether a contradiction is more than an agent's right, by a control.
func (l *modelLab) counts(x *modelConflict) bool {
	switch x.kind {
	case modelLost: // an agent may evict at any time, but not because of a question
		first := l.twin(x.steps, x.of, x.waited)
		return first == client.Active && l.twin(x.steps, x.of, x.waited) == first
	case modelBack:
		if x.by == "" || !x.left && x.by != modelRestart {
			return true
		}
		// An agent may restore sessions when it is started again, now or later, or when it has something else to do.
		return l.twin(x.innocent(), x.of, x.waited+x.waited/4+modelLater) != client.Active
	}
	return true
}

// modelLater is how much longer a control waits than the sequence did.
const modelLater = 50 * time.Millisecond

// innocent are the steps without those behind the session's leaving that must not bring it back: a list, and what was asked of the
// session itself.
func (x *modelConflict) innocent() []modelStep {
	kept := slices.Clone(x.steps[:x.since+1])
	for _, s := range x.steps[x.since+1:] {
		if s.op != modelList && !s.about(x.of) {
			kept = append(kept, s)
		}
	}
	return kept
}

// warns tells whether a contradiction only warns.
func (x *modelConflict) warns() bool { return x.mild() != "" }

// mild is why a contradiction only warns, "" if it does not.
func (x *modelConflict) mild() string {
	switch {
	case x.kind == modelDenied:
		return "an agent may refuse a prompt for a reason of its own"
	case (x.kind == modelLost || x.kind == modelLostAtOnce) && x.said != client.Unknown:
		return "an agent may take a session out of memory at any time"
	case x.kind == modelBack && x.failed && x.by != "":
		return "it is nowhere said what is left of a request to load a session that fails"
	case x.kind == modelBack && x.by == modelClose && !x.left:
		return "an agent may take its time to close a session"
	}
	return ""
}

// How much is done to make a sequence shorter.
const (
	modelTriesFake  = 150
	modelTriesReal  = 15
	modelShrinkLong = 20 * time.Second
)

// shortest shrinks the sequence of a contradiction.
func (l *modelLab) shortest(x *modelConflict) *modelConflict {
	tries, until := l.c.Env.Times(modelTriesFake, modelTriesReal), time.Now().Add(time.Hour)
	if !l.fake {
		tries, until = modelTriesReal, time.Now().Add(modelShrinkLong)
	}
	short := modelShrink(x.steps, tries, func(steps []modelStep) bool {
		if time.Now().After(until) {
			return false
		}
		got := l.fresh(steps, false)
		return got != nil && got.modelClass == x.modelClass && l.counts(got)
	})
	if modelText(short) != modelText(x.steps) {
		if got := l.fresh(short, true); got != nil && got.modelClass == x.modelClass && l.counts(got) {
			return got
		}
	}
	return x
}

// report makes a finding of a contradiction.
func (l *modelLab) report(f modelFinding) {
	var allowed []string
	for _, s := range f.want {
		allowed = append(allowed, s.String())
	}
	said, want := f.status.String(), strings.Join(allowed, ", ")
	text := fmt.Sprintf("%s: %s → session/status %s answered %s, allowed: %s", f.reason(), modelText(f.steps), modelNames[f.of], said, want)
	var cite []wire.Frame
	for _, a := range f.cite {
		cite = append(cite, a.Frames()...)
	}
	l.c.Log.BrokenIf(!f.warns, rule.Finding{Why: text, Expected: want, Found: said, Cite: cite, Mild: f.mild()})
}

// reason says what is wrong with a contradiction.
func (x *modelConflict) reason() string {
	switch {
	case x.kind == modelDenied:
		return "a session is active, although a prompt to it was refused because it is not known"
	case x.kind == modelLostInTurn:
		return "a session is not active while a turn of it runs"
	case x.kind == modelLostAtOnce:
		return "a session is not active right after it was brought into memory"
	case x.kind == modelLost:
		return "a session is active if nobody asks for its status, and is not if somebody does"
	case x.by == "":
		return "a session that does not exist is active"
	case x.by == modelClose && !x.left:
		return "a session is still active some time after it was closed"
	case x.failed:
		return "a session is active after a request to load it failed"
	case x.left:
		return "a session is active again, although it was not loaded"
	}
	return "a session is active that is not in memory"
}
