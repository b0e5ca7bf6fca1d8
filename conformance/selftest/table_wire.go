package selftest

// wireRows are the faults of lines, envelopes and errors.
func wireRows() map[string]expectation {
	return map[string]expectation{
		"huge-notification":      bends("transport.within-limits"),
		"stdout-banner":          breaks("transport.stdout-only-acp"),
		"stdout-escape-line":     breaks("transport.stdout-only-acp"),
		"stdout-escape-prefix":   breaks("transport.stdout-only-acp").blocks("status.sidefx.whole-conversation"),
		"stdout-json-log":        breaks("jsonrpc.envelope-shape"),
		"stdout-json-string":     breaks("transport.stdout-only-acp"),
		"stdout-blank-line":      unjudged("a blank line is only noted"),
		"byte-order-mark":        breaks("transport.stdout-only-acp").blocks("status.sidefx.whole-conversation"),
		"invalid-utf8":           breaks("transport.utf8"),
		"invalid-utf8-in-text":   breaks("transport.utf8"),
		"pretty-printed":         breaks("transport.one-message-per-line").blocks("status.sidefx.whole-conversation"),
		"two-messages-on-a-line": breaks("transport.one-message-per-line").blocks("status.sidefx.whole-conversation"),
		"truncated-line":         breaks("transport.one-message-per-line").blocks("status.sidefx.whole-conversation"),
		"sends-batch":            breaks("jsonrpc.agent-sends-no-batch").blocks("status.sidefx.whole-conversation"),
		"banner-first":           breaks("transport.stdout-only-acp").warns("transport.no-stdout-before-request"),
		"speaks-first":           bends("transport.no-stdout-before-request"),
		"withholds-newline": breaks("jsonrpc.exactly-one-response").
			warns("transport.stdio-supported", "transport.trailing-newline").
			blocks(gone()...).
			inconclusive(),
		"withholds-newline-of-errors": breaks(
			"jsonrpc.exactly-one-response", "jsonrpc.invalid-params", "jsonrpc.method-not-found", "session-new.params-required",
		).
			warns("jsonrpc.batch-rejected", "jsonrpc.invalid-request", "jsonrpc.parse-error", "session-new.cwd-absolute", "transport.trailing-newline").
			blocks(heldBack()...).
			alsoBreaks("status.request.sessionid-required").
			warns("status.before-init").
			blocks(noStatus()...).
			frees("subagent.cwd-absolute").
			frees(
				"status.capability.path-v1", "status.capability.marker-shape", "status.before-init", "status.method.name",
				"status.request.sessionid-required", "status.request.meta-tolerated", "status.request.unknown-fields-ignored",
				"status.response.status-required", "status.response.value-vocabulary", "status.response.in-memory",
				"status.response.stored", "status.response.stored-implies-resumable", "status.response.listed-not-unknown",
				"status.state.v1-absent", "status.sidefx.no-load", "status.sidefx.no-resume", "status.sidefx.no-close",
				"status.sidefx.no-change-config", "status.sidefx.no-change-history", "status.sidefx.no-attach",
				"status.sidefx.no-update-emitted", "status.sidefx.no-agent-request", "status.sidefx.no-mcp-start",
				"status.sidefx.turn-undisturbed", "status.sidefx.pending-permission-undisturbed", "status.perf.not-blocked-by-turn",
				"status.perf.history-independent", "status.consistency.after-close", "status.subagent.readable",
			),
		"withholds-newline-of-turns": breaks("cancel.stop-reason-cancelled", "jsonrpc.exactly-one-response").
			warns("transport.trailing-newline").
			blocks(noTurn()...).
			blocks("error.not-found-data-session-id", "error.resource-not-found-code").
			frees("cancel.stop-reason-cancelled", "prompt.response-stop-reason"),
		"answers-blank-line": unjudged("only noted"),
		"refuses-crlf":       unjudged("only noted"),
		"long-line-fatal":    bends("transport.large-message"),
		"long-line-lost":     bends("transport.large-message"),
		"read-is-message": breaks("cancel.immediate", "jsonrpc.exactly-one-response", "jsonrpc.no-response-to-notification", "jsonrpc.response-id-echo").
			warns("jsonrpc.batch-rejected", "jsonrpc.ignores-stray-response", "jsonrpc.invalid-request", "transport.large-message", "transport.split-writes").
			blocks("cancel.double").warns("status.perf.frequent-calls").blocks("status.sidefx.turn-undisturbed", "status.model"),
		"only-first-line": breaks("cancel.immediate", "jsonrpc.response-id-echo").
			warns("transport.split-writes").
			alsoBreaks("jsonrpc.exactly-one-response").
			warns("status.perf.frequent-calls").
			blocks("status.sidefx.turn-undisturbed", "status.model"),
		"damages-split-characters": bends("transport.split-writes"),
		"exits-at-once": breaks("jsonrpc.exactly-one-response").
			warns("transport.stdio-supported").
			blocks(mute()...).
			inconclusive(),
		"exits-after-initialize": unjudged("the run says why it is inconclusive").
			blocks(gone()...).
			inconclusive(),
		"exits-in-turn": breaks("jsonrpc.exactly-one-response").blocks("prompt.reports-output"),
		"closes-stdout": unjudged("the run says why it is inconclusive").
			blocks(gone()...).
			inconclusive(),
		"ignores-eof":         bends("transport.stdin-eof-during-turn", "transport.stdin-eof-exit"),
		"ignores-eof-in-turn": bends("transport.stdin-eof-during-turn"),
		"initialize-unanswered": breaks("jsonrpc.exactly-one-response").
			warns("transport.stdio-supported").
			blocks(mute()...).
			inconclusive(),
		"jsonrpc-missing":             breaks("jsonrpc.version-field"),
		"jsonrpc-old":                 breaks("jsonrpc.version-field"),
		"jsonrpc-number":              breaks("jsonrpc.version-field"),
		"jsonrpc-missing-in-response": breaks("jsonrpc.version-field").blocks("prompt.cancelled-only-on-cancel", "prompt.no-pending-tools-at-end"),
		"result-and-error": breaks("jsonrpc.envelope-shape").
			blocks(noTurn()...),
		"result-and-null-error": breaks("jsonrpc.envelope-shape").
			blocks(noTurn()...),
		"no-result-no-error": breaks("jsonrpc.envelope-shape").
			blocks(noTurn()...),
		"method-in-response":             breaks("jsonrpc.envelope-shape").blocks("prompt.cancelled-only-on-cancel", "prompt.no-pending-tools-at-end"),
		"result-in-notification":         breaks("jsonrpc.envelope-shape"),
		"extra-envelope-key":             breaks("jsonrpc.no-extra-envelope-keys"),
		"extra-envelope-key-in-response": breaks("jsonrpc.no-extra-envelope-keys"),
		"array-params":                   breaks("jsonrpc.params-object"),
		"string-params":                  breaks("jsonrpc.params-object"),
		"null-params":                    breaks("jsonrpc.params-object"),
		"error-code-string":              breaks("jsonrpc.error-shape"),
		"error-code-fractional":          breaks("jsonrpc.error-shape"),
		"error-code-missing":             breaks("jsonrpc.error-shape"),
		"error-message-missing":          breaks("jsonrpc.error-shape"),
		"error-message-object":           breaks("jsonrpc.error-shape"),
		"error-is-string":                breaks("jsonrpc.error-shape"),
		"error-code-out-of-range":        breaks("jsonrpc.error-shape"),
		"id-as-string": breaks("jsonrpc.exactly-one-response", "jsonrpc.response-id-echo").
			blocks("transport.split-writes").
			blocks("status.perf.active-cheap"),
		"large-id-rounded":            breaks("jsonrpc.exactly-one-response", "jsonrpc.response-id-echo"),
		"large-id-cut":                breaks("jsonrpc.exactly-one-response", "jsonrpc.response-id-echo"),
		"zero-id-null":                breaks("jsonrpc.response-id-echo"),
		"numeric-string-id-as-number": breaks("jsonrpc.exactly-one-response", "jsonrpc.response-id-echo"),
		"string-id-as-null": breaks("jsonrpc.exactly-one-response", "jsonrpc.response-id-echo").
			warns("transport.large-message", "transport.split-writes").alsoBreaks("status.method.name").warns("status.perf.frequent-calls"),
		"answers-prompt-twice": breaks("jsonrpc.exactly-one-response"),
		"answers-unknown-id":   breaks("jsonrpc.exactly-one-response"),
		"fractional-request-id": breaks("jsonrpc.request-id-valid", "schema.agent-notification-valid").
			blocks(noRequests()...).
			frees("jsonrpc.request-id-unique", "jsonrpc.request-id-valid"),
		"boolean-request-id": breaks("jsonrpc.request-id-valid", "schema.agent-notification-valid").
			blocks(noRequests()...).
			frees("jsonrpc.request-id-unique", "jsonrpc.request-id-valid"),
		"null-request-id": bends("jsonrpc.request-id-not-null").
			blocks(noRequests()...),
		"reused-request-id":          breaks("jsonrpc.request-id-unique"),
		"parse-error-unanswered":     bends("jsonrpc.parse-error"),
		"parse-error-fatal":          breaks("jsonrpc.parse-error"),
		"parse-error-code":           bends("jsonrpc.parse-error"),
		"parse-error-id":             bends("jsonrpc.parse-error"),
		"parse-error-deafens":        breaks("jsonrpc.parse-error"),
		"invalid-request-unanswered": bends("jsonrpc.invalid-request"),
		"invalid-request-code":       bends("jsonrpc.invalid-request"),
		"invalid-request-fatal":      breaks("jsonrpc.invalid-request"),
		"jsonrpc-not-required":       bends("jsonrpc.invalid-request"),
		"scalar-unanswered":          bends("jsonrpc.invalid-request"),
		"scalar-fatal":               bends("jsonrpc.invalid-request"),
		"batch-executed":             bends("jsonrpc.batch-rejected"),
		"batch-error-per-entry":      bends("jsonrpc.batch-rejected"),
		"batch-unanswered":           bends("jsonrpc.batch-rejected"),
		"batch-fatal":                bends("jsonrpc.batch-rejected"),
		"blocks-during-turn": breaks("jsonrpc.concurrent-requests", "jsonrpc.exactly-one-response").
			blocks("cancel.prompt-latency", "cancel.scoped-to-session", "prompt.streaming-session-id").
			warns("status.perf.not-blocked-by-turn").
			blocks(
				"status.response.in-memory", "status.sidefx.turn-undisturbed", "status.sidefx.pending-permission-undisturbed",
				"status.sidefx.whole-conversation", "status.model",
			),
		"deaf-during-turn": breaks(
			"cancel.during-client-request", "cancel.during-tool", "cancel.immediate", "cancel.stop-reason-cancelled",
			"jsonrpc.concurrent-requests", "jsonrpc.exactly-one-response",
		).
			blocks(cancelLost()...).
			blocks("error.request-cancelled-code", "prompt.streaming-session-id").
			frees("cancel.tools-finalised").
			blocks(
				"status.response.in-memory", "status.sidefx.turn-undisturbed", "status.sidefx.pending-permission-undisturbed",
				"status.sidefx.whole-conversation", "status.perf.not-blocked-by-turn", "status.model",
			),
		"stray-response-fatal":      bends("jsonrpc.ignores-stray-response"),
		"answers-stray-response":    bends("jsonrpc.ignores-stray-response"),
		"error-response-fatal":      breaks("jsonrpc.exactly-one-response").warns("jsonrpc.survives-error-response"),
		"error-response-hangs-turn": bends("jsonrpc.survives-error-response"),
		"unknown-method-unanswered": breaks("jsonrpc.method-not-found"),
		"unknown-method-succeeds":   breaks("jsonrpc.method-not-found"),
		"unknown-method-code":       bends("jsonrpc.method-not-found"),
		"unknown-method-fatal":      breaks("jsonrpc.method-not-found"),
		"extension-request-unanswered": breaks("jsonrpc.exactly-one-response").
			blocks("jsonrpc.response-id-echo", "transport.large-message", "transport.split-writes").blocks("status.perf.active-cheap"),
		"extension-request-succeeds":     later("ext.unknown-request-32601"),
		"extension-request-code":         later("ext.unknown-request-32601"),
		"answers-unknown-notification":   breaks("jsonrpc.no-response-to-notification"),
		"answers-extension-notification": breaks("jsonrpc.no-response-to-notification"),
		"extension-notification-fatal":   breaks("jsonrpc.no-response-to-notification"),
		"answers-malformed-cancel":       breaks("jsonrpc.no-response-to-notification"),
		"invalid-params-code": bends(
			"jsonrpc.invalid-params", "prompt.malformed-block-rejected", "session-new.cwd-absolute", "session-new.params-required",
			"status.request.sessionid-required",
		),
		"invalid-params-internal-error": bends(
			"error.internal-not-for-client-fault", "jsonrpc.invalid-params", "prompt.malformed-block-rejected",
			"session-new.cwd-absolute", "session-new.params-required", "status.request.sessionid-required",
		),
		"invalid-params-unanswered": breaks("jsonrpc.invalid-params", "prompt.malformed-block-rejected", "session-new.params-required").
			warns("session-new.cwd-absolute").alsoBreaks("status.request.sessionid-required").blocks("status.model"),
		"invalid-params-fatal": breaks("jsonrpc.invalid-params", "prompt.malformed-block-rejected", "session-new.params-required").
			warns("session-new.cwd-absolute").alsoBreaks("status.request.sessionid-required").blocks("status.model"),
		"accepts-array-params":                 bends("jsonrpc.invalid-params"),
		"rejects-unknown-fields-in-initialize": bends("jsonrpc.unknown-fields-ignored"),
		"rejects-unknown-fields-in-new":        bends("jsonrpc.unknown-fields-ignored"),
		"rejects-meta":                         later("meta.unknown-tolerated"),
		"error-message-long":                   unjudged("only noted"),
		"error-message-multiline":              unjudged("only noted"),
		"reserved-error-code":                  bends("jsonrpc.error-code-reserved-range"),
		"reserved-error-code-for-mode":         later("mode.set-invalid"),
		"reserved-error-code-for-session": bends("error.resource-not-found-code", "jsonrpc.error-code-reserved-range").
			blocks("error.not-found-data-session-id").
			alsoBreaks("status.unknown.error-code").
			warns("status.consistency.error-across-methods").
			blocks("status.unknown.error-data", "status.unknown.empty-id", "status.sidefx.no-create"),
		"auth-required-wrong-code": breaks("error.auth-required-code").
			warns("error.internal-not-for-client-fault").
			blocks(noSession()...).
			blocks("config.category-custom-underscore", "session-new.config-options-shape", "session-new.modes-shape"),
		"unknown-session-internal-error": bends("error.internal-not-for-client-fault", "error.resource-not-found-code").
			blocks("error.not-found-data-session-id").
			alsoBreaks("status.unknown.error-code").
			warns("status.consistency.error-across-methods").
			blocks("status.unknown.error-data", "status.unknown.empty-id", "status.sidefx.no-create"),
		"unknown-session-invalid-params": bends("error.resource-not-found-code").
			blocks("error.not-found-data-session-id").
			alsoBreaks("status.unknown.error-code").
			warns("status.consistency.error-across-methods").
			blocks("status.unknown.error-data", "status.unknown.empty-id", "status.sidefx.no-create"),
		"unknown-session-in-prompt-internal-error": bends("error.internal-not-for-client-fault", "error.resource-not-found-code").
			blocks("error.not-found-data-session-id"),
		"unknown-session-without-data":    breaks("status.unknown.error-data").blocks("error.not-found-data-session-id"),
		"unknown-session-other-data":      breaks("status.unknown.error-data").warns("error.not-found-data-session-id"),
		"unknown-session-snake-case-data": breaks("status.unknown.error-data").blocks("error.not-found-data-session-id"),
	}
}
