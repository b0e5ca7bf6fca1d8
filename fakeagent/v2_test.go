package fakeagent

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

const everything2 = `{"protocolVersion":2,"info":{"name":"test","version":"1"},"capabilities":{"elicitation":{"form":{}}}}`

// kinds2 names the lines as kinds does, and states with their stop reasons.
func kinds2(lines []string) string {
	var names []string
	for _, line := range lines {
		m := object(line)
		params, _ := m["params"].(Object)
		update, _ := params["update"].(Object)
		result, _ := m["result"].(Object)
		switch {
		case text(update, "sessionUpdate") == "state_update":
			names = append(names, strings.TrimSuffix(text(update, "state")+":"+text(update, "stopReason"), ":"))
		case m["method"] == nil && result["messageId"] != nil:
			names = append(names, "inserted")
		default:
			names = append(names, kinds([]string{line}))
		}
	}
	return strings.Join(names, ", ")
}

// open2 shakes hands in version 2 and makes a session.
func (p *peer) open2() (id, ref string) {
	p.t.Helper()
	p.request("initialize", everything2)
	id = p.newIn("/tmp")
	return id, fmt.Sprintf(`{"sessionId":%q,"cwd":"/tmp"}`, id)
}

func (p *peer) want(what string, lines []string, want string) []string {
	p.t.Helper()
	if got := kinds2(lines); got != want {
		p.t.Errorf("%s:\ngot  %s\nwant %s", what, got, want)
	}
	return lines
}

// promptAs sends a prompt with an id of its own.
func (p *peer) promptAs(id, session, words string) []string {
	p.t.Helper()
	return p.raw(fmt.Sprintf(`{"jsonrpc":"2.0","id":%q,"method":"session/prompt","params":%s}`+"\n", id, promptParams(session, words)))
}

func TestNegotiation(t *testing.T) {
	const info = `,"info":{"name":"t","version":"1"}`
	for _, test := range []struct {
		speaks       []int
		params, want string
	}{
		{[]int{1, 2}, `{"protocolVersion":1}`, "1"},
		{[]int{1, 2}, `{"protocolVersion":2` + info + `}`, "2"},
		{[]int{1, 2}, `{"protocolVersion":3}`, "2"},
		{[]int{1, 2}, `{"protocolVersion":65535,"clientCapabilities":{}}`, "2"},
		{[]int{1, 2}, `{"protocolVersion":2}`, "error -32602"},
		{[]int{1, 2}, `{"protocolVersion":2,"info":{"name":"t"}}`, "error -32602"},
		{[]int{1, 2}, `{"protocolVersion":2` + info + `,"capabilities":5}`, "2"},
		{[]int{1, 2}, `{"protocolVersion":0}`, "2"},
		{[]int{1, 2}, `{"protocolVersion":65536}`, "error -32602"},
		{[]int{1}, `{"protocolVersion":2` + info + `}`, "1"},
		{[]int{1}, `{"protocolVersion":0}`, "1"},
		{[]int{2}, `{"protocolVersion":1}`, "error -32022"},
		{[]int{2}, `{"protocolVersion":9}`, "2"},
	} {
		agent, err := New(Config{})
		if err != nil {
			t.Fatal(err)
		}
		agent.Behaviour.Speaks = func(*Conn) []int { return test.speaks }
		p := serve(t, agent)
		result, e := p.call("initialize", test.params)
		got := fmt.Sprint(result["protocolVersion"])
		if e != nil {
			got = fmt.Sprint("error ", e["code"])
		}
		if got != test.want {
			t.Errorf("%v, %s: got %s, want %s", test.speaks, test.params, got, test.want)
		}
		if (got == "2") != (result["info"] != nil && result["agentInfo"] == nil) && e == nil {
			t.Errorf("%s: the shape is that of the other version: %v", test.params, result)
		}
		if got == "error -32022" && fmt.Sprint(e["data"]) != fmt.Sprint(Object{"requested": requestedIn(test.params), "supported": test.speaks}) {
			t.Errorf("%s: %v", test.params, e["data"])
		}
	}
}

func requestedIn(params string) any { return object(params)["protocolVersion"] }

