package engine

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/acp-conform/acp-conform/conformance/rule"
)

// env is what a stage offers to what acts on it.
func (r *run) env(ctx context.Context, s *stage) *rule.Env {
	return &rule.Env{Dial: s.dial, Protocol: r.Protocol, Facts: r.facts, Edition: r.Edition, Stimuli: r.find, TempDir: s.tempDir,
		OwnHome: s.ownHome, Profile: r.Profile, Canary: r.Canary, Seed: r.Seed, Remembered: r.Process && !r.ownHome(), Share: r.Share, Sequences: r.ModelSequences, Pure: r.Pure, Limit: r.Limits.Rule,
		Fixture: func(name string, make func(*rule.Case) any) (any, string) { return r.fixture(ctx, s, name, make) }}
}

// fixtures are what rules share, by name.
type fixtures struct {
	mu   sync.Mutex
	made map[string]*fixture
}

type fixture struct {
	done   chan struct{}
	value  any
	reason string
	stage  *stage
}

// fixture makes what is shared when it is asked for first, in a stage of its own that nobody watches: so it does not matter
// which of the rules was the first. The others give their place away while they wait.
func (r *run) fixture(ctx context.Context, asker *stage, name string, make func(*rule.Case) any) (any, string) {
	if r.Shared != nil {
		r.Shared(asker.name, name)
	}
	r.shared.mu.Lock()
	f, ok := r.shared.made[name]
	if !ok {
		f = &fixture{done: newDone(), stage: &stage{r: r, name: name, pausing: asker.pausing}}
		if r.shared.made == nil {
			r.shared.made = map[string]*fixture{}
		}
		r.shared.made[name] = f
	}
	r.shared.mu.Unlock()
	if !ok {
		defer close(f.done)
		start, end := r.turns.of(ctx, asker.pausing)
		f.stage.turn = start
		f.value, f.reason = rule.Prepare(ctx, name, r.env(ctx, f.stage), make)
		end()
		f.stage.close()
		if fault := f.stage.fault(); fault != "" {
			f.reason = fault
		}
		return f.value, f.reason
	}
	select {
	case <-f.done:
	default:
		resume := asker.pausing()
		<-f.done
		resume()
	}
	return f.value, f.reason
}

func newDone() chan struct{} { return make(chan struct{}) }

// ownHome tells whether the agents of this run have a HOME that is the run's alone.
func (r *run) ownHome() bool { return r.Home != "" && r.Home == r.root+"/home" }

// ownHome makes a HOME for one agent alone. Where the user gave one, or lets it be inherited, all agents have to share it.
func (s *stage) ownHome() (string, bool) {
	if s.r.Process && !s.r.ownHome() {
		return "", false
	}
	s.homes++
	dir := filepath.Join(s.r.root, fmt.Sprintf("home-%s-%d", s.name, s.homes))
	return dir, os.Mkdir(dir, 0o700) == nil
}

// vocabulary is what the agent is held to in session/status: what the user says, or what the survey heard.
func (r *run) vocabulary() string {
	if r.Vocabulary != "" {
		return r.Vocabulary
	}
	return r.facts.Vocabulary
}
