package fakeagent

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

func TestDirectives(t *testing.T) {
	tests := []struct{ prompt, want string }{
		{"hello", "agent_message_chunk, agent_message_chunk, result end_turn"},
		{"/say one\n/say two", "agent_message_chunk, agent_message_chunk, result end_turn"},
		{"/stream 2 x", "agent_message_chunk, agent_message_chunk, result end_turn"},
		{"/think hm", "agent_thought_chunk, result end_turn"},
		{"/plan", "plan, plan, plan, plan, result end_turn"},
		{"/tool edit", "tool_call:pending, tool_call_update:in_progress, tool_call_update:completed, result end_turn"},
		{"/image\n/audio\n/link", "agent_message_chunk, agent_message_chunk, agent_message_chunk, result end_turn"},
		{"/resource", "agent_message_chunk, agent_message_chunk, result end_turn"},
		{"/error", "error -32603"},
		{"/error -32050", "error -32050"},
		{"/refuse", "agent_message_chunk, result refusal"},
		{"/max-tokens", "agent_message_chunk, result max_tokens"},
		{"/max-turn-requests", "agent_message_chunk, result max_turn_requests"},
		{"/commands", "available_commands_update, result end_turn"},
		{"/mode code", "current_mode_update, result end_turn"},
		{"/info", "session_info_update, result end_turn"},
		{"/usage", "usage_update, result end_turn"},
		{"/notice hi", "notice, result end_turn"},
		{"/compact", "compaction_update:in_progress, compaction_summary_chunk, compaction_update:completed, result end_turn"},
		{"/evict", "agent_message_chunk, result end_turn"},
		{"/subagent", "subagent_update, result end_turn"},
		{"/subagent\n/subagent stop", "subagent_update, subagent_update, result end_turn"},
		{"/wait", "agent_message_chunk"},
		{"/wait-tool", "tool_call:pending, tool_call_update:in_progress"},
		{"/permission", "tool_call:pending, session/request_permission"},
		{"/read a", "tool_call:pending, tool_call_update:in_progress, fs/read_text_file"},
		{"/write a b", "tool_call:pending, tool_call_update:in_progress, fs/write_text_file"},
		{"/terminal ls", "tool_call:pending, terminal/create"},
		{"/elicit", "elicitation/create"},
	}
	tested := map[string]bool{}
	for _, test := range tests {
		for _, s := range steps(test.prompt) {
			tested[s.Name] = true
		}
		t.Run(strings.Fields(test.prompt)[0], func(t *testing.T) {
			p := connect(t, Config{})
			if got := kinds(p.prompt(p.open(everything), test.prompt)); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
			if err := p.close(); err != nil {
				t.Errorf("Serve returned %v", err)
			}
		})
	}
	for _, d := range Directives() {
		if d.in(1) && !tested[d.Name] {
			t.Errorf("no test of /%s", d.Name)
		}
	}
}

func TestDocumentationListsTheDirectives(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range Directives() {
		head := strings.TrimSpace("/" + d.Name + " " + d.Args)
		if line := fmt.Sprintf("//	%-25s %s\n", head, d.Description); !strings.Contains(string(doc), line) {
			t.Errorf("doc.go lacks %q", line)
		}
	}
}

func TestRestartWithStore(t *testing.T) {
	cfg := Config{Store: t.TempDir(), Salt: "s"}
	first := connect(t, cfg)
	id := first.open(everything)
	said := kinds(first.prompt(id, "/say remember\n/tool read"))
	first.close()

	second := connect(t, cfg)
	second.request("initialize", everything)
	if _, e := second.call("session/prompt", promptParams(id, "hello")); e == nil || fmt.Sprint(e["code"]) != "-32002" {
		t.Errorf("a prompt before load: %v", e)
	}
	if result, _ := second.call("session/new", `{"cwd":"/tmp","mcpServers":[]}`); result["sessionId"] == id {
		t.Error("an id was given out again")
	}
	load := fmt.Sprintf(`{"sessionId":%q,"cwd":"/tmp","mcpServers":[]}`, id)
	want := "user_message_chunk, " + strings.TrimSuffix(said, "result end_turn") + "result"
	if got := kinds(second.request("session/load", load)); got != want {
		t.Errorf("load:\ngot  %s\nwant %s", got, want)
	}
	if got := kinds(second.request("session/resume", load)); got != "result" {
		t.Errorf("resume: %s", got)
	}
	second.request("session/delete", load)
	second.close()
	third := connect(t, cfg)
	third.request("initialize", everything)
	if result, _ := third.call("session/list", `{}`); strings.Contains(fmt.Sprint(result), id) {
		t.Errorf("a deleted session came back: %v", result)
	}
}

func TestEvict(t *testing.T) {
	for _, store := range []string{"", t.TempDir()} {
		p := connect(t, Config{Store: store})
		id := p.open(everything)
		p.prompt(id, "/evict")
		if _, e := p.call("session/prompt", promptParams(id, "hello")); e == nil {
			t.Error("an evicted session takes prompts")
		}
		_, e := p.call("session/load", fmt.Sprintf(`{"sessionId":%q,"cwd":"/tmp","mcpServers":[]}`, id))
		if kept := e == nil; kept != (store != "") {
			t.Errorf("store %q: loading an evicted session: %v", store, e)
		}
	}
}

func TestWithout(t *testing.T) {
	methods := map[string]string{"loadSession": "session/load", "sessionCapabilities.close": "session/close",
		"sessionCapabilities.delete": "session/delete", "sessionCapabilities.list": "session/list", "sessionCapabilities.resume": "session/resume",
		"sessionCapabilities.status": "session/status", "sessionCapabilities.archive": "session/archive"}
	blocks := map[string]string{"promptCapabilities.image": `{"type":"image","data":"","mimeType":"image/png"}`,
		"promptCapabilities.audio":           `{"type":"audio","data":"","mimeType":"audio/wav"}`,
		"promptCapabilities.embeddedContext": `{"type":"resource","resource":{"uri":"file:///a","text":""}}`}
	for _, name := range Capabilities() {
		p := connect(t, Config{Without: []string{name}})
		p.request("initialize", everything)
		_, leaf, _ := strings.Cut("."+name, ".")
		if i := strings.LastIndex(leaf, "."); i >= 0 {
			leaf = leaf[i+1:]
		}
		if caps := fmt.Sprint(p.all); strings.Contains(caps, `"`+leaf+`":`) {
			t.Errorf("%s is still advertised: %s", name, caps)
		}
		if method := methods[name]; method != "" {
			if _, e := p.call(method, `{}`); e == nil || fmt.Sprint(e["code"]) != "-32601" {
				t.Errorf("%s without %s: %v", method, name, e)
			}
			continue
		}
		id := p.newIn("/tmp")
		if _, e := p.call("session/prompt", fmt.Sprintf(`{"sessionId":%q,"prompt":[%s]}`, id, blocks[name])); e == nil {
			t.Errorf("%s: the block is accepted", name)
		}
	}
}
