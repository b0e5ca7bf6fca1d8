package fakeagent

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// watched is an agent over a store that counts the MCP servers it would start, in place of starting them, and whose clock
// moves when it is looked at.
type watched struct {
	*peer
	version int
	mu      sync.Mutex
	started []string
	pauses  []time.Duration
}

func watch(t *testing.T, cfg Config) *watched {
	t.Helper()
	return watchIn(1, t, cfg)
}

// watchIn is for a version of the protocol.
func watchIn(version int, t *testing.T, cfg Config) *watched {
	t.Helper()
	agent, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	w := &watched{version: version}
	agent.Behaviour.ServerCommand = func(s *Session, _ Object) *exec.Cmd {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.started = append(w.started, s.ID)
		return nil
	}
	agent.onPause = func(d time.Duration) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.pauses = append(w.pauses, d)
	}
	var tick time.Duration
	agent.clock = func() time.Time {
		w.mu.Lock()
		defer w.mu.Unlock()
		tick += 30 * time.Millisecond
		return time.Unix(0, 0).Add(tick)
	}
	w.peer = serve(t, agent)
	return w
}

func (w *watched) startedServers() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return strings.Join(w.started, " ")
}

func idParam(id string) string { return fmt.Sprintf(`{"sessionId":%s}`, encodeValue(id)) }

func (p *peer) status(id string) []string { return p.request("session/status", idParam(id)) }

// word is the status of a session, or the code of the error.
func (p *peer) word(id string) string {
	p.t.Helper()
	result, e := p.call("session/status", idParam(id))
	if e != nil {
		return fmt.Sprint(e["code"])
	}
	return text(result, "status")
}

// hello shakes hands.
func (w *watched) hello() []string {
	return w.request("initialize", map[int]string{1: everything, 2: everything2}[w.version])
}

// newWithServer makes a session that has an MCP server.
func (w *watched) newWithServer() string {
	w.t.Helper()
	params := map[int]string{1: withServer, 2: withServer2}[w.version]
	result, _ := w.call("session/new", params)
	return text(result, "sessionId")
}

// setMode and setModel change what a session is configured with.
func (w *watched) setMode(id, mode string) {
	if w.version == 1 {
		w.request("session/set_mode", fmt.Sprintf(`{"sessionId":%q,"modeId":%q}`, id, mode))
		return
	}
	w.request("session/set_config_option", fmt.Sprintf(`{"sessionId":%q,"configId":"mode","type":"id","value":%q}`, id, mode))
}

func (w *watched) setModel(id, model string) {
	kind := map[int]string{2: `"type":"id",`}[w.version]
	w.request("session/set_config_option", fmt.Sprintf(`{"sessionId":%q,"configId":"model",%s"value":%q}`, id, kind, model))
}

// load brings a session into memory and shows its history.
func (w *watched) load(id string) []string {
	if w.version == 1 {
		return w.request("session/load", reopenParams(id))
	}
	return w.request("session/resume", with1(reopenParams(id), `"replayFrom":{"type":"start"}`))
}

const withServer2 = `{"cwd":"/tmp","mcpServers":[{"type":"stdio","name":"m","command":"/canary","args":[],"env":[]}]}`

const withServer = `{"cwd":"/tmp","mcpServers":[{"name":"m","command":"canary","args":[],"env":[]}]}`

func reopenParams(id string) string {
	return fmt.Sprintf(`{"sessionId":%s,"cwd":"/tmp","mcpServers":[]}`, encodeValue(id))
}

// unknownIDs are spellings of ids that nobody gave out.
func unknownIDs(real string) []string {
	return []string{"3f2b8c1e-7d54-4a6f-9b0e-5c1d2e3f4a5b", "sess_none", real + "0", real[:max(0, len(real)-1)], strings.ToUpper(real), " " + real + "\t",
		"../" + real, real + "/.", real + ".json", real + "\x00", "", " ", "naïve ☃ \"q\"", "Sess_NONE", strings.Repeat("x", 300)}
}

// statusScript is a conversation about the status of sessions that gives every fault and variant an occasion.
func statusScript(version int, t *testing.T, cfg Config) string {
	t.Helper()
	cfg.Store = t.TempDir()
	var parts []string
	for i, play := range []func(p *watched){playStatus, playStatusInTurns, playLife, playStatusAfterRestart, playStatusAgain} {
		cfg.Salt = fmt.Sprint("s", i)
		w := watchIn(version, t, cfg)
		play(w)
		err := w.close()
		w.settle()
		parts = append(parts, strings.Join(w.all, "\n"), fmt.Sprint("Serve: ", err), "servers: "+w.startedServers(), fmt.Sprint("pauses: ", w.pauses))
	}
	files, _ := filepath.Glob(filepath.Join(cfg.Store, "*"))
	for _, file := range files {
		data, _ := os.ReadFile(file)
		parts = append(parts, filepath.Base(file)+": "+string(data))
	}
	return strings.Join(parts, "\n")
}

