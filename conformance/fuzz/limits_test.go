package fuzz

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/acp-conform/acp-conform/conformance/wire"
)

// cut stands for the beginning of a line, with which a speaker ends.
const cut = "CUT"

// speaker is a clerk that writes the lines that say gives for a line, in place of its own answer if they are not nil; it lives on whatever
// it reads. connection counts from 1.
func speaker(say func(e wire.Envelope, connection int64) []string) wire.Launcher {
	var connections atomic.Int64
	return wire.InProcess(func(_ context.Context, r io.Reader, w io.Writer) error {
		connection := connections.Add(1)
		var read, written int64
		in := bufio.NewScanner(r)
		for in.Buffer(nil, longest); in.Scan(); {
			read += int64(len(in.Bytes()) + 1)
			e := wire.Inspect(in.Bytes())
			lines := say(e, connection)
			if lines == nil && e.Kind != wire.Response {
				lines = []string{clerical(e)}
			}
			for _, l := range lines {
				if l == "" {
					continue
				}
				if l == cut {
					_, err := io.WriteString(w, `{"jsonrpc":"2.0","id":`)
					return errors.Join(errDead, err)
				}
				n, err := fmt.Fprintln(w, l)
				if err != nil {
					return err
				}
				written += int64(n)
			}
			w.(interface{ Quiet(read, written int64) }).Quiet(read, written)
		}
		return nil
	})
}

// upon has a speaker say something upon a message with a method.
func upon(method string, lines ...string) func(wire.Envelope, int64) []string {
	return func(e wire.Envelope, _ int64) []string {
		if e.Name != method || e.Broken != wire.Whole {
			return nil
		}
		return append([]string{}, lines...)
	}
}

func repeated(n int, line func(i int) string) []string {
	var all []string
	for i := range n {
		all = append(all, line(i))
	}
	return all
}

func chatter(bytes int) func(int) string {
	return func(int) string {
		return `{"jsonrpc":"2.0","method":"_x/y","params":{"t":"` + strings.Repeat("z", bytes) + `"}}`
	}
}

func question(i int) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":"q%d","method":"_x/ask","params":{}}`, i)
}

// kinds of what was found, with what it is said to be.
func foundIn(res Result) string {
	var all []string
	for _, f := range res.Findings {
		all = append(all, fmt.Sprintf("%s, %s %s", f.Kind, f.Severity, f.cause))
	}
	return strings.Join(all, "; ")
}

