package rules

import (
	"encoding/json"
	"maps"
	"slices"

	. "github.com/onsi/gomega"

	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/wire"
)

// sessionSetup is the part about new sessions of https://agentclientprotocol.com/protocol/v1/session-setup.
func sessionSetup() []rule.Rule {
	return []rule.Rule{
		sessionNewSessionIDPresent,
		sessionNewUniqueID,
		sessionNewParamsRequired,
		sessionNewCwdAbsolute,
		sessionNewCwdUsed,
		sessionNewModesShape,
		sessionNewConfigOptionsShape,
	}
}

var sessionNewSessionIDPresent = rule.Rule{
	ID:    "session-new.session-id-present",
	Title: "a new session has an id",
	Level: rule.Must, Basis: rule.Implied, Versions: v1,
	Ref:      rule.Ref{Page: "session-setup", Anchor: "creating-a-session"},
	Advice:   "Answer session/new with a sessionId that is a string and not empty: the client names the session by it from then on.",
	Occasion: rule.Always,
	Watch: rule.EachFrame(func(l *rule.Log, r *rule.Reading) {
		if !r.IsResult("session/new") {
			return
		}
		id, ok := text(wire.Member(r.Result, "sessionId"))
		if !ok {
			return // the schema's business
		}
		l.Occasion()
		if id == "" {
			l.Broken(rule.Finding{Why: "the id of a new session is empty", Expected: "a string that is not empty", Found: id, Cite: r.Cite()})
		}
	}),
}

var sessionNewUniqueID = rule.Rule{
	ID:    "session-new.unique-id",
	Title: "every session has an id of its own",
	Level: rule.Must, Basis: rule.Stated, Versions: v1,
	Ref:    rule.Ref{Page: "session-setup", Anchor: "session-id"},
	Advice: "Make session ids that no other session has, also not one of another process or an earlier run: UUIDs are.",
	Mild:   "no session can be opened again here, so that the ids of two processes never meet",
	Needs:  rule.Needs{Session: true},
	Act: func(c *rule.Case) {
		given := map[string]wire.Frame{} // the answers by the ids in them
		for range 5 {
			s := c.NewSession()
			c.Expect(s.Answer.Is(s.ID), given[s.ID]).NotTo(BeElementOf(slices.Sorted(maps.Keys(given))), "two sessions of one process have the same id")
			given[s.ID] = s.Answer.Frame
		}
		// The lines of the other process are numbered on their own and cannot be shown beside these.
		s := c.NewSessionOn(c.Connect())
		// Where no session can be opened again, the ids of two processes never meet.
		meets := false
		for _, path := range []string{"loadSession", "sessionCapabilities.list", "sessionCapabilities.resume"} {
			_, ok := c.Env.Facts.Init.Capability(path)
			meets = meets || ok
		}
		c.ExpectIf(meets, s.Answer.Is(s.ID)).NotTo(BeElementOf(slices.Sorted(maps.Keys(given))), "sessions of two processes have the same id")
	},
}

// sessionNewState tells whether the frame sets a session up and has this member, and gives its value. Null counts as absent.
func sessionNewState(r *rule.Reading, name string) (json.RawMessage, bool) {
	for _, method := range []string{"session/new", "session/load", "session/resume", "session/fork"} {
		if r.IsResult(method) {
			raw := wire.Member(r.Result, name)
			return raw, raw != nil && string(raw) != "null"
		}
	}
	return nil, false
}

// sessionNewShape reports what the schema says of the member. What readers repair by dropping it warns.
func sessionNewShape(l *rule.Log, r *rule.Reading, id string) {
	l.Occasion()
	for _, f := range owned(r, id) {
		l.BrokenIf(f.Tolerated == "", finding(r, f))
	}
}

// sessionNewTwice gives the first id that stands more than once, and all ids.
func sessionNewTwice(list []json.RawMessage, key string) (twice string, ids map[string]bool) {
	ids = map[string]bool{}
	for _, item := range list {
		id, ok := text(wire.Member(item, key))
		if ok && ids[id] && twice == "" {
			twice = id
		}
		if ok {
			ids[id] = true
		}
	}
	return twice, ids
}

var sessionNewModesShape = rule.Rule{
	ID:    "session-new.modes-shape",
	Title: "the modes of a session are well formed, have ids of their own, and the current one is among them",
	Level: rule.Must, Basis: rule.Stated, Versions: v1,
	Ref:      rule.Ref{Page: "session-modes", Anchor: "initial-state"},
	Advice:   "List each mode once under availableModes, with id and name, and name one of them as currentModeId; leave modes out if there are none.",
	Mild:     "a client can go on with what is left of the modes",
	Occasion: rule.AgentsChoice,
	Watch: rule.EachFrame(func(l *rule.Log, r *rule.Reading) {
		modes, ok := sessionNewState(r, "modes")
		if !ok {
			return
		}
		sessionNewShape(l, r, "session-new.modes-shape")
		list := initElements(wire.Member(modes, "availableModes"))
		twice, ids := sessionNewTwice(list, "id")
		if twice != "" {
			l.Broken(rule.Finding{Why: "two modes of a session have the same id", Expected: "ids that differ", Found: twice, Cite: r.Cite()})
		}
		if current, ok := text(wire.Member(modes, "currentModeId")); ok && list != nil && !ids[current] {
			l.Soft(rule.Finding{Why: "the current mode of a session is not among its available modes", Expected: "the id of an available mode",
				Found: current, Cite: r.Cite()})
		}
	}),
}

var sessionNewConfigOptionsShape = rule.Rule{
	ID:    "session-new.config-options-shape",
	Title: "the configuration options of a session are well formed, have ids of their own, and their current values are among their values",
	Level: rule.Must, Basis: rule.Stated, Versions: v1,
	Ref:      rule.Ref{Page: "session-config-options", Anchor: "initial-state"},
	Advice:   "Give each option id, name, type and currentValue, a select also its options, and let the current value be one of them.",
	Mild:     "a client can go on with what is left of the options",
	Occasion: rule.AgentsChoice,
	Watch: rule.EachFrame(func(l *rule.Log, r *rule.Reading) {
		raw, ok := sessionNewState(r, "configOptions")
		if !ok {
			return
		}
		sessionNewShape(l, r, "session-new.config-options-shape")
		options := initElements(raw)
		if twice, _ := sessionNewTwice(options, "id"); twice != "" {
			l.Broken(rule.Finding{Why: "two configuration options of a session have the same id", Expected: "ids that differ", Found: twice, Cite: r.Cite()})
		}
		for _, o := range options {
			sessionNewSelect(l, r, o)
		}
	}),
}

// sessionNewSelect judges that the current value of a select is one of its values, in groups or not.
func sessionNewSelect(l *rule.Log, r *rule.Reading, option json.RawMessage) {
	kind, _ := text(wire.Member(option, "type"))
	current, ok := text(wire.Member(option, "currentValue"))
	list := wire.Member(option, "options")
	if kind != "select" || !ok || len(list) == 0 || list[0] != '[' {
		return
	}
	for _, item := range initElements(list) {
		for _, value := range append(initElements(wire.Member(item, "options")), item) {
			if v, ok := text(wire.Member(value, "value")); ok && v == current {
				return
			}
		}
	}
	id, _ := text(wire.Member(option, "id"))
	l.Soft(rule.Finding{Why: "the current value of the configuration option " + id + " is not among its values", Expected: "one of its values",
		Found: current, Cite: r.Cite()})
}
