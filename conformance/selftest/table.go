package selftest

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/acp-conform/acp-conform/conformance/result"
	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/rules"
)

// expectation is a row of the mutation table.
type expectation struct {
	fails   []string // the rules that fail
	warned  []string // the rules that warn
	blocked []string // the rules that meet no occasion any more
	// laterRow is the row of the catalogue that will find the fault, where no rule does yet, and reason why none ever will.
	laterRow, reason string
	noVerdict        bool         // the run is inconclusive
	second           *expectation // what is different in version 2
}

// breaks is a row whose fault makes these rules fail.
func breaks(ids ...string) expectation { return expectation{fails: ids} }

// bends is a row whose fault makes these rules warn and none fail.
func bends(ids ...string) expectation { return expectation{warned: ids} }

// alsoBreaks adds rules that fail because of the fault.
func (e expectation) alsoBreaks(ids ...string) expectation {
	e.fails = slices.Concat(e.fails, ids)
	return e
}

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

// in2 says what is expected in version 2, where it is not what is expected in version 1 of the rules that exist in both.
func (e expectation) in2(second expectation) expectation {
	e.second = &second
	return e
}

// in is what is expected in a version.
func (e expectation) in(protocol int) expectation {
	if protocol == 2 && e.second != nil {
		e = *e.second
	}
	for _, ids := range []*[]string{&e.fails, &e.warned} {
		*ids = slices.DeleteFunc(slices.Clone(*ids), func(id string) bool { return !existsIn(protocol, id) })
	}
	e.blocked = slices.DeleteFunc(slices.Clone(e.blocked), func(id string) bool { return !existsIn(protocol, id) || unseen(protocol, id) })
	e.blocked = slices.Compact(sorted(e.blocked)) // the sets that a row names may overlap
	return e
}

// unseen tells whether the correct fake offers a rule no occasion, so that no fault can take it away.
func unseen(protocol int, id string) bool {
	return slices.Contains(unseenOnFake, id) || slices.Contains(unseenOnFake2, id) && protocol == 2
}

// existsIn tells whether a rule belongs to a version.
func existsIn(protocol int, id string) bool { return slices.Contains(versions()[id], protocol) }

// versions are those of each rule.
var versions = sync.OnceValue(func() map[string][]int {
	all := map[string][]int{}
	for _, r := range rules.All() {
		all[r.ID] = r.Versions
	}
	return all
})

// concerns tells whether a rule of the area fails or warns.
func (e expectation) concerns(area string) bool {
	return slices.ContainsFunc(e.fires(), func(id string) bool { return strings.HasPrefix(id, area+".") })
}

// without are the rules but for those of the area that act: where a fault breaks none of them they would only be starved, which the
// full run looks at.
func (expectation) without(area string, all []rule.Rule) []rule.Rule {
	return slices.DeleteFunc(slices.Clone(all), func(r rule.Rule) bool { return r.Area() == area && r.ID != subagents })
}

// only is what is expected of these rules.
func (e expectation) only(chosen []rule.Rule) expectation {
	for _, ids := range []*[]string{&e.fails, &e.warned, &e.blocked} {
		*ids = slices.DeleteFunc(slices.Clone(*ids), func(id string) bool {
			return !slices.ContainsFunc(chosen, func(r rule.Rule) bool { return r.ID == id })
		})
	}
	return e
}

// subagents is the rule that brings about what a rule of another area looks at.
const subagents = "status.subagent.readable"

// leave is what is expected of the rules outside of the area.
func (e expectation) leave(area string) expectation {
	e.blocked = slices.DeleteFunc(slices.Clone(e.blocked), func(id string) bool { return strings.HasPrefix(id, area+".") && id != subagents })
	return e
}

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

// expectations is the table, by the name of the fault. Nobody changes it.
var expectations = sync.OnceValue(func() map[string]expectation {
	all := map[string]expectation{}
	for _, rows := range []map[string]expectation{wireRows(), setupRows(), turnRows(), cancelRows(), statusRows()} {
		maps.Copy(all, rows)
	}
	return all
})

// Broken are the rules that a fault breaks in any version, sorted; none where no rule covers it yet.
func Broken(fault string) []string { return slices.Compact(sorted(expectations()[fault].anywhere())) }

// anywhere are the rules that fail or warn in any version.
func (e expectation) anywhere() []string {
	all := e.fires()
	if e.second != nil {
		all = append(all, e.second.fires()...)
	}
	return all
}

// unfalsifiable are the rules that no agent could show broken, with the reason.
var unfalsifiable = map[string]string{}

// timedFaults are told from the correct agent by the time that they take: whoever shares the machine with others cannot tell them.
var timedFaults = []string{"status-slow-linear", "status-slow-with-history"}

// clockedFaults are told by their time as well, with the ones that wait more than they work and are tried beside others all the same.
var clockedFaults = append([]string{"status-slow-in-turn"}, timedFaults...)

// lastingFaults are found after many seconds only.
var lastingFaults = []string{"status-slow-in-turn", "status-keeps-files-open"}

// slowFaults wait, or make the suite wait for its timeouts.
var slowFaults = []string{"cancel-slow", "cancel-ignored-in-client-request", "cancel-waits-for-client"}

// unseenOnFake are the rules that the correct fake in process offers no occasion.
var unseenOnFake = []string{
	"error.auth-required-code",                                // the correct fake asks for no authentication
	"status.lazy.resume-then-32002", "status.lazy.consistent", // it looks before it calls a session inactive
	"status.sidefx.residency", // nobody says after what time it evicts
	"status.sidefx.auth",      // it asks for no login
	"status.unsupported.method-not-found",
	"status.archive.keeps-archived", // it archives nothing
}

// unseenOnFake2 are those that it offers no occasion in version 2.
var unseenOnFake2 = []string{
	"status.sidefx.no-mcp-start", // a resume that names no servers has none there
}
