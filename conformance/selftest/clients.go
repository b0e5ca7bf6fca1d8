package selftest

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/acp-conform/acp-conform/conformance/client"
	"github.com/acp-conform/acp-conform/conformance/engine"
	"github.com/acp-conform/acp-conform/conformance/judge"
	"github.com/acp-conform/acp-conform/conformance/judge/reference"
	"github.com/acp-conform/acp-conform/conformance/result"
	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/rules"
	"github.com/acp-conform/acp-conform/conformance/wire"
	"github.com/acp-conform/acp-conform/fakeagent"
)

// Scripts are those of the fake agent, for a judge of clients.
func Scripts() []judge.Script {
	var all []judge.Script
	for _, s := range fakeagent.Scripts() {
		all = append(all, judge.Script{Name: s.Name, Description: s.Description, Protocols: s.Protocols, Actions: s.Actions})
	}
	return all
}

// Reference judges the reference client with faults and variants, in this process.
func Reference(ctx context.Context, faults, variants []string, protocols []int, chosen []rule.Rule) (result.Run, error) {
	dir, err := os.MkdirTemp(memoryDir(), "acp-conform-client-")
	if err != nil {
		return result.Run{}, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	a := &actor{faults: faults, variants: variants, dir: dir}
	return judge.Run(ctx, judge.Config{Scripts: Scripts(), Rules: chosen, Protocols: protocols, Play: a.play, Name: []string{"@reference"}})
}

// actor is the reference client in this process.
type actor struct {
	faults, variants []string
	dir              string
	words            [2]string // "" = those of the proposal
}

// play is for judge.Config.
func (a *actor) play(ctx context.Context, s judge.Script, protocol int) (t judge.Take, err error) {
	dir, err := os.MkdirTemp(a.dir, "take-")
	if err != nil {
		return t, err
	}
	out := &printed{}
	stage := &stage{script: s.Name, protocol: protocol, dir: dir, vocabulary: a.words[0], out: out}
	timeouts := client.DefaultTimeouts()
	code, err := reference.Client{Launch: stage.launch, Actions: s.Actions, Session: fakeagent.ScriptSession, Protocol: protocol,
		Words: a.words, Faults: a.faults, Variants: a.variants, Dir: dir, Out: out, Timeouts: timeouts}.Run(ctx)
	if ctx.Err() != nil {
		return t, ctx.Err()
	}
	t.Connections, t.Steps, t.ExitAt = stage.frames(), judge.ReadSteps(out.text), time.Now()
	t.Exit = &rules.ClientExit{Code: code, TimeLimit: errors.Is(err, reference.ErrWaiting)}
	if t.Exit.TimeLimit {
		err = nil
	}
	return t, err
}

// stage starts the fake agent with a script, and writes down what is said on each connection.
type stage struct {
	script   string
	protocol int
	dir      string

	vocabulary  string
	out         *printed
	mu          sync.Mutex
	connections []*[]wire.Frame
}

func (s *stage) launch(ctx context.Context, l wire.Launch) (wire.Peer, error) {
	var frames []wire.Frame
	tap := func(f wire.Frame, _ wire.Envelope) { frames = append(frames, f) }
	transcript := wire.NewTranscript(time.Now, nil, tap)
	known := 0 // of what the client has printed
	agent, err := fakeagent.New(fakeagent.Config{Script: s.script, StatusVocabulary: s.vocabulary, Pace: selftestPace, Dir: s.dir, OnLine: func(d fakeagent.Direction, line []byte) {
		from := wire.Agent
		if d == fakeagent.FromClient {
			from = wire.Client
		}
		if n := s.out.size(); n > known {
			known = n
			transcript.Add(wire.Frame{From: wire.Suite, Line: fmt.Appendf(nil, `{"printed":%d}`, n)})
		}
		transcript.Add(wire.Frame{From: from, Line: bytes.Clone(line)})
	}})
	if err != nil {
		return nil, err
	}
	agent.Behaviour.Speaks = func(*fakeagent.Conn) []int { return []int{s.protocol} }
	s.mu.Lock()
	defer s.mu.Unlock()
	s.connections = append(s.connections, &frames)
	return wire.InProcess(agent.Serve)(ctx, l)
}

// frames are those of all connections; all agents have ended.
func (s *stage) frames() (all [][]wire.Frame) {
	for _, c := range s.connections {
		all = append(all, *c)
	}
	return all
}

// printed is what a client has printed.
type printed struct {
	mu   sync.Mutex
	text []byte
}

func (p *printed) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.text = append(p.text, b...)
	return len(b), nil
}

func (p *printed) size() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.text)
}

// Clients compares every fault and variant of the reference client with the table, and adds what it finds to the report.
func Clients(ctx context.Context, o Options, rep *Report) error {
	chosen, err := engine.Select(rules.Client(), o.Patterns)
	if err != nil {
		return nil // the patterns are about agents only
	}
	var rows []clientRow
	for _, f := range reference.Faults() {
		if slices.ContainsFunc(chosen, func(r rule.Rule) bool { return slices.Contains(clientFaults[f.Name], r.ID) }) {
			rows = append(rows, rowsOf(f, f.Name, "")...)
		}
	}
	if len(o.Patterns) == 0 {
		for _, v := range append([]reference.Change{{Name: "reference client", Protocols: []int{1, 2}}}, reference.Variants()...) {
			rows = append(rows, rowsOf(v, "", v.Name)...)
		}
	}
	runs := make([]result.Run, len(rows))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(4 * cmp.Or(max(0, o.Jobs), runtime.NumCPU())) // most of them wait most of the time
	for i, row := range rows {
		g.Go(func() (err error) { runs[i], err = row.run(ctx); return err })
	}
	if err := g.Wait(); err != nil {
		return err
	}
	killed := map[string][]string{}
	for i, row := range rows {
		row.report(runs[i], rep, killed)
	}
	for _, r := range chosen {
		rr := RuleReport{ID: r.ID, Subject: r.Binds(), KilledBy: append([]string{}, killed[r.ID]...)}
		rep.Rules = append(rep.Rules, rr)
		if len(rr.KilledBy) == 0 {
			rep.Problems = append(rep.Problems, r.ID+" is broken by no client")
		}
	}
	rep.OK = len(rep.Problems) == 0
	return nil
}
