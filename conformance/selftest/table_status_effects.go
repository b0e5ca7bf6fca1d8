package selftest

// statusEffectRows are about what it does beside answering, and about what it is asked about.
func statusEffectRows() map[string]expectation {
	return map[string]expectation{
		"status-loads": breaks(
			"status.sidefx.no-load", "status.sidefx.no-resume", "status.sidefx.no-mcp-start", "status.sidefx.whole-conversation",
			"status.model",
		).
			in2(breaks("status.sidefx.no-load", "status.sidefx.no-resume", "status.sidefx.whole-conversation", "status.model")),
		"status-loads-and-says-active": breaks(
			"status.sidefx.no-load", "status.sidefx.no-resume", "status.sidefx.no-mcp-start", "status.sidefx.whole-conversation",
			"status.model",
		).
			warns("status.consistency.after-close").
			blocks("status.response.stored", "status.response.stored-implies-resumable").
			in2(breaks("status.sidefx.no-resume", "status.sidefx.whole-conversation", "status.model").
				warns("status.consistency.after-close").
				blocks(
					"status.response.stored", "status.response.stored-implies-resumable", "status.state.v2-absent-when-stored",
					"status.sidefx.no-load",
				)),
		"status-loads-but-says-inactive": breaks(
			"status.sidefx.no-load", "status.sidefx.no-resume", "status.sidefx.no-mcp-start", "status.sidefx.whole-conversation",
		).
			in2(breaks("status.sidefx.no-resume", "status.sidefx.whole-conversation")),
		"status-attaches": breaks(
			"update.session-known", "status.sidefx.no-resume", "status.sidefx.no-attach", "status.sidefx.whole-conversation",
		),
		"status-opens-prompt-gate": breaks("status.sidefx.no-resume", "status.sidefx.whole-conversation"),
		"status-warms-up":          breaks("status.sidefx.no-load", "status.model"),
		"status-replays": breaks("update.session-known", "message.id-unique", "status.sidefx.no-attach", "status.sidefx.whole-conversation").
			warns("message.id-boundary", "cancel.tools-finalised"),
		"status-starts-mcp": breaks("status.sidefx.no-mcp-start").
			in2(unjudged("in version 2 a resume that names no servers has none, which leaves nothing to compare with")),
		"status-deletes": breaks(
			"status.response.stored", "status.sidefx.no-change-metadata", "status.sidefx.no-change-config",
			"status.sidefx.no-change-history", "status.sidefx.whole-conversation",
		).
			warns("status.response.stored-implies-resumable"),
		"status-keeps-files-open": bends("status.sidefx.no-load"),
		"status-creates-unknown":  breaks("status.sidefx.no-create", "status.sidefx.whole-conversation").blocks("status.perf.frequent-calls"),
		"status-creates-unknown-in-memory": breaks("status.sidefx.no-create", "status.sidefx.whole-conversation", "status.model").
			blocks("status.perf.frequent-calls"),
		"status-lists-unknown":           breaks("status.sidefx.no-create", "status.sidefx.whole-conversation"),
		"status-creates-unknown-on-disk": breaks("status.sidefx.no-create"),
		"status-touches-updated-at":      breaks("status.sidefx.no-change-metadata"),
		"status-renames":                 breaks("status.sidefx.no-change-metadata", "status.sidefx.whole-conversation"),
		"status-reorders-list":           breaks("status.sidefx.whole-conversation").warns("status.sidefx.no-change-metadata"),
		"status-resets-config":           breaks("status.sidefx.no-change-config", "status.sidefx.whole-conversation"),
		"status-resets-mode":             breaks("status.sidefx.no-change-config", "status.sidefx.whole-conversation"),
		"status-appends-history":         breaks("status.sidefx.no-change-history", "status.sidefx.whole-conversation"),
		"status-trims-history":           breaks("status.sidefx.no-change-history", "status.sidefx.whole-conversation"),
		"status-announces-commands": breaks(
			"update.session-known", "status.sidefx.no-attach", "status.sidefx.no-update-emitted",
			"status.sidefx.whole-conversation",
		),
		"status-announces-info": breaks(
			"update.session-known", "status.sidefx.no-attach", "status.sidefx.no-update-emitted",
			"status.sidefx.whole-conversation",
		),
		"status-announces-usage": breaks(
			"update.session-known", "status.sidefx.no-attach", "status.sidefx.no-update-emitted",
			"status.sidefx.whole-conversation",
		),
		"status-asks-permission": breaks("status.sidefx.no-agent-request", "status.sidefx.whole-conversation"),
		"status-reads-file":      breaks("status.sidefx.no-agent-request", "status.sidefx.whole-conversation"),
		"status-starts-login":    bends("status.sidefx.auth").inconclusive(),
		"status-subscribes":      unjudged("who is subscribed shows only on another connection to the same process"),
		"status-cancels-turn": breaks(
			"prompt.cancelled-only-on-cancel", "status.sidefx.turn-undisturbed", "status.sidefx.pending-permission-undisturbed",
			"status.sidefx.whole-conversation",
		).
			blocks("status.state.requires-action", "status.perf.not-blocked-by-turn"),
		"status-blocks-behind-turn": breaks("jsonrpc.exactly-one-response").
			warns("status.perf.not-blocked-by-turn").
			blocks(
				"status.response.in-memory", "status.state.requires-action", "status.sidefx.turn-undisturbed",
				"status.sidefx.pending-permission-undisturbed", "status.sidefx.whole-conversation", "status.model",
			),
		"status-unanswered-in-turn": breaks("jsonrpc.exactly-one-response").
			warns("status.perf.not-blocked-by-turn").
			blocks(
				"status.response.in-memory", "status.state.requires-action", "status.sidefx.turn-undisturbed",
				"status.sidefx.pending-permission-undisturbed", "status.sidefx.whole-conversation", "status.model",
			),
		"status-slow-in-turn":       bends("status.perf.not-blocked-by-turn"),
		"status-answers-permission": breaks("status.sidefx.pending-permission-undisturbed").blocks("status.state.requires-action"),
		"status-cancels-permission": breaks("status.sidefx.pending-permission-undisturbed", "status.sidefx.whole-conversation").
			blocks("status.state.requires-action"),
		"status-swallows-update": breaks(
			"status.sidefx.turn-undisturbed", "status.sidefx.pending-permission-undisturbed", "status.sidefx.whole-conversation",
		),
		"status-slow-linear":       bends("status.perf.active-cheap"),
		"status-slow-with-history": bends("status.perf.history-independent"),
		"status-closes": breaks("status.sidefx.no-close", "status.sidefx.other-sessions", "status.sidefx.whole-conversation").
			warns("status.model").
			blocks(
				"subagent.cwd-absolute", "status.perf.not-blocked-by-turn", "status.consistency.after-close",
				"status.consistency.after-delete", "status.subagent.readable",
			).
			in2(breaks("status.sidefx.no-close", "status.sidefx.other-sessions", "status.sidefx.whole-conversation").
				warns("status.model").
				blocks("status.state.v2-background", "status.perf.not-blocked-by-turn", "status.subagent.readable")),
		"status-closes-but-says-active": breaks("status.sidefx.no-close", "status.sidefx.other-sessions", "status.sidefx.whole-conversation").
			warns("status.consistency.open-vs-methods", "status.model").
			blocks(
				"subagent.cwd-absolute", "status.perf.not-blocked-by-turn", "status.consistency.after-close",
				"status.consistency.after-delete", "status.subagent.readable",
			).
			in2(breaks("status.sidefx.no-close", "status.sidefx.other-sessions", "status.sidefx.whole-conversation").
				warns("status.consistency.open-vs-methods", "status.consistency.after-close", "status.model").
				blocks("status.state.v2-background", "status.perf.not-blocked-by-turn", "status.subagent.readable")),
		"status-evicts-others": breaks("status.sidefx.other-sessions", "status.sidefx.whole-conversation").
			warns("status.model").
			blocks("status.consistency.after-delete", "status.subagent.readable").
			in2(breaks("status.sidefx.other-sessions", "status.sidefx.whole-conversation").
				warns("status.model").
				blocks("status.state.v2-background", "status.subagent.readable")),
		"status-fills-cache":     breaks("status.sidefx.other-sessions"),
		"status-extends-life":    bends("status.sidefx.residency"),
		"status-stale-cache":     breaks("status.response.in-memory", "status.model").warns("status.consistency.after-close"),
		"status-misses-close":    breaks("status.model").warns("status.consistency.after-close"),
		"status-misses-eviction": breaks("status.model").warns("status.consistency.open-vs-methods"),
		"status-misses-load":     breaks("status.response.in-memory").warns("status.model"),
		"status-misses-resume":   breaks("status.response.in-memory").warns("status.model"),
		"status-misses-delete":   breaks("status.model").warns("status.consistency.after-delete"),
		"inactive-not-resumable": breaks("status.response.stored").
			warns("status.response.stored-implies-resumable").
			blocks(
				"status.sidefx.no-resume", "status.sidefx.no-change-config", "status.sidefx.no-change-history",
				"status.sidefx.no-mcp-start",
			),
		"list-loads":            breaks("status.model").blocks("status.response.stored-implies-resumable"),
		"failed-load-activates": bends("status.model"),
		"close-without-effect":  bends("status.consistency.after-close", "status.model"),
		"resume-without-effect": bends("status.model").
			blocks("status.sidefx.no-resume", "status.sidefx.no-mcp-start").
			in2(bends("status.response.in-memory", "status.model").blocks("status.sidefx.no-resume")),
		"close-in-turn-without-effect":      bends("status.model"),
		"close-after-reopen-without-effect": bends("status.model"),
		"close-after-cancel-loses":          unjudged("an agent need not keep a session that was closed"),
		"second-close-activates":            breaks("status.model"),
		"second-resume-deactivates":         bends("status.model"),
		"resume-revives-deleted":            unjudged("whether what was deleted can be resumed is not what session/status is about"),
		"prompt-after-cancel-unknown":       breaks("cancel.session-usable-after").warns("status.model"),
		"prompt-after-reopen-unknown":       bends("status.model").blocks("status.sidefx.no-resume"),
		"status-unknown-after-reopen":       breaks("status.response.in-memory", "status.model"),
		"delete-closes-others":              unjudged("an agent may evict a session at any time"),
		"restart-activates-closed":          unjudged("an agent may restore its sessions when it is started"),
		"status-emits-state-update": breaks(
			"status.sidefx.no-update-emitted", "status.sidefx.turn-undisturbed", "status.sidefx.pending-permission-undisturbed",
			"status.sidefx.whole-conversation",
		).
			blocks("status.state.v2-idle-initial"),
		"status-resets-to-idle":          bends("status.state.v2-equals-last-update", "status.state.requires-action"),
		"status-forgets-requires-action": bends("status.state.v2-equals-last-update", "status.state.requires-action"),
		"status-keeps-requires-action":   bends("status.state.v2-equals-last-update"),
		"status-bare-string-state": breaks("status.state.v2-shape").
			blocks(
				"status.state.v2-equals-last-update", "status.state.v2-idle-initial", "status.state.v2-background",
				"status.state.requires-action",
			),
		"status-state-envelope": bends("status.state.v2-shape"),
		"status-state-missing": bends("status.state.v2-included").
			blocks(
				"status.state.v2-shape", "status.state.v2-equals-last-update", "status.state.v2-idle-initial",
				"status.state.v2-no-usage-recount", "status.state.v2-background", "status.state.requires-action",
			),
		"status-null-state": bends("status.state.v2-included").
			blocks(
				"status.state.v2-shape", "status.state.v2-equals-last-update", "status.state.v2-idle-initial",
				"status.state.v2-no-usage-recount", "status.state.v2-background", "status.state.requires-action",
			),
		"status-state-empty": breaks("status.state.v2-shape").
			blocks(
				"status.state.v2-equals-last-update", "status.state.v2-idle-initial", "status.state.v2-background",
				"status.state.requires-action",
			),
		"status-state-number": breaks("status.state.v2-shape").
			blocks(
				"status.state.v2-equals-last-update", "status.state.v2-idle-initial", "status.state.v2-background",
				"status.state.requires-action",
			),
		"status-state-unknown-tag":     bends("status.state.v2-equals-last-update", "status.state.v2-background", "status.state.requires-action"),
		"status-state-stale":           bends("status.state.v2-equals-last-update", "status.state.requires-action"),
		"status-running-at-first":      bends("status.state.v2-idle-initial"),
		"status-running-after-resume":  bends("status.state.v2-equals-last-update"),
		"status-state-when-inactive":   bends("status.state.v2-absent-when-stored"),
		"status-running-when-inactive": breaks("status.state.v2-absent-when-stored"),
		"status-drops-background":      bends("status.state.v2-background"),
		"status-wrong-stop-reason":     bends("status.state.v2-equals-last-update"),
		"status-stop-reason-at-first":  bends("status.state.v2-equals-last-update", "status.state.v2-idle-initial"),
		"status-recounts-usage":        bends("status.state.v2-no-usage-recount"),
		"status-unarchives":            breaks("status.archive.keeps-archived"),
		"status-steals-lock":           breaks("status.sidefx.no-close"),
		"status-unknown-subagent":      bends("status.subagent.readable"),
	}
}
