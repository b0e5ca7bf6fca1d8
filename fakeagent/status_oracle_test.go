package fakeagent

import (
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"
)

// noticedBy says which of the ways to notice that a question changed something notice a fault. Each compares what the agent
// does with and without questions, in processes of their own over copies of one store:
//
//	quiet     nothing but the answer is written
//	list      session/list is the same
//	stable    the answer stays the same
//	gate      a prompt without a resume is answered as before
//	servers   no MCP server is started
//	turn      a turn goes on as it would have
//	history   session/load, or session/resume with replayFrom, replays the same
//	options   session/resume reports the same modes and options
//	agrees    a session that is called active takes prompts
//	process   a turn goes on as it would have in the process that has the session in memory, when another one is asked
func noticedBy(version int, t *testing.T, fault string) string {
	t.Helper()
	n := &noticer{t: t, version: version, seen: map[string]bool{}}
	if fault != "" {
		n.cfg.Faults = []string{fault}
	}
	n.stored()
	n.turn()
	n.agrees()
	n.process()
	var names []string
	for name := range n.seen {
		names = append(names, name)
	}
	sort.Strings(names)
	return strings.Join(names, " ")
}

type noticer struct {
	t       *testing.T
	version int
	cfg     Config
	made    int
	seen    map[string]bool
}

func (n *noticer) differs(name string, with, without any) {
	if fmt.Sprint(with) != fmt.Sprint(without) {
		n.seen[name] = true
	}
}

// start is a process over a copy of a store.
func (n *noticer) start(store string) *watched {
	cfg := n.cfg
	n.made++
	cfg.Salt, cfg.Store = fmt.Sprint(n.made), n.t.TempDir()
	if store != "" {
		if err := os.CopyFS(filepath.Join(cfg.Store, "copy"), os.DirFS(store)); err != nil {
			n.t.Fatal(err)
		}
		cfg.Store = filepath.Join(cfg.Store, "copy")
	}
	w := watchIn(n.version, n.t, cfg)
	w.hello()
	return w
}

func (n *noticer) stored() {
	first := n.start("")
	id := first.newWithServer()
	first.newIn("/tmp")
	first.setMode(id, "code")
	first.setModel(id, "large")
	first.prompt(id, "/say one")
	first.prompt(id, "/say two")
	first.close()
	store := first.agent.cfg.Store

	type view struct{ list, options, history, gate, servers string }
	look := func(ask func(w *watched)) (v view) {
		w := n.start(store)
		ask(w)
		list, _ := w.call("session/list", `{}`)
		v.list, v.servers = fmt.Sprint(list), w.startedServers()
		options := w.request("session/resume", fmt.Sprintf(`{"sessionId":%q,"cwd":"/tmp"}`, id))
		ask(w)
		again, _ := w.call("session/resume", fmt.Sprintf(`{"sessionId":%q,"cwd":"/tmp"}`, id))
		v.options = fmt.Sprint(object(options[len(options)-1])["result"], again)
		v.history = kinds(w.load(id))
		w = n.start(store)
		ask(w)
		v.gate = kinds(w.prompt(id, "hello"))
		return v
	}
	without := look(func(*watched) {})
	with := look(func(w *watched) { n.ask(w, id) })
	n.differs("list", with.list, without.list)
	n.differs("servers", with.servers, without.servers)
	n.differs("options", with.options, without.options)
	n.differs("history", with.history, without.history)
	n.differs("gate", with.gate, without.gate)
}

// ask asks about two sessions of the store and one that does not exist.
func (n *noticer) ask(w *watched, id string) {
	for _, id := range []string{id, strings.TrimSuffix(id, "1") + "2", "sess_none"} {
		before := len(w.all)
		word := w.word(id)
		for range 24 {
			n.differs("stable", w.word(id), word)
		}
		n.differs("quiet", len(w.all)-before, 25)
	}
}

func (n *noticer) turn() {
	play := func(ask func(w *watched, id string)) string {
		w := n.start("")
		id := w.newIn("/tmp")
		lines := w.prompt(id, "/permission\n/say more")
		seen := kinds(lines)
		ask(w, id)
		return seen + " " + kinds(w.answer(lines, "result", `{"outcome":{"outcome":"selected","optionId":"reject"}}`))
	}
	without := play(func(*watched, string) {})
	with := play(func(w *watched, id string) {
		for range 3 {
			n.differs("turn", strings.Contains(kinds(w.status(id)), "result"), true)
		}
	})
	n.differs("turn", with, without)
}

func (n *noticer) agrees() {
	w := n.start("")
	id := w.newIn("/tmp")
	for _, words := range []string{"hello", "/evict", "hello"} {
		before := w.word(id)
		answer := kinds(w.prompt(id, words))
		if before == "active" && answer == "error -32002" && w.word(id) == "active" {
			n.seen["agrees"] = true
		}
	}
}

func (n *noticer) process() {
	play := func(ask bool) string {
		one := n.start("")
		id := one.newIn("/tmp")
		one.prompt(id, "hello")
		cfg := one.agent.cfg
		cfg.Salt += "b"
		two := watchIn(n.version, n.t, cfg)
		two.hello()
		for range 3 {
			if ask {
				two.status(id)
			}
		}
		return kinds(one.prompt(id, "/say more"))
	}
	n.differs("process", play(true), play(false))
}

// noticed says by what each fault is noticed: alone, where there is a fault for each way.
var noticed = map[string]string{
	"":                               "",
	"status-announces-commands":      "quiet",
	"status-announces-info":          "quiet",
	"status-announces-usage":         "quiet",
	"status-asks-permission":         "quiet",
	"status-replays":                 "quiet",
	"status-touches-updated-at":      "list",
	"status-renames":                 "list",
	"status-reorders-list":           "list",
	"status-lists-unknown":           "list",
	"status-warms-up":                "stable",
	"status-opens-prompt-gate":       "gate",
	"status-starts-mcp":              "servers",
	"status-cancels-turn":            "turn",
	"status-answers-permission":      "turn",
	"status-blocks-behind-turn":      "turn",
	"status-swallows-update":         "turn",
	"status-appends-history":         "history",
	"status-trims-history":           "history",
	"status-resets-config":           "options",
	"status-resets-mode":             "options",
	"status-closes-but-says-active":  "agrees",
	"status-misses-eviction":         "agrees",
	"status-steals-lock":             "process",
	"status-loads":                   "gate servers stable",
	"status-loads-and-says-active":   "gate servers",
	"status-loads-but-says-inactive": "gate servers",
	"status-attaches":                "gate quiet",
}

// noticedInVersion2 are those for which there is no occasion in version 1.
var noticedInVersion2 = map[string]string{"status-emits-state-update": "quiet"}

func TestEachWayToNoticeHasAFault(t *testing.T) {
	check := func(version int, faults map[string]string) {
		for fault, want := range faults {
			t.Run(fmt.Sprint(fault, " in version ", version), func(t *testing.T) {
				if got := noticedBy(version, t, fault); got != want {
					t.Errorf("noticed by %q, want %q", got, want)
				}
			})
		}
	}
	check(1, noticed)
	check(2, noticed)
	check(2, noticedInVersion2)
}
