package conformance

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/acp-conform/acp-conform/conformance/client"
	"github.com/acp-conform/acp-conform/conformance/engine"
	"github.com/acp-conform/acp-conform/conformance/result"
	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/rules"
	"github.com/acp-conform/acp-conform/conformance/stimulus"
	"github.com/acp-conform/acp-conform/conformance/wire"
	"github.com/acp-conform/acp-conform/schemas"
)

const toolName = "acp-conform"

// engine is the configuration as the engine wants it, or a UsageError.
func (cfg Config) engine() (engine.Config, error) {
	if err := cfg.check(); err != nil {
		return engine.Config{}, UsageError{err}
	}
	protocol := cmp.Or(cfg.Protocol, client.Version)
	edition, err := cfg.edition(protocol)
	if err != nil {
		return engine.Config{}, UsageError{err}
	}
	all := slices.DeleteFunc(rules.All(), func(r rule.Rule) bool {
		return !r.For(protocol) || cfg.StableOnly && r.Stability == rule.Unstable
	})
	chosen, err := engine.Select(all, cfg.Rules)
	if err != nil {
		return engine.Config{}, UsageError{err}
	}
	e := engine.Config{
		Rules: chosen, Protocol: protocol, Edition: edition, SchemaDir: cfg.SchemaDir, StableOnly: cfg.StableOnly,
		Vocabulary: cfg.StatusVocabulary, Profile: cfg.Profile, Canary: cfg.Canary,
		Env: cfg.Env, Dir: cfg.Dir, Home: cfg.Home, Timeouts: scaled(cfg.Timeouts, cfg.Slow), Limits: slowed(cfg.Limits, cfg.Slow), Jobs: cfg.Jobs,
		Prompts: cfg.Prompts, MaxPrompts: -1, Pure: cfg.Pure, Keep: cfg.Keep,
		Policy: result.Policy{Strict: cfg.Strict, AllowNoSession: cfg.AllowNoSession},
		Tool:   result.Tool{Name: toolName, Version: cfg.Version},
		Rerun:  cfg.Rerun,
		Redact: cfg.Redact, Progress: cfg.Log, Begun: cfg.Begun, AgentsEnded: cfg.AgentsEnded, Order: order(cfg.Seed), Seed: cfg.Seed, ModelSequences: cfg.ModelSequences,
	}
	if cfg.PromptLimit != nil {
		e.MaxPrompts = *cfg.PromptLimit
	}
	if cfg.Serve != nil {
		e.Launch, e.Command = wire.InProcess(cfg.Serve), []string{cmp.Or(cfg.Name, "agent")}
	} else {
		e.Launch, e.Command, e.Process = wire.Command(cfg.Command), cfg.Command, true
	}
	if e.Rerun == nil {
		e.Rerun = cfg.CommandLine
	}
	return e, nil
}

// edition is what frames are compared with: the widest edition of the version, or the stable one.
func (cfg Config) edition(protocol int) (*schemas.Edition, error) {
	book := cfg.Schemas
	if book == nil {
		return schemas.Ours().Edition(protocol, cfg.StableOnly), nil
	}
	e := book.Edition(protocol, cfg.StableOnly)
	if e == nil && !cfg.StableOnly {
		e = book.Edition(protocol, true)
	}
	if e == nil {
		return nil, fmt.Errorf("the schemas hold no edition of protocol version %d that could be used", protocol)
	}
	return e, e.Compile()
}

