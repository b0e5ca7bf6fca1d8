package fakeagent

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/acp-conform/acp-conform/schemas"
)

// tape keeps both sides of conversations, for the schemas to be asked about what the agent wrote.
type tape struct {
	lines []taped
}

type taped struct {
	from Direction
	line string
}

func (tp *tape) hear(from Direction, line []byte) {
	tp.lines = append(tp.lines, taped{from, string(line)})
}

type frame2 struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  json.RawMessage `json:"error"`
}

// check holds every line of the agent against an edition, and counts them by method.
func (tp *tape) check(t *testing.T, e *schemas.Edition) map[string]int {
	t.Helper()
	asked, seen := map[string]string{}, map[string]int{}
	for _, l := range tp.lines {
		var f frame2
		if err := json.Unmarshal([]byte(l.line), &f); err != nil {
			if l.from == FromAgent {
				t.Errorf("%v: %s", err, l.line)
			}
			continue
		}
		if l.from == FromClient {
			if f.Method != "" {
				asked[string(f.ID)] = f.Method
			}
			continue
		}
		name, problem := judge(e, f, asked[string(f.ID)])
		if problem != "" {
			t.Errorf("%s: %s\n%s", name, problem, l.line)
		}
		seen[name]++
	}
	return seen
}

// judge says what the line is and what is wrong with it.
func judge(e *schemas.Edition, f frame2, asked string) (name, problem string) {
	var d schemas.Definition
	part, known := f.Params, true
	switch {
	case f.Error != nil:
		if found := e.CheckName("Error", f.Error); len(found) > 0 {
			problem = fmt.Sprint(found)
		}
		return "error", problem
	case f.Method == "":
		name, part = "result of "+asked, f.Result
		d, known = e.Lookup(asked, schemas.Agent, schemas.Result)
	case f.ID != nil:
		name = f.Method
		d, known = e.Lookup(f.Method, schemas.Agent, schemas.Request)
	default:
		name = f.Method
		d, known = e.Lookup(f.Method, schemas.Agent, schemas.Notification)
	}
	if !known {
		return name, "there is no such message"
	}
	found := append(schemas.Check(d, part), schemas.Texts(d, part)...)
	unknown := slices.DeleteFunc(schemas.UnknownMembers(d, part), func(u schemas.Unknown) bool { return u.Unstable })
	if len(found)+len(unknown) > 0 {
		problem = fmt.Sprint(found, unknown)
	}
	return name, problem
}

func TestEveryFrameOfVersion2IsValid(t *testing.T) {
	e := schemas.Ours().Edition(2, false)
	tp := &tape{}
	cfg := Config{OnLine: tp.hear, Store: t.TempDir()}
	dir := t.TempDir()
	for _, talk := range []func(p *peer, dir string){talkErrors, talkTurns, talkHeld, talkAsks, talkStored} {
		p := connect(t, cfg)
		talk(p, dir)
		if err := p.close(); err != nil {
			t.Error(err)
		}
	}
	seen := tp.check(t, e)
	for _, name := range []string{"error", "session/update", "session/request_permission", "elicitation/create", "$/cancel_request",
		"result of initialize", "result of session/new", "result of session/list", "result of session/resume", "result of session/close",
		"result of session/delete", "result of session/prompt", "result of session/set_config_option", "result of session/status"} {
		if seen[name] == 0 {
			t.Errorf("the conversations have no %s", name)
		}
	}
	if len(tp.lines) < 500 {
		t.Errorf("only %d lines", len(tp.lines))
	}
}

func TestInvalidFramesAreFound(t *testing.T) {
	for _, line := range []string{`{"id":1,"result":{}}`, `{"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"plan_update"}}}`,
		`{"id":2,"method":"fs/read_text_file","params":{}}`, `{"id":3,"error":{"code":"x"}}`, `{"id":4,"method":"session/update","params":{}}`,
		`{"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"state_update","state":"idle","reason":"none"}}}`} {
		var f frame2
		_ = json.Unmarshal([]byte(line), &f)
		if _, problem := judge(schemas.Ours().Edition(2, false), f, "session/prompt"); problem == "" {
			t.Errorf("nothing is wrong with %s", line)
		}
	}
}

func talkErrors(p *peer, dir string) {
	p.request("session/new", `{"cwd":"/tmp"}`)
	p.request("initialize", `{"protocolVersion":65536}`)
	p.request("initialize", `{"protocolVersion":2}`)
	p.request("initialize", everything2)
	for _, line := range []string{`[]`, `1`, `{`, `{"jsonrpc":"2.0","id":9,"method":5}`, `{"jsonrpc":"2.0","id":9,"method":"_x/none"}`} {
		p.raw(line + "\n")
	}
	for _, servers := range []string{`"none"`, `[{"name":"a","command":"/bin/true","args":[],"env":[]}]`, `[{"type":"http","name":"a","url":"http://127.0.0.1:1"}]`,
		`[{"type":"_x"}]`, `[{"type":"stdio","name":"a"}]`, `[{"type":"stdio","name":"a","command":"true"}]`, `[{"type":"stdio","name":"a","command":"/nonexistent"}]`, `null`, `[]`} {
		p.request("session/new", fmt.Sprintf(`{"cwd":%q,"mcpServers":%s}`, dir, servers))
	}
	for _, params := range []string{`{}`, `[]`, `{"cwd":"a"}`, `{"cwd":5}`, `{"cwd":"/tmp","additionalDirectories":["a"]}`} {
		p.request("session/new", params)
	}
	id := p.newIn(dir)
	for _, prompt := range []string{`"hi"`, `[]`, `[{"type":"_x"}]`, `[{"type":"text"}]`, `null`} {
		p.request("session/prompt", fmt.Sprintf(`{"sessionId":%q,"prompt":%s}`, id, prompt))
	}
	for _, option := range []string{`"configId":"model","type":"id","value":"large"`, `"configId":"model","value":"small"`, `"configId":"model","type":"id","value":"none"`,
		`"configId":"mode","type":"id","value":"code"`, `"configId":"verbose","type":"boolean","value":true`, `"configId":"verbose","type":"id","value":"yes"`,
		`"configId":"none","type":"id","value":"a"`, `"configId":"model","type":"_x","value":"large"`} {
		p.request("session/set_config_option", fmt.Sprintf(`{"sessionId":%q,%s}`, id, option))
	}
	for _, method := range []string{"session/prompt", "session/resume", "session/set_config_option", "session/status", "session/close", "session/delete",
		"tool_call/cancel", "terminal/cancel", "session/list", "session/load", "auth/login"} {
		for _, params := range []string{`{}`, `{"sessionId":5}`, `{"sessionId":"none","cwd":"/tmp","toolCallId":"t","terminalId":"t","prompt":[]}`, `{"cursor":"none","cwd":"a"}`,
			fmt.Sprintf(`{"sessionId":%q,"toolCallId":"t","terminalId":"t"}`, "none")} {
			p.request(method, params)
		}
	}
	p.request("tool_call/cancel", fmt.Sprintf(`{"sessionId":%q,"toolCallId":"t"}`, id))
}

