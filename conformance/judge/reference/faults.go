package reference

import (
	"encoding/json"
	"slices"

	"github.com/acp-conform/acp-conform/conformance/client"
	"github.com/acp-conform/acp-conform/conformance/wire"
)

// Faults lists the ways in which the client can be wrong.
func Faults() []Change {
	return table(slices.Concat(markerFaults(), wordFaults(), stateFaults(), errorFaults(), wireFaults()))
}

func markerFaults() []Change {
	return []Change{
		{Name: "client-asks-unadvertised", Description: "asks for the status of a session where the agent says nothing of session/status",
			change: func(b *Behaviour) { b.Asks = func(m json.RawMessage) bool { return m == nil || isObject(m) } }},
		{Name: "client-takes-any-marker", Description: "takes any capability for session/status for support, whatever its type",
			change: func(b *Behaviour) { b.Asks = func(m json.RawMessage) bool { return m != nil } }},
		{Name: "client-takes-truthy-marker", Description: "takes a capability for session/status for support that JavaScript takes for true",
			change: func(b *Behaviour) {
				b.Asks = func(m json.RawMessage) bool {
					return m != nil && !slices.Contains([]string{"false", "null", "0", `""`}, string(m))
				}
			}},
		{Name: "client-takes-array-marker", Description: "takes an array as the capability for session/status for support, as decoders of structs do",
			change: func(b *Behaviour) {
				b.Asks = func(m json.RawMessage) bool { return isObject(m) || len(m) > 0 && m[0] == '[' }
			}},
		{Name: "client-wants-empty-marker", Description: "takes the capability for session/status for support only if it is an empty object",
			change: func(b *Behaviour) { b.Asks = func(m json.RawMessage) bool { return string(m) == "{}" } }},
		{Name: "client-drops-siblings", Description: "takes all capabilities of sessions for absent when that of session/status is invalid",
			change: func(b *Behaviour) {
				b.Trusts = func(m json.RawMessage, _ string) bool { return m == nil || isObject(m) }
			}},
	}
}

func wordFaults() []Change {
	opens := func(without func(a answer) bool) func(*Behaviour) {
		return func(b *Behaviour) { b.NeedsOpening = func(a answer) bool { return !without(a) } }
	}
	return []Change{
		{Name: "client-takes-any-word", Description: "prompts a session without a resume whose status it does not know",
			change: opens(func(a answer) bool { return a.kind == other })},
		{Name: "client-reads-case-loosely", Description: "prompts a session without a resume whose status is a word that it knows, in other letters",
			change: opens(func(a answer) bool {
				return slices.Contains([]string{`"ACTIVE"`, `"Open"`}, string(wire.Member(a.Result, "status")))
			})},
		{Name: "client-dies-of-words", Description: "ends when it does not know a status",
			change: func(b *Behaviour) { b.Crashes = func(a answer) bool { return a.kind == other } }},
		{Name: "client-dies-of-any-status", Description: "ends at every answer about the status of a session, whatever it says",
			change: func(b *Behaviour) { b.Crashes = func(answer) bool { return true } }},
		{Name: "client-takes-no-word", Description: "prompts a session without a resume when the answer about it has no status",
			change: opens(func(a answer) bool { return a.kind == malformed })},
		{Name: "client-dies-of-no-word", Description: "ends when an answer has no status",
			change: func(b *Behaviour) { b.Crashes = func(a answer) bool { return a.kind == malformed } }},
		{Name: "client-takes-active-for-leave", Description: "prompts a session without a resume because it is active",
			change: opens(func(a answer) bool { return a.kind == active })},
		{Name: "client-waits-for-updates", Description: "waits for the updates of a session that is active, though it has not resumed it",
			change: func(b *Behaviour) { b.WaitsFor = func(a answer) bool { return a.kind == active } }},
	}
}