// replayed plays a script.
func replayed(t *testing.T, cfg Config, change func(*run), steps ...Step) Result {
	t.Helper()
	cfg.Prompts, cfg.Request, cfg.Now = -1, time.Minute, time.Now
	r, err := begin(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer r.finish()
	if change != nil {
		change(r)
	}
	problem := r.survey(t.Context())
	if problem == "" {
		r.replay(t.Context(), Script{Steps: append(r.preamble(), steps...)})
	}
	return r.result(t.Context(), problem)
}

// Each row is what an agent says to a turn that costs more than it may, and what is found. Nothing else is concluded from it.
func TestWhatAnAgentMayCost(t *testing.T) {
	const answer = `{"jsonrpc":"2.0","id":20,"result":{"stopReason":"end_turn"}}`
	long := `{"jsonrpc":"2.0","id":20,"result":{"stopReason":"end_turn","_meta":{"x":"` + strings.Repeat("x", 30_000) + `"}}}`
	limits := wire.Limits{Recorded: 400_000, Line: 20_000, Requests: 50}
	few := func(r *run) { r.keep = 20_000 }
	for name, c := range map[string]struct {
		say    []string
		change func(*run)
		want   string
	}{
		"a little":                  {append(repeated(50, chatter(1000)), answer), nil, ""},
		"much":                      {append(repeated(1000, chatter(1000)), answer), nil, "flood, warning recorded"},
		"more than is kept, before": {append(repeated(100, chatter(1000)), answer), few, ""},
		"more than is kept, behind": {append([]string{answer}, repeated(100, chatter(1000))...), few, ""},
		"one answer without end":    {repeated(200, func(int) string { return answer }), few, "duplicate answer, failure ; flood, warning recorded"},
		"a long line":               {[]string{long}, nil, "flood, warning line"},
		"a deep line":               {[]string{answer, strings.Repeat("[", 11_000) + "]"}, func(r *run) { r.Limits.Line = 1 << 20 }, "flood, warning line"},
		"some questions":            {append(repeated(50, question), answer), nil, ""},
		"questions without end":     {repeated(51, question), nil, "flood, warning requests"},
	} {
		t.Run(name, func(t *testing.T) {
			launch := speaker(func(e wire.Envelope, _ int64) []string {
				if string(e.ID) != "20" {
					return nil
				}
				return c.say
			})
			res := replayed(t, Config{Launch: launch, Limits: limits}, c.change, promptStep(20, Answer))
			if got := foundIn(res); got != c.want {
				t.Errorf("found %q, want %q\n%s", got, c.want, res.show())
			}
		})
	}
}

// A flood that nothing can be said behind is no pass.
func TestAFloodAtTheBeginning(t *testing.T) {
	launch := speaker(upon("session/new", repeated(1000, chatter(1000))...))
	res := fuzz(t, Config{Launch: launch, Limits: wire.Limits{Recorded: 400_000}, Prompts: -1, Request: time.Minute, Scripts: 10, Now: time.Now})
	if got := foundIn(res); got != "flood, warning recorded" || res.Verdict != Inconclusive || !strings.Contains(res.ExitReason, `crossed the limit "recorded"`) {
		t.Errorf("%s: %s: %s\n%s", res.Verdict, res.ExitReason, got, res.show())
	}
}

// A flood in the turn of the first conversation is no reason to say nothing else.
func TestAFloodInTheFirstTurn(t *testing.T) {
	launch := speaker(upon("session/prompt", repeated(1000, chatter(1000))...))
	res := replayed(t, Config{Launch: launch, Limits: wire.Limits{Recorded: 400_000}}, nil)
	if got := foundIn(res); got != "flood, warning recorded" || res.Verdict != Passed || res.Scripts != 1 || len(res.Findings[0].Script.Steps) != 3 ||
		!strings.Contains(res.Findings[0].Why, `after a request "session/prompt": it wrote more than`) {
		t.Errorf("%s: %s\n%s", res.Verdict, got, res.show())
	}
}

// A flood in the middle is looked into as whatever else is found.
func TestAFloodInTheMiddle(t *testing.T) {
	launch := speaker(upon("session/prompt", repeated(1000, chatter(1000))...))
	res := fuzz(t, Config{Launch: launch, Limits: wire.Limits{Recorded: 400_000}, Prompts: -1, Request: time.Minute, Scripts: 60, Now: time.Now, Jobs: 1})
	if got := foundIn(res); got != "flood, warning recorded" || res.Verdict != Passed || res.Findings[0].Once || len(res.Findings[0].Script.Steps) > 3 {
		t.Errorf("%s after %d scripts: %s\n%s", res.Verdict, res.Scripts, got, res.show())
	}
}

func TestTheProcessesOfAnAgentAreLimited(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("processes can be counted on Linux only")
	}
	forks := wire.Command([]string{"sh", "-c", "sleep 60 & sleep 60 & sleep 60 & cat >/dev/null"})
	res := fuzz(t, Config{Launch: forks, Process: true, Limits: wire.Limits{Children: 2}, Start: time.Minute, Scripts: 10, Now: time.Now})
	if got := foundIn(res); got != "flood, warning children" || res.Verdict != Inconclusive || !strings.Contains(res.ExitReason, "has more than 2 processes") {
		t.Errorf("%s: %s: %s\n%s", res.Verdict, res.ExitReason, got, res.show())
	}
}

// A line that is not looked into may hold an answer, and hides no end.
func TestADeepLineHidesNoCrash(t *testing.T) {
	deep := `{"jsonrpc":"2.0","method":"_x/y","params":` + strings.Repeat("[", 200_000) + strings.Repeat("]", 200_000) + `}`
	for _, before := range []string{deep, ""} {
		cfg := Config{Launch: speaker(upon("session/list", before, cut)), Request: time.Minute, Prompts: -1, Now: time.Now}
		res, err := Play(t.Context(), cfg, Script{Protocol: 1, Steps: []Step{hello(1), {Send: `{"jsonrpc":"2.0","id":7,"method":"session/list","params":{}}`, Then: Answer}}})
		if err != nil || !slices.ContainsFunc(res.Findings, func(f Finding) bool { return f.Kind == Crash }) {
			t.Errorf("behind a line of %d bytes: %v, %s", len(before), err, res.show())
		}
	}
}
