package reports

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/acp-conform/acp-conform/conformance/result"
)

// many is a run of as many rules as there may be, with the first ones broken.
func many(change func(i int, o *result.Outcome)) result.Run {
	r := sample()
	for i := range 250 {
		o := outcome(fmt.Sprintf("x.rule-%d", i), map[bool]result.Verdict{true: result.Fail, false: result.Pass}[i < 20], nil)
		change(i, &o)
		r.Rules = append(r.Rules, o)
	}
	return r
}

// evidence is as much as can be cited, of lines of this text.
func evidence(text string) (all []result.Observation) {
	for range 5 {
		ob := result.Observation{Severity: result.Failed, Explanation: "long", SeenIn: "survey", Expected: text, Actual: text}
		for i := range 20 {
			ob.Frames = append(ob.Frames, result.Frame{Seq: i + 1, From: "agent", Line: text, Cut: 1})
		}
		all = append(all, ob)
	}
	return all
}

// A page stays small enough to be sent around, whatever there is to show; it names every rule, and says that something is missing.
func TestPagesAreBounded(t *testing.T) {
	command := strings.Repeat("--flag '<&>' ", 20_000)
	cites := func(text string) result.Run {
		return many(func(i int, o *result.Outcome) {
			if o.Verdict == result.Fail {
				o.Evidence = evidence(text)
			}
		})
	}
	long := many(func(_ int, o *result.Outcome) { o.Rerun = "acp-conform --rules " + o.ID + " " + command[:8000] })
	long.Agent.Command, long.Problem, long.Hints = []string{command}, command, []string{command}
	reasons := many(func(i int, o *result.Outcome) {
		o.Verdict, o.Reason = result.NotObserved, fmt.Sprint(i, strings.Repeat(`"why" `, 2000))
	})
	hangs := many(func(int, *result.Outcome) {})
	for range 500 {
		h := hang("x.rule-1", 10)
		h.Processes = slices.Repeat(h.Processes, 50)
		hangs.Hangs = append(hangs.Hangs, h)
	}
	for i := range 20_000 {
		hangs.Timeline = append(hangs.Timeline, result.Moment{AtMs: int64(i), Kind: "stderr", What: strings.Repeat("\x1b", 100)})
	}
	for name, r := range map[string]result.Run{"lines": cites(strings.Repeat("x", 2000)), "lines that are escaped": cites(strings.Repeat(`"`, 2000)),
		"control characters": cites(strings.Repeat("\x1b\u202e", 500)), "a finding of many bytes": cites(strings.Repeat("<", 1<<13)),
		"a command line": long, "reasons": reasons, "waits and moments": hangs} {
		r.Conclude(result.Policy{})
		out := written(t, HTML, r)
		if n := strings.Count(out, `<details class="rule"`); len(out) > htmlMost || n != len(r.Rules) {
			t.Errorf("%s: the page has %d bytes and names %d of %d rules", name, len(out), n, len(r.Rules))
		}
		if !strings.Contains(out, "page would be too large") {
			t.Errorf("%s: the page does not say that something is missing", name)
		}
		if out := written(t, Markdown, r); len(out) > 1<<20 {
			t.Errorf("%s: the Markdown report has %d bytes", name, len(out))
		}
	}
	if out := written(t, HTML, sample()); strings.Contains(out, "page would be too large") {
		t.Error("something of an ordinary run is left out")
	}
}
