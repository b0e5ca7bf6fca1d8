package selftest

// cancelRows are the faults of cancellation and requests to the client.
func cancelRows() map[string]expectation {
	return map[string]expectation{
		"cancel-ends-turn": breaks(
			"cancel.during-client-request", "cancel.during-permission", "cancel.during-tool", "cancel.immediate",
			"cancel.stop-reason-cancelled",
		).
			blocks("cancel.tools-finalised"),
		"cancel-refuses": breaks(
			"cancel.during-client-request", "cancel.during-permission", "cancel.during-tool", "cancel.immediate",
			"cancel.stop-reason-cancelled",
		).
			blocks("cancel.tools-finalised"),
		"cancel-american-spelling": breaks(
			"cancel.during-client-request", "cancel.during-permission", "cancel.during-tool", "cancel.immediate",
			"cancel.stop-reason-cancelled", "prompt.response-stop-reason",
		).
			blocks("cancel.tools-finalised"),
		"cancel-is-error": breaks("cancel.no-error-response").
			blocks("cancel.during-client-request", "cancel.during-permission", "cancel.during-tool", "cancel.stop-reason-cancelled", "cancel.tools-finalised"),
		"cancel-is-request-cancelled": breaks("cancel.no-error-response").
			blocks("cancel.during-client-request", "cancel.during-permission", "cancel.during-tool", "cancel.stop-reason-cancelled", "cancel.tools-finalised"),
		"cancel-unanswered": breaks(
			"cancel.during-client-request", "cancel.during-permission", "cancel.during-tool", "cancel.immediate",
			"cancel.stop-reason-cancelled", "jsonrpc.exactly-one-response",
		).
			blocks(cancelLost()...).blocks("status.model"),
		"cancel-ignored": breaks(
			"cancel.during-client-request", "cancel.during-tool", "cancel.immediate", "cancel.stop-reason-cancelled",
			"jsonrpc.exactly-one-response",
		).
			blocks(cancelLost()...).
			frees("cancel.tools-finalised").blocks("status.model"),
		"cancel-ignored-while-waiting": breaks("cancel.stop-reason-cancelled", "jsonrpc.exactly-one-response").
			blocks(cancelLost()...).
			blocks("error.request-cancelled-code").
			frees("cancel.tools-finalised").blocks("status.model"),
		"cancel-ignored-in-tool":           breaks("cancel.during-tool", "jsonrpc.exactly-one-response").blocks("cancel.updates-before-response"),
		"cancel-ignored-in-permission":     breaks("cancel.during-permission"),
		"cancel-ignored-in-client-request": breaks("cancel.during-client-request").blocks("cancel.stops-work"),
		"cancel-waits-for-client":          bends("cancel.during-client-request").blocks("cancel.stops-work"),
		"cancel-slow":                      bends("cancel.during-client-request", "cancel.prompt-latency"),
		"idle-cancel-poisons":              breaks("prompt.cancelled-only-on-cancel").warns("cancel.idle-noop"),
		"idle-cancel-answered":             bends("cancel.idle-noop"),
		"idle-cancel-fatal":                bends("cancel.idle-noop"),
		"idle-cancel-closes":               bends("cancel.idle-noop"),
		"unknown-cancel-answered":          breaks("cancel.unknown-session-noop"),
		"unknown-cancel-fatal":             breaks("cancel.unknown-session-noop"),
		"unknown-cancel-cancels-all":       breaks("cancel.unknown-session-noop"),
		"cancel-hits-all":                  breaks("cancel.scoped-to-session", "prompt.cancelled-only-on-cancel"),
		"cancel-is-answered": breaks("cancel.double", "cancel.unknown-session-noop", "jsonrpc.exactly-one-response", "jsonrpc.no-response-to-notification").
			warns("cancel.idle-noop"),
		"immediate-cancel-lost":           breaks("cancel.immediate"),
		"immediate-cancel-unanswered":     breaks("cancel.immediate"),
		"cancel-request-code":             breaks("error.request-cancelled-code"),
		"cancel-request-unanswered":       breaks("jsonrpc.exactly-one-response").blocks("error.request-cancelled-code"),
		"cancel-request-answered":         later("cancel-request.ignored-or-honoured"),
		"late-chunk-after-cancel":         breaks("cancel.updates-before-response"),
		"late-tool-call-after-cancel":     breaks("cancel.updates-before-response"),
		"late-tool-update-after-cancel":   breaks("cancel.updates-before-response"),
		"tool-goes-on-after-cancel":       breaks("cancel.updates-before-response").warns("cancel.tools-finalised"),
		"cancel-leaves-tool-open":         unjudged("only noted"),
		"cancel-marks-tool-cancelled":     breaks("tool-call.status-enum"),
		"work-goes-on-after-cancel":       bends("cancel.stops-work"),
		"write-goes-on-after-cancel":      bends("cancel.stops-work"),
		"session-dead-after-cancel":       breaks("cancel.session-usable-after"),
		"session-busy-after-cancel":       breaks("cancel.session-usable-after"),
		"prompt-hangs-after-cancel":       breaks("cancel.session-usable-after", "jsonrpc.exactly-one-response").blocks("status.model"),
		"double-cancel-double-response":   breaks("cancel.double", "jsonrpc.exactly-one-response"),
		"last-words-after-other-session":  breaks("prompt.streaming-session-id", "update.session-known"),
		"permission-without-options":      breaks("schema.agent-request-valid").warns("prompt.cancelled-only-on-cancel"),
		"permission-without-tool-call":    breaks("schema.agent-request-valid"),
		"permission-without-session":      breaks("schema.agent-request-valid").blocks("status.model"),
		"permission-option-unknown-kind":  breaks("schema.agent-request-valid").warns("prompt.cancelled-only-on-cancel"),
		"permission-duplicate-options":    later("permission.option-ids-unique"),
		"permission-array-params":         breaks("jsonrpc.params-object", "prompt.cancelled-only-on-cancel").blocks("status.model"),
		"permission-for-unknown-tool":     later("permission.tool-call-known"),
		"works-before-permission":         later("permission.before-execution"),
		"ignores-reject":                  later("permission.reject-honoured"),
		"unknown-option-allows":           later("permission.unknown-option-not-allow"),
		"reject-ends-turn-cancelled":      bends("prompt.cancelled-only-on-cancel"),
		"reject-is-error":                 later("permission.reject-honoured"),
		"read-relative-path":              breaks("fs.path-absolute").blocks("session-new.cwd-used"),
		"read-without-path":               breaks("schema.agent-request-valid").blocks("session-new.cwd-used"),
		"read-file-uri":                   breaks("fs.path-absolute").blocks("session-new.cwd-used"),
		"read-negative-line":              breaks("schema.integer-ranges"),
		"read-line-out-of-range":          breaks("schema.integer-ranges"),
		"read-line-as-float":              bends("schema.integer-ranges"),
		"read-line-zero":                  later("fs.line-1-based"),
		"read-unknown-session":            later("fs.session-active"),
		"write-without-content":           breaks("schema.agent-request-valid"),
		"terminal-args-string":            breaks("schema.agent-request-valid"),
		"terminal-relative-cwd":           breaks("terminal.cwd-absolute"),
		"terminal-negative-limit":         breaks("schema.integer-ranges"),
		"terminal-not-released":           later("terminal.release-after-create"),
		"terminal-not-released-on-cancel": bends("cancel.stops-work"),
		"terminal-used-after-release":     later("terminal.no-use-after-release"),
		"client-error-ends-turn":          unjudged("the prompt is answered, which is all that is asked"),
		"permission-diff-relative-path":   breaks("tool-call.diff-absolute-path"),
		"write-relative-path":             breaks("fs.path-absolute"),
		"elicit-mode-unknown":             bends("elicitation.custom-underscore"),
		"elicit-property-unknown-type":    bends("elicitation.custom-underscore"),
		"elicit-items-unknown-type":       bends("elicitation.custom-underscore"),
	}
}
