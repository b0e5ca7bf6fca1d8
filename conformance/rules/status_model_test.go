package rules

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"

	"github.com/acp-conform/acp-conform/conformance/engine"
	"github.com/acp-conform/acp-conform/conformance/result"
	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/wire"
	"github.com/acp-conform/acp-conform/fakeagent"
)

// searched is what status.model came to on a fake agent.
type searched struct {
	*modelLab // nil where the rule did not act
	result.Outcome
}

// search runs status.model. The nth agent that is started is as config says; each finds what those before it have kept.
func search(t testing.TB, protocol, sequences int, config func(n int64) fakeagent.Config) searched {
	t.Helper()
	var got searched
	r := statusModelRule
	r.Act = func(c *rule.Case) { got.modelLab = modelExplore(c) }
	var n atomic.Int64
	launch := func(ctx context.Context, l wire.Launch) (wire.Peer, error) {
		cfg := config(n.Add(1))
		cfg.Store, cfg.Salt, cfg.Pace = l.Home, fmt.Sprint(n.Load()), 0.25
		a, err := fakeagent.New(cfg)
		if err != nil {
			return nil, err
		}
		return wire.InProcess(a.Serve)(ctx, l)
	}
	run, err := engine.Run(context.Background(), engine.Config{Launch: launch, Rules: []rule.Rule{r}, Protocol: protocol,
		MaxPrompts: -1, ModelSequences: sequences, TempDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	got.Outcome = run.Rules[0]
	return got
}

func everyTime(cfg fakeagent.Config) func(int64) fakeagent.Config {
	return func(int64) fakeagent.Config { return cfg }
}

// beyondModel are faults in the life of a session that session/status says nothing wrong about: they show in what is refused, or is
// not, when the session is loaded.
var beyondModel = []string{"inactive-not-resumable", "resume-revives-deleted", "close-after-cancel-loses"}

// What goes wrong in the life of a session is found within 200 sequences, and shown in at most six steps.
func TestModelFindsLifecycleFaults(t *testing.T) {
	const enough = 60 // of the 200; those of which it warns go on to the end
	names := append(fakeagent.LifecycleFaults(), "failed-load-activates", "list-loads", "status-always-active")
	for _, f := range fakeagent.Faults() {
		if !slices.Contains(names, f.Name) || slices.Contains(beyondModel, f.Name) {
			continue
		}
		for _, version := range f.Protocols {
			t.Run(fmt.Sprint(f.Name, " ", version), func(t *testing.T) {
				t.Parallel()
				got := search(t, version, enough, everyTime(fakeagent.Config{Faults: []string{f.Name}}))
				if got.modelLab == nil || len(got.found) == 0 {
					t.Fatal(got.Verdict, got.Reason)
				}
				for i, x := range got.found {
					t.Logf("sequence %d: %s", x.sequence, got.Evidence[i].Explanation)
					if len(x.steps) > 6 {
						t.Errorf("%d steps", len(x.steps))
					}
				}
			})
		}
	}
}

// A correct agent upsets nothing, whatever is legal about it, and whichever words it uses: here other ones in each version.
func TestModelAcceptsVariants(t *testing.T) {
	variants := append(fakeagent.Variants(), fakeagent.Fault{Name: "", Protocols: []int{1, 2}})
	for _, v := range variants {
		for _, version := range v.Protocols {
			t.Run(fmt.Sprint(v.Name, " ", version), func(t *testing.T) {
				t.Parallel()
				cfg := fakeagent.Config{StatusVocabulary: fakeagent.StatusVocabularies()[version-1]}
				if v.Name != "" {
					cfg.Variants = []string{v.Name}
				}
				got := search(t, version, 6, everyTime(cfg))
				if got.Verdict == result.Fail || got.Verdict == result.Warn || got.Verdict == result.Error {
					t.Errorf("%s %s %v", got.Verdict, got.Reason, got.Evidence)
				}
				if v.Name == "" && got.Verdict != result.Pass {
					t.Errorf("%s: %s", got.Verdict, got.Reason)
				}
			})
		}
	}
}

// What a fresh agent does not show again counts for nothing.
func TestModelDoubtsWhatIsNotSeenAgain(t *testing.T) {
	got := search(t, 1, 20, func(n int64) fakeagent.Config {
		if n == 2 { // the first that sequences are tried on; before it was the survey
			return fakeagent.Config{Faults: []string{"status-always-active"}}
		}
		return fakeagent.Config{}
	})
	if got.Verdict != result.Pass || len(got.doubted) == 0 {
		t.Errorf("%s, doubted %v", got.Verdict, got.doubted)
	}
}

// What the report cites is the last connection, with the steps on it and the answer.
func TestModelCitesTheLastConnection(t *testing.T) {
	got := search(t, 1, 60, everyTime(fakeagent.Config{Faults: []string{"list-loads"}}))
	if got.Verdict != result.Fail {
		t.Fatal(got.Verdict, got.Reason)
	}
	e := got.Evidence[0]
	if want := "new A; close A; list → session/status A answered active, allowed: inactive, unknown"; !strings.Contains(e.Explanation, want) {
		t.Errorf("%s, want %s", e.Explanation, want)
	}
	var methods []string
	for _, f := range e.Frames {
		if f.From == string(wire.Client) {
			methods = append(methods, wire.Inspect([]byte(f.Line)).Name)
		}
	}
	if want := "session/new session/close session/list session/status"; strings.Join(methods, " ") != want {
		t.Errorf("cited %s, want %s", methods, want)
	}
}

func everyOp() modelOps {
	ops := modelOps{modelNew: true, modelRestart: true, modelList: true}
	for _, w := range modelWeights {
		ops[w.op] = true
	}
	return ops
}

// A sequence begins with a session, mentions none that was not made, and is the same for the same seed.
func TestModelSequencesMakeSense(t *testing.T) {
	g := modelSequences(everyOp(), 8)
	rapid.Check(t, func(t *rapid.T) {
		seed, n := rapid.Int64Range(1, 1000).Draw(t, "seed"), rapid.IntRange(0, 200).Draw(t, "n")
		steps := modelDraw(g, seed, n)
		if len(steps) < modelLeastSteps || len(steps) > 8 || steps[0] != (modelStep{modelNew, 0}) {
			t.Fatalf("%s", modelText(steps))
		}
		if tidy := modelTidy(steps); modelText(tidy) != modelText(steps) {
			t.Fatalf("%s is not tidy: %s", modelText(steps), modelText(tidy))
		}
		if again := modelDraw(g, seed, n); modelText(again) != modelText(steps) {
			t.Fatalf("%s, and then %s", modelText(steps), modelText(again))
		}
	})
}

// What fails because of some steps in their order shrinks to these steps and the sessions that they need.
func TestModelShrinksToWhatMatters(t *testing.T) {
	g := modelSequences(everyOp(), 12)
	rapid.Check(t, func(t *rapid.T) {
		steps := g.Draw(t, "steps")
		culprits := rapid.SliceOfNDistinct(rapid.IntRange(0, len(steps)-1), 1, 3, rapid.ID).Draw(t, "culprits")
		slices.Sort(culprits)
		var ops []modelOp
		for _, i := range culprits {
			ops = append(ops, steps[i].op)
		}
		fails := func(steps []modelStep) bool {
			left := ops
			for _, s := range steps {
				if len(left) > 0 && s.op == left[0] {
					left = left[1:]
				}
			}
			return len(left) == 0
		}
		short := modelShrink(steps, 10_000, fails)
		if !fails(short) || len(short) > 2*len(ops) {
			t.Fatalf("%s became %s, which %v needed", modelText(steps), modelText(short), ops)
		}
	})
}
