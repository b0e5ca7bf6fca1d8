package fakeagent

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// script is a conversation that gives every behaviour an occasion. It returns everything the agent wrote, in order, and
// what became of Serve. Lines of different goroutines never mix, because every step waits until the agent is quiet.
func script(t *testing.T, cfg Config) string {
	t.Helper()
	var notes strings.Builder
	cfg.Stderr = &notes
	dir := t.TempDir()
	t.Chdir(t.TempDir()) // a fault may write where the process runs
	var parts []string
	for _, part := range []func(*testing.T, Config, string) *peer{playLines, playErrors, playPoor, playTurns, playCancels, playClient, playStore, playVersions} {
		p := part(t, cfg, dir)
		err := p.close()
		p.settle()
		parts = append(parts, strings.Join(p.all, "\n"), fmt.Sprint("Serve: ", err))
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*"))
	for _, file := range files {
		data, _ := os.ReadFile(file)
		parts = append(parts, filepath.Base(file)+": "+string(data))
	}
	return strings.ReplaceAll(strings.Join(parts, "\n"), dir, "DIR") + notes.String()
}

// newIn makes a session in dir; the id may be anything if a fault wants it so.
func (p *peer) newIn(dir string) string {
	p.t.Helper()
	for _, line := range p.request("session/new", fmt.Sprintf(`{"cwd":%q,"mcpServers":[]}`, dir)) {
		if result, ok := object(line)["result"].(Object); ok {
			return text(result, "sessionId")
		}
	}
	return ""
}

func playLines(t *testing.T, cfg Config, dir string) *peer {
	p := connect(t, cfg)
	p.request("initialize", everything)
	p.raw("\n")
	p.raw(`{"jsonrpc":"2.0","id":500,"method":"_x/crlf"}` + "\r\n")
	for _, id := range []string{"0", `"1"`, "1", `"str"`, "9007199254740991"} {
		p.raw(`{"jsonrpc":"2.0","id":` + id + `,"method":"_x/ping","params":{}}` + "\n")
	}
	p.request("_x/ping", `{"_meta":"`+strings.Repeat("a", 70<<10)+`"}`)
	p.write(`{"jsonrpc":"2.0","id":501,"method":"acp/x` + "\xe2\x82")
	p.settle()
	p.raw("\xac" + `"}` + "\n" + `{"jsonrpc":"2.0","id":502,"method":"acp/y"}` + "\n")
	p.request("acp/none", `{}`)
	p.notify("_x/none", `{}`)
	p.notify("acp/none", `{}`)
	p.notify("session/cancel", `{}`)
	p.notify("session/cancel", `{"sessionId":"sess_none"}`)
	p.raw(`{"jsonrpc":"2.0","id":"never","result":{}}` + "\n")
	return p
}

func playErrors(t *testing.T, cfg Config, dir string) *peer {
	p := connect(t, cfg)
	p.request("session/new", `{"cwd":"/tmp","mcpServers":[]}`)
	p.request("initialize", `[]`)
	p.request("initialize", `{}`)
	p.request("initialize", `{"protocolVersion":1,"futureField":1}`)
	for _, line := range []string{`[{"jsonrpc":"2.0","id":7,"method":"_x/a"},{"jsonrpc":"2.0","id":8,"method":"_x/b"}]`,
		`1`, `{}`, `{"id":9,"method":"_x/a"}`, `{"jsonrpc":"2.0","id":7,"method":5}`} {
		p.raw(line + "\n")
	}
	for _, params := range []string{`{}`, `{"cwd":5,"mcpServers":[]}`, `{"cwd":"a/b","mcpServers":[]}`, `{"cwd":"/tmp"}`,
		`{"cwd":"/tmp","mcpServers":null}`, `{"cwd":"/tmp","mcpServers":"none"}`, `[]`,
		`{"cwd":"/tmp","mcpServers":[{"name":"h","type":"http","url":"http://127.0.0.1:1","headers":[]}]}`,
		`{"cwd":"/tmp","mcpServers":[],"futureField":1}`, `{"cwd":"/tmp","mcpServers":[],"_meta":{}}`} {
		p.request("session/new", params)
	}
	id := p.newIn("/tmp")
	for _, prompt := range []string{`"hi"`, `[{"type":"acp"}]`, `[{"type":"text"}]`, `[{"type":"resource_link"}]`,
		`[{"type":"resource_link","uri":"file:///a","name":"a"}]`} {
		p.request("session/prompt", fmt.Sprintf(`{"sessionId":%q,"prompt":%s}`, id, prompt))
	}
	p.request("session/prompt", fmt.Sprintf(`{"sessionId":%q}`, id))
	p.prompt("sess_none", "hi")
	p.request("session/set_mode", fmt.Sprintf(`{"sessionId":%q,"modeId":"none"}`, id))
	p.request("session/set_mode", fmt.Sprintf(`{"sessionId":%q,"modeId":"code"}`, id))
	p.request("session/set_config_option", fmt.Sprintf(`{"sessionId":%q,"configId":"model","value":"none"}`, id))
	p.request("session/set_config_option", fmt.Sprintf(`{"sessionId":%q,"configId":"model","value":"large"}`, id))
	p.raw(`{"jsonrpc":"2.0",` + "\n")
	p.request("_x/ping", `{}`)
	return p
}

// playPoor is a client without capabilities.
func playPoor(t *testing.T, cfg Config, dir string) *peer {
	p := connect(t, cfg)
	p.request("initialize", `{"protocolVersion":1,"clientCapabilities":null}`)
	p.request("initialize", `{"protocolVersion":1,"clientCapabilities":{"fs":{"writeTextFile":true}}}`)
	p.refuse(p.prompt(p.newIn(dir), "/read notes.txt"))
	p.request("initialize", `{"protocolVersion":1,"clientCapabilities":{"fs":{"readTextFile":true}}}`)
	p.refuse(p.prompt(p.newIn(dir), "/write poor.txt text"))
	p.request("initialize", `{"protocolVersion":1,"clientCapabilities":{"terminal":true}}`)
	p.newIn(dir)
	p.request("initialize", `{"protocolVersion":1}`)
	id := p.newIn(dir)
	for _, words := range []string{"hello", "/terminal true", "/elicit", "/notice hi", "/compact", "/read notes.txt", "/write poor.txt text"} {
		p.refuse(p.prompt(id, words))
	}
	return p
}

// refuse answers the requests in lines with an error.
func (p *peer) refuse(lines []string) []string {
	p.t.Helper()
	if strings.Contains(strings.Join(lines, "\n"), `,"id":`) && hasRequest(lines) {
		return p.answer(lines, "error", `{"code":-32601,"message":"Method not found"}`)
	}
	return nil
}

func hasRequest(lines []string) bool {
	for _, line := range lines {
		if m := object(line); m["method"] != nil && m["id"] != nil {
			return true
		}
	}
	return false
}

func playTurns(t *testing.T, cfg Config, dir string) *peer {
	p := connect(t, cfg)
	p.request("initialize", everything)
	id := p.newIn(dir)
	for _, words := range []string{"hello", "again", "/stream 4", "/think hm\n/say so", "/plan", "/tool read\n/tool edit", "/error", "/mode code",
		"/image\n/audio\n/resource\n/link", "/refuse", "/info\n/usage", "/notice hi\n/compact"} {
		p.refuse(p.prompt(id, words))
	}
	other := p.newIn(dir)
	p.prompt(id, "/wait")
	p.request("_x/ping", `{}`)
	p.prompt(id, "busy")
	p.prompt(other, "/say meanwhile")
	p.notify("session/cancel", fmt.Sprintf(`{"sessionId":%q}`, id))
	return p
}

func playCancels(t *testing.T, cfg Config, dir string) *peer {
	p := connect(t, cfg)
	p.request("initialize", everything)
	id, other := p.newIn(dir), p.newIn(dir)
	stop := fmt.Sprintf(`{"sessionId":%q}`, id)
	p.prompt(id, "/wait")
	p.prompt(other, "/wait")
	p.notify("session/cancel", `{"sessionId":"sess_none"}`)
	p.notify("session/cancel", stop)
	p.notify("session/cancel", stop)
	p.prompt(id, "after a cancel")
	p.notify("session/cancel", stop)
	p.prompt(id, "after an idle cancel")
	p.prompt(id, "/wait-tool")
	p.notify("session/cancel", stop)
	p.prompt(id, "/permission")
	p.notify("session/cancel", stop)
	p.raw(`{"jsonrpc":"2.0","id":1,"result":{"outcome":{"outcome":"cancelled"}}}` + "\n")
	p.prompt(id, "/read notes.txt")
	p.notify("session/cancel", stop)
	p.ids++
	p.raw(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"session/prompt","params":%s}`, p.ids, promptParams(id, "/say at once")) + "\n" +
		`{"jsonrpc":"2.0","method":"session/cancel","params":` + stop + `}` + "\n")
	p.prompt(id, "/wait")
	p.notify("$/cancel_request", fmt.Sprintf(`{"requestId":%d}`, p.ids))
	p.prompt(id, "/wait")
	p.sort(p.request("session/close", stop))
	return p
}

// sort is for lines of two goroutines, which come in any order: the answer to session/close, and that to the prompt.
func (p *peer) sort(lines []string) { slices.Sort(p.all[len(p.all)-len(lines):]) }

func playClient(t *testing.T, cfg Config, dir string) *peer {
	p := connect(t, cfg)
	p.request("initialize", everything)
	id := p.newIn(dir)
	choose := func(option string) string {
		return fmt.Sprintf(`{"outcome":{"outcome":"selected","optionId":%q}}`, option)
	}
	for _, steps := range [][]string{
		{"/permission first.txt", choose("allow")}, {"/permission second.txt", choose("reject")}, {"/permission", choose("none")},
		{"/read notes.txt", `{"content":"notes"}`}, {"/write other.txt x", `{}`}, {"/elicit", `{"action":"decline"}`},
		{"/terminal echo hi", `{"terminalId":"t1"}`, `{"exitCode":0}`, `{"output":"hi","truncated":false}`, `{}`, `{}`},
	} {
		lines := p.prompt(id, steps[0])
		for _, result := range steps[1:] {
			if hasRequest(lines) {
				lines = p.answer(lines, "result", result)
			}
		}
	}
	if lines := p.prompt(id, "/terminal sleep"); hasRequest(lines) {
		p.answer(lines, "result", `{"terminalId":"t2"}`)
		p.notify("session/cancel", fmt.Sprintf(`{"sessionId":%q}`, id))
	}
	if lines := p.prompt(id, "/permission"); hasRequest(lines) {
		p.answer(lines, "error", `{"code":-32603,"message":"no"}`)
	}
	return p
}

func playStore(t *testing.T, cfg Config, dir string) *peer {
	cfg.Salt = "two"
	p := connect(t, cfg)
	p.request("initialize", everything)
	for i := range 5 {
		id := p.newIn(dir)
		p.prompt(id, fmt.Sprint("/say session ", i))
		ref := fmt.Sprintf(`{"sessionId":%q,"cwd":%q,"mcpServers":[]}`, id, dir)
		p.request("session/close", ref)
		p.request("session/load", ref)
		p.request("session/resume", ref)
	}
	p.request("session/load", `{"sessionId":"sess_none","cwd":"/tmp","mcpServers":[]}`)
	p.request("session/resume", `{"sessionId":"sess_none","cwd":"/tmp"}`)
	lines := p.request("session/list", fmt.Sprintf(`{"cwd":%q}`, dir))
	if i := strings.Index(strings.Join(lines, ""), `"nextCursor":"`); i >= 0 {
		cursor, _, _ := strings.Cut(strings.Join(lines, "")[i+14:], `"`)
		p.request("session/list", fmt.Sprintf(`{"cursor":%q}`, cursor))
	}
	p.request("session/list", `{"cwd":"/nowhere"}`)
	p.request("session/list", `{"cursor":"bogus"}`)
	for range 2 {
		p.request("session/delete", `{"sessionId":"sess_two_0001"}`)
	}
	p.request("session/list", `{}`)
	return p
}

