package fakeagent

import (
	"strings"
	"testing"
	"time"
)

// Two processes with one store see what the other one does.
func TestStatusOfASharedStore(t *testing.T) {
	cfg := Config{Store: t.TempDir(), Salt: "one"}
	one := connect(t, cfg)
	cfg.Salt = "two"
	two := connect(t, cfg)
	id := one.open(everything)
	two.request("initialize", everything)
	if one.word(id) != "active" || two.word(id) != "inactive" {
		t.Errorf("one says %s, two says %s", one.word(id), two.word(id))
	}
	one.prompt(id, "/say from one")
	one.request("session/close", idParam(id))
	if got := kinds(two.request("session/load", reopenParams(id))); got != "user_message_chunk, agent_message_chunk, result" {
		t.Errorf("two loads what one said: %s", got)
	}
	two.prompt(id, "/say from two")
	if got := kinds(one.request("session/load", reopenParams(id))); strings.Count(got, "agent_message_chunk") != 2 {
		t.Errorf("one loads what two said: %s", got)
	}
	one.request("session/close", idParam(id))
	two.request("session/delete", idParam(id))
	if got := one.word(id); got != "-32002" {
		t.Errorf("one says %s of what two deleted", got)
	}
	if result, _ := one.call("session/list", `{}`); len(result["sessions"].([]any)) != 0 {
		t.Errorf("one lists %v", result)
	}
}

func TestEvictAfter(t *testing.T) {
	w := watch(t, Config{Store: t.TempDir(), EvictAfter: time.Hour})
	now := time.Unix(0, 0)
	w.agent.clock = func() time.Time { return now }
	id := w.open(everything)
	now = now.Add(50 * time.Minute)
	w.prompt(id, "hello")
	for range 4 {
		now = now.Add(15 * time.Minute)
		if got := w.word(id); got != "active" {
			t.Fatalf("after %v: %s", now, got)
		}
	}
	now = now.Add(time.Minute)
	if got := w.word(id); got != "inactive" {
		t.Errorf("nobody has used it for an hour: %s", got)
	}
	w.request("session/resume", reopenParams(id))
	w.prompt(id, "/wait")
	now = now.Add(2 * time.Hour)
	if got := w.word(id); got != "active" {
		t.Errorf("a turn runs: %s", got)
	}
	w.notify("session/cancel", idParam(id))
	if got := w.word(id); got != "active" {
		t.Errorf("a turn has just ended: %s", got)
	}
}
