package reports

import (
	"strings"

	"github.com/acp-conform/acp-conform/conformance/result"
)

// outcome makes the outcome of a rule of the fixture.
func outcome(id string, v result.Verdict, change func(*result.Outcome)) result.Outcome {
	area, name, _ := strings.Cut(id, ".")
	o := result.Outcome{ID: id, Area: area, Level: "MUST", Basis: "stated", Stability: "stable", Kind: "act", Subject: "agent",
		Title: "the agent keeps " + strings.ReplaceAll(name, "-", " "), Ref: "https://agentclientprotocol.com/protocol/v1/" + area + "#" + name,
		Verdict: v, Rerun: "acp-conform --rules " + id + " ./my-agent"}
	if v.Concluded() {
		o.Occasions, o.DurationMs = 1, 12
	}
	if change != nil {
		change(&o)
	}
	return o
}

// sample is a run with every verdict and every kind of evidence.
func sample() result.Run {
	r := result.Run{
		Schema: result.Schema, Tool: result.Tool{Name: "acp-conform", Version: "v0.1.0"},
		Protocol: result.Protocol{Requested: 1, Negotiated: 1},
		Agent: result.Agent{Command: []string{"./my-agent", "--acp"}, Info: &result.Info{Name: "my-agent", Version: "1.2.3"},
			Capabilities: map[string]any{"loadSession": true}},
		StartedAt: "2025-01-02T03:04:05Z", DurationMs: 1234, Prompts: 17, LeftBehind: 2, Transcript: "kept",
		Survey: result.Survey{Handshake: true, Session: true, Turn: true, Fence: "_acp_conform/fence", RoundTripMs: 1},
		Frames: result.Frames{Edition: "v1-unstable", Source: "/my/schemas", Checked: 1234, Invalid: 3, Extensions: 20, Undefined: 1, Unreadable: 1, Deliberate: 9},
		Timeline: []result.Moment{{AtMs: 0, Kind: "start", What: "the agent is started"}, {AtMs: 12, Kind: "message", What: "initialize is answered"},
			{AtMs: 1500, Kind: "stderr", What: "a line on stderr: \x1b[31mred"}, {AtMs: 2001, Kind: "exit", What: "the agent exited with status 0"}},
		Hints: []string{"the agent is started by npx and took 4.2s to answer initialize: install it"},
		Hangs: []result.Hang{hang("survey", 1000), hang("cancel.last-words", 61000), hang("cancel.tool", 10), hang("cancel.permission", 10)},
		Rules: []result.Outcome{
			outcome("transport.utf8", result.Fail, withBytes),
			outcome("transport.newline", result.Pass, func(o *result.Outcome) { o.Kind, o.Occasions = "watch", 312 }),
			outcome("init.version", result.Pass, nil),
			outcome("init.agent-info", result.Pass, withNote),
			outcome("init.early-request", result.Warn, withDeliberate),
			outcome("cancel.stop-reason-cancelled", result.Fail, withCancel),
			outcome("cancel.last-words", result.NotObserved, owed("the turn ended before it could be cancelled")),
			outcome("cancel.tool", result.NotObserved, reason("nothing that was tried led to a tool call that goes on")),
			outcome("cancel.permission", result.NotObserved, reason("nothing that was tried led to a tool call that goes on")),
			outcome("load.replay", result.Skipped, reason("the agent does not advertise loadSession")),
			outcome("load.unknown", result.Skipped, reason("the agent does not advertise loadSession")),
			outcome("prompt.order", result.Error, reason("index out of range\ngoroutine 7 [running]:\n\tsomewhere")),
		},
	}
	r.Conclude(result.Policy{})
	return r
}

