package engine

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	. "github.com/onsi/gomega"
	"go.uber.org/goleak"

	"github.com/acp-conform/acp-conform/conformance/result"
	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/wire"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// agent is a small agent whose answers a test can replace by method.
type agent map[string]string

// correct answers what the survey asks; a turn ends at once.
var correct = agent{
	"initialize":     `"result":{"protocolVersion":1,"agentInfo":{"name":"small","version":"1"},"agentCapabilities":{"loadSession":true}}`,
	"session/new":    `"result":{"sessionId":"s"}`,
	"session/prompt": `"result":{"stopReason":"end_turn"}`,
}

func (a agent) with(method, answer string) agent {
	b := agent{method: answer}
	for m, r := range a {
		if _, ok := b[m]; !ok {
			b[m] = r
		}
	}
	return b
}

func (a agent) serve(_ context.Context, r io.Reader, w io.Writer) error {
	var read, written int64
	in := bufio.NewReader(r)
	for {
		w.(interface{ Quiet(read, written int64) }).Quiet(read, written)
		line, err := in.ReadString('\n')
		if err != nil {
			return nil
		}
		read += int64(len(line))
		var m struct {
			ID     json.RawMessage
			Method string
		}
		if json.Unmarshal([]byte(line), &m) != nil || m.ID == nil {
			continue
		}
		answer, ok := a[m.Method]
		if !ok {
			answer = `"error":{"code":-32601,"message":"no such method"}`
		}
		if answer == "" {
			continue
		}
		n, _ := fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,%s}`+"\n", m.ID, answer)
		written += int64(n)
	}
}

func acting(id string, act func(*rule.Case)) rule.Rule {
	return rule.Rule{ID: id, Title: id, Level: rule.Must, Basis: rule.Stated, Versions: rule.Only(1), Act: act}
}

func passes(c *rule.Case) { c.Client(); c.Expect(1).To(Equal(1)) }

func runRules(t *testing.T, a agent, tweak func(*Config), all ...rule.Rule) result.Run {
	t.Helper()
	cfg := Config{Launch: wire.InProcess(a.serve), Command: []string{"small"}, Rules: all, MaxPrompts: -1}
	if tweak != nil {
		tweak(&cfg)
	}
	r, err := Run(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func verdicts(r result.Run) string {
	var s []string
	for _, o := range r.Rules {
		s = append(s, o.ID+"="+string(o.Verdict))
	}
	return strings.Join(s, " ")
}

func TestVerdictsOfRules(t *testing.T) {
	soft := acting("b.should", func(c *rule.Case) { c.Expect(1).To(Equal(2)) })
	soft.Level = rule.Should
	needs := acting("e.gate", passes)
	needs.Needs.Agent = []string{"sessionCapabilities.list"}
	stimulus := acting("f.stimulus", passes)
	stimulus.Needs.Stimulus = rule.Numbered
	r := runRules(t, correct, nil,
		acting("a.pass", passes),
		acting("a.fail", func(c *rule.Case) { c.ExpectSoft(1).To(Equal(2)); c.Expect(1).To(Equal(2)) }),
		acting("a.warn", func(c *rule.Case) { c.Expect(1).To(Equal(1)); c.ExpectIf(false, 1).To(Equal(2)) }),
		acting("a.note", func(c *rule.Case) { c.Expect(1).To(Equal(1)); c.Note(1, "worth knowing") }),
		soft, needs, stimulus,
		acting("g.nothing", func(*rule.Case) {}),
		acting("h.prepared", func(c *rule.Case) { c.Expect(1).To(Equal(1)); c.Require(false, "the step failed") }),
		acting("i.failed-before", func(c *rule.Case) { c.Expect(1).To(Equal(2)); c.Require(false, "the step failed") }),
		acting("j.panics", func(*rule.Case) { panic("oops") }),
		acting("k.invalid", func(c *rule.Case) { c.Client().Call("session/new", map[string]any{"cwd": 5}); c.Expect(1).To(Equal(1)) }),
	)
	want := "a.pass=pass a.fail=fail a.warn=warn a.note=pass b.should=warn e.gate=skipped f.stimulus=not-observed g.nothing=not-observed " +
		"h.prepared=not-observed i.failed-before=fail j.panics=error k.invalid=error"
	if got := verdicts(r); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if r.Verdict != result.Nonconformant || r.ExitCode != 1 || r.Counts[result.Error] != 2 {
		t.Errorf("%s, exit %d, %v", r.Verdict, r.ExitCode, r.Counts)
	}
	for _, o := range r.Rules {
		if (o.Verdict == result.Skipped || o.Verdict == result.NotObserved || o.Verdict == result.Error) == (o.Reason == "") {
			t.Errorf("%s is %s for the reason %q", o.ID, o.Verdict, o.Reason)
		}
	}
}

func TestRunVerdicts(t *testing.T) {
	must := acting("a.must", passes)
	must.Needs.Session = true
	unseen := acting("b.unseen", func(c *rule.Case) { c.NotObserved("nothing") })
	for name, tt := range map[string]struct {
		agent   agent
		rules   []rule.Rule
		policy  result.Policy
		verdict result.RunVerdict
		code    int
	}{
		"conformant":             {correct, []rule.Rule{must}, result.Policy{}, result.Conformant, 0},
		"incomplete":             {correct, []rule.Rule{must, unseen}, result.Policy{}, result.Incomplete, 0},
		"incomplete, strict":     {correct, []rule.Rule{must, unseen}, result.Policy{Strict: true}, result.Incomplete, 1},
		"nothing concluded":      {correct, []rule.Rule{unseen}, result.Policy{}, result.Inconclusive, 3},
		"no session":             {correct.with("session/new", `"error":{"code":-32603,"message":"no"}`), []rule.Rule{must, acting("c.other", passes)}, result.Policy{}, result.Inconclusive, 3},
		"no session, allowed":    {correct.with("session/new", `"error":{"code":-32603,"message":"no"}`), []rule.Rule{must, acting("c.other", passes)}, result.Policy{AllowNoSession: true}, result.Incomplete, 0},
		"authentication":         {correct.with("session/new", `"error":{"code":-32000,"message":"log in"}`), []rule.Rule{must, acting("c.other", passes)}, result.Policy{AllowNoSession: true}, result.Conformant, 0},
		"silence":                {correct.with("initialize", ""), []rule.Rule{must}, result.Policy{}, result.Inconclusive, 3},
		"refusal":                {correct.with("initialize", `"error":{"code":-32603,"message":"no"}`), []rule.Rule{must}, result.Policy{}, result.Inconclusive, 3},
		"another version":        {correct.with("initialize", `"result":{"protocolVersion":2}`), []rule.Rule{must}, result.Policy{}, result.Inconclusive, 3},
		"an error of the suite":  {correct, []rule.Rule{must, acting("z.panics", func(*rule.Case) { panic("oops") })}, result.Policy{}, result.Inconclusive, 3},
		"a failure outranks one": {correct, []rule.Rule{acting("f.fails", func(c *rule.Case) { c.Expect(1).To(Equal(2)) }), acting("z.panics", func(*rule.Case) { panic("oops") })}, result.Policy{}, result.Nonconformant, 1},
	} {
		t.Run(name, func(t *testing.T) {
			r := runRules(t, tt.agent, func(c *Config) { c.Policy = tt.policy }, tt.rules...)
			if r.Verdict != tt.verdict || r.ExitCode != tt.code {
				t.Errorf("%s, exit %d (%s); %s", r.Verdict, r.ExitCode, r.ExitReason, verdicts(r))
			}
			if (r.Survey.Handshake && r.Survey.Session) == (r.Problem != "") {
				t.Errorf("handshake %v, problem %q", r.Survey.Handshake, r.Problem)
			}
		})
	}
}

// Watchers see the survey and every acting rule; what they saw is told in the order of the contract, whatever the order of
// the run, and never of what follows bad input of ours.
func TestWatchersSeeEveryConversation(t *testing.T) {
	watch := rule.Rule{ID: "w.methods", Title: "w", Level: rule.Must, Basis: rule.Stated, Versions: rule.Only(1), Occasion: rule.Always,
		Watch: rule.EachFrame(func(l *rule.Log, r *rule.Reading) {
			if r.Mine() && r.Kind == wire.Response && strings.HasPrefix(r.Method, "_test/") {
				l.Occasion()
				l.Broken(rule.Finding{Why: "saw " + r.Method, Cite: r.Cite()})
			}
		})}
	asks := func(n string) rule.Rule {
		return acting("a."+n, func(c *rule.Case) { c.Expect(c.Client().Call("_test/"+n, nil).Code()).To(Equal(-32601)) })
	}
	bad := acting("a.bad", func(c *rule.Case) {
		_ = c.Client().Raw("{")
		c.Client().Call("_test/after", nil)
		c.Expect(1).To(Equal(1))
	})
	var first string
	for _, jobs := range []int{1, 4} {
		r := runRules(t, correct, func(c *Config) {
			c.Jobs = jobs
			c.Order = func(n int, swap func(i, j int)) { swap(0, n-1) }
		}, watch, asks("1"), asks("2"), asks("3"), bad)
		var s []string
		for _, o := range r.Rules[0].Evidence {
			s = append(s, o.Explanation+" in "+o.SeenIn)
		}
		got := strings.Join(s, ", ")
		if want := "saw _test/1 in a.1, saw _test/2 in a.2, saw _test/3 in a.3"; got != want {
			t.Errorf("jobs %d: %s, want %s", jobs, got, want)
		}
		if first == "" {
			first = got
		}
	}
}

func TestPromptLimit(t *testing.T) {
	turn := acting("a.turn", func(c *rule.Case) {
		c.Ran(c.Prompt(c.NewSession(), rule.ShortTurn))
		c.Expect(1).To(Equal(1))
	})
	r := runRules(t, correct, func(c *Config) { c.MaxPrompts = 0 }, turn)
	if r.Prompts != 0 || r.Rules[0].Verdict != result.NotObserved {
		t.Errorf("%d prompts, %s (%s)", r.Prompts, r.Rules[0].Verdict, r.Rules[0].Reason)
	}
	if r := runRules(t, correct, nil, turn); r.Prompts == 0 || r.Rules[0].Verdict != result.Pass {
		t.Errorf("%d prompts, %s (%s)", r.Prompts, r.Rules[0].Verdict, r.Rules[0].Reason)
	}
}

func TestPureLeavesOutBadInput(t *testing.T) {
	rude := acting("a.rude", passes)
	rude.Robustness = true
	if got := verdicts(runRules(t, correct, func(c *Config) { c.Pure = true }, rude, acting("b", passes))); got != "a.rude=skipped b=pass" {
		t.Error(got)
	}
}

func TestKeepWritesTranscripts(t *testing.T) {
	dir := t.TempDir()
	runRules(t, correct, func(c *Config) { c.Keep = dir }, acting("a.one", passes))
	for _, name := range []string{"survey-1.jsonl", "a.one-1.jsonl"} {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || !strings.Contains(string(b), "initialize") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestTwoTurnsAtOnceOnARealModel(t *testing.T) {
	turns := newTurns(-1, 2)
	park := func() func() { return func() {} }
	a, endA := turns.of(t.Context(), park)
	b, endB := turns.of(t.Context(), park)
	for _, start := range []func() (func(), error){a, a, b, b} { // a rule that has a share may have several turns
		if _, err := start(); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	c, endC := turns.of(ctx, park)
	if _, err := c(); err == nil {
		t.Error("a third rule got a turn")
	}
	endA()
	endB()
	endC()
	if turns.count() != 5 {
		t.Errorf("counted %d turns", turns.count())
	}
}

func TestInterruptKeepsWhatIsThere(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	waits := acting("b.waits", func(c *rule.Case) {
		cl := c.Client()
		cancel()
		<-c.Done()
		c.Expect(cl.Call("_test/after", nil).OK()).To(BeTrue())
	})
	r, err := Run(ctx, Config{Launch: wire.InProcess(correct.serve), Rules: []rule.Rule{acting("a.before", passes), waits, acting("c.after", passes)}, MaxPrompts: -1, Jobs: 1,
		Order: func(int, func(i, j int)) {}})
	if err != nil {
		t.Fatal(err)
	}
	if r.Verdict != result.Interrupted || r.ExitCode != 130 || len(r.Rules) != 3 {
		t.Errorf("%s %d %s", r.Verdict, r.ExitCode, verdicts(r))
	}
	for _, o := range r.Rules {
		if o.Verdict == result.Fail {
			t.Errorf("the interrupt was blamed on the agent: %s", o.ID)
		}
	}
}
