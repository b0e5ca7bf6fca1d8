package fakeagent

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

func TestStatusWords(t *testing.T) {
	for vocabulary, words := range statusVocabularies {
		t.Run(vocabulary, func(t *testing.T) {
			active, inactive := words[0], words[1]
			cfg := Config{Store: t.TempDir(), StatusVocabulary: vocabulary, Salt: "one"}
			p := connect(t, cfg)
			id := p.open(everything)
			other := p.newIn("/tmp")
			steps := []struct {
				what string
				do   func()
				want string
			}{
				{"new", func() {}, active},
				{"a turn", func() { p.prompt(id, "hello") }, active},
				{"close", func() { p.request("session/close", idParam(id)) }, inactive},
				{"a refused load", func() { p.request("session/load", fmt.Sprintf(`{"sessionId":%q,"cwd":"x","mcpServers":[]}`, id)) }, inactive},
				{"list", func() { p.request("session/list", `{}`) }, inactive},
				{"load", func() { p.request("session/load", reopenParams(id)) }, active},
				{"close again", func() { p.request("session/close", idParam(id)) }, inactive},
				{"resume", func() { p.request("session/resume", reopenParams(id)) }, active},
				{"evict", func() { p.prompt(id, "/evict") }, inactive},
				{"resume again", func() { p.request("session/resume", reopenParams(id)) }, active},
				{"delete", func() { p.request("session/delete", idParam(id)) }, "-32002"},
			}
			for _, step := range steps {
				step.do()
				if got := p.word(id); got != step.want {
					t.Errorf("after %s: %s, want %s", step.what, got, step.want)
				}
			}
			p.close()
			cfg.Salt = "two"
			again := connect(t, cfg)
			again.request("initialize", everything)
			if got := again.word(other); got != inactive {
				t.Errorf("after a restart: %s, want %s", got, inactive)
			}
			if got := again.word(id); got != "-32002" {
				t.Errorf("a deleted session after a restart: %s", got)
			}
		})
	}
}

func TestStatusOfAnyConnection(t *testing.T) {
	agent, err := New(Config{})
	if err != nil {
		t.Fatal(err)
	}
	a, b := serve(t, agent), serve(t, agent)
	id := a.open(everything)
	b.request("initialize", everything)
	if got := b.word(id); got != "active" {
		t.Errorf("asked by another connection: %s", got)
	}
}

func TestStatusNamesTheUnknownSession(t *testing.T) {
	p := connect(t, Config{Store: t.TempDir()})
	id := p.open(everything)
	for _, unknown := range unknownIDs(id) {
		_, e := p.call("session/status", idParam(unknown))
		data, _ := e["data"].(Object)
		if fmt.Sprint(e["code"]) != "-32002" || len(data) != 1 || data["sessionId"] != unknown {
			t.Errorf("%q: %v", unknown, e)
		}
	}
}

func TestStatusParams(t *testing.T) {
	p := connect(t, Config{})
	id := p.open(everything)
	for params, want := range map[string]string{
		`{}`: "error -32602", `[]`: "error -32602", `null`: "error -32602", `{"sessionId":null}`: "error -32602", `{"sessionId":7}`: "error -32602",
		`{"sessionId":["a"]}`:        "error -32602",
		`{"sessionId":ID}`:           "result",
		`{"sessionId":ID,"_meta":5}`: "result", `{"sessionId":ID,"_meta":null}`: "result", `{"sessionId":ID,"_meta":{"a":1}}`: "result",
		`{"sessionId":ID,"cwd":7,"mcpServers":"none","replayFrom":"start"}`: "result",
	} {
		if got := kinds(p.request("session/status", strings.ReplaceAll(params, "ID", fmt.Sprintf("%q", id)))); got != want {
			t.Errorf("%s: %s, want %s", params, got, want)
		}
	}
}

func TestStatusDoesNotWait(t *testing.T) {
	p := connect(t, Config{})
	id := p.open(everything)
	p.prompt(id, "/wait")
	if got := p.word(id); got != "active" {
		t.Errorf("while a turn runs: %s", got)
	}
	if got := kinds(p.notify("session/cancel", idParam(id))); got != "result cancelled" {
		t.Errorf("the turn went on with %s", got)
	}
	lines := p.prompt(id, "/permission")
	if got := p.word(id); got != "active" {
		t.Errorf("while permission is asked for: %s", got)
	}
	got := kinds(p.answer(lines, "result", `{"outcome":{"outcome":"selected","optionId":"allow"}}`))
	if want := "tool_call_update:in_progress, tool_call_update:completed, result end_turn"; got != want {
		t.Errorf("the turn went on with %s", got)
	}
}

