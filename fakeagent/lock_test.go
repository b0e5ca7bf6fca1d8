package fakeagent

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

func TestLocks(t *testing.T) {
	for _, version := range []int{1, 2} {
		cfg := Config{Variants: []string{"locks-sessions"}, Store: t.TempDir(), Salt: "a"}
		one := watchIn(version, t, cfg)
		cfg.Salt = "b"
		two := watchIn(version, t, cfg)
		one.hello()
		two.hello()
		id := one.newIn("/tmp")
		one.prompt(id, "hello")
		want := func(what string, w *watched, lines []string, want string) {
			t.Helper()
			if got := kinds2(lines); got != want {
				t.Errorf("version %d, %s: %s, want %s", version, what, got, want)
			}
		}
		locks := func(n int) {
			t.Helper()
			if found, _ := filepath.Glob(filepath.Join(cfg.Store, "*.lock")); len(found) != n {
				t.Errorf("version %d: %d locks, want %d", version, len(found), n)
			}
		}
		locks(1)
		if one.word(id) != "active" || two.word(id) != "inactive" {
			t.Errorf("version %d: one says %s, two says %s", version, one.word(id), two.word(id))
		}
		want("load", two, two.load(id), "error -32603")
		want("resume", two, two.request("session/resume", reopenParams(id)), "error -32603")
		want("the owner", one, one.request("session/resume", reopenParams(id)), map[int]string{1: "result", 2: "idle:end_turn, result"}[version])
		one.prompt(id, "/say still here")
		one.request("session/close", idParam(id))
		locks(0)
		want("after a close", two, two.request("session/resume", reopenParams(id)), map[int]string{1: "result", 2: "idle, result"}[version])
		want("the other way round", one, one.request("session/resume", reopenParams(id)), "error -32603")
		two.prompt(id, "/evict")
		want("after an eviction", one, one.request("session/resume", reopenParams(id)), map[int]string{1: "result", 2: "idle, result"}[version])
		one.close()
		locks(0)
		want("after the end of its owner", two, two.request("session/resume", reopenParams(id)), map[int]string{1: "result", 2: "idle, result"}[version])
		want("it is locked again", two, two.request("session/delete", idParam(id)), "result")
		locks(0)
	}
}

// A process that was killed holds nothing.
func TestLockOfTheDead(t *testing.T) {
	cfg := Config{Variants: []string{"locks-sessions"}, Store: t.TempDir()}
	first := connect(t, cfg)
	id := first.open(everything)
	first.close()
	const pid = 1<<22 + 1 // more than Linux gives out
	file := filepath.Join(cfg.Store, id+".lock")
	if err := os.WriteFile(file, fmt.Appendf(nil, "%d 0x1", pid), 0o600); err != nil {
		t.Fatal(err)
	}
	second := connect(t, cfg)
	second.request("initialize", everything)
	if got := kinds(second.request("session/resume", reopenParams(id))); got != "result" {
		t.Error(got)
	}
}

func TestStatusStealsLock(t *testing.T) {
	for _, version := range []int{1, 2} {
		cfg := Config{Faults: []string{"status-steals-lock"}, Store: t.TempDir(), Salt: "a"}
		one := watchIn(version, t, cfg)
		cfg.Salt = "b"
		two := watchIn(version, t, cfg)
		one.hello()
		two.hello()
		id := one.newIn("/tmp")
		one.prompt(id, "hello")
		if got := two.word(id); got != "inactive" {
			t.Errorf("version %d: %s", version, got)
		}
		if got := kinds(one.prompt(id, "hello")); got != "error -32603" {
			t.Errorf("version %d: the owner's next turn ends with %s", version, got)
		}
	}
}
