package selftest

import (
	"time"

	"github.com/acp-conform/acp-conform/conformance/result"
)

// answerRows are about answers that are none.
func answerRows() map[string]hostileRow {
	ever := storm()
	ever.verdict, ever.fails = result.Nonconformant, []string{oneResponse}
	giant := fine("session-new.unique-id", "prompt.reports-output")
	giant.limit = 30 * time.Second
	swapped := wrong("schema.agent-result-valid", "update.session-known")
	swapped.warns = []string{"meta.no-root-extensions"}
	return map[string]hostileRow{
		"answers-twice":               wrong(oneResponse),
		"answers-1000-times":          wrong(oneResponse),
		"foreign-ids":                 {verdict: result.Inconclusive, fails: []string{oneResponse}, says: "an id that no request had", flags: deaf()},
		"swapped-results":             swapped,
		"answers-with-the-one-before": {verdict: result.Inconclusive, fails: []string{"init.response-required-fields"}},
		"answers-in-advance":          unanswered("an id that no request had"),
		"answers-before-requests":     wrong(oneResponse),
		"answers-for-ever":            ever,
		"echo":                        {verdict: result.Inconclusive, fails: []string{"schema.agent-request-valid"}, flags: deaf()},
		"giant-error":                 fine(),
		"giant-answers":               giant,
		"answers-with-errors":         {verdict: result.Inconclusive},
	}
}

// claimRows are about what the agent says of itself.
func claimRows() map[string]hostileRow {
	everything := wrong("init.advertised-methods-exist")
	everything.acts = everything.fails
	return map[string]hostileRow{
		"claims-everything":      everything,
		"claims-nonsense":        fine(),
		"giant-info":             fine(),
		"nasty-info":             fine(),
		"changes-version":        wrong(oneResponse),
		"speaks-another-version": wrong("update.known-variant"),
		"version-of-the-future":  {verdict: result.Inconclusive},
		"no-version":             {verdict: result.Inconclusive, fails: []string{"init.response-required-fields"}},
	}
}

// askRows are about requests and notifications of the agent.
func askRows() map[string]hostileRow {
	unread := flood(result.Incomplete, "requests") // we owe it answers, so that it is not held to its own
	unread.flags, unread.limit = impatient(), 30*time.Second
	million := unread
	million.patient = []string{"--turn-timeout", "1m"}
	atOnce := flood(result.Incomplete, "requests")
	atOnce.flags, atOnce.limit = impatient(), 30*time.Second
	oneID := wrong("jsonrpc.request-id-unique")
	oneID.may = []string{withinLimits}
	long := fine()
	return map[string]hostileRow{
		"asks-a-million":       million,
		"asks-without-reading": unread,
		"asks-at-once":         atOnce,
		"asks-at-length":       long,
		"asks-under-one-id":    oneID,
		"giant-ids":            long,
		"permission-storm":     fine(),
		"ping-pong":            fine(),
		"takes-back-ours":      fine(),
		"notifies-a-million":   storm(),
		"giant-method":         wrong("ext.method-underscore"),
		"asks-as-a-client":     wrong("schema.agent-request-valid"),
	}
}

// fileRows are about files: an agent may ask for any, and must not get it.
func fileRows() map[string]hostileRow {
	rows := map[string]hostileRow{}
	for _, mode := range []string{"reads-shadow", "reads-device", "reads-environment", "reads-dotdot", "reads-symlink", "reads-through-symlink", "reads-fifo",
		"reads-directory", "reads-sparse", "swaps-symlink", "swaps-directory", "reads-long-path", "writes-outside", "writes-dotdot", "writes-through-symlink", "writes-symlink", "writes-device",
		"writes-fifo", "writes-many", "deletes-its-directory", "deletes-the-run", "buries-its-directory", "fills-its-directory"} {
		rows[mode] = fine()
	}
	nonsense := wrong("fs.path-absolute", "schema.agent-request-valid", "schema.integer-ranges")
	rows["reads-nonsense"] = nonsense
	rows["locks-its-directory"] = fine()
	rows["writes-giant"] = flood(result.Conformant, "line")
	return rows
}

// terminalRows are about commands that the client runs for the agent.
func terminalRows() map[string]hostileRow {
	return map[string]hostileRow{
		"terminal-stays":            fine(),
		"terminal-waits":            {verdict: result.Incomplete, flags: impatient(), limit: 30 * time.Second},
		"terminal-prints":           fine(),
		"terminal-forks":            fine(),
		"terminal-respawns":         fine(),
		"terminal-sheds-everything": fine(),
		"terminals":                 flood(result.Conformant, "terminals"),
		"terminal-secrets":          fine(),
		"terminal-outside":          fine(),
		"terminal-nonsense":         fine(),
	}
}

// sessionRows are about sessions, and what never ends in them.
func sessionRows() map[string]hostileRow {
	same := wrong("session-new.unique-id")
	same.acts = same.fails
	endless := flood(result.Incomplete, "recorded") // it is ended before anybody knows that its turn has no end
	endless.limit = 30 * time.Second
	replay := flood(result.Incomplete, "recorded")
	replay.acts, replay.limit = []string{"init.advertised-methods-exist"}, 30*time.Second
	return map[string]hostileRow{
		"session-id-megabyte": fine(),
		"session-id-control":  fine(),
		"session-id-markup":   fine(),
		"session-id-dotdot":   fine(),
		"session-id-shell":    fine(),
		"same-session-id":     same,
		"nasty-updates":       wrong("ext.method-underscore"),
		"endless-turn":        endless,
		"endless-replay":      replay,
		"endless-list":        fine("status.response.listed-not-unknown"),
		"message-storm":       storm(),
		"tool-storm":          storm(),
		"session-storm":       wrong("update.session-known"),
		"many-sessions":       fine("status.response.listed-not-unknown"),
	}
}
