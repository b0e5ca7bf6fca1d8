// Package engine runs the contract against an agent: it selects rules, owns the pool of places, the live processes, progress
// and interrupts, and returns the result. It can be called any number of times in one process.
package engine

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/acp-conform/acp-conform/conformance/client"
	"github.com/acp-conform/acp-conform/conformance/result"
	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/stimulus"
	"github.com/acp-conform/acp-conform/conformance/wire"
	"github.com/acp-conform/acp-conform/schemas"
)

// Config is one run.
type Config struct {
	Launch    wire.Launcher    // starts the agent
	Process   bool             // Launch starts a real process
	Command   []string         // as the report names it
	Rules     []rule.Rule      // the selected rules, in the order of the contract
	Protocol  int              // the version to ask for
	Edition   *schemas.Edition // the shapes that every frame is compared with; nil = all that we know of the version
	SchemaDir string           // where that comes from, "" = this program
	// StableOnly leaves alone what needs an opt-in.
	StableOnly bool
	Vocabulary string       // the words of session/status by the name of client.Vocabularies; "" = those that the agent uses first
	Profile    rule.Profile // what the user says about the agent
	Canary     []string     // the command that runs our own MCP server, before its arguments; nil = there is none

	Env      []string          // added to the agent's environment, NAME=value
	Dir      string            // the agent's working directory, "" = ours
	Home     string            // "" = inherited, "temp" = an empty one for this run, else a directory
	Timeouts client.Timeouts   // zero values mean the defaults
	Limits   wire.Limits       // zero values mean the defaults
	Jobs     int               // rules that work at the same time, 0 = number of CPUs
	Prompts  map[string]string // the user's own prompts by the names of stimulus.Names
	// MaxPrompts limits the turns of the run; negative = no limit. Turns beyond it are not started.
	MaxPrompts int
	Pure       bool                       // no input that a conforming client would not send
	Redact     func() func([]byte) []byte // makes what takes secrets out of the lines of one stream in Keep; nil = nothing
	Keep       string                     // a folder for transcripts and for what the sessions worked in, "" = none
	TempDir    string                     // where the run makes its temporary directory, "" = where the system keeps them
	Policy     result.Policy
	Tool       result.Tool
	Rerun      func(rules []string) string // the command that runs these rules again; nil = none

	Now      func() time.Time // nil = time.Now
	Progress func(Event)      // called from several goroutines; nil = none
	Begun    func(string)     // told of each acting rule that begins; the same
	// AgentsEnded is called when the context has ended and with it every agent, which is before Run returns; nil = nobody wants to know.
	AgentsEnded func()
	// Shared is called, from several goroutines, when a rule asks for what is made once in a run, and when that asks for more; nil = nobody
	// wants to know.
	Shared func(asker, name string)
	// Seed is what rules draw at random from; 0 = DefaultSeed, so that a run is the same as the one before.
	Seed int64
	// Share is how much a rule does of what it does again and again; 0 = all of it.
	Share float64
	// ModelSequences is how many sequences of requests status.model tries; 0 = as many as it thinks right.
	ModelSequences int
	// Order permutes the acting rules before they run; nil leaves them in the order of the contract.
	Order func(n int, swap func(i, j int))
}

// DefaultSeed is the seed of a run that asks for none.
const DefaultSeed = 1

// Event is a step of a run, for whoever watches it.
type Event struct {
	Rule    string // the rule that has just concluded, an acting one before those that watch; "survey" for the survey
	Verdict result.Verdict
	Done    int // rules concluded so far
	Total   int // rules of this run; 0 for the survey
}

