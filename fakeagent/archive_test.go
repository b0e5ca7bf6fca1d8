package fakeagent

import (
	"fmt"
	"strings"
	"testing"
)

// listed names the sessions of a list, and with a star those that are archived.
func (p *peer) listed(params string) string {
	p.t.Helper()
	result, e := p.call("session/list", params)
	if e != nil {
		return fmt.Sprint(e["code"])
	}
	var names []string
	list, _ := result["sessions"].([]any)
	for _, entry := range list {
		info, _ := entry.(Object)
		name := strings.TrimPrefix(text(info, "sessionId"), "sess_000")
		switch info["archived"] {
		case true:
			name += "*"
		case nil:
			name += "?"
		}
		names = append(names, name)
	}
	if result["nextCursor"] != nil {
		names = append(names, "more")
	}
	return strings.Join(names, " ")
}

func TestArchive(t *testing.T) {
	for _, version := range []int{1, 2} {
		w := watchIn(version, t, Config{Variants: []string{"archives"}, Store: t.TempDir()})
		w.hello()
		if caps := fmt.Sprint(w.all); !strings.Contains(caps, `"archive":{}`) {
			t.Errorf("it is not advertised: %s", caps)
		}
		first, second := w.newIn("/tmp"), w.newIn("/tmp")
		for range 3 {
			w.newIn("/tmp")
		}
		want := func(what, got, want string) {
			t.Helper()
			if got != want {
				t.Errorf("version %d, %s: %s, want %s", version, what, got, want)
			}
		}
		w.prompt(first, "/wait")
		archived := w.request("session/archive", idParam(first))
		want("while a turn runs", kinds2(archived), map[int]string{1: "result, result cancelled", 2: "idle:cancelled, result"}[version])
		want("its status", w.word(first), "inactive")
		want("again", kinds(w.request("session/archive", idParam(first))), "result")
		for _, id := range []string{first, second} {
			want("twice", kinds(w.request("session/archive", idParam(id))), "result")
		}
		want("the list", w.listed(`{}`), "3 4 5")
		want("null", w.listed(`{"archived":null}`), "3 4 5")
		want("exclude", w.listed(`{"archived":"exclude","cwd":"/tmp"}`), "3 4 5")
		want("only", w.listed(`{"archived":"only"}`), "1* 2*")
		want("include", w.listed(`{"archived":"include"}`), "1* 2* 3 more")
		want("another filter", w.listed(`{"archived":"_x"}`), "-32602")
		want("nothing is loaded", kinds(w.request("session/unarchive", idParam(first)))+" "+w.word(first), "result inactive")
		want("not archived", kinds(w.request("session/unarchive", idParam(first))), "result")
		want("the list", w.listed(`{}`), "1 3 4 more")
		for _, method := range []string{"session/archive", "session/unarchive"} {
			want(method, kinds(w.request(method, idParam("sess_none"))), "error -32002")
			want(method, kinds(w.request(method, `{}`)), "error -32602")
		}
		w.close()
		again := watchIn(version, t, Config{Variants: []string{"archives"}, Store: w.agent.cfg.Store, Salt: "b"})
		again.hello()
		want("after a restart", again.listed(`{"archived":"only"}`), "2*")
		want("after a restart", kinds2(again.load(first)), map[int]string{1: "user_message_chunk, agent_message_chunk, result",
			2: "user_message_chunk, agent_message_chunk, idle, result"}[version])
	}
}

func TestStatusUnarchives(t *testing.T) {
	for _, version := range []int{1, 2} {
		for fault, want := range map[string]string{"": "1*", "status-unarchives": ""} {
			cfg := Config{Variants: []string{"archives"}}
			if fault != "" {
				cfg = Config{Faults: []string{fault}}
			}
			w := watchIn(version, t, cfg)
			w.hello()
			id := w.newIn("/tmp")
			w.request("session/archive", idParam(id))
			w.status(id)
			if got := w.listed(`{"archived":"only"}`); got != want {
				t.Errorf("version %d, %q: %s, want %s", version, fault, got, want)
			}
		}
	}
}

func TestWithoutArchive(t *testing.T) {
	p := connect(t, Config{Variants: []string{"archives"}, Without: []string{archiveCapability}})
	id := p.open(everything)
	if caps := fmt.Sprint(p.all); strings.Contains(caps, `"archive"`) {
		t.Errorf("it is advertised: %s", caps)
	}
	if got := kinds(p.request("session/archive", idParam(id))); got != "error -32601" {
		t.Error(got)
	}
	if got := p.listed(`{"archived":"_x"}`); got != "1?" {
		t.Error(got)
	}
}
