package rules

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"sync/atomic"
	"testing"
	"time"

	"github.com/acp-conform/acp-conform/conformance/client"
	"github.com/acp-conform/acp-conform/conformance/engine"
	"github.com/acp-conform/acp-conform/conformance/result"
	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/wire"
	"github.com/acp-conform/acp-conform/fakeagent"
)

// tried is an agent that a rule is tried on: a fake one, and what its lines are turned into.
type tried struct {
	protocol int
	config   fakeagent.Config
	profile  rule.Profile
	change   func(*fakeagent.Behaviour)
	garble   func(line []byte) []byte
	shared   string // the store of agents that have no HOME of their own
}

// judged is what a rule comes to on an agent.
func (a tried) judged(t testing.TB, r rule.Rule) result.Outcome {
	t.Helper()
	var n atomic.Int64
	launch := func(ctx context.Context, l wire.Launch) (wire.Peer, error) {
		cfg := a.config
		cfg.Salt, cfg.Store = fmt.Sprint(n.Add(1)), a.shared
		if l.Home != "" {
			cfg.Store = l.Home
		}
		fake, err := fakeagent.New(cfg)
		if err != nil {
			return nil, err
		}
		if a.change != nil {
			a.change(fake.Behaviour)
		}
		return wire.InProcess(func(ctx context.Context, r io.Reader, w io.Writer) error {
			if a.garble != nil {
				w = garbler{w, a.garble}
			}
			return fake.Serve(ctx, r, w)
		})(ctx, l)
	}
	run, err := engine.Run(t.Context(), engine.Config{Launch: launch, Rules: []rule.Rule{r}, Protocol: max(a.protocol, 1), MaxPrompts: -1,
		Profile: a.profile, TempDir: t.TempDir(), Timeouts: client.Timeouts{Request: time.Second}})
	if err != nil {
		t.Fatal(err)
	}
	return run.Rules[0]
}

// garbler turns the lines of an agent into others.
type garbler struct {
	io.Writer
	garble func([]byte) []byte
}

func (g garbler) Write(p []byte) (int, error) {
	var out []byte
	for line := range bytes.Lines(p) {
		out = append(out, g.garble(line)...)
	}
	_, err := g.Writer.Write(out)
	return len(p), err
}
