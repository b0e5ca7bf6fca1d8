// Package judge judges clients: it has a client play a number of scripts with the fake agent, and shows what was said to the
// rules that bind clients. What a driver of a client has to do is described in README.md.
package judge

import (
	"context"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/acp-conform/acp-conform/conformance/result"
	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/rules"
)

// Config says whom to judge, and how.
type Config struct {
	Scripts   []Script    // all there are; the first is that of an agent in which nothing is odd; it is always played
	Only      []string    // the names of the scripts that are played besides the first; nil = all that the rules need
	Rules     []rule.Rule // nil = all rules about clients
	Protocols []int       // the versions to try, nil = 1 and 2
	Jobs      int         // scripts at the same time, 0 = number of CPUs
	// Play has the client play a script with an agent that speaks this version only. An error is one of the suite, or of ctx.
	Play   func(ctx context.Context, s Script, protocol int) (Take, error)
	Words  [2]string // what the agent calls a session in memory and one that is only known; "" = active and inactive
	Rerun  func(ids []string) string
	Log    func(done, total int, script string) // progress; nil = none
	Policy result.Policy
	Now    func() time.Time
	Tool   result.Tool
	Name   []string // the command of the client, as it was typed
	Keep   string   // a directory for the transcripts; "" = none
	// Redact makes what takes secrets out of the lines of one side in Keep; nil = nothing.
	Redact func() func([]byte) []byte
}

// Run judges a client. The error is one of the suite; what the client does wrong is in the result.
func Run(ctx context.Context, c Config) (result.Run, error) {
	c.defaults()
	run := result.Run{Schema: result.Schema, Subject: rule.Client, Tool: c.Tool, Agent: result.Agent{Command: c.Name, Capabilities: map[string]any{}}, Transcript: c.Keep}
	begin := c.Now()
	run.StartedAt = begin.UTC().Format(time.RFC3339)
	j := &judgement{Config: c, habits: map[int]rules.ClientHabits{}}
	err := j.play(ctx)
	run.DurationMs = c.Now().Sub(begin).Milliseconds()
	run.Interrupt = ctx.Err() != nil
	if err != nil && !run.Interrupt {
		return run, err
	}
	j.report(&run)
	if err := j.keep(); err != nil {
		run.TranscriptProblem = err.Error()
	}
	return run, nil
}

func (c *Config) defaults() {
	if c.Rules == nil {
		c.Rules = rules.Client()
	}
	if c.Protocols == nil {
		c.Protocols = []int{1, 2}
	}
	if c.Jobs <= 0 {
		c.Jobs = runtime.NumCPU()
	}
	if c.Words == [2]string{} {
		c.Words = [2]string{"active", "inactive"}
	}
	if c.Rerun == nil {
		c.Rerun = func([]string) string { return "" }
	}
	if c.Log == nil {
		c.Log = func(int, int, string) {}
	}
	if c.Now == nil {
		c.Now = time.Now
	}
}

// judgement is a run under way.
type judgement struct {
	Config
	mu     sync.Mutex
	takes  []Take
	done   int
	total  int
	spoken []int                      // the versions that the client speaks
	habits map[int]rules.ClientHabits // what it does where nothing is odd, by version
}

// perform plays the parts, a few at the same time, and keeps the takes in the order of the parts.
func (j *judgement) perform(ctx context.Context, parts []part) error {
	takes := make([]Take, len(parts))
	j.mu.Lock()
	j.total += len(parts)
	j.mu.Unlock()
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(j.Jobs)
	for i, p := range parts {
		g.Go(func() (err error) {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			takes[i], err = j.Play(ctx, p.script, p.protocol)
			takes[i].Script, takes[i].Protocol = p.script, p.protocol
			takes[i].habits = j.habitsOf(takes[i])
			j.progress(p)
			return err
		})
	}
	err := g.Wait()
	for _, t := range takes {
		if t.Exit != nil || t.Problem != "" {
			j.takes = append(j.takes, t)
		}
	}
	return err
}

func (j *judgement) progress(p part) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.done++
	j.Log(j.done, j.total, p.script.Name)
}

// report makes the outcomes of all rules from all takes.
func (j *judgement) report(run *result.Run) {
	for _, p := range j.spoken {
		j.habits[p] = j.control(p)
	}
	seen := make([]sight, len(j.takes))
	for i, t := range j.takes {
		if slices.Contains(j.spoken, t.Protocol) {
			seen[i] = j.look(t)
			run.Prompts += seen[i].prompts
		}
		if run.Agent.Info == nil {
			run.Agent.Info = t.info()
		}
	}
	for i := range j.Rules {
		run.Rules = append(run.Rules, j.outcome(&j.Rules[i], seen))
	}
	j.survey(run)
	run.Conclude(result.Policy{Strict: j.Policy.Strict, AllowNoSession: true})
	j.qualify(run, seen)
}

// survey says what kind of client this is.
func (j *judgement) survey(run *result.Run) {
	asked, spoken := slices.Max(j.Protocols), 0
	if len(j.spoken) > 0 {
		spoken = slices.Max(j.spoken)
		asked = spoken
	}
	run.Protocol = result.Protocol{Requested: asked, Negotiated: spoken, StatusVocabulary: j.Words[0], Spoken: j.spoken}
	run.Survey.Handshake = spoken > 0
	run.Survey.SessionReason = "the client made, loaded or resumed none"
	for _, h := range j.habits {
		if h.Opened {
			run.Survey.Session, run.Survey.SessionReason = true, ""
		}
	}
}

// names lists the versions, for a person.
func names(protocols []int) string {
	var words []string
	for _, p := range protocols {
		words = append(words, string(rune('0'+p)))
	}
	return strings.Join(words, " and ")
}
