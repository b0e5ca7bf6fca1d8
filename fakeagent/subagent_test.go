package fakeagent

import (
	"fmt"
	"strings"
	"testing"
)

func TestSubagent(t *testing.T) {
	for _, version := range []int{1, 2} {
		w := watchIn(version, t, Config{Store: t.TempDir()})
		w.hello()
		id := w.newIn("/tmp")
		child := childIn(w.prompt(id, "/subagent"))
		want := func(what, got, want string) {
			t.Helper()
			if got != want {
				t.Errorf("version %d, %s: %s, want %s", version, what, got, want)
			}
		}
		want("its id", child, "sess_0002")
		want("it is live", w.word(child), "active")
		want("it is not listed", w.listed(`{}`), "1?")
		for _, method := range []string{"session/prompt", "session/close", "session/resume", "session/delete"} {
			want(method, kinds(w.request(method, with1(reopenParams(child), `"prompt":[]`))), "error -32600")
		}
		if version == 2 {
			want("its state", w.stateOf(idParam(child)), `{"state":"running"}`)
			want("that of its parent", w.stateOf(idParam(id)),
				`{"background":[{"sessionId":"sess_0002","type":"subagent"}],"state":"idle","stopReason":"end_turn"}`)
		}
		w.prompt(id, "/subagent stop")
		want("it has ended", w.word(child), "-32002")
		child = childIn(w.prompt(id, "/subagent"))
		want("another one", w.word(child), "active")
		closed := w.request("session/close", idParam(id))
		want("the end of its parent", kinds2(closed), map[int]string{1: "result", 2: "subagent_update, idle:end_turn, result"}[version])
		want("it ends with its parent", w.word(child), "-32002")
		if files := fmt.Sprint(snapshot(t, w.agent.cfg.Store)); strings.Contains(files, child) {
			t.Errorf("it was kept: %s", files)
		}
	}
}

// Version 1 needs a client that knows sub-agents.
func TestNoSubagent(t *testing.T) {
	p := connect(t, Config{})
	id := p.open(`{"protocolVersion":1}`)
	if got := kinds(p.prompt(id, "/subagent")); got != "agent_message_chunk, result end_turn" {
		t.Error(got)
	}
}

func TestStatusUnknownSubagent(t *testing.T) {
	for _, version := range []int{1, 2} {
		w := watchIn(version, t, Config{Faults: []string{"status-unknown-subagent"}})
		w.hello()
		id := w.newIn("/tmp")
		child := childIn(w.prompt(id, "/subagent"))
		if w.word(child) != "-32002" || w.word(id) != "active" {
			t.Errorf("version %d: the child %s, the parent %s", version, w.word(child), w.word(id))
		}
	}
}
