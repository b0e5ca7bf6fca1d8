package reference

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"

	"github.com/acp-conform/acp-conform/conformance/client"
)

// Behaviour is the client cut into small decisions. A fault or variant replaces one of them.
type Behaviour struct {
	Starts       func() bool // whether it starts the agent at all
	LeavesAtOnce func() bool // it ends after the handshake
	LeavesEarly  func() bool // it ends after the list
	ExitCode     func(code int) int
	Asks         func(marker json.RawMessage) bool              // whether session/status is supported
	Trusts       func(marker json.RawMessage, name string) bool // whether another capability counts
	Lists        func() bool
	Loads        func() bool
	OpensAtOnce  func() bool
	StartsAnew   func() bool                                        // it makes a session of its own where the user's cannot be had
	Probes       func(looks int) int                                // how often it asks when the user looks once; looks are those before
	OneByOne     func() bool                                        // it never has two requests for a status open
	Match        func(answers []client.Answer) []client.Answer      // which answer belongs to which request
	Crashes      func(a answer) bool                                // it cannot read an answer
	Counts       func(version int, a answer) (turns int, n float64) // what it adds to what it has counted
	WaitsFor     func(a answer) bool                                // it waits for an update after an answer
	Resumes      func(a answer) bool                                // it resumes by itself after an answer
	EndsTurn     func(a answer) bool                                // an answer ends the turn that runs
	NeedsOpening func(a answer) bool                                // a prompt needs a resume first
	Shown        func(version int, a answer) string
	Retries      func(a answer) int  // after a resume that failed
	DiesOf       func(a answer) bool // of a resume that failed
	Ignores      func(a answer) bool // that a resume failed
	Insists      func(a answer) bool // on a prompt that failed
	Silent       func() bool         // it prints no steps
	Ignorant     func() bool         // it shows no states
}

func correct() *Behaviour {
	no := func() bool { return false }
	yes := func() bool { return true }
	never := func(answer) bool { return false }
	return &Behaviour{
		Starts: yes, LeavesAtOnce: no, LeavesEarly: no, ExitCode: func(code int) int { return code },
		Asks: isObject, Trusts: func(json.RawMessage, string) bool { return true },
		Lists: yes, Loads: no, OpensAtOnce: no, StartsAnew: no,
		Probes: func(int) int { return 1 }, OneByOne: no, Match: func(answers []client.Answer) []client.Answer { return answers },
		Crashes: never, Counts: func(int, answer) (int, float64) { return 0, 0 },
		WaitsFor: never, Resumes: never, EndsTurn: never, NeedsOpening: func(answer) bool { return true },
		Shown:   shown,
		Retries: func(answer) int { return 0 }, DiesOf: never, Ignores: never, Insists: never,
		Silent: no, Ignorant: no,
	}
}

func isObject(marker json.RawMessage) bool { return len(marker) > 0 && marker[0] == '{' }

// shown is the foreground state that an answer reports; version 1 has none.
func shown(version int, a answer) string {
	if version != 2 {
		return "unknown"
	}
	switch tag := a.tag(); tag {
	case "idle", "running", "requires_action":
		return tag
	}
	return "unknown"
}

// Change is a named way to differ from the correct client: a wrong one (Faults) or a legal one (Variants).
type Change struct {
	Name        string
	Description string // one sentence
	Protocols   []int  // the versions in which it shows
	change      func(*Behaviour)
}

// apply makes the named changes.
func (b *Behaviour) apply(variants, faults []string) error {
	for _, group := range []struct {
		noun  string
		names []string
		table []Change
	}{{"variant", variants, Variants()}, {"fault", faults, Faults()}} {
		for _, name := range group.names {
			i := slices.IndexFunc(group.table, func(c Change) bool { return c.Name == name })
			if i < 0 {
				return fmt.Errorf("unknown %s %q of the reference client; did you mean %q?", group.noun, name, nearest(name, group.table))
			}
			group.table[i].change(b)
		}
	}
	return nil
}

func nearest(name string, table []Change) string {
	return slices.MinFunc(table, func(a, b Change) int {
		return levenshtein.ComputeDistance(strings.ToLower(name), a.Name) - levenshtein.ComputeDistance(strings.ToLower(name), b.Name)
	}).Name
}

// Check finds names that are not in the tables.
func Check(faults, variants []string) error { return correct().apply(variants, faults) }

// table fills in what most rows have in common.
func table(all []Change) []Change {
	for i := range all {
		if all[i].Protocols == nil {
			all[i].Protocols = []int{1, 2}
		}
	}
	return all
}
