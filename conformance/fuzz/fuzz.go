// Package fuzz looks for input that an agent does not survive, does not answer, or answers wrongly.
//
// It makes conversations from the schemas: valid by construction, and then with something changed in them. A small model of the
// sessions keeps the conversation in states in which there is something to break. What an agent does wrong is tried again on a fresh
// agent, made as short as it can be, and written down as a script that can be played again.
//
// The readings of the protocol are mild: an agent may refuse whatever is invalid in any way it likes, and may be silent about what
// has no id that can be read. See https://agentclientprotocol.com/protocol/v1/overview#error-handling.
package fuzz

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"github.com/acp-conform/acp-conform/conformance/client"
	"github.com/acp-conform/acp-conform/conformance/wire"
	"github.com/acp-conform/acp-conform/schemas"
)

// Config says which agent is fuzzed, and for how long.
type Config struct {
	Launch  wire.Launcher // starts the agent; needed
	Process bool          // the agent is a process, not a function in this one
	Command []string      // its command line, for the report

	Protocol int    // the version of the protocol, 1 or 2; 0 = 1
	Seed     uint64 // what is tried follows from it

	// For: begin no more scripts this long after the first one; 0 = no limit. What was found is made shorter until 10 s later, and
	// one Request after that the run is over.
	For      time.Duration
	Scripts  int // play so many scripts; 0 = no limit. One of the two limits is needed
	Findings int // end after so many findings; 0 = no limit
	Prompts  int // send at most so many prompts; negative = no limit

	Start   time.Duration // how long the answer to initialize may take; 0 = 30 s
	Request time.Duration // how long an agent may be silent that owes an answer; 0 = 10 s
	Jobs    int           // agents that run at the same time; 0 = number of CPUs
	Limits  wire.Limits   // what an agent may cost on one connection; zero values mean the defaults. Those of a rule and a run play no part

	Env  []string // added to the agent's environment, NAME=value
	Dir  string   // the agent's working directory, "" = ours
	Home string   // the agent's HOME: "" = inherited, "temp" = an empty one for this run, else a directory
	Keep string   // a folder that exists for the scripts and transcripts of the findings; "" = none

	Now func() time.Time
	Log func(Event) // progress; called from several goroutines; nil = none
	// Rerun is the command line that plays a script again; nil = none is shown.
	Rerun  func(file string) string
	Redact Redactor // nil = nothing is taken out
}

// Event is how far a run is.
type Event struct {
	Scripts  int
	Findings int
	Doing    string // what takes a while, "" = playing scripts
}

// run is one run.
type run struct {
	Config
	edition  *schemas.Edition
	root     string // of the run, removed at its end
	facts    *facts
	pace     pace
	book     book
	began    time.Time
	playing  clock
	prompts  counter
	overtime time.Duration // see the constant
	remove   func(dir string) error

	examining sync.Mutex // one suspicion is looked into at a time
	heavy     sync.Mutex // held while a long line is handled
	keep      int        // see mostKept
	herd      herd
}

// legLength is how many scripts an agent is given before it is replaced by a fresh one, if nothing is found.
const legLength = 32

// Run fuzzes an agent. When the context ends, the result holds what was known by then. The error is about this machine.
func Run(ctx context.Context, cfg Config) (Result, error) {
	r, err := begin(cfg)
	if err != nil {
		return Result{}, err
	}
	res, err := r.fuzz(ctx)
	res.Hints = r.finish()
	return res, err
}

// fuzz looks at the agent, plays scripts, and writes down what they show.
func (r *run) fuzz(ctx context.Context) (Result, error) {
	problem := r.survey(ctx)
	if problem == "" {
		bounded, done := r.bounded(ctx)
		defer done()
		r.legs(bounded)
		problem = r.problem()
	}
	res := r.clean(r.result(ctx, problem))
	return res, r.write(&res)
}

