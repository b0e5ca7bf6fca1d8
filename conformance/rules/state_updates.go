package rules

import (
	"regexp"

	"github.com/acp-conform/acp-conform/conformance/rule"
)

// stateUpdates are the updates that tell of a session's state: what it is called, what the user should know, what becomes of
// its context. https://agentclientprotocol.com/protocol/v1/schema#sessionupdate
func stateUpdates() []rule.Rule {
	return []rule.Rule{sessionInfoUpdatedAtISO8601, noticeSeverityOpen, compactionStatusOpen}
}

// iso8601 is wider than RFC 3339: the time may be missing, incomplete or without an offset, and the signs between the numbers
// may be left out. It need not know how long a month is: where it accepts a value, the value only warns.
var iso8601 = regexp.MustCompile(`(?i)^([+-]\d\d)?\d{4}` +
	`(-?(0[1-9]|1[0-2])(-?(0[1-9]|[12]\d|3[01]))?|-?W(0[1-9]|[1-4]\d|5[0-3])(-?[1-7])?|-?([0-2]\d\d|3[0-6]\d))?` +
	`([T ]([01]\d|2[0-4])(:?[0-5]\d(:?([0-5]\d|60))?)?([.,]\d+)?(Z|[+-]([01]\d|2[0-4])(:?[0-5]\d)?)?)?$`)

var sessionInfoUpdatedAtISO8601 = rule.Rule{
	ID:    "session-info.updated-at-iso8601",
	Title: "the time of a session's last update is written in ISO 8601",
	Level: rule.Must, Basis: rule.Stated, Versions: v1,
	Ref:      rule.Ref{Page: "session-list", Anchor: "updating-session-metadata"},
	Advice:   "Write updatedAt with date, time and offset, such as 2026-01-01T12:00:00Z: without an offset a client cannot tell when that was.",
	Mild:     "the value is of ISO 8601, as it has to be",
	Occasion: rule.AgentsChoice,
	Watch: rule.EachFrame(func(l *rule.Log, r *rule.Reading) {
		for _, at := range textsAt(r, []spot{{"session_info_update", "updatedAt"}}) {
			l.Occasion()
			for _, f := range ownedTexts(r, "session-info.updated-at-iso8601") {
				wide, found := iso8601.MatchString(at), finding(r, f)
				if found.Why += ", nor any of ISO 8601"; wide {
					found.Why = what(r) + ": " + f.Path + " is of ISO 8601, but in a form that RFC 3339 does not have and few readers take"
				}
				l.BrokenIf(!wide, found)
			}
		}
	}),
}

var noticeSeverityOpen = rule.Rule{
	ID:    "notice.severity-open",
	Title: "the severity of a notice is one of the protocol's, or begins with an underscore",
	Level: rule.Must, Basis: rule.Stated, Versions: v1,
	Ref:      rule.Ref{Page: "schema", Anchor: "NoticeSeverity"},
	Advice:   "Begin a severity of your own with an underscore: other names are kept for the protocol, and clients may show them as anything.",
	Mild:     openList,
	Occasion: rule.AgentsChoice,
	Soft:     true,
	Watch:    textRule("notice.severity-open", spot{"notice", "severity"}),
}

var compactionStatusOpen = rule.Rule{
	ID:    "compaction.status-open",
	Title: "the status of a compaction is one of the protocol's, or begins with an underscore",
	Level: rule.Must, Basis: rule.Stated, Versions: v1,
	Ref:      rule.Ref{Page: "schema", Anchor: "CompactionStatus"},
	Advice:   "Begin a status of your own with an underscore: a client cannot tell whether an unknown one is the end of the compaction.",
	Mild:     openList,
	Occasion: rule.AgentsChoice,
	Soft:     true,
	Watch:    textRule("compaction.status-open", spot{"compaction_update", "status"}),
}
