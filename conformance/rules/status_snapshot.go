package rules

import (
	"encoding/json"
	"reflect"
	"slices"

	"github.com/acp-conform/acp-conform/conformance/client"
	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/wire"
)

// What an answer to session/status says of the foreground is the snapshot that the agent last sent as state_update. The two may cross
// on their way: it may equal the last update before the question, one that came before the answer, or the first one behind it.

var statusStateEqualsLast = rule.Rule{
	ID:    "status.state.v2-equals-last-update",
	Title: "the state in an answer to session/status is the one that was last reported",
	Level: rule.Should, Basis: rule.Stated, Stability: rule.Unstable, Versions: v2,
	Ref:      statusPage("foreground-state-v2"),
	Advice:   "Keep the snapshot that you send as state_update and answer with it, its stopReason included.",
	Occasion: rule.AgentsChoice,
	Watch: watchSnapshots("the state in an answer to session/status is another one than was reported", func(said, told json.RawMessage) (applies, same bool) {
		reason := wire.Member(said, "stopReason")
		same = string(wire.Member(said, "state")) == string(wire.Member(told, "state")) &&
			(absent(reason) || string(reason) == string(wire.Member(told, "stopReason")))
		return true, same
	}),
}

var statusStateBackground = rule.Rule{
	ID:    "status.state.v2-background",
	Title: "the state in an answer to session/status has the background work that was last reported",
	Level: rule.Should, Basis: rule.Stated, Stability: rule.Unstable, Versions: v2,
	Ref:      statusPage("foreground-state-v2"),
	Advice:   "Once you have reported background work, put the list of it into every snapshot of the session.",
	Occasion: rule.AgentsChoice,
	Watch: watchSnapshots("the state in an answer to session/status has not the background work that was reported", func(said, told json.RawMessage) (applies, same bool) {
		work := wire.Member(told, "background")
		return !absent(work), sameItems(work, wire.Member(said, "background"))
	}),
}

var statusStateUsage = rule.Rule{
	ID:    "status.state.v2-no-usage-recount",
	Title: "the state in an answer to session/status reports no usage that was not reported before",
	Level: rule.Should, Basis: rule.Stated, Stability: rule.Unstable, Versions: v2,
	Ref:      statusPage("foreground-state-v2"),
	Advice:   "Repeat the usage of the last idle state as it was, or leave it out: clients add up what they are told.",
	Occasion: rule.AgentsChoice,
	Watch:    func() rule.Watcher { return &usages{idle: map[string]json.RawMessage{}} },
}

func absent(raw json.RawMessage) bool { return raw == nil || string(raw) == "null" }

// sameItems tells whether two lists have the same items, in whatever order.
func sameItems(a, b json.RawMessage) bool {
	var x, y []any
	if json.Unmarshal(a, &x) != nil || json.Unmarshal(b, &y) != nil || len(x) != len(y) {
		return false
	}
	for _, item := range x {
		found := false
		for i, other := range y {
			if reflect.DeepEqual(item, other) {
				y, found = append(y[:i], y[i+1:]...), true
				break
			}
		}
		if !found {
			return false
		}
	}
	return true
}

// reported is a state_update.
type reported struct {
	state json.RawMessage
	frame wire.Frame
}

// snapshot is an answer to session/status, from the question on.
type snapshot struct {
	session string
	told    []reported // what it may equal
	state   json.RawMessage
	cite    []wire.Frame
	settled bool // the agent went on behind the answer, so that an update that belongs to it would have come
}

// snapshots compares the answers of a connection with its state updates.
type snapshots struct {
	why  string
	same func(said, told json.RawMessage) (applies, same bool)
	last map[string]reported
	open map[string]*snapshot // by the id of the request
	late []*snapshot          // answered, and only the next update can explain the answer
}

func watchSnapshots(why string, same func(said, told json.RawMessage) (applies, same bool)) func() rule.Watcher {
	return func() rule.Watcher {
		return &snapshots{why: why, same: same, last: map[string]reported{}, open: map[string]*snapshot{}}
	}
}

