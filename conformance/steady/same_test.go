package steady

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/acp-conform/acp-conform/conformance/client"
	"github.com/acp-conform/acp-conform/conformance/engine"
	"github.com/acp-conform/acp-conform/conformance/result"
)

// temporary are the names of temporary directories.
var temporary = regexp.MustCompile(`[^"\\ ]*/acp-conform-\d+`)

// timeless is a report without what is a matter of time, one text for each rule and one for the run. The number of a line is left out
// with it: where both sides speak at once, their lines cross in either order. How much there was to look at is as well: the rules about
// cost ask as often as there is time for, and a cancel is quick or slow to reach what it cancels.
func timeless(t *testing.T, r result.Run) map[string]string {
	t.Helper()
	some := func(n *int) { *n = min(*n, 1) }
	parts := map[string]string{}
	for _, o := range r.Rules {
		o.DurationMs = 0
		some(&o.Suppressed)
		if o.Kind == "watch" || strings.HasPrefix(o.ID, "status.perf.") {
			some(&o.Occasions)
		}
		for i := range o.Evidence {
			seen := &o.Evidence[i]
			for j := range seen.Frames {
				seen.Frames[j].Seq = 0
			}
			if _, err := time.ParseDuration(seen.Actual); err == nil || strings.HasPrefix(o.ID, "status.perf.") {
				seen.Actual, seen.Frames = "", nil
			}
		}
		parts[o.ID] = text(t, o)
	}
	r.Rules, r.StartedAt, r.DurationMs, r.Survey.RoundTripMs = nil, "", 0, 0
	for i := range r.Timeline {
		r.Timeline[i].AtMs = 0
	}
	for _, n := range []*int{&r.Frames.Checked, &r.Frames.Invalid, &r.Frames.Extensions} {
		some(n)
	}
	parts["the run"] = text(t, r)
	return parts
}

func text(t *testing.T, v any) string {
	t.Helper()
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return temporary.ReplaceAllString(string(b), "/temporary")
}

// way is a way to make the same run: nothing of it may be seen in the report.
type way struct {
	jobs    int
	slow    int
	shuffle bool
	busy    bool
}

func (w way) String() string {
	return fmt.Sprintf("%d jobs, --slow %d, another order: %v, busy: %v", w.jobs, w.slow, w.shuffle, w.busy)
}

// ways are n of them, all kinds mixed.
func ways(n int) (all []way) {
	for i := range n {
		all = append(all, way{jobs: []int{1, 2, 4, 8}[i%4], slow: []int{1, 5}[i/2%2], shuffle: i%3 == 2, busy: i%7 == 3})
	}
	return all
}

func (w way) run(t *testing.T, cfg engine.Config) result.Run {
	t.Helper()
	cfg.Jobs = w.jobs
	d := client.DefaultTimeouts()
	by := time.Duration(w.slow)
	cfg.Timeouts = client.Timeouts{Start: by * d.Start, Request: by * d.Request, Turn: by * d.Turn, Exit: by * d.Exit, Window: by * d.Window}
	if w.shuffle {
		cfg.Order = rand.Shuffle
	}
	if w.busy {
		defer keepBusy(t)()
	}
	return run(t, cfg)
}

// keepBusy keeps all CPUs busy until it is called off.
func keepBusy(t *testing.T) (enough func()) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), asBusy+"=1")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return func() {
		_ = in.Close()
		_ = cmd.Wait()
	}
}

// same makes the run in many ways and compares the reports.
func same(t *testing.T, cfg engine.Config, ways []way) {
	t.Helper()
	var first map[string]string
	for _, w := range ways {
		parts := timeless(t, w.run(t, cfg))
		if first == nil {
			first = parts
			continue
		}
		if !slices.Equal(slices.Sorted(maps.Keys(first)), slices.Sorted(maps.Keys(parts))) {
			t.Errorf("%s: other rules are in the report than with %s", w, ways[0])
		}
		for id, part := range parts {
			if part != first[id] {
				t.Errorf("%s: %s is not the same as with %s:\n%s", w, id, ways[0], differences(first[id], part))
			}
		}
	}
}

// differences are the lines in which two texts are not the same, the first few of them.
func differences(a, b string) string {
	of, with := strings.Split(a, "\n"), strings.Split(b, "\n")
	var out []string
	for i := range max(len(of), len(with)) {
		x, y := append(of, make([]string, len(with))...)[i], append(with, make([]string, len(of))...)[i]
		if x != y && len(out) < 10 {
			out = append(out, "- "+x, "+ "+y)
		}
	}
	return strings.Join(out, "\n")
}

// An agent that does the same gets the same report, whatever the number of jobs, the order of the rules, the factor on the timeouts and
// the load of the machine.
func TestTheSameAgentGetsTheSameReport(t *testing.T) {
	many, few := 20, 4
	if raced {
		many, few = 3, 2
	}
	quick := []string{"!status.sidefx.*", "!status.perf.*", "!status.model", "!status.request.*"} // a third of the time
	for _, c := range []struct {
		name      string
		faults    []string
		protocols []int
		n         int
		but       []string
	}{
		{"the correct fake", nil, []int{1, 2}, many, quick},
		{"the correct fake, all rules", nil, []int{1, 2}, few, nil},
		{"one that is wrong on the wire", []string{"jsonrpc-missing", "speaks-first"}, []int{1, 2}, few, quick},
		{"one that says things late and elsewhere", []string{"late-chunk", "cross-talk"}, []int{1}, few, nil},
		{"one that is wrong about sessions", []string{"unknown-session-other-data", "cancel-ends-turn"}, []int{1}, few, quick},
		{"one that is wrong about the status", []string{"status-wrong-data", "status-inactive-in-turn"}, []int{2}, few, nil},
		{"one that does not answer", []string{"parse-error-unanswered", "cancel-unanswered"}, []int{1}, few, quick},
	} {
		for _, protocol := range c.protocols {
			t.Run(fmt.Sprintf("%s, version %d", c.name, protocol), func(t *testing.T) {
				cfg := whole(t, protocol)
				cfg.Launch, cfg.Rules = inProcess(c.faults...), all(t, protocol, c.but...)
				same(t, cfg, ways(c.n))
			})
		}
	}
}

// The same holds for a process, though nobody knows when it is idle.
func TestTheSameProcessGetsTheSameReport(t *testing.T) {
	if raced {
		t.Skip("a process that is watched for races takes seconds to start")
	}
	cfg := whole(t, 1)
	cfg.Launch, cfg.Process = ownProcess("jsonrpc-missing", "late-chunk"), true
	cfg.Rules = all(t, 1, "!status.sidefx.*", "!status.model", "!status.perf.*")
	same(t, cfg, []way{{jobs: 8, slow: 1}, {jobs: 2, slow: 1, shuffle: true}, {jobs: 8, slow: 1, busy: true}})
}
