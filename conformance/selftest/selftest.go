// Package selftest is the mutation table: for every fault of the fake agent, the rules that it must break and no others; for
// every legal variant, that it breaks none; and the run that compares. A rule that no fault breaks is a rule that cannot fail.
package selftest

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/acp-conform/acp-conform/conformance/client"
	"github.com/acp-conform/acp-conform/conformance/engine"
	"github.com/acp-conform/acp-conform/conformance/result"
	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/rules"
	"github.com/acp-conform/acp-conform/conformance/wire"
	"github.com/acp-conform/acp-conform/fakeagent"
)

// Options say what the selftest runs.
type Options struct {
	// Rules are the rules to test, nil = all of them.
	Rules []rule.Rule
	// Patterns choose among the faults: those that are expected to break one of these rules. Empty = all faults.
	Patterns []string
	// Full runs all rules against every fault, not only those whose clean run touched what the fault replaces.
	Full bool
	// FaultsOnly leaves out the legal variants.
	FaultsOnly bool
	Jobs       int // faults at the same time, 0 = number of CPUs
	// Self is the command that runs the fake agent as a process, before its own flags; nil leaves out the faults that need one.
	Self []string
	// Canary is the command that runs our own MCP server; nil = there is none, and what needs it is not tested.
	Canary []string
}

// Report is what the selftest found. Its JSON is stable.
type Report struct {
	Faults         []FaultReport   `json:"faults"`
	Rules          []RuleReport    `json:"rules"`
	Variants       []VariantReport `json:"variants"`
	FalsePositives []string        `json:"falsePositives"`    // rules that fail, warn or err on the correct agent
	Hostile        []HostileReport `json:"hostile,omitempty"` // what the suite comes to on hostile agents, where it was tried on them
	OK             bool            `json:"ok"`
	Problems       []string        `json:"problems,omitempty"` // what is not ok, one sentence each
}

// FaultReport is one row of the mutation table.
type FaultReport struct {
	Name     string   `json:"name"`
	Protocol int      `json:"protocol"`
	Subject  string   `json:"subject"`
	Expected []string `json:"expected"`
	Fired    []string `json:"fired"`
	Failed   []string `json:"failed"` // those of Fired that failed; the others warned
	Blocked  []string `json:"blocked"`
	ExitCode int      `json:"exitCode"`
	Millis   int64    `json:"durationMs"`
	OK       bool     `json:"ok"`
	errors   []string
}

// RuleReport says which faults break a rule.
type RuleReport struct {
	ID            string   `json:"id"`
	Subject       string   `json:"subject"`
	KilledBy      []string `json:"killedBy"`
	Unfalsifiable string   `json:"unfalsifiable"`
}

// VariantReport says whether a legal variant upset any rule.
type VariantReport struct {
	Name     string   `json:"name"`
	Protocol int      `json:"protocol"`
	Upset    []string `json:"upset,omitempty"`
	OK       bool     `json:"ok"`
}

