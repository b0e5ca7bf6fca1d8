package selftest

import (
	"maps"
	"slices"

	"github.com/acp-conform/acp-conform/conformance/result"
)

// expectation is a row of the mutation table.
type expectation struct {
	fails   []string // the rules that fail
	warned  []string // the rules that warn
	blocked []string // the rules that meet no occasion any more
	// laterRow is the row of the catalogue that will find the fault, where no rule does yet, and reason why none ever will.
	laterRow, reason string
	noVerdict        bool // the run is inconclusive
}

// breaks is a row whose fault makes these rules fail.
func breaks(ids ...string) expectation { return expectation{fails: ids} }

// bends is a row whose fault makes these rules warn and none fail.
func bends(ids ...string) expectation { return expectation{warned: ids} }

// warns adds rules that warn because of the fault.
func (e expectation) warns(ids ...string) expectation {
	e.warned = slices.Concat(e.warned, ids)
	return e
}

// inconclusive says that the run has no verdict on the agent: it does not shake hands, or no session opens.
func (e expectation) inconclusive() expectation {
	e.noVerdict = true
	return e
}

// fires are the rules that fail or warn.
func (e expectation) fires() []string { return slices.Concat(e.fails, e.warned) }

// exit is the exit code of a run on the fault.
func (e expectation) exit() int {
	switch {
	case e.noVerdict:
		return result.ExitInconclusive
	case len(e.fails) > 0:
		return result.ExitFailed
	}
	return result.ExitOK
}

// later is a row whose fault breaks no rule yet: it belongs to a row of the catalogue that has none.
func later(row string) expectation { return expectation{laterRow: row} }

// unjudged is a row whose fault breaks no rule, and the reason why it should not.
func unjudged(reason string) expectation { return expectation{reason: reason} }

// blocks adds rules that meet no occasion because of the fault.
func (e expectation) blocks(ids ...string) expectation {
	e.blocked = slices.Concat(e.blocked, ids)
	return e
}

// frees takes away rules that meet their occasion all the same.
func (e expectation) frees(ids ...string) expectation {
	e.blocked = slices.DeleteFunc(slices.Clone(e.blocked), func(id string) bool { return slices.Contains(ids, id) })
	return e
}

// expectations is the table, by the name of the fault.
func expectations() map[string]expectation {
	all := map[string]expectation{}
	for _, rows := range []map[string]expectation{wireRows(), setupRows(), turnRows(), cancelRows(), statusRows()} {
		maps.Copy(all, rows)
	}
	return all
}

// Breakers are the faults that break a rule, sorted.
func Breakers(rule string) []string {
	var names []string
	for name, e := range expectations() {
		if slices.Contains(e.fires(), rule) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// Broken are the rules that a fault breaks, sorted; none where no rule covers it yet.
func Broken(fault string) []string { return sorted(expectations()[fault].fires()) }

// unfalsifiable are the rules that no agent could show broken, with the reason.
var unfalsifiable = map[string]string{}

// slowFaults wait, or make the suite wait for its timeouts.
var slowFaults = []string{"cancel-slow", "cancel-ignored-in-client-request", "cancel-waits-for-client"}

// unseenOnFake are the rules that the correct fake in process offers no occasion.
var unseenOnFake = []string{
	"error.auth-required-code", // the correct fake asks for no authentication
	"subagent.cwd-absolute",    // the suite's client does not ask for updates of subagents
}
