package fakeagent

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestClientRequests(t *testing.T) {
	dir := t.TempDir()
	tests := []struct {
		name, prompt string
		answers      [][2]string // member and value
		want         string      // the lines after the last answer
		file         string      // exists in the end
	}{
		{"allow", "/permission a.txt", [][2]string{{"result", `{"outcome":{"outcome":"selected","optionId":"allow"}}`}},
			"tool_call_update:in_progress, tool_call_update:completed, result end_turn", "a.txt"},
		{"reject", "/permission b.txt", [][2]string{{"result", `{"outcome":{"outcome":"selected","optionId":"reject"}}`}},
			"tool_call_update:failed, result end_turn", ""},
		{"unknown option", "/permission b.txt", [][2]string{{"result", `{"outcome":{"outcome":"selected","optionId":"nope"}}`}},
			"tool_call_update:failed, result end_turn", ""},
		{"error", "/permission b.txt", [][2]string{{"error", `{"code":-32603,"message":"no"}`}},
			"tool_call_update:failed, result end_turn", ""},
		{"cancelled outcome", "/permission b.txt", [][2]string{{"result", `{"outcome":{"outcome":"cancelled"}}`}},
			"tool_call_update:failed, result cancelled", ""},
		{"read", "/read a.txt", [][2]string{{"result", `{"content":"unsaved"}`}},
			"tool_call_update:completed, agent_message_chunk, result end_turn", ""},
		{"read error", "/read a.txt", [][2]string{{"error", `{"code":-32002,"message":"no"}`}},
			"tool_call_update:failed, agent_message_chunk, result end_turn", ""},
		{"write", "/write a.txt b", [][2]string{{"result", `{}`}}, "tool_call_update:completed, result end_turn", ""},
		{"terminal", "/terminal echo hi", [][2]string{{"result", `{"terminalId":"t"}`}, {"result", `{"exitCode":0}`},
			{"result", `{"output":"hi","truncated":false}`}, {"result", `{}`}}, "agent_message_chunk, result end_turn", ""},
		{"terminal refused", "/terminal echo hi", [][2]string{{"error", `{"code":-32603,"message":"no"}`}},
			"tool_call_update:failed, result end_turn", ""},
		{"form", "/elicit", [][2]string{{"result", `{"action":"decline"}`}}, "agent_message_chunk, result end_turn", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := connect(t, Config{})
			p.request("initialize", everything)
			lines := p.prompt(p.newIn(dir), test.prompt)
			for _, ans := range test.answers {
				lines = p.answer(lines, ans[0], ans[1])
			}
			if got := kinds(lines); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
			if _, err := os.Stat(filepath.Join(dir, test.file)); err != nil {
				t.Error(err)
			}
			if _, err := os.Stat(filepath.Join(dir, "b.txt")); err == nil {
				t.Error("the tool ran without permission")
			}
		})
	}
}

func TestAlwaysAllowIsRemembered(t *testing.T) {
	p := connect(t, Config{})
	id := p.open(everything)
	p.answer(p.prompt(id, "/permission"), "result", `{"outcome":{"outcome":"selected","optionId":"always"}}`)
	if got := kinds(p.prompt(id, "/permission")); strings.Contains(got, "request_permission") {
		t.Errorf("asked again: %s", got)
	}
}

func TestCancel(t *testing.T) {
	tests := []struct{ prompt, want string }{
		{"/wait\n/say more", "result cancelled"},
		{"/wait-tool", "tool_call_update:failed, result cancelled"},
		{"/read a", "$/cancel_request, tool_call_update:failed, result cancelled"},
		{"/permission", ""}, // the client answers it
	}
	for _, test := range tests {
		p := connect(t, Config{})
		id := p.open(everything)
		lines := p.prompt(id, test.prompt)
		stop := fmt.Sprintf(`{"sessionId":%q}`, id)
		if got := kinds(p.notify("session/cancel", stop)); got != test.want {
			t.Errorf("%s: got %s, want %s", test.prompt, got, test.want)
		}
		if test.prompt == "/permission" {
			if got := kinds(p.answer(lines, "result", `{"outcome":{"outcome":"cancelled"}}`)); got != "tool_call_update:failed, result cancelled" {
				t.Errorf("%s: got %s", test.prompt, got)
			}
		}
		if got := kinds(p.notify("session/cancel", stop)); got != "" {
			t.Errorf("an idle cancel is answered: %s", got)
		}
		if got := kinds(p.prompt(id, "hello")); !strings.HasSuffix(got, "result end_turn") {
			t.Errorf("the session is unusable after a cancel: %s", got)
		}
	}
}

func TestCancelInTheSameWriteIsSeen(t *testing.T) {
	p := connect(t, Config{})
	id := p.open(everything)
	got := kinds(p.raw(`{"jsonrpc":"2.0","id":"p","method":"session/prompt","params":` + promptParams(id, "hello") + `}` + "\n" +
		fmt.Sprintf(`{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":%q}}`, id) + "\n"))
	if got != "result cancelled" {
		t.Errorf("got %s", got)
	}
}

func TestCancelledTerminalIsReleased(t *testing.T) {
	p := connect(t, Config{})
	id := p.open(everything)
	stop := fmt.Sprintf(`{"sessionId":%q}`, id)
	p.answer(p.prompt(id, "/terminal sleep"), "result", `{"terminalId":"t"}`)
	if got := kinds(p.notify("session/cancel", stop)); got != "$/cancel_request, terminal/release, tool_call_update:failed, result cancelled" {
		t.Errorf("while it runs: %s", got)
	}
	lines := p.prompt(id, "/terminal sleep")
	p.notify("session/cancel", stop)
	if got := kinds(p.answer(lines, "result", `{"terminalId":"t"}`)); got != "terminal/release" {
		t.Errorf("when it is created too late: %s", got)
	}
}
