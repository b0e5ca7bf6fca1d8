package fakeagent

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// stateOf is what session/status says of the state, or why it says nothing.
func (p *peer) stateOf(ref string) string {
	p.t.Helper()
	result, e := p.call("session/status", ref)
	state, present := result["state"]
	switch {
	case e != nil:
		return fmt.Sprint(e["code"])
	case !present:
		return "absent"
	}
	return string(encodeValue(state))
}

// states are what session/status says while a session is taken through its states.
func states(t *testing.T, cfg Config) map[string]string {
	t.Helper()
	cfg.Store = t.TempDir()
	p := connect(t, cfg)
	id, ref := p.open2()
	seen := map[string]string{}
	look := func(when string) { seen[when] = p.stateOf(ref) }
	look("new")
	asked := p.prompt(id, "/permission")
	look("waiting")
	p.answer(asked, "result", `{"outcome":{"outcome":"selected","optionId":"allow"}}`)
	look("done")
	p.prompt(id, "/background\n/wait")
	look("running")
	p.notify("session/cancel", ref)
	look("cancelled")
	p.request("session/close", ref)
	look("closed")
	p.request("session/resume", ref)
	look("resumed")
	p.prompt(id, "/error")
	look("failed")
	return seen
}

const (
	tools = `"background":[{"toolCallId":"call_0001_0002","type":"tool_call"}]`
	ended = `"state":"idle","stopReason":"end_turn"`
	broke = `"error":{"code":-32603,"message":"The turn failed"},"state":"idle","stopReason":"error"`
)

// usualStates are those of a correct agent.
func usualStates() map[string]string {
	return map[string]string{"new": `{"state":"idle"}`, "waiting": `{"state":"requires_action"}`, "done": `{` + ended + `}`,
		"running": `{` + tools + `,"state":"running"}`, "cancelled": `{` + tools + `,"state":"idle","stopReason":"cancelled"}`,
		"closed": "absent", "resumed": `{"state":"idle"}`, "failed": `{` + broke + `}`}
}

// otherStates are where the states of a faulty agent differ from them.
func otherStates() map[string]map[string]string {
	all := func(state string) map[string]string {
		return map[string]string{"new": state, "waiting": state, "done": state, "running": state, "cancelled": state, "resumed": state, "failed": state}
	}
	return map[string]map[string]string{
		"":                               {},
		"status-emits-state-update":      {},
		"status-resets-to-idle":          {"waiting": `{"state":"idle"}`, "running": `{"state":"idle"}`},
		"status-forgets-requires-action": {"waiting": `{"state":"running"}`},
		"status-keeps-requires-action":   lacks(all(`{"state":"requires_action"}`), "new", "waiting"),
		"status-bare-string-state": {"new": `"idle"`, "waiting": `"requires_action"`, "done": `"idle"`, "running": `"running"`,
			"cancelled": `"idle"`, "resumed": `"idle"`, "failed": `"idle"`},
		"status-state-envelope": {"new": `{"sessionUpdate":"state_update","state":"idle"}`, "waiting": `{"sessionUpdate":"state_update","state":"requires_action"}`,
			"done": `{"sessionUpdate":"state_update",` + ended + `}`, "running": `{` + tools + `,"sessionUpdate":"state_update","state":"running"}`,
			"cancelled": `{` + tools + `,"sessionUpdate":"state_update","state":"idle","stopReason":"cancelled"}`,
			"resumed":   `{"sessionUpdate":"state_update","state":"idle"}`, "failed": `{` + strings.Replace(broke, `"state"`, `"sessionUpdate":"state_update","state"`, 1) + `}`},
		"status-state-missing":     all("absent"),
		"status-null-state":        all("null"),
		"status-state-empty":       all("{}"),
		"status-state-unknown-tag": all(`{"state":"thinking"}`),
		"status-state-number": {"new": `{"state":1}`, "waiting": `{"state":1}`, "done": `{"state":1,"stopReason":"end_turn"}`, "running": `{` + tools + `,"state":1}`,
			"cancelled": `{` + tools + `,"state":1,"stopReason":"cancelled"}`, "resumed": `{"state":1}`, "failed": `{` + strings.Replace(broke, `"idle"`, "1", 1) + `}`},
		"status-state-stale": {"waiting": `{"state":"running"}`, "done": `{"state":"running"}`, "cancelled": `{` + tools + `,"state":"running"}`,
			"running": `{"state":"running"}`,
			"resumed": `{"background":[],"state":"idle","stopReason":"cancelled"}`, "failed": `{"state":"running"}`},
		"status-running-at-first":      {"new": `{"state":"running"}`},
		"status-running-after-resume":  {"resumed": `{"state":"running"}`},
		"status-state-when-inactive":   {"closed": `{"state":"idle"}`},
		"status-running-when-inactive": {"closed": `{"state":"running"}`},
		"status-drops-background":      {"running": `{"state":"running"}`, "cancelled": `{"state":"idle","stopReason":"cancelled"}`},
		"status-wrong-stop-reason": {"done": `{"state":"idle","stopReason":"refusal"}`, "cancelled": `{` + tools + `,"state":"idle","stopReason":"refusal"}`,
			"failed": `{"state":"idle","stopReason":"refusal"}`},
		"status-stop-reason-at-first": {"new": `{` + ended + `}`},
		"status-recounts-usage": {"new": `{"state":"idle","usage":` + tokens(1) + `}`, "done": `{` + ended + `,"usage":` + tokens(2) + `}`,
			"cancelled": `{` + tools + `,"state":"idle","stopReason":"cancelled","usage":` + tokens(3) + `}`, "resumed": `{"state":"idle","usage":` + tokens(4) + `}`,
			"failed": `{` + broke + `,"usage":` + tokens(5) + `}`},
	}
}

