package judge

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/acp-conform/acp-conform/conformance/result"
	"github.com/acp-conform/acp-conform/conformance/rules"
	"github.com/acp-conform/acp-conform/conformance/wire"
)

const (
	unsupported = `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1,"agentCapabilities":{"sessionCapabilities":{}}}}`
	list        = `{"jsonrpc":"2.0","id":4,"method":"session/list","params":{}}`
	resume      = `{"jsonrpc":"2.0","id":5,"method":"session/resume","params":{"sessionId":"s","cwd":"/"}}`
	resumed     = `{"jsonrpc":"2.0","id":5,"result":{}}`
)

// said is a take in which these lines were said, by the client and the agent in turn, and the client ended with an exit code.
func said(code int, lines ...string) Take {
	var frames []wire.Frame
	for i, line := range lines {
		frames = append(frames, frame(i, []wire.Side{wire.Client, wire.Agent}[i%2], line))
	}
	return Take{Connections: [][]wire.Frame{frames}, Exit: &rules.ClientExit{Code: code}, ExitAt: at(len(lines) + 1)}
}

// stage is a run in version 1 with takes by the name of their script; the one named "" stands for all others.
func stage(t *testing.T, c Config, takes map[string]Take) (run result.Run, played []string) {
	t.Helper()
	var mu sync.Mutex
	c.Protocols = []int{1}
	c.Scripts = []Script{}
	for _, name := range []string{"plain", "no-marker", "active", "value-x", "unknown"} {
		c.Scripts = append(c.Scripts, Script{Name: name, Protocols: []int{1, 2}, Actions: map[string]string{"unknown": "look"}[name]})
	}
	c.Play = func(_ context.Context, s Script, _ int) (Take, error) {
		mu.Lock()
		defer mu.Unlock()
		played = append(played, s.Name)
		take, ok := takes[s.Name]
		if !ok {
			take = takes[""]
		}
		return take, nil
	}
	run, err := Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(played)
	return run, played
}

// good is a client that does something, wherever it is.
func good() map[string]Take {
	return map[string]Take{
		"":          said(0, hello, welcome, ask, told, resume, resumed, prompt),
		"no-marker": said(0, hello, unsupported, list),
		"value-x":   said(0, hello, welcome, ask, `{"jsonrpc":"2.0","id":2,"result":{"status":"x"}}`, resume, resumed, prompt),
	}
}

// Of scripts that were not selected a rule is not owed an occasion, and says why it has none.
func TestScriptsThatAreNotSelected(t *testing.T) {
	run, played := stage(t, Config{Only: []string{"value-x"}}, good())
	if !slices.Equal(played, []string{"plain", "value-x"}) || run.Verdict != result.Conformant {
		t.Errorf("%v were played: %s, %s", played, run.Verdict, run.ExitReason)
	}
	if o := outcome(t, run, "status.client.unknown-value"); o.Verdict != result.Pass || !o.Owed {
		t.Errorf("%s, owed %v: %s", o.Verdict, o.Owed, o.Reason)
	}
	for _, id := range []string{"status.client.gate", "status.client.unknown-error", "status.client.lazy-agent"} {
		if o := outcome(t, run, id); o.Verdict != result.NotObserved || o.Owed || o.Reason != "the scripts that can show it were not selected" {
			t.Errorf("%s: %s, owed %v: %s", id, o.Verdict, o.Owed, o.Reason)
		}
	}
	if run, _ = stage(t, Config{Only: []string{"unknown"}, Rules: rules.Client()[:1]}, good()); run.Verdict != result.Inconclusive || run.ExitReason != "no rule concluded" {
		t.Errorf("without a script of the only rule: %s, %s", run.Verdict, run.ExitReason)
	}
}

// What was selected is owed, and one MUST that was not seen makes the run incomplete.
func TestOccasionsThatAreOwed(t *testing.T) {
	takes := good()
	takes["value-x"] = said(0, hello, welcome, list)
	for _, strict := range []bool{false, true} {
		run, _ := stage(t, Config{Policy: result.Policy{Strict: strict}}, takes)
		o := outcome(t, run, "status.client.unknown-value")
		if run.Verdict != result.Incomplete || run.ExitCode != map[bool]int{true: result.ExitFailed}[strict] || !o.Owed || strings.Contains(run.ExitReason, "agent") {
			t.Errorf("%s, exit code %d, owed %v: %s", run.Verdict, run.ExitCode, o.Owed, run.ExitReason)
		}
	}
}

// A client that hangs or dies after the handshake plays no other script.
func TestAClientThatOnlyShakesHands(t *testing.T) {
	for want, exit := range map[string]rules.ClientExit{
		"It exited with code 70 and wrote nothing to its stderr.":         {Code: 70},
		"It did not end within its time and wrote nothing to its stderr.": {Code: -1, TimeLimit: true},
	} {
		take := said(0, hello, welcome)
		take.Exit = &exit
		run, played := stage(t, Config{}, map[string]Take{"": take})
		if len(played) != 1 || run.Verdict != result.Inconclusive || run.Protocol.Negotiated != 1 || !run.Survey.Handshake || run.ExitReason != "no rule concluded" {
			t.Errorf("%v were played: %s, %s, version %d", played, run.Verdict, run.ExitReason, run.Protocol.Negotiated)
		}
		if run.Problem != "The client agreed on version 1 with the agent, and did nothing after that. "+want {
			t.Errorf("the problem is %q", run.Problem)
		}
		for _, o := range run.Rules {
			if o.Verdict == result.NotObserved && o.Owed && o.Reason != "the client did nothing after the handshake" {
				t.Errorf("%s: %s", o.ID, o.Reason)
			}
		}
	}
}

// An interrupt leaves rules of which nothing was played, which is no doing of the client.
func TestAnInterruptBetweenScripts(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	run, err := Run(ctx, Config{Scripts: []Script{{Name: "plain"}, {Name: "no-marker", Protocols: []int{1}}}, Rules: rules.Client()[:1], Protocols: []int{1},
		Play: func(ctx context.Context, s Script, _ int) (Take, error) {
			if s.Name == "plain" {
				return good()[""], nil
			}
			cancel()
			return Take{}, ctx.Err()
		}})
	if err != nil || run.Verdict != result.Interrupted || run.Rules[0].Reason != "the run ended before the scripts that can show it were played" {
		t.Errorf("%v, %s, %+v", err, run.Verdict, run.Rules)
	}
}
