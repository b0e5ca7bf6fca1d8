package selftest

import "maps"

// statusRows are the faults of session/status.
func statusRows() map[string]expectation {
	rows := statusAnswerRows()
	maps.Copy(rows, statusEffectRows())
	return rows
}

// statusAnswerRows are about what session/status says.
func statusAnswerRows() map[string]expectation {
	return map[string]expectation{
		"status-marker-true":             bends("status.capability.marker-shape").blocks(noStatus()...),
		"status-marker-string":           bends("status.capability.marker-shape").blocks(noStatus()...),
		"status-marker-number":           bends("status.capability.marker-shape").blocks(noStatus()...),
		"status-marker-array":            bends("status.capability.marker-shape").blocks(noStatus()...),
		"status-marker-misplaced":        bends("status.capability.path-v1", "status.capability.path-v2").blocks(noStatus()...).blocks("status.capability.marker-shape"),
		"status-marker-version-2":        bends("meta.no-root-extensions", "status.capability.path-v1").blocks(noStatus()...).blocks("status.capability.path-v2"),
		"status-marker-version-1":        bends("status.capability.path-v2").blocks(noStatus()...).frees("subagent.cwd-absolute").blocks("status.capability.path-v1", "status.capability.marker-shape"),
		"status-unadvertised-unanswered": bends("status.unsupported.method-not-found").blocks(noStatus()...).blocks("status.capability.path-v1", "status.capability.path-v2", "status.capability.marker-shape"),
		"status-null-result":             breaks("status.response.status-required").blocks(noStatusWord()...).blocks("status.state.v1-absent"),
		"status-empty-result":            breaks("status.response.status-required").blocks(noStatusWord()...),
		"status-bare-word":               breaks("status.response.status-required").blocks(noStatusWord()...).blocks("status.state.v1-absent"),
		"status-number":                  breaks("status.response.status-required").blocks(noStatusWord()...),
		"status-null-word":               breaks("status.response.status-required").blocks(noStatusWord()...),
		"status-empty-word":              bends("status.response.value-vocabulary").blocks(otherStatusWord()...),
		"status-uppercase":               bends("status.response.value-vocabulary").blocks(otherStatusWord()...),
		"status-busy-word":               bends("status.response.value-vocabulary").blocks("status.state.requires-action"),
		"status-suspended-word":          bends("status.response.value-vocabulary").blocks(otherStatusWord()...).frees("status.state.v2-included", "status.state.v2-shape", "status.state.v2-equals-last-update", "status.state.v2-idle-initial", "status.state.v2-no-usage-recount", "status.state.v2-background", "status.state.requires-action", "status.sidefx.other-sessions", "status.perf.active-cheap", "status.consistency.after-close", "status.consistency.after-delete", "status.subagent.readable"),
		"status-switches-vocabulary":     breaks("status.response.value-vocabulary"),
		"status-v1-state":                breaks("status.state.v1-absent"),
		"status-v1-state-null":           bends("status.state.v1-absent"),
		"status-future-members":          bends("meta.no-root-extensions"),
		"status-always-active": breaks("status.model").
			warns("status.consistency.open-vs-methods", "status.consistency.after-close").
			blocks("status.response.stored", "status.response.stored-implies-resumable").
			in2(breaks("status.model").
				warns("status.consistency.open-vs-methods", "status.consistency.after-close").
				blocks(
					"status.response.stored", "status.response.stored-implies-resumable", "status.state.v2-absent-when-stored",
					"status.sidefx.no-load",
				)),
		"status-always-inactive": breaks("status.response.in-memory").
			warns("status.model").blocks(otherStatusWord()...).frees("status.response.stored", "status.response.stored-implies-resumable", "status.state.v2-absent-when-stored", "status.sidefx.no-load", "status.sidefx.no-resume", "status.sidefx.no-change-metadata", "status.sidefx.no-change-config", "status.sidefx.no-change-history", "status.sidefx.no-attach", "status.sidefx.no-mcp-start", "status.sidefx.whole-conversation"),
		"status-inactive-in-turn":   breaks("status.response.in-memory", "status.model").blocks("status.state.requires-action"),
		"status-inactive-after-new": bends("status.response.in-memory", "status.model").blocks("status.state.v2-idle-initial", "status.perf.active-cheap"),
		"status-inactive-at-first": bends("status.response.in-memory", "status.model").
			blocks(
				"status.state.v2-idle-initial", "status.state.requires-action", "status.sidefx.other-sessions",
				"status.perf.active-cheap", "status.consistency.after-close", "status.consistency.after-delete",
			),
		"status-unknown-after-new": breaks("status.response.in-memory", "status.model").
			blocks(
				"subagent.cwd-absolute", "status.request.meta-tolerated", "status.unknown.error-code", "status.unknown.not-a-result",
				"status.unknown.path-safe", "status.state.v2-idle-initial", "status.state.v2-background", "status.perf.active-cheap",
				"status.subagent.readable",
			),
		"status-forgets-at-restart": breaks("status.response.stored").
			blocks("status.sidefx.whole-conversation"),
		"status-knows-memory-only": breaks("status.response.stored").
			warns("status.response.listed-not-unknown").
			blocks(
				"status.response.stored-implies-resumable", "status.state.v2-absent-when-stored", "status.sidefx.no-load",
				"status.sidefx.no-resume", "status.sidefx.no-change-metadata", "status.sidefx.no-change-config",
				"status.sidefx.no-change-history", "status.sidefx.no-attach", "status.sidefx.no-mcp-start",
				"status.sidefx.whole-conversation",
			),
		"status-no-response":     breaks("jsonrpc.exactly-one-response", "status.method.name").blocks(noStatus()...).frees("status.before-init", "status.method.name"),
		"status-double-response": breaks("jsonrpc.exactly-one-response", "status.method.name").blocks("status.perf.frequent-calls"),
		"status-id-as-string":    breaks("jsonrpc.exactly-one-response", "status.method.name").blocks(noStatus()...).frees("status.before-init", "status.method.name", "status.response.status-required", "status.response.value-vocabulary", "status.state.v1-absent", "status.state.v2-included", "status.state.v2-shape", "status.state.v2-no-usage-recount"),
		"status-not-served": breaks("init.advertised-methods-exist").
			blocks(noStatus()...).
			frees("status.capability.path-v1", "status.capability.marker-shape", "status.before-init").
			blocks("subagent.cwd-absolute").
			in2(breaks("status.method.name").
				blocks(noStatus()...).
				frees("status.capability.path-v2", "status.capability.marker-shape", "status.before-init", "status.method.name")),
		"status-crashes-under-load": bends("status.perf.frequent-calls"),
		"status-drops-under-load":   bends("status.perf.frequent-calls"),
		"status-rate-limits":        bends("status.perf.frequent-calls"),
		"status-swaps-answers":      bends("status.perf.frequent-calls"),
		"status-no-data":            breaks("status.unknown.error-data"),
		"status-null-data":          breaks("status.unknown.error-data"),
		"status-string-data":        breaks("status.unknown.error-data"),
		"status-uri-data":           breaks("status.unknown.error-data"),
		"status-wrong-data":         breaks("status.unknown.error-data"),
		"status-trimmed-id":         breaks("status.unknown.error-data"),
		"status-lower-cased-id":     breaks("status.unknown.error-data"),
		"status-cut-id":             breaks("status.unknown.error-data"),
		"status-32602": breaks("status.unknown.error-code").
			blocks("status.unknown.error-data", "status.unknown.empty-id", "status.sidefx.no-create"),
		"status-32603": breaks("status.unknown.error-code").
			blocks("status.unknown.error-data", "status.unknown.empty-id", "status.sidefx.no-create"),
		"status-32601": breaks("init.advertised-methods-exist", "status.unknown.error-code").
			blocks(
				"status.unknown.error-data", "status.unknown.empty-id", "status.unknown.path-safe", "status.sidefx.no-create",
				"status.sidefx.no-change-metadata", "status.sidefx.other-sessions", "status.sidefx.whole-conversation",
				"status.perf.frequent-calls", "status.consistency.open-vs-methods", "status.consistency.after-delete",
				"status.consistency.error-across-methods", "status.model",
			),
		"status-32000": breaks("status.unknown.error-code").
			blocks(
				"status.unknown.error-data", "status.unknown.empty-id", "status.unknown.path-safe", "status.sidefx.no-create",
				"status.sidefx.no-change-metadata", "status.sidefx.other-sessions", "status.sidefx.whole-conversation",
				"status.perf.frequent-calls", "status.consistency.open-vs-methods", "status.consistency.after-delete",
				"status.consistency.error-across-methods", "status.model",
			),
		"status-unknown-unanswered": breaks("jsonrpc.exactly-one-response").
			blocks(
				"status.unknown.error-code", "status.unknown.error-data", "status.unknown.not-a-result", "status.unknown.empty-id",
				"status.unknown.path-safe", "status.sidefx.no-create", "status.sidefx.no-change-metadata",
				"status.sidefx.other-sessions", "status.sidefx.whole-conversation", "status.perf.frequent-calls",
				"status.consistency.open-vs-methods", "status.consistency.after-delete", "status.consistency.error-across-methods",
				"status.model",
			),
		"status-unknown-null": breaks("status.unknown.not-a-result").
			blocks("status.unknown.error-code", "status.unknown.error-data", "status.unknown.empty-id", "status.sidefx.no-create"),
		"status-unknown-not-found": breaks("status.unknown.not-a-result").
			blocks("status.unknown.error-code", "status.unknown.error-data", "status.unknown.empty-id", "status.sidefx.no-create"),
		"status-unknown-extension-word": breaks("status.unknown.not-a-result").
			blocks("status.unknown.error-code", "status.unknown.error-data", "status.unknown.empty-id", "status.sidefx.no-create"),
		"status-unknown-active": breaks("status.unknown.error-code", "status.model").
			blocks(
				"status.unknown.error-data", "status.unknown.not-a-result", "status.unknown.empty-id", "status.sidefx.no-create",
				"status.consistency.open-vs-methods", "status.consistency.after-delete",
			),
		"status-mixed-with-active": breaks("status.unknown.error-code", "status.model").
			warns("status.unknown.path-safe", "status.consistency.after-delete").
			blocks("status.sidefx.no-create"),
		"status-mixed-code": breaks("status.unknown.error-code").
			warns("status.unknown.path-safe").
			blocks("status.unknown.error-data", "status.unknown.empty-id", "status.sidefx.no-create"),
		"status-empty-id-active":   bends("status.unknown.empty-id"),
		"status-empty-id-inactive": bends("status.unknown.empty-id"),
		"status-refuses-long-ids":  bends("status.unknown.error-code"),
		"status-ignores-case":      bends("status.unknown.error-code"),
		"status-trims-id":          bends("status.unknown.error-code"),
		"status-matches-prefix":    bends("status.unknown.error-code"),
		"status-uses-path":         bends("status.unknown.path-safe"),
		"status-lazy-creates-on-resume": breaks("status.lazy.resume-then-32002").
			blocks("status.unknown.error-data", "status.unknown.not-a-result", "status.consistency.error-across-methods").
			in2(breaks("status.lazy.resume-then-32002").blocks("status.unknown.error-data", "status.unknown.not-a-result")),
		"status-lazy-resume-code": bends("status.lazy.resume-then-32002").
			blocks("status.unknown.error-data", "status.unknown.not-a-result", "status.consistency.error-across-methods").
			in2(bends("status.lazy.resume-then-32002").blocks("status.unknown.error-data", "status.unknown.not-a-result")),
		"status-lazy-becomes-active": breaks("status.model").
			warns("status.lazy.consistent").
			blocks("status.unknown.error-data", "status.unknown.not-a-result", "status.consistency.error-across-methods").
			in2(breaks("status.model").warns("status.lazy.consistent").blocks("status.unknown.error-data", "status.unknown.not-a-result")),
		"resume-unknown-code":           bends("status.consistency.error-across-methods"),
		"status-accepts-missing-id":     bends("status.request.sessionid-required"),
		"status-accepts-null-id":        bends("status.request.sessionid-required"),
		"status-accepts-number-id":      bends("status.request.sessionid-required"),
		"status-missing-id-code":        bends("status.request.sessionid-required"),
		"status-missing-id-unanswered":  breaks("status.request.sessionid-required"),
		"status-refuses-meta":           breaks("status.request.meta-tolerated"),
		"status-refuses-null-meta":      breaks("status.request.meta-tolerated"),
		"status-refuses-bad-meta":       bends("status.request.meta-tolerated"),
		"status-obeys-meta":             breaks("status.request.meta-tolerated"),
		"status-refuses-unknown-fields": bends("status.request.unknown-fields-ignored"),
		"status-obeys-replay-from":      bends("status.request.unknown-fields-ignored"),
		"status-takes-over-cwd":         bends("status.request.unknown-fields-ignored"),
		"status-starts-named-servers":   bends("status.request.unknown-fields-ignored"),
		"status-before-initialize":      bends("status.before-init"),
	}
}