func TestStatusInOnePiece(t *testing.T) {
	p := connect(t, Config{Store: t.TempDir()})
	id := p.open(everything)
	p.prompt(id, "/wait")
	const n = 5000
	var lines strings.Builder
	for i := range n {
		fmt.Fprintf(&lines, `{"jsonrpc":"2.0","id":%d,"method":"session/status","params":%s}`+"\n", 10000+i, idParam([]string{id, fmt.Sprint("none", i)}[i%2]))
	}
	answers := p.raw(lines.String())
	if len(answers) != n {
		t.Fatalf("%d answers to %d requests", len(answers), n)
	}
	for i, line := range answers {
		want := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"status":"active"}}`, 10000+i)
		if i%2 == 1 {
			want = fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"error":{"code":-32002,"data":{"sessionId":"none%d"},"message":"Resource not found"}}`, 10000+i, i)
		}
		if line != want {
			t.Fatalf("answer %d:\ngot  %s\nwant %s", i, line, want)
		}
	}
}

// snapshot is every file of a directory with its content and time.
func snapshot(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		data, err := os.ReadFile(filepath.Join(dir, entry.Name()))
		info, infoErr := entry.Info()
		if err != nil || infoErr != nil {
			t.Fatal(err, infoErr)
		}
		files[entry.Name()] = info.ModTime().Format(time.RFC3339Nano) + " " + string(data)
	}
	return files
}

// To ask leaves no trace: not in the store, not in the list, not on the clock, not in memory.
func TestStatusChangesNothing(t *testing.T) {
	cfg := Config{Store: t.TempDir(), Salt: "one"}
	first := connect(t, cfg)
	first.request("initialize", everything)
	result, _ := first.call("session/new", withServer)
	stored := text(result, "sessionId")
	first.prompt(stored, "/say remember")
	first.close()

	cfg.Salt = "two"
	w := watch(t, cfg)
	w.request("initialize", everything)
	active := w.newIn("/tmp")
	w.prompt(active, "hello")
	list, _ := w.call("session/list", `{}`)
	before, ticks := snapshot(t, cfg.Store), w.agent.store.ticks
	for i := range 100 {
		for _, id := range []string{stored, active, fmt.Sprint("none", i)} {
			if lines := w.status(id); len(lines) != 1 {
				t.Fatalf("probe %d of %s: %q", i, id, lines)
			}
		}
	}
	if after := snapshot(t, cfg.Store); !reflect.DeepEqual(after, before) {
		t.Errorf("the store changed:\n%v\n%v", before, after)
	}
	if after, _ := w.call("session/list", `{}`); !reflect.DeepEqual(after, list) {
		t.Errorf("the list changed:\n%v\n%v", list, after)
	}
	if now := w.agent.store.ticks; now != ticks {
		t.Errorf("the clock moved from %d to %d", ticks, now)
	}
	if started := w.startedServers(); started != "" {
		t.Errorf("servers were started: %s", started)
	}
	if w.word(stored) != "inactive" || w.word(active) != "active" {
		t.Error("the status changed")
	}
	if got := kinds(w.prompt(stored, "hello")); got != "error -32002" {
		t.Errorf("a session that was asked about takes prompts: %s", got)
	}
	w.request("session/resume", fmt.Sprintf(`{"sessionId":%q,"cwd":"/tmp"}`, stored))
	if started := w.startedServers(); started != stored {
		t.Errorf("a resume that names no servers started those of %q", started)
	}
}

func TestUnknownVocabulary(t *testing.T) {
	_, err := New(Config{StatusVocabulary: "opne"})
	if want := `unknown status vocabulary "opne"; did you mean "open"?`; err == nil || err.Error() != want {
		t.Errorf("%v", err)
	}
	if got := StatusVocabularies(); !reflect.DeepEqual(got, []string{"active", "open"}) {
		t.Error(got)
	}
}

func TestStatusSubscribes(t *testing.T) {
	for hello, want := range map[string]string{everything: "agent_message_chunk", everything2: "user_message_chunk, agent_message_chunk"} {
		agent, err := New(Config{Faults: []string{"status-subscribes"}})
		if err != nil {
			t.Fatal(err)
		}
		a, b := serve(t, agent), serve(t, agent)
		id := a.open(hello)
		b.request("initialize", hello)
		b.status(id)
		a.prompt(id, "/say hello")
		b.mu.Lock()
		if got := kinds(strings.Split(strings.TrimSpace(b.out.String()), "\n")); got != want {
			t.Errorf("the one that asked was told %s, want %s", got, want)
		}
		b.mu.Unlock()
	}
}

func TestStatusKeepsFilesOpen(t *testing.T) {
	const open = "/proc/self/fd"
	store := t.TempDir()
	count := func() (files int) {
		entries, err := os.ReadDir(open)
		if err != nil {
			t.Skip(err)
		}
		for _, entry := range entries {
			if target, _ := os.Readlink(filepath.Join(open, entry.Name())); strings.HasPrefix(target, store) {
				files++
			}
		}
		return files
	}
	p := connect(t, Config{Faults: []string{"status-keeps-files-open"}, Store: store})
	id := p.open(everything)
	for range 3 {
		p.status(id)
	}
	if got := count(); got != 1 {
		t.Errorf("%d files of the store are open", got)
	}
}