func stateFaults() []Change {
	v2 := []int{2}
	idleIf := func(is func(a answer) bool) func(*Behaviour) {
		return func(b *Behaviour) {
			b.Shown = func(version int, a answer) string {
				if version == 2 && a.kind == active && is(a) {
					return "idle"
				}
				return shown(version, a)
			}
		}
	}
	counting := func(count func(version int, a answer) (int, float64)) func(*Behaviour) {
		return func(b *Behaviour) { b.Counts = count }
	}
	snapshot := func(a answer) bool {
		return a.kind == active && a.tag() == "idle" && wire.Member(a.state, "usage") != nil
	}
	return []Change{
		{Name: "client-takes-no-state-for-idle", Description: "shows a session as idle whose state is not reported", Protocols: v2,
			change: idleIf(func(a answer) bool { return a.state == nil || string(a.state) == "null" })},
		{Name: "client-takes-bad-state-for-idle", Description: "shows a session as idle whose state is malformed", Protocols: v2,
			change: idleIf(func(a answer) bool { return a.state != nil && a.tag() == "" })},
		{Name: "client-takes-word-for-state", Description: "shows a session as idle whose state is a text and no object", Protocols: v2,
			change: idleIf(func(a answer) bool { return textOf(a.state) == "idle" })},
		{Name: "client-dies-of-bad-state", Description: "ends when a state is malformed", Protocols: v2,
			change: func(b *Behaviour) {
				b.Crashes = func(a answer) bool {
					return a.kind == active && a.state != nil && string(a.state) != "null" && a.tag() == ""
				}
			}},
		{Name: "client-takes-other-state-for-idle", Description: "shows a session as idle whose state it does not know", Protocols: v2,
			change: idleIf(func(a answer) bool { return !slices.Contains([]string{"", "running", "requires_action"}, a.tag()) })},
		{Name: "client-dies-of-other-state", Description: "ends when it does not know a state", Protocols: v2,
			change: func(b *Behaviour) {
				b.Crashes = func(a answer) bool {
					return a.kind == active && !slices.Contains([]string{"", "idle", "running", "requires_action"}, a.tag())
				}
			}},
		{Name: "client-counts-snapshots", Description: "counts the end of a turn whenever a status says idle", Protocols: v2,
			change: counting(func(_ int, a answer) (int, float64) { return number(snapshot(a)), 0 })},
		{Name: "client-adds-usage-of-snapshots", Description: "adds the usage in a status to what it has counted", Protocols: v2,
			change: counting(func(_ int, a answer) (int, float64) {
				var n float64
				_ = json.Unmarshal(wire.Member(wire.Member(a.state, "usage"), "totalTokens"), &n)
				return 0, n
			})},
		{Name: "client-ends-turn-by-snapshot", Description: "takes its turn for ended when a status says idle", Protocols: v2,
			change: func(b *Behaviour) {
				b.EndsTurn = func(a answer) bool { return a.kind == active && a.tag() == "idle" }
			}},
		{Name: "client-reads-state-in-version-1", Description: "takes the state that an agent of version 1 adds to a status for the end of a turn", Protocols: []int{1},
			change: counting(func(version int, a answer) (int, float64) { return number(version == 1 && a.tag() == "idle"), 0 })},
		{Name: "client-shows-state-in-version-1", Description: "shows the state that an agent of version 1 adds to a status", Protocols: []int{1},
			change: func(b *Behaviour) { b.Shown = func(_ int, a answer) string { return shown(2, a) } }},
	}
}

func number(is bool) int {
	if is {
		return 1
	}
	return 0
}

// errorFaults bear errors badly, each after one kind of answer.
func errorFaults() []Change {
	after := func(k kind) func(answer) bool { return func(a answer) bool { return a.kind == k } }
	times := func(k kind, n int) func(answer) int {
		return func(a answer) int { return n * number(a.kind == k) }
	}
	return []Change{
		{Name: "client-dies-of-resume", Description: "ends when the resume of an active session fails", change: func(b *Behaviour) { b.DiesOf = after(active) }},
		{Name: "client-resumes-for-ever", Description: "resumes an active session again and again when that fails", change: func(b *Behaviour) { b.Retries = times(active, 30) }},
		{Name: "client-ignores-resume-error", Description: "prompts an active session whose resume has failed", change: func(b *Behaviour) { b.Ignores = after(active) }},
		{Name: "client-prompts-for-ever", Description: "prompts a session again and again that is gone", change: func(b *Behaviour) { b.Insists = after(active) }},
		{Name: "client-dies-of-lazy-agent", Description: "ends when the resume of an inactive session fails", change: func(b *Behaviour) { b.DiesOf = after(inactive) }},
		{Name: "client-resumes-lazy-for-ever", Description: "resumes an inactive session again and again when that fails", change: func(b *Behaviour) { b.Retries = times(inactive, 30) }},
		{Name: "client-ignores-lazy-error", Description: "prompts an inactive session whose resume has failed", change: func(b *Behaviour) { b.Ignores = after(inactive) }},
		{Name: "client-resumes-unknown", Description: "resumes a session of which the agent says that it does not know it",
			change: func(b *Behaviour) { b.Resumes = func(a answer) bool { return a.kind == unknown && a.named() } }},
		{Name: "client-dies-of-unknown", Description: "ends when the agent does not know a session",
			change: func(b *Behaviour) { b.Crashes = func(a answer) bool { return a.kind == unknown && a.named() } }},
		{Name: "client-needs-error-data", Description: "takes -32002 for another error when it does not name the session, and resumes",
			change: func(b *Behaviour) { b.Resumes = func(a answer) bool { return a.kind == unknown && !a.named() } }},
		{Name: "client-dies-of-error-data", Description: "ends when the data of an error are not those that it wants",
			change: func(b *Behaviour) { b.Crashes = func(a answer) bool { return a.kind == unknown && !a.named() } }},
	}
}

func wireFaults() []Change {
	return []Change{
		{Name: "client-matches-by-order", Description: "takes the first answer for that to its first request", change: func(b *Behaviour) {
			b.Match = func(answers []client.Answer) []client.Answer {
				byPlace := slices.Clone(answers)
				slices.SortFunc(byPlace, func(a, b client.Answer) int { return a.Frame.Seq - b.Frame.Seq })
				return byPlace
			}
		}},
		{Name: "client-probes-without-pause", Description: "asks for the status of a session hundreds of times at once", change: func(b *Behaviour) {
			b.Probes = func(looks int) int { return 1 + 150*number(looks == 0) }
		}},
	}
}