// problem is why the run says nothing of the agent, "" if it does.
func (r *run) problem() string {
	if r.book.problem == "" && r.book.scripts == 0 {
		return "no script was played, so that nothing is known of the agent; give it more time (--for)"
	}
	return r.book.problem
}

// Play plays one script on a fresh agent and says what is found.
func Play(ctx context.Context, cfg Config, s Script) (Result, error) {
	cfg.Protocol = s.Protocol
	r, err := begin(cfg)
	if err != nil {
		return Result{}, err
	}
	problem := r.survey(ctx)
	if problem == "" {
		r.replay(ctx, s)
	}
	res := r.clean(r.result(ctx, problem))
	res.Hints = r.finish()
	return res, nil
}

func begin(cfg Config) (*run, error) {
	cfg.Protocol = cmp.Or(cfg.Protocol, client.Version)
	cfg.Start, cfg.Request = cmp.Or(cfg.Start, startLimit), cmp.Or(cfg.Request, requestLimit)
	cfg.Limits = cfg.Limits.Or(wire.DefaultLimits())
	if cfg.Jobs <= 0 {
		cfg.Jobs = runtime.NumCPU()
	}
	r := &run{Config: cfg, edition: schemas.Ours().Edition(cfg.Protocol, false), facts: &facts{}, began: cfg.Now(), overtime: overtime, remove: client.RemoveDir, keep: mostKept}
	if r.edition == nil {
		return nil, fmt.Errorf("there is no version %d of the protocol", cfg.Protocol)
	}
	root, err := os.MkdirTemp("", "acp-conform-fuzz-")
	if err == nil {
		root, err = client.RealDir(root)
	}
	if err != nil {
		return nil, err
	}
	r.root = root
	for _, dir := range []string{r.work(), r.home()} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return nil, err
		}
	}
	if r.Process {
		r.herd.count(r.Limits.Children)
	}
	return r, nil
}

// The limits of time where the configuration has none.
const (
	startLimit   = 30 * time.Second
	requestLimit = 10 * time.Second
)

// finish removes the directory of the run. The hints say what is left of it.
func (r *run) finish() []string {
	r.herd.stop()
	err := r.remove(r.root)
	if err == nil {
		return []string{}
	}
	hint := fmt.Sprintf("the directory of the run, %s, could not be removed: %v", r.root, err)
	if r.Redact != nil {
		hint = r.Redact.Shown(hint)
	}
	return []string{hint}
}

func (r *run) work() string { return filepath.Join(r.root, "work") }

// home is the HOME of the agents; one in this process has none to itself.
func (r *run) home() string {
	switch {
	case r.Process && r.Home == "temp":
		return filepath.Join(r.root, "home")
	case r.Process && r.Home != "":
		return r.Home
	}
	return r.root
}

// start starts an agent; limit is how long it may be silent.
func (r *run) start(ctx context.Context, limit time.Duration, taps ...wire.Tap) (*player, error) {
	l := wire.Launch{For: "fuzz", Env: r.Env, Dir: r.Dir}
	if r.Process && r.Home != "" {
		l.Home = r.home()
	}
	peer, err := r.Launch(ctx, l)
	if err != nil {
		return nil, err
	}
	c := dial(peer, terms{now: r.Now, limit: limit, dir: r.work(), limits: r.Limits, keep: r.keep, heavy: &r.heavy}, taps...)
	r.herd.add(c)
	c.left = func() { r.herd.remove(c) }
	return &player{connection: c, edition: r.edition, facts: r.facts, pace: &r.pace, start: r.Start, asked: map[string][]*sent{},
		own: map[string]bool{}, ownAnswers: map[string]int{}, nextOwn: firstOwn}, nil
}

// exitGrace is how long an agent may take to end when it is not needed any more.
const exitGrace = 250 * time.Millisecond

// preamble is how every connection begins.
func (r *run) preamble() []Step {
	steps := []Step{hello(r.Protocol)}
	if r.facts.Session {
		steps = append(steps, session("s1", 2))
	}
	return steps
}