func (cfg Config) check() error {
	switch {
	case len(cfg.Command) == 0 && cfg.Serve == nil:
		return errors.New("no agent is given: set Command or Serve")
	case len(cfg.Command) > 0 && cfg.Serve != nil:
		return errors.New("two agents are given: set either Command or Serve")
	case cfg.Protocol < 0 || cfg.Protocol > client.Latest:
		return fmt.Errorf("there is no version %d of the protocol; there are 1 and 2", cfg.Protocol)
	case cfg.StatusVocabulary != "" && !knownWords(cfg.StatusVocabulary):
		return fmt.Errorf("there is no status vocabulary %q; there are active and open", cfg.StatusVocabulary)
	case cfg.Profile.EvictAfter < 0:
		return fmt.Errorf("a session cannot be evicted after %s", cfg.Profile.EvictAfter)
	case (cfg.Profile.Session == "") != (cfg.Profile.SessionDir == ""):
		return errors.New("an inactive session of the profile needs both its id and its directory")
	case len(cfg.Command) > 0 && cfg.Command[0] == "":
		return errors.New("the agent's name is empty: the first word of Command says what is started")
	case !(cfg.Slow >= 0 && cfg.Slow <= slowest):
		return fmt.Errorf("timeouts cannot be multiplied by %v", cfg.Slow)
	case cfg.PromptLimit != nil && *cfg.PromptLimit < 0:
		return fmt.Errorf("the number of prompts cannot be limited to %d", *cfg.PromptLimit)
	}
	if name := cfg.Limits.Negative(); name != "" {
		return fmt.Errorf("the limit %q cannot be negative", name)
	}
	if cfg.ModelSequences < 0 || cfg.ModelSequences > MaxModelSequences {
		return fmt.Errorf("%d sequences cannot be tried; there may be %d at most", cfg.ModelSequences, MaxModelSequences)
	}
	if cfg.Jobs < 0 {
		return fmt.Errorf("%d rules cannot work at the same time", cfg.Jobs)
	}
	for _, d := range []time.Duration{cfg.Timeouts.Start, cfg.Timeouts.Request, cfg.Timeouts.Turn, cfg.Timeouts.Exit, cfg.Timeouts.Window} {
		if d < 0 {
			return fmt.Errorf("a timeout cannot be %s", d)
		}
	}
	if err := checkDir(cfg.Dir); err != nil {
		return err
	}
	return cfg.checkNames()
}

func knownWords(name string) bool {
	return slices.ContainsFunc(client.Vocabularies(), func(v client.Vocabulary) bool { return v.Name == name })
}

// slowest is the largest factor on timeouts that can be meant.
const slowest = 1e6

func checkDir(dir string) error {
	if dir == "" {
		return nil
	}
	info, err := os.Stat(dir)
	switch {
	case err != nil:
		return fmt.Errorf("the directory %s: %w", dir, errors.Unwrap(err))
	case !info.IsDir():
		return fmt.Errorf("the directory %s is none", dir)
	}
	return nil
}

// checkNames finds variables and prompts that are none.
func (cfg Config) checkNames() error {
	for _, v := range cfg.Env {
		if strings.Index(v, "=") < 1 {
			return fmt.Errorf("%q is no environment variable; write NAME=value", v)
		}
	}
	known := stimulus.Names()
	for name := range cfg.Prompts {
		if _, ok := known[name]; !ok {
			return fmt.Errorf("there is no prompt called %q; the names are %s", name, strings.Join(slices.Sorted(maps.Keys(known)), ", "))
		}
	}
	return nil
}

// longer is a time, or the standard one where it is 0, multiplied by a factor.
func longer(d, standard time.Duration, factor float64) time.Duration {
	long := float64(cmp.Or(d, standard)) * cmp.Or(factor, 1)
	if long >= math.MaxInt64 {
		return math.MaxInt64
	}
	return time.Duration(long)
}

// longest is what a limit of time can be: a deadline that far away can still be reckoned with.
const longest = 10 * 365 * 24 * time.Hour

// slowed multiplies the limits of time by the factor.
func slowed(l Limits, factor float64) Limits {
	d := DefaultLimits()
	l.Rule, l.Run = min(longest, longer(l.Rule, d.Rule, factor)), min(longest, longer(l.Run, d.Run, factor))
	return l
}

// scaled fills in the default timeouts and multiplies all by the factor.
func scaled(t Timeouts, factor float64) Timeouts {
	by := func(d, standard time.Duration) time.Duration { return longer(d, standard, factor) }
	d := client.DefaultTimeouts()
	return Timeouts{Start: by(t.Start, d.Start), Request: by(t.Request, d.Request), Turn: by(t.Turn, d.Turn),
		Exit: by(t.Exit, d.Exit), Window: by(t.Window, d.Window)}
}

// order is the random order that a seed stands for; none for 0.
func order(seed int64) func(n int, swap func(i, j int)) {
	if seed == 0 {
		return nil
	}
	return rand.New(rand.NewPCG(uint64(seed), 0)).Shuffle
}
