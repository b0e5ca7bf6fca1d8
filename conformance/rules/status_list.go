package rules

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/acp-conform/acp-conform/conformance/client"
	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/wire"
)

// listGap lies between two lists: a time that is written in whole seconds has changed by then, if it changes.
const listGap = 1100 * time.Millisecond

// listing is session/list, as far as it may be compared: our rows without what may differ each time.
type listing struct {
	rows  map[string]map[string]json.RawMessage
	order []string
	frame []wire.Frame
}

// lookUp reads the list. own tells which rows are ours.
func lookUp(c *rule.Case, cl *client.Client, own func(id string) bool) listing {
	rows, a, ok := cl.List()
	c.Require(ok, "session/list: %s", a)
	l := listing{rows: map[string]map[string]json.RawMessage{}, frame: a.Frames()}
	for _, r := range rows {
		if !own(r.ID) {
			continue
		}
		var members map[string]json.RawMessage
		_ = json.Unmarshal(r.Raw, &members)
		delete(members, "_meta")
		l.rows[r.ID], l.order = members, append(l.order, r.ID)
	}
	return l
}

// since tells what has changed: sessions that came and went, members that differ, as "id: member", and whether the order did.
func (l listing) since(before listing) (came, went, members []string, order bool) {
	for _, id := range l.order {
		old, ok := before.rows[id]
		if !ok {
			came = append(came, id)
			continue
		}
		for _, name := range slices.Concat(keysOf(old), keysOf(l.rows[id])) {
			if change := name + " of " + id; !sameJSON(old[name], l.rows[id][name]) && !slices.Contains(members, change) {
				members = append(members, change)
			}
		}
	}
	for _, id := range before.order {
		if _, ok := l.rows[id]; !ok {
			went = append(went, id)
		}
	}
	return came, went, members, len(came)+len(went) == 0 && !slices.Equal(l.order, before.order)
}

func keysOf(m map[string]json.RawMessage) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// sameJSON compares values whatever the order of their members; null and absent are the same.
func sameJSON(a, b json.RawMessage) bool {
	plain := func(raw json.RawMessage) []byte {
		var v any
		_ = json.Unmarshal(raw, &v)
		out, _ := json.Marshal(v)
		return out
	}
	return bytes.Equal(plain(a), plain(b))
}

// lists is oracle O2: session/list is the same before and after the questions. One half is about sessions that come, the other
// about what is said of those that are there.
type lists struct{ created, changed oracle }

func listOracle(c *rule.Case) lists {
	made, reason := c.Env.Fixture("status-list", func(c *rule.Case) any {
		first := listOnce(c, 0)
		if first.created.unusable == "" && (first.created.shown || first.changed.shown) {
			again := listOnce(c, first.changed.lasted+first.changed.lasted/4)
			first.created.shown = first.created.shown && again.created.shown
			if first.changed.shown && !again.changed.shown {
				first.changed = again.changed
			}
		}
		return first
	})
	if reason != "" {
		o := oracle{name: "O2 list", unusable: reason}
		return lists{o, o}
	}
	return made.(lists)
}

// listOnce looks at the lists of two agents, of which only the second is asked: what changes in the first as well, after as many
// requests and as much time, changes by itself.
func listOnce(c *rule.Case, pace time.Duration) lists {
	sh := onShelf(c)
	if !sh.own {
		o := oracle{name: "O2 list", unusable: "other programs may use the agent's store as well: --home temp gives it one of its own"}
		return lists{o, o}
	}
	without := watchLists(c, sh, false, pace)
	if len(without.control.order) == 0 {
		o := oracle{name: "O2 list", unusable: "the sessions are not listed"}
		return lists{o, o}
	}
	return judgeLists(without, watchLists(c, sh, true, pace))
}

// listsSeen are the lists of one agent: at first, after a time without questions, and after as long a time with or without them.
type listsSeen struct {
	before, control, after listing
	names                  map[string]string // of the sessions, so that those of two agents can be compared
	strangers              []string
	lasted                 time.Duration // the questions
}

