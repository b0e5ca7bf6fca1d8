package main

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/acp-conform/acp-conform/conformance"
	"github.com/acp-conform/acp-conform/conformance/result"
	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/selftest"
	"github.com/acp-conform/acp-conform/conformance/wire"
	"github.com/acp-conform/acp-conform/reports"
)

// exampleTime is how long explain looks for lines, which it says when it finds none by then: the command that shows them is there.
const exampleTime = 5 * time.Second

// example are lines by which a rule is broken, and kept. They are taken from runs on the fake agent, wrong and right, and written by nobody.
type example struct {
	explanation string
	sent        result.Frame // what the client said before; the zero frame = nothing that matters
	bad, good   result.Frame // of the agent; the zero frame = it said nothing
}

// lines shows a bad and a good line for a rule, where they can be had in the time.
func (p *program) lines(ctx context.Context, r rule.Rule, limit time.Duration) {
	show, version, ok := showOf(r)
	if !ok {
		return
	}
	dir, err := os.MkdirTemp("", "acp-conform-explain-")
	if err != nil {
		return
	}
	defer func() { _ = os.RemoveAll(dir) }()
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	var runs [2]result.Run
	var wg sync.WaitGroup
	for i, name := range []string{"bad", "good"} {
		wg.Go(func() { runs[i] = p.played(ctx, r, show, version, name == "bad", filepath.Join(dir, name)) })
	}
	wg.Wait()
	if ctx.Err() == context.DeadlineExceeded {
		p.about("example", fmt.Sprintf("none was had within %v; the command above shows the rule broken", limit))
		return
	}
	if e, ok := exampleOf(r.ID, runs[0], dir); ok && ctx.Err() == nil {
		p.printExample(e)
	}
}

// played is a run of the rule on the fake agent, with the fault or without it.
func (p *program) played(ctx context.Context, r rule.Rule, show selftest.Show, version int, wrong bool, keep string) result.Run {
	words := []string{fakeName}
	for _, v := range show.Config.Variants {
		words = append(words, "--variant", v)
	}
	if show.Config.EvictAfter != 0 {
		words = append(words, "--evict-after", show.Config.EvictAfter.String())
	}
	if wrong {
		words = append(words, "--fault", show.Fault)
	}
	a, err := p.fake(words)
	if err != nil {
		return result.Run{}
	}
	cfg := conformance.Config{Protocol: version, Rules: []string{r.ID}, Profile: show.Profile, Keep: keep, Canary: canaryCommand()}
	if show.Beside != "" {
		cfg.Rules = append(cfg.Rules, show.Beside)
	}
	leave, err := a.atHome()
	if err != nil {
		return result.Run{}
	}
	defer leave()
	a.into(&cfg)
	run, _ := conformance.Run(ctx, cfg)
	return run
}

// exampleOf takes the lines out of a run in which a rule was broken and of the transcripts of both runs. There is none where no line of
// the agent, and no silence of it, is the finding, or where the right agent says the same.
func exampleOf(id string, run result.Run, dir string) (e example, ok bool) {
	i := slices.IndexFunc(run.Rules, func(o result.Outcome) bool { return o.ID == id })
	if i < 0 || len(run.Rules[i].Evidence) == 0 {
		return e, false
	}
	seen := run.Rules[i].Evidence[0]
	e.explanation = seen.Explanation
	e.bad = plainLine(lastOf(seen.Frames, "agent"))
	before := slices.DeleteFunc(slices.Clone(seen.Frames), func(f result.Frame) bool { return e.bad.Seq > 0 && f.Seq > e.bad.Seq })
	e.sent = lastOf(before, "client")
	if e.bad.Seq == 0 && e.sent.Seq == 0 {
		return e, false
	}
	e.good = rightLine(e, seen.SeenIn, dir)
	return e, e.good.Seq > 0 && e.good.Line != e.bad.Line
}

