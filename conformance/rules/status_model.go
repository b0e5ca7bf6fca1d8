package rules

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/acp-conform/acp-conform/conformance/client"
	"github.com/acp-conform/acp-conform/conformance/rule"
)

func statusModel() []rule.Rule { return []rule.Rule{statusModelRule} }

// statusModelID is the rule whose steps are drawn at random from the seed of the run.
const statusModelID = "status.model"

// Seeded tells whether what a rule does is drawn at random from the seed of the run.
func Seeded(id string) bool { return id == statusModelID }

var statusModelRule = rule.Rule{
	ID:    statusModelID,
	Title: "session/status follows a session through whatever happens to it",
	Level: rule.Must, Basis: rule.Stated, Stability: rule.Unstable, Versions: both,
	Ref:     statusPage("status-values"),
	Advice:  "Answer session/status from the place where the sessions in memory are kept, at the time of the request: only session/new, session/load and session/resume put one there.",
	Prompts: modelPrompts,
	Needs:   statusNeeds(),
	Act:     func(c *rule.Case) { modelExplore(c) },
}

// What is tried where nobody says how much. An agent with a model behind it is asked for few turns, and for few restarts
// if they take their time: how many sequences there is time for changes nothing for an agent that is right.
const (
	modelSequencesFake = 20
	modelSequencesReal = 16
	modelStepsFake     = 8
	modelStepsReal     = 6
	modelLeast         = 4 // sequences, however long they take
	modelLong          = 10 * time.Second
	modelShared        = 24 // sessions that are made on one agent before a fresh one is taken
)

// ModelPrompts is how many turns status.model starts at most where it tries so many sequences; 0 = as many as it thinks right.
func ModelPrompts(fake bool, sequences int) int {
	if fake {
		return modelStepsFake * max(modelSequencesFake, sequences)
	}
	return modelPrompts
}

// The turns of an agent that is no fake. A few are kept back for what is found: it is tried again.
const (
	modelPrompts  = 6
	modelReserved = 4
)

// modelLab is the place where sequences are tried on an agent.
type modelLab struct {
	c       *rule.Case
	ops     modelOps
	fake    bool
	nobody  string              // an id that was never given out
	prompts int                 // that may still be sent
	settled map[modelClass]bool // contradictions that have been reported, or that are this agent's right
	doubted map[modelClass]int  // how often one was not seen again
	agent   *modelAgent         // that sequences share which do not fail
	found   []modelFinding
}

// modelFinding is what came of the search.
type modelFinding struct {
	sequence int // the number of the sequence that showed it, from 1
	*modelConflict
	warns bool
}

// modelExplore tries one sequence after the other until one of them fails the rule.
func modelExplore(c *rule.Case) *modelLab {
	l := newModelLab(c)
	started := time.Now()
	n, most := modelSequencesReal, modelStepsReal
	if l.fake {
		n, most = modelSequencesFake, modelStepsFake
	}
	limited := !l.fake && c.Env.Sequences == 0
	n = cmp.Or(c.Env.Sequences, n)
	g := modelSequences(l.ops, most)
	for i := range n {
		if limited && i >= modelLeast && time.Since(started) > modelLong {
			break
		}
		c.Log.Occasion()
		l.nobody = modelUUID(c.Env.Seed, i)
		if x := l.try(modelDraw(g, c.Env.Seed, i)); x != nil && l.weigh(i+1, x) {
			break
		}
	}
	l.rest()
	return l
}

func newModelLab(c *rule.Case) *modelLab {
	fake := c.Env.Facts.Fake
	return &modelLab{c: c, ops: modelServed(c), fake: fake, prompts: ModelPrompts(fake, c.Env.Sequences),
		settled: map[modelClass]bool{}, doubted: map[modelClass]int{}}
}

// modelServed are the operations that the agent serves, and the turns that can surely be brought about.
func modelServed(c *rule.Case) modelOps {
	in := c.Env.Facts.Init
	ops := modelOps{modelNew: true, modelProbe: true, modelRestart: true, modelPrompt: c.Env.Facts.Turn,
		modelLoad: in.CanLoad(), modelResume: in.CanResume(), modelRefused: in.CanReattach() && !c.Env.Pure,
		modelClose: c.Advertises("sessionCapabilities.close"), modelDelete: c.Advertises("sessionCapabilities.delete"),
		modelList: c.Advertises("sessionCapabilities.list")}
	for _, op := range []modelOp{modelCancel, modelAllow, modelDismiss, modelEvict, modelBreak} {
		t, ok := c.Env.Stimuli(modelStimuli[op], "")
		ops[op] = ok && t.Certain && c.Env.Facts.Turn && (op != modelBreak || ops[modelClose])
	}
	return ops
}

// try takes a sequence on the agent that sequences share, and leaves nothing behind there.
func (l *modelLab) try(steps []modelStep) *modelConflict {
	if l.agent == nil {
		l.agent = modelStart(l.c)
	}
	reserved := 0
	if !l.fake {
		reserved = min(l.prompts, modelReserved)
	}
	l.prompts -= reserved
	w := &modelWalk{modelLab: l, agent: l.agent, steps: steps, asks: true, patient: true}
	x := w.walk()
	l.prompts += reserved
	if x != nil || l.agent.bad || l.agent.made >= modelShared {
		l.rest()
		return x
	}
	w.clear()
	return nil
}

// clear takes the sessions of a sequence away from an agent that goes on to the next one.
func (w *modelWalk) clear() {
	for _, s := range w.sessions[:modelSessions] {
		switch {
		case s == nil:
		case w.ops[modelDelete]:
			s.Delete()
		case w.ops[modelClose]:
			s.Close()
		}
	}
}

// rest ends the agent that sequences share.
func (l *modelLab) rest() {
	if l.agent != nil {
		l.agent.end()
		l.agent = nil
	}
}

// fresh takes a sequence on an agent of its own.
func (l *modelLab) fresh(steps []modelStep, patient bool) *modelConflict {
	w := &modelWalk{modelLab: l, agent: modelStart(l.c), steps: steps, asks: true, patient: patient}
	defer func() { w.agent.end() }()
	return w.walk()
}

// twin takes the same steps without asking for any status, waits as long, and asks once.
func (l *modelLab) twin(steps []modelStep, of int, wait time.Duration) client.Standing {
	w := &modelWalk{modelLab: l, agent: modelStart(l.c), steps: steps}
	defer func() { w.agent.end() }()
	w.walk()
	w.agent.cl.Rest(wait)
	return ask(l.c, w.agent.cl, w.sessions[of].ID).Standing
}

// modelUUID is an id that no agent has given out: the nth of a seed.
func modelUUID(seed int64, n int) string {
	r := rand.New(rand.NewPCG(uint64(seed), uint64(n)))
	high, low := r.Uint64()&^0xf000|0x4000, r.Uint64()&^(0xc<<60)|0x8<<60
	return fmt.Sprintf("%08x-%04x-%04x-%04x-%012x", high>>32, high>>16&0xffff, high&0xffff, low>>48, low&0xffffffffffff)
}