func TestStatesAreReported(t *testing.T) {
	rows := otherStates()
	for _, f := range statusStateFaults() {
		if rows[f.Name] == nil {
			t.Errorf("there is no row for %s", f.Name)
		}
	}
	for fault, differences := range rows {
		t.Run(fault, func(t *testing.T) {
			cfg := Config{}
			if fault != "" {
				cfg.Faults = []string{fault}
			}
			got := states(t, cfg)
			for when, usual := range usualStates() {
				if got[when] == usual {
					delete(got, when)
				}
			}
			if !reflect.DeepEqual(got, differences) {
				t.Errorf("got  %v\nwant %v", got, differences)
			}
		})
	}
}

func lacks(o map[string]string, keys ...string) map[string]string {
	for _, key := range keys {
		delete(o, key)
	}
	return o
}

func tokens(n int) string {
	return fmt.Sprintf(`{"inputTokens":%d,"outputTokens":%d,"totalTokens":%d}`, 100*n, 200*n, 300*n)
}

func TestStatusEmitsStateUpdate(t *testing.T) {
	p := connect(t, Config{Faults: []string{"status-emits-state-update"}})
	id, ref := p.open2()
	p.want("a new session", p.request("session/status", ref), "result, idle")
	p.prompt(id, "/wait")
	p.want("a running one", p.request("session/status", ref), "result, running")
	p.notify("session/cancel", ref)
	p.want("an idle one", p.request("session/status", ref), "result, idle:cancelled")
	p.request("session/close", ref)
	p.want("one that is not in memory", p.request("session/status", ref), "result")
}

func TestStateVariants(t *testing.T) {
	for variant, want := range map[string]string{
		"status-state-meta":  `{"_meta":{"state":"running","vendor.example/since":7},` + ended + `}`,
		"status-state-brief": `{"state":"idle"}`,
		"idle-with-usage":    `{` + ended + `,"usage":` + tokens(1) + `}`,
	} {
		if got := states(t, Config{Variants: []string{variant}})["done"]; got != want {
			t.Errorf("%s: %s, want %s", variant, got, want)
		}
	}
}