// Run compares every fault and variant of the fake agent with the table.
func Run(ctx context.Context, o Options) (Report, error) {
	if o.Rules == nil {
		o.Rules = rules.All()
	}
	if o.Jobs <= 0 {
		o.Jobs = runtime.NumCPU()
	}
	dir, err := os.MkdirTemp(memoryDir(), "acp-conform-selftest-")
	if err != nil {
		return Report{}, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	t := &trial{Options: o, dir: dir}
	upset, err := t.upset(ctx)
	if err != nil {
		return Report{}, err
	}
	faults, err := t.experiments()
	if err != nil {
		return Report{}, err
	}
	variants := legal()
	if o.FaultsOnly {
		variants = nil
	}
	rep := Report{Faults: make([]FaultReport, len(faults)), Variants: make([]VariantReport, len(variants)), FalsePositives: upset}
	order := slowFirst(faults)
	places := 3
	if t.alone() { // where few rules are tried at a time most trials wait most of the time
		places = 6
	}
	timed := func(i int) bool { return slices.Contains(timedFaults, faults[i].Name) }
	try := func(i int) func() error {
		return func() (err error) { rep.Faults[i], err = t.fault(ctx, faults[i]); return err }
	}
	var first errgroup.Group // what is told by the time that it takes is not tried beside others; these wait more than they work
	for _, i := range slices.DeleteFunc(slices.Clone(order), func(i int) bool { return !timed(i) }) {
		first.Go(try(i))
	}
	if err := first.Wait(); err != nil {
		return Report{}, err
	}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(places * o.Jobs)
	for _, i := range slices.DeleteFunc(order, timed) {
		g.Go(try(i))
	}
	for i, v := range variants {
		g.Go(func() (err error) { rep.Variants[i], err = t.variant(ctx, v); return err })
	}
	if err := g.Wait(); err != nil {
		return Report{}, err
	}
	for i, f := range faults { // what was not told by its time beside others is tried by itself, and that counts
		if slices.Contains(clockedFaults, f.Name) && !rep.Faults[i].OK {
			if err := try(i)(); err != nil {
				return Report{}, err
			}
		}
	}
	t.conclude(&rep)
	return rep, nil
}

// upset are the rules that do not pass on the correct fake, in either version.
func (t *trial) upset(ctx context.Context) ([]string, error) {
	var g errgroup.Group
	upset := make([][]string, 2)
	for i := range upset {
		g.Go(func() error {
			b, err := t.baseline(ctx, settingOf(""), i+1)
			upset[i] = b.upset
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	all := slices.Concat([]string{}, upset[0], upset[1])
	slices.Sort(all)
	return slices.Compact(all), nil
}

// memoryDir is a directory in memory where there is one: thousands of directories are made and removed. Else it is "".
func memoryDir() string {
	const shm = "/dev/shm"
	if probe, err := os.MkdirTemp(shm, "acp-conform-"); err == nil && os.Remove(probe) == nil {
		return shm
	}
	return ""
}

// slowFirst gives the order in which the faults are tried: those that take seconds first, so that they do not end last.
func slowFirst(faults []experiment) []int {
	var lasting, slow, quick []int
	for i, f := range faults {
		switch {
		case slices.Contains(lastingFaults, f.Name):
			lasting = append(lasting, i)
		case f.Process, slices.Contains(slowFaults, f.Name):
			slow = append(slow, i)
		default:
			quick = append(quick, i)
		}
	}
	return slices.Concat(lasting, slow, quick)
}

// trial is a selftest under way.
type trial struct {
	Options
	dir       string // the directory of fakes that have one
	mu        sync.Mutex
	baselines map[string]*baseline
}

// timeouts are reached only by faults that the fake itself knows to be at work or that live in a process: a fake in process is
// known to be idle at once. So they may be long, and short where a fault surely reaches them.
func timeouts(f string) client.Timeouts {
	t := client.DefaultTimeouts()
	t.Exit = 3 * time.Second
	if slices.Contains(slowFaults, f) {
		t.Request, t.Turn = 2*time.Second, 3*time.Second
	}
	if slices.Contains(floods, f) {
		t.Request, t.Turn = time.Minute, time.Minute
	}
	return t
}

// floods are faults whose agents are answered late: what they write has to be read first, by every rule of a trial.
var floods = []string{"huge-notification"}

// selftestShare is how much rules do of what they do again and again: enough to tell a factor of five in what a call costs.
const selftestShare = 0.12

// fewSequences is how many sequences of requests a legal variant is tried on, where not the whole table is.
const fewSequences = 2

// selftestPace shortens the pauses of slow faults as the timeouts are shorter.
const selftestPace = 0.25

// launcher starts a fake: in this process, unless the fault is one of a process.
func (t *trial) launcher(cfg fakeagent.Config, process bool, touch func(who, field string)) wire.Launcher {
	if process {
		argv := slices.Clone(t.Self)
		for _, f := range cfg.Faults {
			argv = append(argv, "--fault", f)
		}
		for _, v := range cfg.Variants {
			argv = append(argv, "--variant", v)
		}
		return func(ctx context.Context, l wire.Launch) (wire.Peer, error) {
			return wire.Command(append(slices.Clone(argv), "--store", l.Home))(ctx, l)
		}
	}
	n := newCounter()
	return func(ctx context.Context, l wire.Launch) (wire.Peer, error) {
		own := cfg
		own.Pace, own.Dir = selftestPace, t.dir
		if l.Home != "" {
			own.Store = l.Home // so that a fake that is started again knows its sessions
		}
		own.Salt = fmt.Sprintf("%s%d", cfg.Salt, n.next())
		a, err := fakeagent.New(own)
		if err != nil {
			return nil, err
		}
		if touch != nil {
			a.Record(func(field string) { touch(l.For, field) })
		}
		return wire.InProcess(a.Serve)(ctx, l)
	}
}

// config is a run of rules on a fake.
func (t *trial) config(name string, set setting, protocol int, launch wire.Launcher, chosen []rule.Rule) engine.Config {
	return engine.Config{Launch: launch, Protocol: protocol, Profile: set.profile, Limits: set.limits, Rules: chosen, Jobs: 2, MaxPrompts: -1, Timeouts: timeouts(name),
		Home: "temp", Dir: t.dir, TempDir: t.dir, Canary: t.Canary, Share: selftestShare}
}

func (t *trial) run(ctx context.Context, name string, set setting, protocol int, launch wire.Launcher, process bool, chosen []rule.Rule, sequences int) (result.Run, error) {
	c := t.config(name, set, protocol, launch, chosen)
	c.Process, c.ModelSequences = process, sequences
	return engine.Run(ctx, c)
}
