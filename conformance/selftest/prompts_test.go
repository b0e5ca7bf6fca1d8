package selftest

import (
	"bytes"
	"context"
	"sync"
	"testing"

	"github.com/acp-conform/acp-conform/conformance/engine"
	"github.com/acp-conform/acp-conform/conformance/rules"
	"github.com/acp-conform/acp-conform/conformance/wire"
	"github.com/acp-conform/acp-conform/fakeagent"
)

// Prompts cost money: a run says before it begins how many it sends at most.
func TestNoRuleSendsMorePromptsThanItAnnounces(t *testing.T) {
	for _, protocol := range []int{1, 2} {
		var mu sync.Mutex
		sent := map[string]int{}
		launch := func(ctx context.Context, l wire.Launch) (wire.Peer, error) {
			a, err := fakeagent.New(fakeagent.Config{Salt: l.For, Store: l.Home, Dir: l.Dir, OnLine: func(d fakeagent.Direction, line []byte) {
				if d == fakeagent.FromClient && bytes.Contains(line, []byte(`"method":"session/prompt"`)) {
					mu.Lock()
					defer mu.Unlock()
					sent[l.For]++
				}
			}})
			if err != nil {
				return nil, err
			}
			return wire.InProcess(a.Serve)(ctx, l)
		}
		some := trial{Options: Options{Rules: rules.All()}}
		if _, err := engine.Run(t.Context(), engine.Config{Launch: launch, Protocol: protocol, Rules: some.rules(protocol), MaxPrompts: -1, TempDir: t.TempDir()}); err != nil {
			t.Fatal(err)
		}
		if sent["survey"] == 0 || sent["survey"] > engine.SurveyPrompts(true) {
			t.Errorf("version %d: the survey sent %d prompts and announces %d", protocol, sent["survey"], engine.SurveyPrompts(true))
		}
		for _, r := range some.rules(protocol) {
			most := r.Prompts
			if rules.Seeded(r.ID) {
				most = rules.ModelPrompts(true, 0)
			}
			if n := sent[r.ID]; n > most {
				t.Errorf("version %d: %s sent %d prompts and announces %d", protocol, r.ID, n, most)
			}
		}
	}
}