// hang is a wait in vain, for an agent with a child that is busy.
func hang(rule string, millis int64) result.Hang {
	return result.Hang{Rule: rule, WaitedFor: "the answer to session/prompt (id 3)", Since: "2025-01-02T03:04:05Z", WaitedMs: millis, Ended: "the 1m0s for it are over",
		Request:  &result.Frame{Seq: 3, From: "client", Line: `{"jsonrpc":"2.0","id":3,"method":"session/prompt","params":{"sessionId":"s"}}`},
		Sent:     []result.Frame{{Seq: 4, From: "client", Line: `{"jsonrpc":"2.0","method":"_test/tick"}`}, {Seq: 6, From: "client", Line: `{"jsonrpc":"2.0","method":"_test/tick"}`}},
		Received: []result.Frame{{Seq: 5, From: "agent", Line: `{"jsonrpc":"2.0","method":"_test/tock"}`}},
		Processes: []result.Process{{Pid: 4711, Parent: 1, State: "sleeping", CPUMs: 20, Command: "./my-agent --acp"},
			{Pid: 4712, Parent: 4711, Depth: 1, State: "running", CPUMs: 60950, Command: "node \x1b[31mmodel.js"}},
		Stderr: []string{"loading the model", "still \x07 loading"}}
}

func reason(s string) func(*result.Outcome) { return func(o *result.Outcome) { o.Reason = s } }

func owed(s string) func(*result.Outcome) {
	return func(o *result.Outcome) { o.Reason, o.Owed = s, true }
}

func withBytes(o *result.Outcome) {
	o.Kind, o.Occasions, o.Suppressed = "watch", 40, 3
	o.Evidence = []result.Observation{{Severity: result.Failed, Explanation: "a line is not UTF-8", Expected: "UTF-8", Actual: "byte 0xff at 2", SeenIn: "survey",
		Frames: []result.Frame{{Seq: 4, From: "agent", Base64: "eyL/In0="}, {Seq: 5, From: "agent-stderr", Line: "warning: \x1b[31mred\x1b[0m and a bell\a"}}}}
}

func withNote(o *result.Outcome) {
	o.Evidence = []result.Observation{{Severity: result.Noted, Explanation: "the version is not a semantic version", Actual: "banana", SeenIn: "survey"}}
}

func withDeliberate(o *result.Outcome) {
	o.Level, o.Basis, o.Stability = "SHOULD", "implied", "unstable"
	o.Advice = "Answer every request, also one that comes too early: a client that waits for its answer waits for ever, and its user sees nothing but a turn that never begins."
	o.Evidence = []result.Observation{
		{Severity: result.Warned, Explanation: "a request before initialize got no answer", SeenIn: o.ID, Frames: []result.Frame{
			{Seq: 1, From: "client", Line: `{"jsonrpc":"2.0","id":1,"method":"session/new","params":{}}`, Deliberate: true}, {Seq: 2, From: "suite", Line: "quiet for 200 ms"}}},
		{Severity: result.Noted, Explanation: "the agent said something on stderr", SeenIn: o.ID},
	}
}

func withCancel(o *result.Outcome) {
	o.Advice = "End the turn with the stop reason cancelled whatever the reason for its end inside the agent was."
	o.Evidence = []result.Observation{{Severity: result.Failed, Explanation: "the cancelled turn ended with another stop reason", Expected: "cancelled", Actual: "end_turn", SeenIn: "cancel.stop-reason-cancelled",
		Frames: []result.Frame{
			{Seq: 7, From: "client", Line: `{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"sess_0001"}}`},
			{Seq: 9, From: "agent", Line: `{"jsonrpc":"2.0","id":3,"result":{"stopReason":"end_turn","_meta":{"pad":"xxxxxxxxxxxxxxxx`, Cut: 3072},
		}}}
}

// unstarted is a run that came to nothing.
func unstarted() result.Run {
	r := result.Run{
		Schema: result.Schema, Tool: result.Tool{Name: "acp-conform", Version: "v0.1.0"}, Protocol: result.Protocol{Requested: 1},
		Agent: result.Agent{Command: []string{"./my-agent"}}, StartedAt: "2025-01-02T03:04:05Z", DurationMs: 30, Frames: result.Frames{Edition: "v1-unstable", Checked: 1},
		Problem: "The agent `./my-agent` was started but did not answer initialize: the agent exited with status 1. It wrote nothing to stdout. In the end it exited with status 1. The last lines of its stderr:\nTraceback (most recent call last):\nModuleNotFoundError: No module named 'acp'",
	}
	for _, id := range []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k"} {
		r.Rules = append(r.Rules, outcome("init."+id, result.NotObserved, reason("the agent did not shake hands")))
	}
	r.Conclude(result.Policy{})
	return r
}
