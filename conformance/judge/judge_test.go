package judge

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/acp-conform/acp-conform/conformance/result"
	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/rules"
	"github.com/acp-conform/acp-conform/conformance/wire"
)

var begin = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// at is a moment of these tests, in milliseconds.
func at(ms int) time.Time { return begin.Add(time.Duration(ms) * time.Millisecond) }

func frame(ms int, from wire.Side, line string) wire.Frame {
	return wire.Frame{At: at(ms), From: from, Line: []byte(line)}
}

const (
	hello   = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1,"clientInfo":{"name":"c","version":"7"}}}`
	welcome = `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1,"agentCapabilities":{"sessionCapabilities":{"status":{}}}}}`
	ask     = `{"jsonrpc":"2.0","id":2,"method":"session/status","params":{"sessionId":"s"}}`
	told    = `{"jsonrpc":"2.0","id":2,"result":{"status":"active"}}`
	prompt  = `{"jsonrpc":"2.0","id":3,"method":"session/prompt","params":{"sessionId":"s","prompt":[]}}`
)

// printed is the remark that a client had printed so much.
func printed(ms int, n int64) wire.Frame {
	return frame(ms, wire.Suite, fmt.Sprintf(`{"printed":%d}`, n))
}

func TestStepsAreReadFromWhatAClientPrints(t *testing.T) {
	for line, want := range map[string]bool{
		`{"step":"status","sessionId":"s"}`:      true,
		`  {"step":"prompt","error":{"code":1}}`: true,
		`{"step":""}`:                            false,
		`{"step":7}`:                             false,
		`{"level":"info"}`:                       false,
		`starting {"step":"status"}`:             false,
		``:                                       false,
		`[]`:                                     false,
	} {
		if steps := ReadSteps([]byte(line + "\n")); len(steps) == 1 != want {
			t.Errorf("%s: %v, want %v", line, steps, want)
		}
	}
	long := `{"step":"status","x":"` + strings.Repeat("x", stepBytes) + `"}`
	all := "hello\n" + long + "\n{\"step\":\"status\"}\n\n{\"step\":\"last\"}"
	steps := ReadSteps([]byte(all))
	if len(steps) != 2 || !strings.Contains(string(steps[1].Line), "last") || steps[1].End != int64(len(all)) {
		t.Errorf("%d steps: %v", len(steps), steps)
	}
}

// A step stands behind all that was written before it was read, and before all that was written later.
func TestStepsStandBehindWhatLedToThem(t *testing.T) {
	take := Take{Script: Script{Name: "x", Actions: "visit"}, Protocol: 1, Exit: &rules.ClientExit{}, ExitAt: at(100), Connections: [][]wire.Frame{{
		frame(0, wire.Client, hello), frame(10, wire.Agent, welcome), frame(20, wire.Client, ask), frame(30, wire.Agent, told), printed(50, 18), frame(50, wire.Client, prompt),
		frame(60, wire.Suite, `{"ended":"the agent has ended"}`),
	}}, Steps: ReadSteps([]byte("{\"step\":\"status\"}\n{\"step\":\"late\"}\n"))}
	var got []string
	for i, f := range take.entries(0, rules.ClientScript{}) {
		if f.Seq != i+1 {
			t.Errorf("entry %d has the number %d", i+1, f.Seq)
		}
		for _, word := range []string{"script", "initialize", "protocolVersion\":1,\"agent", "session/status", "active", `"status"}`, "session/prompt", "late", "exit", "ended"} {
			if strings.Contains(string(f.Line), word) {
				got = append(got, word)
				break
			}
		}
	}
	want := "script initialize protocolVersion\":1,\"agent session/status active \"status\"} session/prompt late exit ended"
	if s := strings.Join(got, " "); s != want {
		t.Errorf("got  %s\nwant %s", s, want)
	}
}

func TestStepsBelongToTheOneConnectionWithSessions(t *testing.T) {
	plain := []wire.Frame{frame(0, wire.Client, hello), frame(1, wire.Agent, welcome)}
	busy := append(plain[:2:2], frame(2, wire.Client, ask))
	steps := ReadSteps([]byte(`{"step":"status"}`))
	for _, c := range []struct {
		connections [][]wire.Frame
		want        []int // steps of each
	}{
		{[][]wire.Frame{busy}, []int{1}},
		{[][]wire.Frame{plain, busy}, []int{0, 1}},
		{[][]wire.Frame{busy, busy}, []int{0, 0}},
	} {
		take := Take{Connections: c.connections, Steps: steps}
		for n, want := range c.want {
			if got := len(take.stepsOf(n)); got != want {
				t.Errorf("%d connections: connection %d has %d steps, want %d", len(c.connections), n, got, want)
			}
		}
	}
}

// scripted is a run with takes that were written by hand.
func scripted(t *testing.T, protocols []int, take func(s Script, protocol int) Take) result.Run {
	t.Helper()
	run, err := Run(t.Context(), Config{Scripts: []Script{{Name: "plain", Protocols: []int{1, 2}}, {Name: "active", Protocols: []int{1, 2}}, {Name: "idle-snapshot", Protocols: []int{2}}},
		Protocols: protocols, Play: func(_ context.Context, s Script, p int) (Take, error) { return take(s, p), nil }})
	if err != nil {
		t.Fatal(err)
	}
	return run
}

func outcome(t *testing.T, run result.Run, id string) result.Outcome {
	t.Helper()
	for _, o := range run.Rules {
		if o.ID == id {
			return o
		}
	}
	t.Fatalf("there is no outcome of %s", id)
	return result.Outcome{}
}

func TestAClientOfOneVersionIsJudgedByThatOne(t *testing.T) {
	played := map[string]int{}
	var mu sync.Mutex
	run := scripted(t, nil, func(s Script, protocol int) Take {
		mu.Lock()
		played[s.Name] += protocol
		mu.Unlock()
		frames := []wire.Frame{frame(0, wire.Client, hello), frame(1, wire.Agent, welcome), frame(2, wire.Client, ask), frame(3, wire.Agent, told), frame(4, wire.Client, prompt)}
		if protocol == 2 { // the client leaves when the agent does not speak its version
			frames = []wire.Frame{frame(0, wire.Client, hello), frame(1, wire.Agent, `{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"no"}}`)}
		}
		return Take{Connections: [][]wire.Frame{frames}, Exit: &rules.ClientExit{}, ExitAt: at(9)}
	})
	if played["plain"] != 3 || played["active"] != 1 || played["idle-snapshot"] != 0 {
		t.Errorf("played %v", played)
	}
	if run.Verdict != result.Nonconformant || run.Protocol.Negotiated != 1 || len(run.Protocol.Spoken) != 1 || run.Agent.Info == nil || run.Agent.Info.Version != "7" {
		t.Errorf("%s, %+v, %+v", run.Verdict, run.Protocol, run.Agent)
	}
	broken := outcome(t, run, "status.client.resume-before-prompt")
	if broken.Verdict != result.Fail || len(broken.Evidence) != 1 || broken.Evidence[0].SeenIn != "plain, version 1" || broken.Suppressed != 1 || len(broken.Evidence[0].Frames) != 3 {
		t.Errorf("%+v", broken)
	}
	if o := outcome(t, run, "status.client.idle-not-completion"); o.Verdict != result.Skipped || !strings.Contains(o.Reason, "version 2") {
		t.Errorf("%+v", o)
	}
	if o := outcome(t, run, "status.client.gate"); o.Verdict != result.NotObserved || o.Reason == "" {
		t.Errorf("%+v", o)
	}
}

func TestAClientThatAgreesOnNothing(t *testing.T) {
	for _, c := range []struct {
		take Take
		want string
	}{
		{Take{Problem: "x could not be started: no such file"}, "could not be started"},
		{Take{Exit: &rules.ClientExit{Code: 4, Stderr: "no configuration"}}, "no configuration"},
		{Take{Exit: &rules.ClientExit{TimeLimit: true}, Connections: [][]wire.Frame{{frame(0, wire.Client, hello)}}}, "did not end within its time"},
	} {
		run := scripted(t, []int{1}, func(Script, int) Take { return c.take })
		if run.Verdict != result.Inconclusive || run.ExitCode != result.ExitInconclusive || !strings.Contains(run.Problem, c.want) || !strings.Contains(run.ExitReason, "client") {
			t.Errorf("%s: exit code %d, %s, problem %q", run.Verdict, run.ExitCode, run.ExitReason, run.Problem)
		}
		for _, o := range run.Rules {
			if o.Verdict != result.NotObserved || o.Reason == "" {
				t.Errorf("%s: %s %s", o.ID, o.Verdict, o.Reason)
			}
		}
	}
}

func TestAnErrorOfTheSuiteIsNoVerdict(t *testing.T) {
	broken := errors.New("no space left")
	_, err := Run(t.Context(), Config{Scripts: []Script{{Name: "plain"}}, Play: func(context.Context, Script, int) (Take, error) { return Take{}, broken }})
	if !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
}

func TestAnInterruptLeavesWhatWasKnown(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	run, err := Run(ctx, Config{Scripts: []Script{{Name: "plain"}}, Rules: []rule.Rule{rules.Client()[0]}, Play: func(ctx context.Context, _ Script, _ int) (Take, error) {
		cancel()
		return Take{}, ctx.Err()
	}})
	if err != nil || run.Verdict != result.Interrupted || len(run.Rules) != 1 || run.Rules[0].Verdict != result.NotObserved {
		t.Errorf("%v, %s, %v", err, run.Verdict, run.Rules)
	}
}

func TestTranscriptsOfAgentsAreReadInTheirOrder(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	line := func(ms int, from wire.Side, s string) string {
		f := frame(ms, from, s)
		f.Seq = 1
		return string(wire.Encode(f)) + "\n"
	}
	write("connection-9.jsonl", line(1, wire.Client, hello)+line(2, wire.Suite, `{"ended":"x"}`))
	write("connection-10.jsonl", line(5, wire.Client, ask)+line(6, wire.Agent, "\xff\xfe")+`{"seq":3,"at":"20`)
	write("other.txt", "?")
	got, err := readConnections(dir)
	if err != nil || len(got) != 2 || string(got[0][0].Line) != hello || len(got[1]) != 2 || string(got[1][1].Line) != "\xff\xfe" {
		t.Fatalf("%v, %v", got, err)
	}
	if agentsEnded(dir) {
		t.Error("an agent whose transcript is cut off has ended")
	}
	write("connection-10.jsonl", line(5, wire.Client, ask)+line(6, wire.Suite, `{"ended":"x"}`))
	if !agentsEnded(dir) {
		t.Error("agents that have said so have not ended")
	}
}

func TestLastLines(t *testing.T) {
	for in, want := range map[string]string{
		"":                              "",
		"a\nb\n":                        "a\nb",
		"1\n2\n3\n4\n5\n6\n7\n":         "3\n4\n5\n6\n7",
		strings.Repeat("é", shownBytes): strings.Repeat("é", shownBytes/2),
		"a\xffb":                        "a\uFFFDb",
	} {
		if got := lastLines([]byte(in)); got != want {
			t.Errorf("%q: %q", in, got)
		}
	}
}