func watchLists(c *rule.Case, sh *shelf, asking bool, pace time.Duration) listsSeen {
	v := sh.open(c, windows)
	defer c.End(v.Client)
	active := c.NewSessionOn(v.Client)
	keep(c, active)
	w := listsSeen{names: map[string]string{active.ID: "the active session"}, strangers: []string{c.UnknownID(), mutant(c, active.ID)}}
	ids := []string{active.ID}
	for i, s := range v.sessions {
		w.names[s.ID], ids = fmt.Sprintf("inactive session %d", i+1), append(ids, s.ID)
	}
	own := func(id string) bool { return w.names[id] != "" || slices.Contains(w.strangers, id) }
	each := slices.Concat(ids, w.strangers)
	w.before = v.settledList(c, own)
	v.othersFor(len(each)*probes(c)/windows, pace)
	v.Wait(listGap)
	w.control = lookUp(c, v.Client, own)
	began := time.Now()
	for _, id := range each {
		if asking {
			v.questions(c, v.Adopt(id, v.Dir), probes(c)/windows)
		}
	}
	if !asking {
		v.othersFor(len(each)*probes(c)/windows, pace)
	}
	w.lasted = time.Since(began)
	v.Wait(listGap)
	w.after = lookUp(c, v.Client, own)
	return w
}

// drift are the members that changed between two lists, by the names of their sessions.
func (w listsSeen) drift(before, after listing) (members []string) {
	_, _, changed, _ := after.since(before)
	for _, m := range changed {
		name, id, _ := strings.Cut(m, " of ")
		members = append(members, name+" of "+w.names[id])
	}
	return members
}

// settledList waits until two lists are equal: an agent may be late with what it lists.
func (v shelved) settledList(c *rule.Case, own func(string) bool) listing {
	last := lookUp(c, v.Client, own)
	for range 5 {
		v.Window()
		next := lookUp(c, v.Client, own)
		came, went, members, order := next.since(last)
		last = next
		if len(came)+len(went)+len(members) == 0 && !order {
			break
		}
	}
	return last
}

// judgeLists compares what changed with questions with what changed without them.
func judgeLists(without, with listsSeen) lists {
	drift := slices.Concat(without.drift(without.before, without.control), without.drift(without.control, without.after), with.drift(with.before, with.control))
	_, lost1, _, moved1 := without.after.since(without.control)
	_, lost2, _, moved2 := with.control.since(with.before)
	came, went, _, order := with.after.since(with.control)
	o := oracle{name: "O2 list", lasted: with.lasted, control: fmt.Sprintf("as much time without questions changed %d members of the %d rows", len(drift), len(with.control.order))}
	created, changed := o, o
	came = slices.DeleteFunc(came, func(id string) bool { return !slices.Contains(with.strangers, id) })
	if len(came) > 0 {
		created.shown = true
		created.finding = rule.Finding{Why: "a session that did not exist is listed since its status was asked for", Expected: "no such session", Found: came[0], Cite: with.after.frame}
	}
	members := slices.DeleteFunc(with.drift(with.control, with.after), func(m string) bool { return slices.Contains(drift, m) })
	cite := append(slices.Clone(with.control.frame), with.after.frame...)
	switch {
	case len(members) > 0:
		changed.shown = true
		changed.finding = rule.Finding{Why: "session/list says something else of a session since its status was asked for", Expected: "the same row", Found: members, Cite: cite}
	case len(went) > 0 && len(lost1)+len(lost2) == 0:
		changed.shown = true
		changed.finding = rule.Finding{Why: "a session is not listed any more since its status was asked for", Expected: "the same rows", Found: went, Cite: cite}
	case order && !moved1 && !moved2:
		changed.shown, changed.softly = true, true
		changed.finding = rule.Finding{Why: "session/list has another order since the status of its sessions was asked for", Expected: with.control.order, Found: with.after.order, Cite: cite}
	}
	return lists{created, changed}
}