func talkTurns(p *peer, dir string) {
	p.request("initialize", everything2)
	id := p.newIn(dir)
	for _, words := range []string{"hello", "", "/say one\n/say two", "/stream 30 part", "/think hm", "/plan", "/tool read\n/tool edit\n/tool execute",
		"/image\n/audio\n/resource\n/link", "/error", "/error -32050", "/refuse", "/max-tokens", "/max-turn-requests", "/commands\n/mode code\n/mode none\n/info\n/usage",
		"/notice hi\n/notice\n/compact", "/write new.txt one two", "/write new.txt three", "/read new.txt\n/read none.txt", "/terminal true", "/background\n/background",
		"/background stop", "/wait-no"} {
		p.prompt(id, words)
		p.request("session/status", fmt.Sprintf(`{"sessionId":%q}`, id))
	}
	p.request("session/prompt", fmt.Sprintf(`{"sessionId":%q,"prompt":[{"type":"text","text":"a"},{"type":"resource_link","uri":"file:///a","name":"a"},`+
		`{"type":"image","data":"","mimeType":"image/png"},{"type":"audio","data":"","mimeType":"audio/wav"},{"type":"resource","resource":{"uri":"file:///a","text":""}}]}`, id))
}

func talkHeld(p *peer, dir string) {
	p.request("initialize", everything2)
	id := p.newIn(dir)
	ref := fmt.Sprintf(`{"sessionId":%q,"cwd":%q}`, id, dir)
	for _, words := range []string{"/wait", "/wait-tool", "/background\n/wait", "/permission", "/elicit"} {
		for _, method := range []string{"session/cancel", "session/close"} {
			p.prompt(id, words)
			p.prompt(id, "held")
			p.prompt(id, "held, too")
			p.request("session/status", ref)
			p.notify("$/cancel_request", fmt.Sprintf(`{"requestId":%d}`, p.ids-1))
			if method == "session/cancel" {
				p.notify(method, ref)
			} else {
				p.request(method, ref)
			}
			p.request("session/resume", with1(ref, `"replayFrom":{"type":"start"}`))
		}
	}
	p.prompt(id, "/evict\n/wait-tool")
	p.prompt(id, "held")
	p.notify("session/cancel", ref)
	p.request("session/status", ref)
}

func talkAsks(p *peer, dir string) {
	p.request("initialize", everything2)
	id := p.newIn(dir)
	for _, steps := range [][]string{
		{"/permission a.txt", "result", `{"outcome":{"outcome":"selected","optionId":"reject"}}`},
		{"/permission", "result", `{"outcome":{"outcome":"cancelled"}}`},
		{"/permission", "error", `{"code":-32603,"message":"no"}`},
		{"/permission a.txt", "result", `{"outcome":{"outcome":"selected","optionId":"always"}}`},
		{"/elicit", "result", `{"action":"accept","content":{"name":"me"}}`},
		{"/elicit", "result", `{"action":"_x"}`},
		{"/elicit", "error", `{"code":-32603,"message":"no"}`},
	} {
		lines := p.prompt(id, steps[0])
		p.request("session/status", fmt.Sprintf(`{"sessionId":%q}`, id))
		p.answer(lines, steps[1], steps[2])
	}
	p.prompt(id, "/permission b.txt")
}

func talkStored(p *peer, dir string) {
	p.request("initialize", everything2)
	for range 4 {
		p.newIn(dir)
	}
	lines := p.request("session/list", `{"cwd":null,"cursor":null}`)
	for len(lines) == 1 {
		result, _ := object(lines[0])["result"].(Object)
		sessions, _ := result["sessions"].([]any)
		for _, entry := range sessions {
			ref := fmt.Sprintf(`{"sessionId":%q,"cwd":%q}`, text(entry.(Object), "sessionId"), dir)
			p.request("session/status", ref)
			p.request("session/resume", with1(ref, `"replayFrom":{"type":"start"}`))
			p.request("session/status", ref)
			p.prompt(text(entry.(Object), "sessionId"), "/say again")
			p.request("session/close", ref)
			p.request("session/delete", ref)
		}
		next, more := result["nextCursor"].(string)
		if !more {
			return
		}
		lines = p.request("session/list", fmt.Sprintf(`{"cursor":%q}`, next))
	}
}
