package fakeagent

import (
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

func TestStored2(t *testing.T) {
	cfg := Config{Store: t.TempDir()}
	p := connect(t, cfg)
	id, ref := p.open2()
	p.prompt(id, "/say remember\n/plan\n/tool edit")
	p.close()
	p = connect(t, cfg)
	p.request("initialize", everything2)
	p.want("before it is resumed", p.prompt(id, "hello"), "error -32002")
	p.want("a cursor that is not known", p.request("session/resume", with1(ref, `"replayFrom":{"type":"_x"}`)), "error -32602")
	p.want("still not", p.prompt(id, "hello"), "error -32002")
	p.want("without replay", p.request("session/resume", ref), "idle, result")
	p.want("with replay", p.request("session/resume", with1(ref, `"replayFrom":{"type":"start"}`)),
		"user_message_chunk, agent_message_chunk, plan_update, plan_update, plan_update, plan_update, "+
			"tool_call_update:pending, tool_call_update:in_progress, tool_call_update:completed, idle, result")
	p.want("closed twice", slices.Concat(p.request("session/close", ref), p.request("session/close", ref)), "result, result")
	p.want("closed, but there", p.request("session/resume", ref), "idle, result")
	p.want("deleted twice", slices.Concat(p.request("session/delete", ref), p.request("session/delete", ref)), "result, result")
	p.want("gone", p.request("session/resume", ref), "error -32002")
}

// with1 adds a member to an object that is written.
func with1(object, member string) string { return strings.TrimSuffix(object, "}") + "," + member + "}" }

func TestStatusState(t *testing.T) {
	p := connect(t, Config{Store: t.TempDir()})
	id, ref := p.open2()
	last := ""
	status := func(when, want string) {
		t.Helper()
		result, e := p.call("session/status", ref)
		got := string(encodeValue(result["state"]))
		if e != nil || got != want || last != "" && !strings.Contains(last, strings.TrimSuffix(strings.TrimPrefix(got, "{"), "}")) {
			t.Errorf("%s: got %s (%v), want %s; the last update was %s", when, got, e, want, last)
		}
	}
	states := func(lines []string) []string {
		for _, line := range lines {
			if strings.Contains(line, `"state_update"`) {
				last = strings.ReplaceAll(line, `"sessionUpdate":"state_update",`, "")
			}
		}
		return lines
	}
	status("new", `{"state":"idle"}`)
	asked := states(p.prompt(id, "/permission"))
	status("permission", `{"state":"requires_action"}`)
	states(p.answer(asked, "result", `{"outcome":{"outcome":"selected","optionId":"allow"}}`))
	status("done", `{"state":"idle","stopReason":"end_turn"}`)
	states(p.prompt(id, "/background\n/wait"))
	status("running", `{"background":[{"toolCallId":"call_0001_0002","type":"tool_call"}],"state":"running"}`)
	states(p.notify("session/cancel", ref))
	status("cancelled", `{"background":[{"toolCallId":"call_0001_0002","type":"tool_call"}],"state":"idle","stopReason":"cancelled"}`)
	states(p.prompt(id, "/background stop\n/error"))
	status("failed", `{"background":[],"error":{"code":-32603,"message":"The turn failed"},"state":"idle","stopReason":"error"}`)
	states(p.prompt(id, "/background"))
	lines := states(p.request("session/close", ref))
	p.want("closed", lines, "tool_call_update:cancelled, idle:end_turn, result")
	last = ""
	status("closed", "null")
	states(p.request("session/resume", ref))
	status("resumed", `{"state":"idle"}`)
	states(p.prompt(id, "/evict"))
	last = ""
	status("evicted", "null")
	if result, _ := p.call("session/status", ref); result["status"] != "inactive" {
		t.Errorf("evicted: %v", result)
	}
}

func TestNoStatusIsOlderThanTheLastUpdate(t *testing.T) {
	p := connect(t, Config{})
	id, ref := p.open2()
	var script strings.Builder
	for i := range 40 {
		fmt.Fprintf(&script, `{"jsonrpc":"2.0","id":"p%d","method":"session/prompt","params":%s}`+"\n", i, promptParams(id, "/say so\n/think so"))
		for j := range 10 {
			fmt.Fprintf(&script, `{"jsonrpc":"2.0","id":"s%d.%d","method":"session/status","params":%s}`+"\n", i, j, ref)
		}
	}
	for line := range strings.Lines(script.String()) {
		p.write(line)
	}
	last, answers := `{"state":"idle"}`, 0
	for _, line := range p.settle() {
		m := object(line)
		params, _ := m["params"].(Object)
		update, _ := params["update"].(Object)
		result, _ := m["result"].(Object)
		if text(update, "sessionUpdate") == "state_update" {
			last = string(encodeValue(lacking(update, "sessionUpdate")))
		}
		if result["status"] != nil {
			answers++
			if got := string(encodeValue(result["state"])); got != last {
				t.Fatalf("%s, after %s", line, last)
			}
		}
	}
	if answers != 400 {
		t.Errorf("%d answers", answers)
	}
}

func TestServers2(t *testing.T) {
	agent, err := New(Config{})
	if err != nil {
		t.Fatal(err)
	}
	var started []string
	agent.Behaviour.ServerCommand = func(_ *Session, config Object) *exec.Cmd {
		started = append(started, text(config, "name"))
		return nil
	}
	p := serve(t, agent)
	p.request("initialize", everything2)
	result, e := p.call("session/new", `{"cwd":"/tmp","mcpServers":[{"type":"stdio","name":"a","command":"/bin/true"}]}`)
	if e != nil {
		t.Fatal(e)
	}
	ref := fmt.Sprintf(`{"sessionId":%q,"cwd":"/tmp"}`, text(result, "sessionId"))
	p.request("session/resume", ref)
	p.request("session/resume", with1(ref, `"mcpServers":[{"type":"stdio","name":"b","command":"/bin/true","args":null}]`))
	if got := fmt.Sprint(started); got != "[a b]" {
		t.Errorf("started %s", got)
	}
}

func TestAuthRequired2(t *testing.T) {
	p := connect(t, Config{Variants: []string{"auth-required"}})
	p.want("with methods to log in", slices.Concat(p.request("initialize", everything2), p.request("session/new", `{"cwd":"/tmp"}`),
		p.request("auth/login", `{"methodId":"none"}`), p.request("auth/logout", `{}`), p.prompt("none", "hello")),
		"result, error -32000, error -32602, result, error -32000")
}

func TestTheOtherVersionsHistory(t *testing.T) {
	cfg := Config{Store: t.TempDir()}
	first := connect(t, cfg)
	old := first.open(everything)
	first.prompt(old, "/say so\n/plan\n/tool edit")
	first.close()
	second := connect(t, cfg)
	young, ref := second.open2()
	second.want("from version 1", second.request("session/resume", fmt.Sprintf(`{"sessionId":%q,"cwd":"/tmp","replayFrom":{"type":"start"}}`, old)),
		"user_message_chunk, agent_message_chunk, plan_update, plan_update, plan_update, plan_update, "+
			"tool_call_update:pending, tool_call_update:in_progress, tool_call_update:completed, idle, result")
	second.prompt(young, "/plan\n/tool edit")
	second.prompt(young, "/wait-tool")
	second.notify("session/cancel", ref)
	second.close()
	third := connect(t, cfg)
	third.request("initialize", everything)
	third.want("from version 2", third.request("session/load", with1(ref, `"mcpServers":[]`)),
		"user_message_chunk, plan, plan, plan, plan, tool_call:pending, tool_call_update:in_progress, tool_call_update:completed, "+
			"user_message_chunk, tool_call:pending, tool_call_update:in_progress, tool_call_update:failed, result")
}