func playStatus(w *watched) {
	w.request("session/status", `{"sessionId":"sess_none"}`)
	w.hello()
	id := w.newWithServer()
	w.status(id)
	other := w.newIn("/tmp")
	w.status(id)
	w.status(other)
	for _, words := range []string{"/say one", "/say two", "/mode code"} {
		w.prompt(id, words)
		w.status(id)
	}
	w.prompt(id, "/stream 50")
	w.status(id)
	w.setMode(other, "code")
	w.status(other)
	w.setModel(id, "large")
	w.request("session/list", `{}`)
	w.status(id)
	w.status(id)
	w.request("session/list", `{}`)
	for _, params := range []string{`{}`, `[]`, `{"sessionId":null}`, `{"sessionId":7}`, `{"sessionId":{}}`, `{"sessionId":%q,"_meta":{}}`,
		`{"sessionId":%q,"_meta":{"x.test/k":1}}`, `{"sessionId":%q,"_meta":null}`, `{"sessionId":%q,"_meta":5}`,
		`{"sessionId":%q,"cwd":"/elsewhere","mcpServers":[{"name":"n","command":"named","args":[],"env":[]}],"replayFrom":{"type":"start"}}`} {
		w.request("session/status", strings.ReplaceAll(params, "%q", fmt.Sprintf("%q", id)))
	}
	w.raw(`{"jsonrpc":"2.0","id":"text","method":"session/status","params":` + idParam(id) + "}\n")
	for _, unknown := range unknownIDs(id) {
		w.status(unknown)
		w.status(unknown)
	}
	w.request("session/list", `{}`)
	w.status(id)
}

func playStatusInTurns(w *watched) {
	w.hello()
	id, other, third := w.newIn("/tmp"), w.newIn("/tmp"), w.newIn("/tmp")
	w.prompt(id, "/wait")
	w.status(id)
	w.status(other)
	w.notify("session/cancel", idParam(id))
	lines := w.prompt(id, "/permission\n/say more")
	w.status(id)
	if hasRequest(lines) {
		w.answer(lines, "result", `{"outcome":{"outcome":"selected","optionId":"reject"}}`)
	}
	w.status(id)
	var burst strings.Builder
	for i := range 240 {
		fmt.Fprintf(&burst, `{"jsonrpc":"2.0","id":"b%d","method":"session/status","params":%s}`+"\n", i, idParam([]string{id, "sess_none"}[i%2]))
	}
	w.raw(burst.String())
	w.status(other)
	for range idleRequests / 2 {
		w.request("_x/ping", `{}`)
		w.request("_x/ping", `{}`)
		w.status(other)
	}
	w.request("_x/ping", `{}`)
	w.status(other)
	w.status(third)
	w.prompt(other, "hello")
	w.request("session/close", idParam(id))
	for range 3 {
		w.status(id)
	}
	method := map[int]string{1: "session/load", 2: "session/resume"}[w.version]
	w.request(method, fmt.Sprintf(`{"sessionId":%q,"cwd":"relative","mcpServers":[]}`, id))
	w.status(id)
	for range 2 {
		w.load(id)
		w.status(id)
	}
	w.request("session/close", idParam(id))
	for range 2 {
		w.request("session/resume", reopenParams(id))
		w.status(id)
	}
	w.prompt(id, "/evict")
	w.status(id)
	w.prompt(id, "hello")
	w.request("session/resume", reopenParams("sess_none"))
	w.status("sess_none")
	w.request("session/delete", idParam(other))
	w.status(other)
	for range 4 {
		w.request("session/list", `{}`)
	}
}

func playStatusAfterRestart(w *watched) {
	w.hello()
	const id, other = "sess_s0_0001", "sess_s0_0002"
	for range 3 {
		w.status(id)
	}
	w.status(other)
	w.prompt(id, "not loaded")
	w.request("session/list", `{}`)
	w.status(id)
	w.request("session/resume", fmt.Sprintf(`{"sessionId":%q,"cwd":"/tmp"}`, id))
	w.status(id)
	for range 2 {
		w.load(id)
	}
	w.request("session/resume", reopenParams(other))
	cursor := ""
	for range 3 {
		result, _ := w.call("session/list", fmt.Sprintf(`{"cursor":%s}`, cursorParam(cursor)))
		cursor = text(result, "nextCursor")
	}
}

func cursorParam(cursor string) string {
	if cursor == "" {
		return "null"
	}
	return fmt.Sprintf("%q", cursor)
}

// playStatusAgain is one more process that is asked first for what the others were asked for.
func playStatusAgain(w *watched) {
	w.hello()
	for _, id := range []string{"sess_none", "sess_s0_0001", "sess_s1_0003", "sess_s2_0007"} {
		w.status(id)
	}
}