func (c *Config) defaults() {
	d := client.DefaultTimeouts()
	t := &c.Timeouts
	for _, p := range []struct{ at, to *time.Duration }{
		{&t.Start, &d.Start}, {&t.Request, &d.Request}, {&t.Turn, &d.Turn}, {&t.Exit, &d.Exit}, {&t.Window, &d.Window},
	} {
		if *p.at == 0 {
			*p.at = *p.to
		}
	}
	limits := wire.DefaultLimits()
	limits.Rule += 2 * c.Profile.EvictAfter // one rule waits for that long
	limits.Run += 2 * c.Profile.EvictAfter
	c.Limits = c.Limits.Or(limits)
	if c.Jobs <= 0 {
		c.Jobs = runtime.NumCPU()
	}
	c.Seed = cmp.Or(c.Seed, DefaultSeed)
	if c.Protocol == 0 {
		c.Protocol = client.Version
	}
	if c.Edition == nil {
		c.Edition = schemas.Ours().Edition(c.Protocol, false)
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Progress == nil {
		c.Progress = func(Event) {}
	}
	if c.Begun == nil {
		c.Begun = func(string) {}
	}
	if c.AgentsEnded == nil {
		c.AgentsEnded = func() {}
	}
	if c.Rerun == nil {
		c.Rerun = func([]string) string { return "" }
	}
}

// Run runs the rules and returns what was found. The error is about the run itself, never about the agent: no directory
// could be made, no agent was given.
func Run(ctx context.Context, cfg Config) (result.Run, error) {
	r, end, err := open(ctx, cfg)
	if err != nil {
		return result.Run{}, err
	}
	defer end()
	return r.judge(ctx, r.survey(ctx)), nil
}

// open begins a run: its directory and its table of agents. What it returns ends it.
func open(ctx context.Context, cfg Config) (r *run, end func(), err error) {
	cfg.defaults()
	if cfg.Launch == nil {
		return nil, nil, errors.New("no agent is given")
	}
	if cfg.Keep != "" { // what the sessions worked in is kept with the transcripts
		if dir, err := filepath.Abs(cfg.Keep); err == nil && os.MkdirAll(dir, 0o700) == nil {
			cfg.TempDir = dir
		}
	}
	root, err := os.MkdirTemp(cfg.TempDir, "acp-conform-")
	if err != nil {
		return nil, nil, err
	}
	r = &run{Config: cfg, started: cfg.Now(), slots: newSlots(cfg.Jobs), turns: newTurns(cfg.MaxPrompts, 2)}
	if r.root, err = client.RealDir(root); err == nil {
		err = r.prepare()
	}
	if err != nil {
		return nil, nil, errors.Join(err, os.RemoveAll(root))
	}
	remove := func() {
		if cfg.Keep == "" {
			_ = client.RemoveDir(root)
		}
	}
	r.deadline = r.started.Add(r.Limits.Run)
	r.live = newLive(ctx, func() { remove(); cfg.AgentsEnded() }) // whoever does not wait for the result leaves nothing behind either
	if r.Process {
		go r.live.count(r.Limits.Children)
	} else {
		close(r.live.counted)
	}
	return r, func() { r.live.stop(); remove() }, nil
}

// run is a run under way.
type run struct {
	Config
	started time.Time
	root    string      // the directory of the run, in which everything that is temporary has its place
	lost    atomic.Bool // somebody has removed that, and it was made again
	slots   *slots
	live    *live
	turns   *turns
	facts   rule.Facts
	find    rule.Stimuli
	shared  fixtures
	book    book
	told    told
	kept    kept
	heavy   sync.Mutex // held while a long line is handled
	looks   atomic.Int64

	deadline time.Time   // of the run
	refused  atomic.Bool // a rule could not begin for it
}

// judge runs the acting rules after a survey and concludes.
func (r *run) judge(ctx context.Context, s *survey) result.Run {
	out := result.Run{Schema: result.Schema, Tool: r.Tool, StartedAt: r.started.UTC().Format(time.RFC3339Nano),
		Agent: result.Agent{Command: r.Command, Capabilities: map[string]any{}}, Protocol: result.Protocol{Requested: r.Protocol}, Transcript: r.Keep}
	s.describe(&out)
	r.facts, r.find = s.facts, stimulus.For(s.announced, r.Prompts)
	if s.facts.Fake || !r.Process {
		r.turns.unlimited()
	}
	if s.answered {
		r.act(ctx)
	}
	stages := []*stage{s.stage}
	if r.refused.Load() {
		late := r.stage(surveyName)
		late.tell(r.overTime())
		stages = append(stages, late)
	}
	out.Rules, out.Frames = r.outcomes(s, stages)
	for i := range r.Rules { // the outcomes are in the same order
		r.tell(r.Rules[i].ID, out.Rules[i].Verdict)
	}
	out.Hangs = r.hangs(s.stage, out.Rules)
	out.LeftBehind = r.tidy(ctx, s.stage.sessions.ids)
	out.TranscriptProblem = r.kept.lack()
	out.Hints = append(out.Hints, r.losses()...)
	out.Prompts = r.turns.count()
	out.Interrupt = ctx.Err() != nil
	out.DurationMs = r.Now().Sub(r.started).Milliseconds()
	out.Conclude(r.Policy)
	return out
}

func (r *run) prepare() error {
	if r.Home == "temp" {
		r.Home = r.root + "/home"
	}
	for _, dir := range []string{r.Home, r.Keep} {
		if dir != "" {
			if err := os.MkdirAll(dir, 0o700); err != nil {
				return err
			}
		}
	}
	return nil
}
