package fakeagent

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// takeThrough takes a session through steps and says what the agent said last: to session/status, or to a prompt, a load or a resume.
func takeThrough(version int, t *testing.T, cfg Config, steps string) (said string) {
	t.Helper()
	cfg.Store = t.TempDir()
	start := func() *watched {
		w := watchIn(version, t, cfg)
		w.hello()
		return w
	}
	w := start()
	id, other := "sess_0001", "sess_0002"
	var asked []string
	for step := range strings.FieldsSeq(steps) {
		switch step {
		case "new":
			id = w.newIn("/tmp")
		case "other":
			other = w.newIn("/tmp")
		case "prompt":
			said = kinds(w.prompt(id, "hello"))
			said = said[strings.LastIndex(said, " ")+1:]
		case "wait":
			w.prompt(id, "/wait")
		case "cancel":
			w.notify("session/cancel", idParam(id))
		case "ask":
			asked = w.prompt(id, "/permission")
		case "allow":
			w.answer(asked, "result", `{"outcome":{"outcome":"selected","optionId":"allow"}}`)
		case "load":
			said = kinds(w.load(id))
		case "bad-load":
			w.request(map[int]string{1: "session/load", 2: "session/resume"}[version], fmt.Sprintf(`{"sessionId":%q,"cwd":"a","mcpServers":[]}`, id))
		case "resume":
			said = kinds(w.request("session/resume", reopenParams(id)))
		case "close", "delete":
			w.request("session/"+step, idParam(id))
		case "list":
			w.request("session/list", `{}`)
		case "evict":
			w.prompt(id, "/evict")
		case "evict-other":
			w.prompt(id, "/evict "+other)
		case "restart":
			w.close()
			w = start()
		case "status":
			said = w.word(id)
		case "status-other":
			said = w.word(other)
		default:
			t.Fatalf("there is no step %q", step)
		}
	}
	return said
}

// lives are sequences that show the faults of the life of a session.
var lives = map[string]struct{ steps, right, wrong string }{
	"close-without-effect":              {"new close status", "inactive", "active"},
	"close-in-turn-without-effect":      {"new wait close status", "inactive", "active"},
	"close-after-reopen-without-effect": {"new close resume close status", "inactive", "active"},
	"close-after-cancel-loses":          {"new wait cancel close status resume", "result", "error -32002"},
	"second-close-activates":            {"new close close status", "inactive", "active"},
	"second-resume-deactivates":         {"new resume status", "active", "inactive"},
	"resume-without-effect":             {"new close resume status", "active", "inactive"},
	"resume-revives-deleted":            {"new delete resume", "error -32002", "result"},
	"inactive-not-resumable":            {"new close resume", "result", "error -32002"},
	"prompt-after-cancel-unknown":       {"new wait cancel prompt", "end_turn", "-32002"},
	"prompt-after-reopen-unknown":       {"new close resume prompt", "end_turn", "-32002"},
	"status-unknown-after-reopen":       {"new close resume status", "active", "-32002"},
	"status-stale-cache":                {"new status close status", "inactive", "active"},
	"status-misses-close":               {"new close status", "inactive", "active"},
	"status-misses-eviction":            {"new evict status", "inactive", "active"},
	"status-misses-load":                {"new close load status", "active", "inactive"},
	"status-misses-resume":              {"new close resume status", "active", "inactive"},
	"status-misses-delete":              {"new delete status", "-32002", "active"},
	// Those that follow need a step of their own, or do what some honest agent may do, too.
	"delete-closes-others":     {"other new delete status-other", "active", "inactive"},
	"restart-activates-closed": {"new close restart status", "inactive", "active"},
	"failed-load-activates":    {"new close bad-load status", "inactive", "active"},
	"list-loads":               {"new close list status", "inactive", "active"},
}

