package steady

import (
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/acp-conform/acp-conform/conformance/engine"
	"github.com/acp-conform/acp-conform/conformance/result"
	"github.com/acp-conform/acp-conform/conformance/rule"
)

// Nothing is left of a rule when it is over: no process, no open file, no goroutine.
func TestARuleLeavesNothing(t *testing.T) {
	for _, c := range []struct {
		name   string
		config func(*engine.Config)
		but    []string
		least  int // rules that have to pass, so that it is known that something happened
	}{
		{"in process", func(c *engine.Config) { c.Launch = inProcess() }, nil, 85},
		{"as a process", func(c *engine.Config) { c.Launch, c.Process = ownProcess(), true }, []string{"!status.sidefx.*"}, 70}, // those listen for seconds
		{"in process, version 2", func(c *engine.Config) { c.Launch, c.Protocol = inProcess(), 2 }, nil, 35},
		{"one that dies of bad input and stays when it should go", func(c *engine.Config) {
			c.Launch, c.Process, c.Timeouts = ownProcess("parse-error-fatal", "invalid-params-fatal", "ignores-eof"), true, impatient()
		}, []string{"jsonrpc", "error", "transport", "cancel"}, 10},
	} {
		t.Run(c.name, func(t *testing.T) {
			cfg := whole(t, 1)
			c.config(&cfg)
			if raced && cfg.Process {
				c.but, c.least = []string{"cancel"}, 1
			}
			cfg.Rules = all(t, cfg.Protocol, c.but...)
			cfg.Timeouts.Window = 20 * time.Millisecond
			mark(t)
			if passed := oneByOne(t, cfg); passed < c.least {
				t.Errorf("only %d rules passed", passed)
			}
		})
	}
}

// oneByOne judges by one rule at a time and looks what is left after each; it returns how many of them passed.
func oneByOne(t *testing.T, cfg engine.Config) (passed int) {
	t.Helper()
	session, err := engine.Survey(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	before := holds(t)
	known := goleak.IgnoreCurrent()
	for _, r := range cfg.Rules {
		if r.Act == nil {
			continue
		}
		out, err := session.Judge(t.Context(), r.ID)
		if err != nil {
			t.Fatal(err)
		}
		nothingLeft(t, r, before, known)
		if out.Rules[0].Verdict == result.Pass {
			passed++
		}
	}
	return passed
}

func nothingLeft(t *testing.T, r rule.Rule, before holding, known goleak.Option) {
	t.Helper()
	for _, what := range holds(t).beyond(before) {
		t.Errorf("%s leaves %s", r.ID, what)
	}
	if err := goleak.Find(known); err != nil {
		t.Errorf("%s leaves %v", r.ID, err)
	}
}