func (w *snapshots) See(l *rule.Log, r *rule.Reading) {
	if r.Mine() {
		for _, s := range w.late {
			s.settled = true
		}
	}
	switch {
	case r.From == wire.Client && r.Kind == wire.Request && r.Method == "session/status":
		if issuedHere(r.Conversation, r.Session) && len(w.open) < keptAsked {
			s := &snapshot{session: r.Session}
			if last, ok := w.last[r.Session]; ok {
				s.told = append(s.told, last)
			}
			w.open[r.Key()] = s
		}
	case r.From == wire.Client && r.Kind == wire.Request && slices.Contains(lifecycle, r.Method):
		delete(w.last, r.Session)
	case r.IsUpdate() && r.Update == "state_update":
		w.report(l, r)
	case r.Mine() && r.Kind == wire.Response && w.open[r.Key()] != nil:
		s := w.open[r.Key()]
		delete(w.open, r.Key())
		w.answered(l, r, s)
	}
}

const keptAsked = 5000

// lifecycle are the requests that set the state of a session anew.
var lifecycle = []string{"session/load", "session/resume", "session/close", "session/delete", "session/archive"}

// report takes a state update: it may explain the answers that are on their way, and is the last chance of those that came.
func (w *snapshots) report(l *rule.Log, r *rule.Reading) {
	now := reported{r.Body, r.Frame}
	w.last[r.Session] = now
	for _, s := range w.open {
		if s.session == r.Session {
			s.told = append(s.told, now)
		}
	}
	var wait []*snapshot
	for _, s := range w.late {
		if s.session != r.Session {
			wait = append(wait, s)
			continue
		}
		s.told = append(s.told, now)
		if !w.explained(l, s) {
			w.broken(l, s)
		}
	}
	w.late = wait
}

func (w *snapshots) answered(l *rule.Log, r *rule.Reading, s *snapshot) {
	state, ok := snapshotOf(r)
	if tag, tagged := text(wire.Member(state, "state")); !isStatus(r) || standingOf(r) != client.Active || !ok || !tagged || tag == "" || len(s.told) == 0 {
		return
	}
	s.state, s.cite = state, r.Cite()
	if !w.explained(l, s) {
		w.late = append(w.late, s)
	}
}

// explained tells whether the answer equals an update, or there is nothing to compare.
func (w *snapshots) explained(l *rule.Log, s *snapshot) bool {
	applies := false
	for _, told := range s.told {
		a, same := w.same(s.state, told.state)
		applies = applies || a
		if a && same {
			l.Occasion()
			return true
		}
		if !a {
			return true
		}
	}
	return !applies
}

func (w *snapshots) broken(l *rule.Log, s *snapshot) {
	l.Occasion()
	last := s.told[len(s.told)-1]
	l.Broken(rule.Finding{Why: w.why, Expected: s.told[0].state, Found: s.state, Cite: append(s.cite, s.told[0].frame, last.frame)})
}

func (w *snapshots) End(l *rule.Log, _ *rule.Conversation) {
	for _, s := range w.late {
		if s.settled {
			w.broken(l, s)
		}
	}
}

// usages compares the usage in snapshots with that of the last idle state.
type usages struct{ idle map[string]json.RawMessage }

func (w *usages) See(l *rule.Log, r *rule.Reading) {
	if tag, _ := text(wire.Member(r.Body, "state")); r.IsUpdate() && r.Update == "state_update" && tag == "idle" {
		w.idle[r.Session] = wire.Member(r.Body, "usage")
	}
	state, ok := snapshotOf(r)
	if !isStatus(r) || !ok {
		return
	}
	l.Occasion()
	usage := wire.Member(state, "usage")
	if known := w.idle[r.Session]; !absent(usage) && issuedHere(r.Conversation, r.Session) && !sameJSON(usage, known) {
		l.Broken(rule.Finding{Why: "the state in an answer to session/status reports a usage that was not reported when the session became idle",
			Expected: known, Found: usage, Cite: r.Cite()})
	}
}

func (*usages) End(*rule.Log, *rule.Conversation) {}