func TestLifecycleFaults(t *testing.T) {
	names := LifecycleFaults()
	if len(names) < 10 {
		t.Errorf("only %d", len(names))
	}
	for _, name := range names {
		if _, ok := lives[name]; !ok {
			t.Errorf("there is no sequence for %s", name)
		}
	}
	for name, life := range lives {
		t.Run(name, func(t *testing.T) {
			all := statusFaults()
			f := all[slices.IndexFunc(all, func(f Fault) bool { return f.Name == name })]
			if n := len(strings.Fields(life.steps)); n > 6 {
				t.Errorf("%d steps", n)
			}
			for _, version := range f.Protocols {
				for words, cfg := range map[string]Config{life.right: {}, life.wrong: {Faults: []string{name}}} {
					got := takeThrough(version, t, cfg, life.steps)
					if got = inWords(got); got != words {
						t.Errorf("version %d, %v: %s, want %s", version, cfg.Faults, got, words)
					}
				}
			}
		})
	}
}

// inWords leaves only the end, and names that of a turn as version 1 does.
func inWords(said string) string {
	said = said[strings.LastIndex(said, ",")+1:]
	if said == "state_update" {
		return "end_turn"
	}
	return strings.TrimSpace(said)
}

func TestEvictDirective(t *testing.T) {
	for _, version := range []int{1, 2} {
		for steps, want := range map[string]string{
			"new evict status":                   "inactive",
			"new evict prompt":                   "-32002",
			"new evict resume status":            "active",
			"other new evict-other status-other": "inactive",
			"other new evict-other status":       "active",
			"new ask status":                     "active",
			"new ask allow status":               "active",
			"new restart status":                 "inactive",
			"new evict-other status":             "active",
		} {
			if got := takeThrough(version, t, Config{}, steps); got != want {
				t.Errorf("version %d, %s: %s, want %s", version, steps, got, want)
			}
		}
	}
}

// A session that evicts itself is in memory until its turn has ended.
func TestEvictsAfterTheTurn(t *testing.T) {
	for _, version := range []int{1, 2} {
		w := watchIn(version, t, Config{Store: t.TempDir()})
		w.hello()
		id := w.newIn("/tmp")
		w.prompt(id, "/evict\n/wait")
		if got := w.word(id); got != "active" {
			t.Errorf("version %d: %s", version, got)
		}
		w.notify("session/cancel", idParam(id))
		if got := w.word(id); got != "inactive" {
			t.Errorf("version %d: %s", version, got)
		}
	}
}

func TestAuthRequiredButStatus(t *testing.T) {
	for _, version := range []int{1, 2} {
		for _, fault := range []string{"", "status-starts-login"} {
			cfg := Config{Store: t.TempDir(), Salt: "a"}
			first := watchIn(version, t, cfg)
			first.hello()
			id := first.newIn("/tmp")
			first.close()
			cfg.Variants = []string{"auth-required-but-status"}
			if fault != "" {
				cfg.Faults = []string{fault}
			}
			w := watchIn(version, t, cfg)
			w.hello()
			for _, method := range []string{"session/new", "session/list", "session/resume", "session/prompt", "session/close"} {
				if got := kinds(w.request(method, reopenParams(id))); got != "error -32000" {
					t.Errorf("version %d, %s: %s", version, method, got)
				}
			}
			login := map[string]string{"": "", "status-starts-login": "elicitation/create, "}[fault]
			if got := kinds(w.status(id)); got != login+"result" {
				t.Errorf("version %d, %s: %s", version, fault, got)
			}
			if got := kinds(w.status("sess_none")); got != login+"error -32002" {
				t.Errorf("version %d, %s: %s", version, fault, got)
			}
		}
	}
}

// A client that shows no forms is asked in another way.
func TestStatusStartsLogin(t *testing.T) {
	p := connect(t, Config{Faults: []string{"status-starts-login"}})
	id := p.open(`{"protocolVersion":1}`)
	if got := kinds(p.status(id)); got != "_vendor/login, result" {
		t.Error(got)
	}
}