func TestVersionIsKept(t *testing.T) {
	p := connect(t, Config{})
	p.want("a failed initialize", p.request("initialize", `{"protocolVersion":2}`), "error -32602")
	p.want("another one", p.request("initialize", everything2), "result")
	p.want("a repeated one", p.request("initialize", everything2), "result")
	p.want("with another version", p.request("initialize", everything), "error -32600")
	p.want("the methods of version 1", slices.Concat(p.request("session/load", `{}`), p.request("session/set_mode", `{}`),
		p.request("authenticate", `{}`), p.request("auth/login", `{}`), p.request("auth/logout", `{}`)),
		"error -32601, error -32601, error -32601, error -32601, error -32601")
}

func TestDirectives2(t *testing.T) {
	const begin, end = "user_message_chunk, inserted, running, ", "idle:end_turn"
	tests := []struct{ prompt, want string }{
		{"hello", begin + "agent_message_chunk, agent_message_chunk, " + end},
		{"/say one", begin + "agent_message_chunk, " + end},
		{"/stream 2 x", begin + "agent_message_chunk, agent_message_chunk, " + end},
		{"/think hm", begin + "agent_thought_chunk, " + end},
		{"/plan", begin + strings.Repeat("plan_update, ", 4) + end},
		{"/tool edit", begin + "tool_call_update:pending, tool_call_update:in_progress, tool_call_update:completed, " + end},
		{"/image\n/audio\n/link", begin + strings.Repeat("agent_message_chunk, ", 3) + end},
		{"/resource", begin + "agent_message_chunk, agent_message_chunk, " + end},
		{"/error", begin + "idle:error"},
		{"/refuse", begin + "agent_message_chunk, idle:refusal"},
		{"/max-tokens", begin + "agent_message_chunk, idle:max_tokens"},
		{"/max-turn-requests", begin + "agent_message_chunk, idle:max_turn_requests"},
		{"/commands", begin + "available_commands_update, " + end},
		{"/mode code", begin + "config_option_update, " + end},
		{"/info", begin + "session_info_update, " + end},
		{"/usage", begin + "usage_update, " + end},
		{"/notice hi", begin + "notice, " + end},
		{"/compact", begin + "compaction_update:in_progress, compaction_summary_chunk, compaction_update:completed, " + end},
		{"/evict", begin + "agent_message_chunk, " + end},
		{"/subagent", begin + "subagent_update, running, " + end},
		{"/wait", begin + "agent_message_chunk"},
		{"/wait-tool", begin + "tool_call_update:pending, tool_call_update:in_progress"},
		{"/permission", begin + "tool_call_update:pending, requires_action, session/request_permission"},
		{"/read /nonexistent", begin + "tool_call_update:pending, tool_call_update:in_progress, tool_call_update:failed, agent_message_chunk, " + end},
		{"/write /nonexistent/a b", begin + "tool_call_update:pending, tool_call_update:in_progress, tool_call_update:failed, " + end},
		{"/terminal ls", begin + "agent_message_chunk, agent_message_chunk, " + end}, // it is no directive here
		{"/elicit", begin + "requires_action, elicitation/create"},
		{"/background", begin + "tool_call_update:pending, tool_call_update:in_progress, running, " + end},
	}
	tested := map[string]bool{}
	for _, test := range tests {
		for _, s := range stepsIn(2, test.prompt) {
			tested[s.Name] = true
		}
		p := connect(t, Config{})
		id, _ := p.open2()
		p.want(test.prompt, p.prompt(id, test.prompt), test.want)
		if err := p.close(); err != nil {
			t.Errorf("%s: Serve returned %v", test.prompt, err)
		}
	}
	for _, d := range Directives() {
		if d.in(2) && !tested[d.Name] {
			t.Errorf("no test of /%s in version 2", d.Name)
		}
	}
}

func TestWithout2(t *testing.T) {
	for _, name := range Capabilities() {
		p := connect(t, Config{Without: []string{name}})
		result, _ := p.call("initialize", everything2)
		_, member, _ := strings.Cut(name, ".")
		optional := strings.HasPrefix(name, "promptCapabilities") || member == "delete" || member == "status" || member == "archive"
		if strings.Contains(string(encodeValue(result)), `"`+member+`":`) {
			t.Errorf("%s is still advertised", name)
		}
		for _, method := range []string{"session/list", "session/resume", "session/close", "session/delete", "session/status"} {
			_, e := p.call(method, `{"sessionId":5,"cwd":5}`)
			gone := fmt.Sprint(e["code"]) == "-32601"
			if gone != (optional && method == "session/"+member) {
				t.Errorf("%s without %s: %v", method, name, e)
			}
		}
	}
}