// lastOf is the last line of a side, the zero frame where there is none.
func lastOf(frames []result.Frame, side string) (last result.Frame) {
	for _, f := range frames {
		if f.From == side {
			last = f
		}
	}
	return last
}

// rightLine is what the right agent says in the place of the bad line: in the same conversation the answer to the same request, or a
// message of the same kind, or what it says as its so manieth line.
func rightLine(e example, seenIn, dir string) result.Frame {
	at := cmp.Or(e.bad, e.sent)
	for _, file := range transcripts(filepath.Join(dir, "bad"), seenIn) {
		wrong := readTranscript(file)
		here := slices.IndexFunc(wrong, func(f result.Frame) bool {
			return f.Seq == at.Seq && strings.HasPrefix(f.Line, at.Line) && f.From == at.From
		})
		if here < 0 {
			continue
		}
		clean := agentsLines(readTranscript(filepath.Join(dir, "good", filepath.Base(file))))
		for _, same := range sames(e) {
			if i := slices.IndexFunc(clean, same); i >= 0 {
				return clean[i]
			}
		}
		if n := len(agentsLines(wrong[:here])); e.bad.Seq > 0 && n < len(clean) {
			return clean[n]
		}
	}
	return result.Frame{}
}

func agentsLines(all []result.Frame) []result.Frame {
	return slices.DeleteFunc(slices.Clone(all), func(f result.Frame) bool { return f.From != "agent" })
}

// sames are the ways to recognise the right line, the best first.
func sames(e example) []func(result.Frame) bool {
	answers := func(line string) func(result.Frame) bool {
		key := wire.Inspect([]byte(line)).Key()
		return func(f result.Frame) bool {
			in := wire.Inspect([]byte(f.Line))
			return key != "" && in.Kind == wire.Response && in.Key() == key
		}
	}
	if e.bad.Seq == 0 {
		return []func(result.Frame) bool{answers(e.sent.Line)}
	}
	bad := wire.Inspect([]byte(e.bad.Line))
	if bad.Kind == wire.Response {
		return []func(result.Frame) bool{answers(e.bad.Line)}
	}
	return []func(result.Frame) bool{func(f result.Frame) bool {
		in := wire.Inspect([]byte(f.Line))
		return bad.Name != "" && in.Name == bad.Name && in.Kind == bad.Kind && updateOf(in) == updateOf(bad)
	}}
}

func updateOf(e wire.Envelope) string {
	return string(wire.Member(wire.Member(e.Params, "update"), "sessionUpdate"))
}

func transcripts(dir, name string) []string {
	files, _ := filepath.Glob(filepath.Join(dir, name+"-*.jsonl"))
	return files
}

func readTranscript(file string) []result.Frame {
	text, _ := os.ReadFile(file)
	var all []result.Frame
	for l := range strings.SplitSeq(string(text), "\n") {
		var f result.Frame
		if json.Unmarshal([]byte(l), &f) == nil {
			all = append(all, plainLine(f))
		}
	}
	return all
}

// plainLine is a frame with its bytes in its line, be they UTF-8 or not.
func plainLine(f result.Frame) result.Frame {
	if b, err := base64.StdEncoding.DecodeString(f.Base64); err == nil && f.Line == "" {
		f.Line, f.Base64 = string(b), ""
	}
	return f
}

func (p *program) printExample(e example) {
	p.about("example", "from two runs on the fake agent, with the fault and without it")
	if e.sent.Seq > 0 {
		line, left := result.Observation{Explanation: e.explanation}.Excerpt(e.sent, lineShown)
		if left > 0 {
			line += " …"
		}
		p.about("sent", "> "+reports.Printable(line))
	}
	good, bad := result.Observation{Expected: e.good.Line, Actual: e.bad.Line}.Excerpts(lineShown)
	if e.bad.Seq == 0 {
		bad = "(nothing)"
	}
	p.about("bad", "< "+reports.Printable(bad))
	p.about("good", "< "+reports.Printable(good))
}

// lineShown is about how many characters of a line are shown.
const lineShown = 300