func playVersions(t *testing.T, cfg Config, dir string) *peer {
	p := connect(t, cfg)
	p.request("initialize", `{"protocolVersion":65535,"clientCapabilities":{}}`)
	return p
}

// hidden are the faults and variants that do not show in what is written; they have tests of their own.
var hidden = map[string]bool{"ignores-eof": true, "ignores-eof-in-turn": true, "closes-stdout": true,
	"cancel-slow": true, "slow-start": true, "one-byte-writes": true,
	"mcp-not-connected": true, "mcp-args-lost": true, "mcp-args-reordered": true, "mcp-env-lost": true, "mcp-runs-after-close": true}

func TestEveryFaultAndVariantShows(t *testing.T) {
	elsewhere := map[string]bool{} // they have a script of their own
	for _, f := range slices.Concat(statusFaults(), statusVariants(), storedVariants(), sharingVariants(), listVariants(), stateVariants()) {
		elsewhere[f.Name] = true
	}
	clean := script(t, Config{})
	if again := script(t, Config{}); again != clean {
		t.Fatalf("two runs differ:\n%s", firstDifference(clean, again))
	}
	for _, kind := range []struct {
		table  []Fault
		config func(name string) Config
	}{
		{Faults(), func(name string) Config { return Config{Faults: []string{name}} }},
		{Variants(), func(name string) Config { return Config{Variants: []string{name}} }},
	} {
		for _, f := range tried(kind.table) {
			if hidden[f.Name] || elsewhere[f.Name] {
				continue
			}
			t.Run(f.Name, func(t *testing.T) {
				if got := script(t, kind.config(f.Name)); got == clean {
					t.Errorf("%q changes nothing: %s", f.Name, f.Description)
				} else if os.Getenv("SHOW") != "" {
					t.Log(firstDifference(clean, got))
				}
			})
		}
	}
}

// tried are all faults, or a third of them under the race detector.
func tried(all []Fault) (some []Fault) {
	for i, f := range all {
		if !raced || i%3 == 0 {
			some = append(some, f)
		}
	}
	return some
}

func firstDifference(a, b string) string {
	left, right := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(left), len(right)) {
		if left[i] != right[i] {
			return fmt.Sprintf("line %d\n  %s\n  %s", i, cut(left[i], 300), cut(right[i], 300))
		}
	}
	return fmt.Sprintf("%d and %d lines", len(left), len(right))
}
