package fakeagent

import (
	"fmt"
	"testing"
)

func TestHeldPrompts(t *testing.T) {
	p := connect(t, Config{Store: t.TempDir()})
	id, ref := p.open2()
	p.promptAs("a", id, "/permission")
	p.want("held", p.promptAs("b", id, "/say b"), "")
	p.want("held", p.promptAs("c", id, "/say c"), "")
	p.want("withdrawn", p.notify("$/cancel_request", `{"requestId":"b"}`), "error -32800")
	p.want("an inserted prompt is answered already", p.notify("$/cancel_request", `{"requestId":"a"}`), "")
	p.want("in order", p.raw(`{"jsonrpc":"2.0","id":1,"result":{"outcome":{"outcome":"selected","optionId":"allow"}}}`+"\n"),
		"running, tool_call_update:in_progress, tool_call_update:completed, idle:end_turn, "+
			"user_message_chunk, inserted, running, agent_message_chunk, idle:end_turn")
	p.promptAs("d", id, "/wait")
	p.promptAs("e", id, "/say e")
	p.want("cancelled", p.notify("session/cancel", ref), "error -32800, idle:cancelled")
	p.promptAs("f", id, "/wait-tool")
	p.promptAs("g", id, "/say g")
	p.want("closed", p.request("session/close", ref), "error -32800, tool_call_update:cancelled, idle:cancelled, result")
	p.want("after that", p.promptAs("h", id, "/say h"), "error -32002")
	p.request("session/resume", ref)
	p.promptAs("i", id, "/evict\n/wait-tool")
	p.promptAs("j", id, "/say j")
	p.want("cancelled, and then evicted", p.notify("session/cancel", ref), "error -32800, tool_call_update:cancelled, idle:cancelled")
	p.request("session/resume", ref)
	asked := p.promptAs("k", id, "/evict\n/permission")
	p.promptAs("l", id, "/say l")
	p.want("not evicted yet", p.request("session/resume", ref), "requires_action, result")
	p.want("evicted", p.answer(asked, "result", `{"outcome":{"outcome":"selected","optionId":"reject"}}`),
		"running, tool_call_update:failed, idle:end_turn, error -32002")
}

func TestCancel2(t *testing.T) {
	const cancelled = "idle:cancelled"
	for _, test := range []struct{ prompt, want string }{
		{"/wait", cancelled},
		{"/wait-tool", "tool_call_update:cancelled, " + cancelled},
		{"/permission", "$/cancel_request, tool_call_update:cancelled, " + cancelled},
		{"/elicit", "$/cancel_request, " + cancelled},
	} {
		for _, method := range []string{"session/cancel", "session/close", "session/delete"} {
			p := connect(t, Config{})
			id, ref := p.open2()
			asked := p.prompt(id, test.prompt)
			if method == "session/cancel" {
				p.want(test.prompt, p.notify(method, ref), test.want)
				p.want("idle", p.notify(method, ref), "")
			} else {
				p.want(test.prompt, p.request(method, ref), test.want+", result")
			}
			if hasRequest(asked) {
				p.want("a late answer", p.answer(asked, "result", `{"outcome":{"outcome":"selected","optionId":"allow"}}`), "")
			}
		}
	}
}

func TestCancelInTheSameWrite2(t *testing.T) {
	p := connect(t, Config{})
	id, ref := p.open2()
	prompt := func(name string) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%q,"method":"session/prompt","params":%s}`+"\n", name, promptParams(id, "/say "+name))
	}
	cancel := `{"jsonrpc":"2.0","method":"session/cancel","params":` + ref + "}\n"
	p.want("cancelled before it was inserted", p.raw(prompt("a")+cancel), "error -32800")
	p.want("the prompt after the cancel", p.raw(prompt("b")+cancel+prompt("c")),
		"error -32800, user_message_chunk, inserted, running, agent_message_chunk, idle:end_turn")
	p.want("closed before it was inserted", p.raw(prompt("d")+`{"jsonrpc":"2.0","id":"x","method":"session/close","params":`+ref+"}\n"),
		"error -32800, result")
}

func TestPermission2(t *testing.T) {
	for answer, want := range map[string]string{
		`{"outcome":{"outcome":"selected","optionId":"allow"}}`:  "running, tool_call_update:in_progress, tool_call_update:completed, idle:end_turn",
		`{"outcome":{"outcome":"selected","optionId":"reject"}}`: "running, tool_call_update:failed, idle:end_turn",
		`{"outcome":{"outcome":"selected","optionId":"none"}}`:   "running, tool_call_update:failed, idle:end_turn",
		`{"outcome":{"outcome":"cancelled"}}`:                    "running, tool_call_update:failed, idle:end_turn",
		`{"outcome":{"outcome":"_later"}}`:                       "running, tool_call_update:failed, idle:end_turn",
	} {
		p := connect(t, Config{})
		id, _ := p.open2()
		p.want(answer, p.answer(p.prompt(id, "/permission"), "result", answer), want)
	}
}

func TestOnlyWhoResumesMayPrompt(t *testing.T) {
	agent, err := New(Config{})
	if err != nil {
		t.Fatal(err)
	}
	a, b := serve(t, agent), serve(t, agent)
	id, ref := a.open2()
	b.request("initialize", everything2)
	b.want("before it resumed", b.prompt(id, "hello"), "error -32002")
	a.prompt(id, "/wait")
	b.want("resumed", b.request("session/resume", ref), "running, result")
	b.want("held", b.promptAs("b", id, "/say b"), "")
	a.close()
	b.want("when the other has gone", b.raw("\n"), "user_message_chunk, inserted, running, agent_message_chunk, idle:end_turn")
}
