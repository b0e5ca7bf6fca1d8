package reference

import "encoding/json"

// Variants lists legal ways to differ from the default, which no rule may accuse.
func Variants() []Change {
	yes := func() bool { return true }
	no := func() bool { return false }
	return table([]Change{
		{Name: "client-never-asks", Description: "never asks for the status of a session", change: func(b *Behaviour) { b.Asks = func(json.RawMessage) bool { return false } }},
		{Name: "client-asks-often", Description: "asks ten times where once would do", change: func(b *Behaviour) { b.Probes = func(int) int { return 10 } }},
		{Name: "client-asks-one-by-one", Description: "never has two requests for a status open", change: func(b *Behaviour) { b.OneByOne = yes }},
		{Name: "client-opens-at-once", Description: "resumes the session before it asks for its status", change: func(b *Behaviour) { b.OpensAtOnce = yes }},
		{Name: "client-loads", Description: "loads sessions where it could resume them", change: func(b *Behaviour) { b.Loads = yes }},
		{Name: "client-lists-not", Description: "knows its session without a list", change: func(b *Behaviour) { b.Lists = no }},
		{Name: "client-shows-no-states", Description: "shows no foreground states", change: func(b *Behaviour) { b.Ignorant = yes }},
		{Name: "client-prints-nothing", Description: "prints no lines of JSON", change: func(b *Behaviour) { b.Silent = yes }},
		{Name: "client-retries-twice", Description: "tries a resume that fails twice more", change: func(b *Behaviour) { b.Retries = func(answer) int { return 2 } }},
		{Name: "client-starts-anew", Description: "makes a session of its own where the user's is gone", change: func(b *Behaviour) { b.StartsAnew = yes }},
		{Name: "client-only-shakes-hands", Description: "ends after the handshake", change: func(b *Behaviour) { b.LeavesAtOnce = yes }},
		{Name: "client-leaves-early", Description: "ends after it has listed the sessions", change: func(b *Behaviour) { b.LeavesEarly = yes }},
		{Name: "client-exits-with-3", Description: "always exits with code 3", change: func(b *Behaviour) { b.ExitCode = func(int) int { return 3 } }},
		{Name: "client-never-starts-agent", Description: "does not start the agent", change: func(b *Behaviour) { b.Starts = no }},
		{Name: "client-shows-unknown-as-running", Description: "shows a session as running of which it knows nothing better", change: func(b *Behaviour) {
			b.Shown = func(version int, a answer) string {
				if s := shown(version, a); s != "unknown" || a.kind != active {
					return s
				}
				return "running"
			}
		}},
	})
}
