package selftest

// setupRows are the faults of the handshake, capabilities and sessions.
func setupRows() map[string]expectation {
	return map[string]expectation{
		"no-protocol-version": breaks("init.response-required-fields").
			blocks(notHandshaken()...).
			inconclusive().blocks(statusMarkers()...),
		"protocol-version-string": breaks("init.response-required-fields").
			blocks(notHandshaken()...).
			inconclusive().blocks(statusMarkers()...),
		"protocol-version-fractional": breaks("init.response-required-fields").
			blocks(notHandshaken()...).
			inconclusive().blocks(statusMarkers()...),
		"protocol-version-as-float": bends("schema.integer-ranges"),
		"protocol-version-date": breaks("init.response-required-fields").
			blocks(notHandshaken()...).
			inconclusive().blocks(statusMarkers()...),
		"initialize-result-null": breaks("init.response-required-fields").
			blocks(notHandshaken()...).
			blocks("init.agent-info", "meta.object-or-null").
			inconclusive().blocks(statusMarkers()...),
		"version-echo-wrong": unjudged("an agent that speaks only version 2 is honest").
			blocks(notHandshaken()...).
			blocks("init.agent-info").
			frees("init.version-fallback-latest").
			inconclusive(),
		"version-echo-zero": breaks("init.version-echo-supported").
			blocks(notHandshaken()...).
			frees("init.version-echo-supported", "init.version-fallback-latest").
			inconclusive().blocks("status.capability.path-v1"),
		"version-fallback-error":        breaks("init.version-fallback-latest"),
		"version-fallback-echo":         breaks("init.version-fallback-latest"),
		"version-fallback-zero":         breaks("init.version-fallback-latest"),
		"version-fallback-out-of-range": breaks("init.version-fallback-latest", "schema.integer-ranges"),
		"version-fallback-unanswered":   breaks("jsonrpc.exactly-one-response").blocks("init.version-fallback-latest"),
		"accepts-missing-version":       bends("jsonrpc.invalid-params"),
		"no-agent-info":                 bends("init.agent-info"),
		"agent-info-empty-name":         bends("init.agent-info"),
		"agent-info-without-version":    bends("init.agent-info", "schema.strict-optional"),
		"agent-info-string":             bends("init.agent-info", "schema.strict-optional"),
		"auth-methods-object":           bends("schema.strict-optional"),
		"terminal-auth-unadvertised":    bends("schema.strict-optional"),
		"capability-string":             bends("schema.strict-optional"),
		"serves-before-initialize":      later("init.requests-before-initialize"),
		"no-session-new": breaks("init.baseline-methods").
			warns("jsonrpc.invalid-params").
			blocks(noSession()...).
			blocks("config.category-custom-underscore", "session-new.config-options-shape", "session-new.modes-shape").
			frees("init.baseline-methods"),
		"no-session-prompt": breaks("init.baseline-methods", "prompt.text-supported").
			warns("error.resource-not-found-code", "jsonrpc.invalid-params", "prompt.malformed-block-rejected").
			blocks(noTurn()...).
			blocks(
				"content.block-valid", "error.not-found-data-session-id", "message.chunk-content-valid", "message.id-boundary",
				"message.id-consistent-use", "message.id-opaque-nonempty", "message.id-unique",
			).
			frees("prompt.text-supported"),
		"load-not-served": breaks("init.advertised-methods-exist").blocks("status.sidefx.no-change-history"),
		"resume-not-served": breaks("init.advertised-methods-exist").
			blocks(
				"status.response.stored", "status.response.stored-implies-resumable", "status.sidefx.no-resume",
				"status.sidefx.no-change-config", "status.sidefx.no-mcp-start",
			),
		"close-not-served": breaks("init.advertised-methods-exist").
			blocks("status.consistency.after-close", "status.consistency.after-delete"),
		"list-not-served": breaks("init.advertised-methods-exist").
			blocks("status.response.stored-implies-resumable", "status.response.listed-not-unknown", "status.sidefx.no-change-metadata"),
		"delete-not-served":             breaks("init.advertised-methods-exist").blocks("status.consistency.after-delete"),
		"set-mode-not-served":           later("mode.set-success"),
		"set-config-option-not-served":  later("config.set-returns-complete"),
		"uses-unadvertised-read":        breaks("init.client-omitted-caps-unsupported"),
		"uses-unadvertised-write":       breaks("init.client-omitted-caps-unsupported"),
		"reads-if-writes":               later("fs.not-called-without-capability"),
		"writes-if-reads":               later("fs.not-called-without-capability"),
		"uses-unadvertised-terminal":    breaks("init.client-omitted-caps-unsupported"),
		"uses-unadvertised-elicitation": breaks("init.client-omitted-caps-unsupported"),
		"unadvertised-notice":           breaks("init.client-omitted-caps-unsupported"),
		"unadvertised-compaction":       breaks("init.client-omitted-caps-unsupported"),
		"unadvertised-boolean":          breaks("init.client-omitted-caps-unsupported"),
		"unasked-read":                  breaks("init.client-omitted-caps-unsupported"),
		"missing-capabilities-mean-all": breaks("init.client-omitted-caps-unsupported"),
		"refuses-null-capabilities":     later("init.null-capabilities"),
		"refuses-without-read":          bends("init.any-capability-combination").blocks("init.client-omitted-caps-unsupported"),
		"refuses-without-write":         bends("init.any-capability-combination"),
		"refuses-terminal-only":         bends("init.any-capability-combination"),
		"refuses-bare-client":           bends("init.any-capability-combination").blocks("init.client-omitted-caps-unsupported"),
		"empty-session-id": bends("session-new.session-id-present").
			blocks(noSession()...).
			frees("session-new.session-id-present").
			inconclusive(),
		"no-session-id": breaks("schema.agent-result-valid").
			blocks(noSession()...),
		"null-session-id": breaks("schema.agent-result-valid").
			blocks(noSession()...),
		"number-session-id": breaks("schema.agent-result-valid").
			blocks(noSession()...),
		"snake-case-session-id": breaks("jsonrpc.camel-case-keys").
			blocks(noSession()...),
		"duplicate-session-ids":                breaks("session-new.unique-id").blocks("cancel.scoped-to-session", "prompt.streaming-session-id"),
		"session-ids-repeat-between-processes": breaks("session-new.unique-id"),
		"accepts-missing-cwd":                  bends("session-new.params-required"),
		"accepts-number-cwd":                   bends("session-new.params-required"),
		"accepts-relative-cwd":                 bends("session-new.cwd-absolute"),
		"accepts-missing-servers":              bends("session-new.params-required"),
		"accepts-bad-servers":                  bends("session-new.params-required"),
		"refuses-null-servers":                 unjudged("only noted: real agents do"),
		"new-unanswered": breaks("jsonrpc.exactly-one-response").
			blocks(noSession()...).
			blocks("config.category-custom-underscore", "session-new.config-options-shape", "session-new.modes-shape"),
		"new-fails": bends("error.internal-not-for-client-fault").
			blocks(noSession()...).
			blocks("config.category-custom-underscore", "session-new.config-options-shape", "session-new.modes-shape").
			inconclusive(),
		"ignores-cwd": breaks("session-new.cwd-used"),
		"new-result-without-object": breaks("schema.agent-result-valid").
			blocks(noSession()...).
			blocks("config.category-custom-underscore", "session-new.config-options-shape", "session-new.modes-shape"),
		"current-mode-not-listed":      bends("session-new.modes-shape"),
		"no-current-mode":              bends("session-new.modes-shape"),
		"duplicate-mode-ids":           breaks("session-new.modes-shape"),
		"mode-without-name":            bends("session-new.modes-shape"),
		"modes-array":                  bends("session-new.modes-shape"),
		"config-options-object":        bends("session-new.config-options-shape").blocks("config.category-custom-underscore"),
		"config-option-without-name":   bends("session-new.config-options-shape", "schema.strict-optional"),
		"config-option-unknown-type":   bends("session-new.config-options-shape", "schema.strict-optional"),
		"config-option-without-values": bends("session-new.config-options-shape"),
		"config-current-not-listed":    bends("session-new.config-options-shape"),
		"duplicate-config-ids":         breaks("session-new.config-options-shape"),
		"mode-accepts-unknown":         later("mode.set-invalid"),
		"config-accepts-unknown-value": later("config.set-invalid-value"),
		"config-set-without-effect":    later("config.set-returns-complete"),
		"config-set-incomplete":        later("config.set-returns-complete"),
		"config-set-result-empty":      breaks("schema.agent-result-valid"),
		"set-mode-result-string":       breaks("schema.agent-result-valid"),
		"set-mode-unanswered":          breaks("jsonrpc.exactly-one-response"),
		"mode-update-mode-id":          later("mode.update-field-name"),
		"load-without-history":         later("load.replays-whole-history").blocks("status.sidefx.no-change-history"),
		"load-without-user-messages":   later("load.replays-whole-history"),
		"load-last-message-only":       later("load.replays-whole-history"),
		"load-out-of-order":            later("load.replays-whole-history"),
		"load-replays-late":            bends("update.outside-turn-limited", "cancel.tools-finalised"),
		"load-asks-client":             later("load.no-reexecution"),
		"load-unknown-succeeds":        later("load.unknown-session"),
		"load-unknown-unanswered":      breaks("jsonrpc.exactly-one-response").blocks("status.model"),
		"load-result-string":           breaks("schema.agent-result-valid"),
		"resume-replays":               later("resume.no-replay"),
		"resume-unknown-succeeds":      breaks("status.model"),
		"close-leaves-turn":            breaks("jsonrpc.exactly-one-response").blocks("status.model"),
		"close-then-update":            bends("update.outside-turn-limited", "message.id-consistent-use"),
		"close-result-null":            bends("schema.agent-result-valid"),
		"list-null":                    bends("schema.strict-optional"),
		"list-without-sessions": breaks("schema.agent-result-valid").
			blocks("status.response.stored-implies-resumable", "status.response.listed-not-unknown", "status.sidefx.no-change-metadata"),
		"list-ignores-cwd": later("list.cwd-filter"),
		"list-repeats-page": later("list.cursor-pagination").
			blocks("status.response.stored-implies-resumable", "status.response.listed-not-unknown", "status.sidefx.no-change-metadata"),
		"list-cursor-number":      bends("schema.strict-optional"),
		"list-accepts-bad-cursor": later("list.cursor-invalid-error"),
		"list-entry-without-cwd":  bends("schema.strict-optional").blocks("status.response.stored-implies-resumable"),
		"delete-still-listed":     later("delete.not-listed"),
		"delete-unknown-fails":    later("delete.idempotent"),
		"mcp-not-connected":       later("mcp.stdio-supported").blocks("status.sidefx.no-mcp-start"),
		"mcp-args-lost":           later("mcp.args-env-passed").blocks("status.sidefx.no-mcp-start"),
		"mcp-args-reordered":      later("mcp.args-env-passed").blocks("status.sidefx.no-mcp-start"),
		"mcp-env-lost":            later("mcp.args-env-passed"),
		"mcp-runs-after-close":    later("mcp.shutdown-on-close"),
		"mcp-http-accepted":       later("mcp.unadvertised-transport-rejected"),
		"capability-at-root":      bends("meta.no-root-extensions"),
		"meta-number-in-modes":    breaks("meta.object-or-null"),
		"config-category-unknown": bends("config.category-custom-underscore"),
	}
}
