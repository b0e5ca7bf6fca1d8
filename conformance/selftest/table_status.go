package selftest

import "maps"

// statusRows are the faults of session/status.
func statusRows() map[string]expectation {
	rows := map[string]expectation{}
	for row, faults := range statusLater {
		for _, fault := range faults {
			rows[fault] = later(row)
		}
	}
	maps.Copy(rows, map[string]expectation{
		"status-marker-true":        bends("schema.strict-optional"),
		"status-marker-string":      bends("schema.strict-optional"),
		"status-marker-number":      bends("schema.strict-optional"),
		"status-marker-array":       bends("schema.strict-optional"),
		"status-marker-misplaced":   bends("meta.no-root-extensions"),
		"status-future-members":     unjudged("no rule asks for the status of a session that is there"),
		"status-marker-version-2":   bends("meta.no-root-extensions"),
		"status-not-served":         breaks("init.advertised-methods-exist"),
		"status-32601":              breaks("init.advertised-methods-exist"),
		"status-no-response":        breaks("jsonrpc.exactly-one-response"),
		"status-unknown-unanswered": breaks("jsonrpc.exactly-one-response"),
		"status-double-response":    breaks("jsonrpc.exactly-one-response"),
		"status-id-as-string":       breaks("jsonrpc.exactly-one-response"),
		"status-unknown-null":       breaks("schema.agent-result-valid"),
	})
	return rows
}

// statusLater are the faults by the row of the catalogue that will find them.
var statusLater = map[string][]string{
	"status.unsupported.method-not-found": {"status-unadvertised-unanswered"},
	"status.request.sessionid-required": {
		"status-accepts-missing-id", "status-accepts-null-id", "status-accepts-number-id",
		"status-missing-id-code", "status-missing-id-unanswered",
	},
	"status.request.meta-tolerated": {
		"status-refuses-meta", "status-refuses-null-meta", "status-refuses-bad-meta",
		"status-obeys-meta",
	},
	"status.request.unknown-fields-ignored": {
		"status-refuses-unknown-fields", "status-obeys-replay-from", "status-takes-over-cwd",
		"status-starts-named-servers",
	},
	"status.response.status-required": {
		"status-null-result", "status-empty-result", "status-bare-word", "status-number",
		"status-null-word",
	},
	"status.response.value-vocabulary": {
		"status-empty-word", "status-uppercase", "status-busy-word", "status-suspended-word",
		"status-switches-vocabulary",
	},
	"status.response.in-memory": {
		"status-always-inactive", "status-inactive-in-turn", "status-inactive-after-new",
		"status-inactive-at-first", "status-unknown-after-new", "status-stale-cache",
		"status-misses-load", "status-misses-resume", "resume-without-effect",
	},
	"status.response.stored": {"status-knows-memory-only", "inactive-not-resumable", "status-deletes"},
	"status.unknown.error-code": {
		"status-32602", "status-32603", "status-32000", "status-mixed-code", "status-unknown-active",
		"status-mixed-with-active", "status-refuses-long-ids", "status-ignores-case", "status-trims-id",
		"status-matches-prefix",
	},
	"status.unknown.error-data": {
		"status-no-data", "status-null-data", "status-string-data", "status-uri-data",
		"status-wrong-data", "status-trimmed-id", "status-lower-cased-id", "status-cut-id",
	},
	"status.unknown.not-a-result":   {"status-unknown-not-found", "status-unknown-extension-word"},
	"status.unknown.empty-id":       {"status-empty-id-active", "status-empty-id-inactive"},
	"status.unknown.path-safe":      {"status-uses-path"},
	"status.lazy.resume-then-32002": {"status-lazy-creates-on-resume", "status-lazy-resume-code"},
	"status.lazy.consistent":        {"status-lazy-becomes-active"},
	"status.sidefx.no-load": {
		"status-loads", "status-loads-and-says-active", "status-loads-but-says-inactive",
		"status-warms-up", "status-keeps-files-open",
	},
	"status.sidefx.no-resume": {"status-opens-prompt-gate"},
	"status.sidefx.no-create": {
		"status-creates-unknown", "status-creates-unknown-in-memory", "status-lists-unknown",
		"status-creates-unknown-on-disk",
	},
	"status.sidefx.no-close":                       {"status-closes", "status-closes-but-says-active"},
	"status.sidefx.no-change-metadata":             {"status-touches-updated-at", "status-renames", "status-reorders-list"},
	"status.sidefx.no-change-config":               {"status-resets-config", "status-resets-mode"},
	"status.sidefx.no-change-history":              {"status-appends-history", "status-trims-history"},
	"status.sidefx.no-attach":                      {"status-attaches", "status-replays", "status-subscribes"},
	"status.sidefx.no-update-emitted":              {"status-announces-commands", "status-announces-info", "status-announces-usage"},
	"status.sidefx.no-agent-request":               {"status-asks-permission", "status-reads-file"},
	"status.sidefx.auth":                           {"status-starts-login"},
	"status.sidefx.no-mcp-start":                   {"status-starts-mcp"},
	"status.sidefx.turn-undisturbed":               {"status-cancels-turn", "status-swallows-update"},
	"status.sidefx.pending-permission-undisturbed": {"status-answers-permission", "status-cancels-permission"},
	"status.sidefx.other-sessions":                 {"status-evicts-others", "status-fills-cache"},
	"status.sidefx.residency":                      {"status-extends-life"},
	"status.perf.active-cheap":                     {"status-slow-linear"},
	"status.perf.history-independent":              {"status-slow-with-history"},
	"status.perf.not-blocked-by-turn":              {"status-blocks-behind-turn", "status-unanswered-in-turn", "status-slow-in-turn"},
	"status.perf.frequent-calls": {
		"status-crashes-under-load", "status-drops-under-load", "status-rate-limits",
		"status-swaps-answers",
	},
	"status.consistency.open-vs-methods":      {"status-misses-eviction"},
	"status.consistency.after-close":          {"status-always-active", "status-misses-close", "close-without-effect"},
	"status.consistency.after-delete":         {"status-misses-delete"},
	"status.consistency.error-across-methods": {"resume-unknown-code"},
	"status.state.v1-absent":                  {"status-v1-state", "status-v1-state-null"},
	"status.before-init":                      {"status-before-initialize"},
	"status.model":                            {"list-loads", "failed-load-activates"},
}
