package selftest

import "slices"

// The rules that meet no occasion when something that many of them need is broken. Each set is what the name says; a row that
// differs from it adds or takes away.

// heldBack: errors are not ended.
func heldBack() []string {
	return []string{
		"error.internal-not-for-client-fault", "error.not-found-data-session-id", "error.request-cancelled-code",
		"error.resource-not-found-code", "jsonrpc.response-id-echo", "transport.large-message",
		"transport.split-writes",
	}
}

// cancelLost: a cancelled turn is never answered.
func cancelLost() []string {
	return []string{
		"cancel.double", "cancel.no-error-response", "cancel.prompt-latency", "cancel.scoped-to-session",
		"cancel.session-usable-after", "cancel.stops-work", "cancel.tools-finalised", "cancel.updates-before-response",
	}
}

// noRequests: the agent's requests cannot be answered.
func noRequests() []string {
	return []string{
		"cancel.during-client-request", "cancel.during-permission", "compaction.status-open",
		"content.annotations-shape", "content.base64-data", "content.mime-shape", "content.resource-text-xor-blob",
		"content.uri-valid", "elicitation.custom-underscore", "fs.path-absolute", "jsonrpc.request-id-unique",
		"jsonrpc.request-id-valid", "jsonrpc.survives-error-response", "notice.severity-open",
		"schema.agent-request-valid", "session-info.updated-at-iso8601", "session-new.cwd-used",
		"terminal.cwd-absolute",
		"status.model", "status.sidefx.pending-permission-undisturbed",
	}
}

// noTurn: no turn ends here.
func noTurn() []string {
	return []string{
		"cancel.double", "cancel.during-client-request", "cancel.during-permission", "cancel.during-tool",
		"cancel.idle-noop", "cancel.immediate", "cancel.no-error-response", "cancel.prompt-latency",
		"cancel.scoped-to-session", "cancel.session-usable-after", "cancel.stop-reason-cancelled", "cancel.stops-work",
		"cancel.tools-finalised", "cancel.updates-before-response", "compaction.status-open",
		"content.annotations-shape", "content.base64-data", "content.mime-shape", "content.resource-text-xor-blob",
		"content.uri-valid", "elicitation.custom-underscore", "error.request-cancelled-code", "fs.path-absolute",
		"init.client-omitted-caps-unsupported", "jsonrpc.concurrent-requests", "jsonrpc.request-id-not-null",
		"jsonrpc.request-id-unique", "jsonrpc.request-id-valid", "jsonrpc.survives-error-response",
		"message.thought-separate", "notice.severity-open", "prompt.cancelled-only-on-cancel",
		"prompt.no-pending-tools-at-end", "prompt.reports-output", "prompt.resource-link-supported",
		"prompt.response-stop-reason", "prompt.streaming-session-id", "prompt.text-supported",
		"prompt.updates-before-response", "schema.agent-request-valid", "session-info.updated-at-iso8601",
		"session-new.cwd-used", "terminal.cwd-absolute", "tool-call.diff-absolute-path", "tool-call.kind-enum", "tool-call.location-absolute", "tool-call.status-enum",
		"transport.stdin-eof-during-turn", "update.order-preserved",
		"status.consistency.open-vs-methods", "status.perf.history-independent", "status.perf.not-blocked-by-turn",
		"status.response.listed-not-unknown", "status.response.stored", "status.response.stored-implies-resumable",
		"status.sidefx.no-attach", "status.sidefx.no-change-config", "status.sidefx.no-change-history",
		"status.sidefx.no-change-metadata", "status.sidefx.no-close", "status.sidefx.no-load",
		"status.sidefx.no-mcp-start", "status.sidefx.no-resume", "status.sidefx.other-sessions",
		"status.sidefx.pending-permission-undisturbed", "status.sidefx.turn-undisturbed",
		"status.sidefx.whole-conversation", "status.subagent.readable", "subagent.cwd-absolute",
	}
}

// noSession: no session opens.
func noSession() []string {
	return append(slices.Concat(noTurn(), noStatus()),
		"content.block-valid", "error.not-found-data-session-id", "error.resource-not-found-code",
		"ext.method-underscore", "init.baseline-methods", "jsonrpc.params-object", "message.chunk-content-valid",
		"message.id-boundary", "message.id-consistent-use", "message.id-opaque-nonempty", "message.id-unique",
		"prompt.malformed-block-rejected", "schema.agent-notification-valid", "session-new.cwd-absolute",
		"session-new.params-required", "session-new.session-id-present", "session-new.unique-id",
		"update.is-notification", "update.known-variant", "update.outside-turn-limited", "update.required-fields",
		"update.session-known",
	)
}

// notHandshaken: initialize is answered, but by no version that could be agreed on.
func notHandshaken() []string {
	return append(noSession(),
		"cancel.unknown-session-noop", "config.category-custom-underscore", "error.internal-not-for-client-fault",
		"init.advertised-methods-exist", "init.any-capability-combination", "init.version-echo-supported",
		"init.version-fallback-latest", "jsonrpc.batch-rejected", "jsonrpc.error-code-reserved-range",
		"jsonrpc.error-shape", "jsonrpc.ignores-stray-response", "jsonrpc.invalid-params", "jsonrpc.invalid-request",
		"jsonrpc.method-not-found", "jsonrpc.no-response-to-notification", "jsonrpc.parse-error",
		"jsonrpc.response-id-echo", "prompt.unknown-session", "session-new.config-options-shape",
		"session-new.modes-shape", "transport.large-message", "transport.split-writes", "transport.stdin-eof-exit",
	)
}

// gone: the agent does not stay.
func gone() []string {
	return append(notHandshaken(),
		"init.agent-info", "jsonrpc.unknown-fields-ignored", "transport.no-stdout-before-request",
	)
}

// mute: initialize is not answered.
func mute() []string {
	return append(slices.Concat(gone(), statusMarkers()),
		"init.response-required-fields", "jsonrpc.agent-sends-no-batch", "jsonrpc.camel-case-keys",
		"jsonrpc.envelope-shape", "jsonrpc.no-extra-envelope-keys", "jsonrpc.version-field", "meta.no-root-extensions",
		"meta.object-or-null", "schema.agent-result-valid", "schema.integer-ranges", "schema.strict-optional",
		"transport.one-message-per-line", "transport.stdout-only-acp", "transport.trailing-newline", "transport.utf8",
	)
}
