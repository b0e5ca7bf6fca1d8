package rules

import (
	"strings"

	"pgregory.net/rapid"
)

// modelOp is what a step does, to a session or to the agent.
type modelOp string

// The operations. A name of a session takes the place of the blank.
const (
	modelNew     modelOp = "new _"
	modelPrompt  modelOp = "prompt _"
	modelCancel  modelOp = "prompt _ and cancel it"
	modelAllow   modelOp = "prompt _ and allow what it asks"
	modelDismiss modelOp = "prompt _ and cancel it while it asks"
	modelBreak   modelOp = "prompt _ and close it meanwhile"
	modelClose   modelOp = "close _"
	modelDelete  modelOp = "delete _"
	modelLoad    modelOp = "load _"
	modelResume  modelOp = "resume _"
	modelRefused modelOp = "load _ with a cwd that is not absolute"
	modelEvict   modelOp = "evict _"
	modelProbe   modelOp = "ask three times about _"
	modelRestart modelOp = "restart the agent"
	modelList    modelOp = "list"
)

// modelSessions is how many sessions a sequence has at most; behind them stands one that does not exist.
const (
	modelSessions = 3
	modelNobody   = modelSessions
)

// modelNames are how findings call the sessions.
var modelNames = [modelSessions + 1]string{"A", "B", "C", "X (never given out)"}

// modelStep is an operation on one of the sessions; of is 0 where it is about none.
type modelStep struct {
	op modelOp
	of int
}

func (s modelStep) String() string { return strings.Replace(string(s.op), "_", modelNames[s.of], 1) }

// about tells whether the step needs the session to have been made.
func (s modelStep) about(session int) bool {
	return s.of == session && strings.Contains(string(s.op), "_")
}

func modelText(steps []modelStep) string {
	var texts []string
	for _, s := range steps {
		texts = append(texts, s.String())
	}
	return strings.Join(texts, "; ")
}

// modelStanding is what a sequence means a session to be while it is drawn. What has really become of it is known only later.
type modelStanding int

const (
	modelUnmade modelStanding = iota
	modelInUse
	modelOut
	modelDeleted
)

// modelWeights say how often an operation is drawn, by what the session is meant to be. What needs a session in memory is not
// drawn for others: it would only be refused.
var modelWeights = []struct {
	op                  modelOp
	inUse, out, deleted int
}{
	{modelLoad, 1, 2, 1},
	{modelResume, 1, 2, 1},
	{modelClose, 3, 1, 0},
	{modelDelete, 1, 2, 0},
	{modelRefused, 0, 1, 0},
	{modelProbe, 1, 1, 1},
	{modelPrompt, 2, 0, 0},
	{modelEvict, 1, 0, 0},
	{modelCancel, 1, 0, 0},
	{modelAllow, 1, 0, 0},
	{modelDismiss, 1, 0, 0},
	{modelBreak, 1, 0, 0},
}

// modelOps are the operations that an agent serves and that can be brought about.
type modelOps map[modelOp]bool

// sketch follows a sequence while it is drawn.
type sketch struct {
	ops   modelOps
	meant [modelSessions + 1]modelStanding
}

// choices are the steps that may come next, each as often as it weighs.
func (k *sketch) choices() []modelStep {
	var all []modelStep
	add := func(op modelOp, of, weight int) {
		for range weight {
			if k.ops[op] {
				all = append(all, modelStep{op, of})
			}
		}
	}
	for of, is := range k.meant {
		for _, w := range modelWeights {
			add(w.op, of, [...]int{0, w.inUse, w.out, w.deleted}[is])
		}
	}
	for of, is := range k.meant[:modelSessions] {
		if is == modelUnmade {
			add(modelNew, of, 2)
			break
		}
	}
	add(modelRestart, 0, 2)
	add(modelList, 0, 2)
	return all
}

func (k *sketch) take(s modelStep) {
	switch s.op {
	case modelNew:
		k.meant[s.of] = modelInUse
	case modelLoad, modelResume:
		if k.meant[s.of] != modelDeleted {
			k.meant[s.of] = modelInUse
		}
	case modelClose, modelEvict, modelBreak:
		k.meant[s.of] = modelOut
	case modelDelete:
		k.meant[s.of] = modelDeleted
	case modelRestart:
		for of, is := range k.meant {
			if is == modelInUse {
				k.meant[of] = modelOut
			}
		}
	}
}

// modelSequences generates sequences of at most so many steps. The first makes a session.
func modelSequences(ops modelOps, most int) *rapid.Generator[[]modelStep] {
	return rapid.Custom(func(t *rapid.T) []modelStep {
		k := sketch{ops: ops}
		k.meant[modelNobody] = modelDeleted
		n := modelLeastSteps + modelDraws(t, most-modelLeastSteps+1)
		steps := []modelStep{{modelNew, 0}}
		for k.take(steps[0]); len(steps) < n; k.take(steps[len(steps)-1]) {
			next := k.choices()
			steps = append(steps, next[modelDraws(t, len(next))])
		}
		return steps
	})
}

// modelLeastSteps are the steps of the shortest sequences: those of fewer steps are their beginnings.
const modelLeastSteps = 4

// modelDraws draws a number below n, by coins: rapid's own numbers prefer the small ones, and with them the first session.
func modelDraws(t *rapid.T, n int) int {
	drawn := 0
	for range 10 {
		drawn *= 2
		if rapid.Bool().Draw(t, "coin") {
			drawn++
		}
	}
	return drawn % n
}

// modelDraw is the nth sequence of a seed. It is not rapid.Check that draws it: outside of a test binary that stops at flags that
// nobody has parsed, and its seed, its limits and its files of failures are variables of the process. A generator's examples need
// none of that, and shrinking whole steps suits an agent that takes its time better than shrinking bits.
func modelDraw(g *rapid.Generator[[]modelStep], seed int64, n int) []modelStep {
	return g.Example(int(seed)*1_000_003 + n)
}
