package selftest

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/acp-conform/acp-conform/conformance/engine"
	"github.com/acp-conform/acp-conform/conformance/result"
	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/wire"
	"github.com/acp-conform/acp-conform/fakeagent"
)

// setting is what a fault or a variant needs beside itself: an agent with some optional capability, and what the user says about it.
type setting struct {
	name    string
	config  fakeagent.Config
	profile rule.Profile
	limits  wire.Limits
}

// evictAfter is the time after which the fake evicts, in the settings where it does.
const evictAfter = 1200 * time.Millisecond

// settings are those that are not the plain one, by the faults and variants that need them.
var settings = []struct {
	setting
	faults []string
}{
	{setting{name: "evicting", config: fakeagent.Config{EvictAfter: evictAfter}, profile: rule.Profile{EvictAfter: evictAfter}}, []string{"status-extends-life"}},
	{setting{name: "asking all the same", profile: rule.Profile{ProbeUnadvertised: true}}, []string{"status-unadvertised-unanswered"}},
	{setting{name: "archiving", config: fakeagent.Config{Variants: []string{"archives"}}}, []string{"status-unarchives"}},
	{setting{name: "before a login", config: fakeagent.Config{Variants: []string{"auth-required-but-status"}}}, []string{"status-starts-login"}},
	{setting{name: "sharing a store", config: fakeagent.Config{Variants: []string{"locks-sessions"}}, profile: rule.Profile{SharedStore: true}}, []string{"status-steals-lock"}},
	// what is beyond the limit is thrown away, which is quick: what is not is read by every rule of a trial
	{setting{name: "reading short lines", limits: wire.Limits{Line: 1 << 20}}, []string{"huge-notification"}},
}

func settingOf(name string) setting {
	for _, s := range settings {
		if slices.Contains(s.faults, name) {
			return s.setting
		}
	}
	return setting{name: "plain"}
}

// baseline is what the correct agent shows in a setting: the verdicts, and which behaviours of the fake each rule touches.
type baseline struct {
	once    sync.Once
	err     error
	run     result.Run
	upset   []string
	touched map[string]map[string]bool // rule (or "survey", or what rules share) → behaviours of the fake that its clean run called
	asked   map[string]map[string]bool // rule, or what rules share → what it asked for of what rules share
}

// touches tells whether a rule's clean run called one of these behaviours, in it or for what it shares with others.
func (b *baseline) touches(who string, fields []string) bool {
	return slices.ContainsFunc(fields, func(field string) bool { return b.touched[who][field] }) ||
		slices.ContainsFunc(slices.Collect(maps.Keys(b.asked[who])), func(name string) bool { return b.touches(name, fields) })
}

// sharing is the area whose rules share what is made once in a run.
const sharing = "status"

// baseline runs everything against the correct fake, once for each setting and version.
func (t *trial) baseline(ctx context.Context, set setting, protocol int) (*baseline, error) {
	t.mu.Lock()
	key := fmt.Sprintf("%s, version %d", set.name, protocol)
	b := t.baselines[key]
	if b == nil {
		b = &baseline{touched: map[string]map[string]bool{}, asked: map[string]map[string]bool{}}
		if t.baselines == nil {
			t.baselines = map[string]*baseline{}
		}
		t.baselines[key] = b
	}
	t.mu.Unlock()
	b.once.Do(func() { b.err = t.clean(ctx, b, set, protocol) })
	return b, b.err
}

// clean runs everything against the correct fake: nothing may fail or warn, and in the plain setting nothing may be unseen.
func (t *trial) clean(ctx context.Context, b *baseline, set setting, protocol int) (err error) {
	var mu sync.Mutex
	note := func(of map[string]map[string]bool) func(who, what string) {
		return func(who, what string) {
			mu.Lock()
			defer mu.Unlock()
			if of[who] == nil {
				of[who] = map[string]bool{}
			}
			of[who][what] = true
		}
	}
	c := t.config("", set, protocol, t.launcher(set.config, false, note(b.touched)), t.rules(protocol))
	c.Shared = note(b.asked)
	b.run, err = engine.Run(ctx, c)
	for _, o := range b.run.Rules {
		bad := o.Verdict == result.Fail || o.Verdict == result.Warn || o.Verdict == result.Error
		if bad || set.name == "plain" && o.Verdict != result.Pass && !unseen(protocol, o.ID) {
			b.upset = append(b.upset, o.ID)
		}
	}
	return err
}
