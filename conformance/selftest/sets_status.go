package selftest

import (
	"slices"

	"github.com/acp-conform/acp-conform/conformance/rules"
)

// The rules of session/status that meet no occasion when something is wrong with its answers. Those of one version stand beside those
// of the other: a row is read for one version at a time.

// statusMarkers are the rules about the capability itself.
func statusMarkers() []string {
	return []string{"status.capability.path-v1", "status.capability.path-v2", "status.capability.marker-shape"}
}

// noStatus: session/status is not offered, or there is no session to ask about.
func noStatus() []string {
	ids := []string{"subagent.cwd-absolute"} // seen only where a sub-agent is asked about
	for _, r := range rules.All() {
		if r.Area() == sharing && !slices.Contains(statusMarkers(), r.ID) {
			ids = append(ids, r.ID)
		}
	}
	return ids
}

// otherStatusWord: an answer has a status that is none of the words.
func otherStatusWord() []string {
	return []string{
		"status.consistency.after-close", "status.consistency.after-delete", "status.perf.active-cheap",
		"status.response.stored", "status.response.stored-implies-resumable", "status.sidefx.no-attach",
		"status.sidefx.no-change-config", "status.sidefx.no-change-history", "status.sidefx.no-change-metadata",
		"status.sidefx.no-load", "status.sidefx.no-mcp-start", "status.sidefx.no-resume",
		"status.sidefx.other-sessions", "status.sidefx.whole-conversation", "status.state.requires-action",
		"status.state.v2-absent-when-stored", "status.state.v2-background", "status.state.v2-equals-last-update",
		"status.state.v2-idle-initial", "status.state.v2-included", "status.state.v2-no-usage-recount",
		"status.state.v2-shape", "status.subagent.readable",
	}
}

// noStatusWord: an answer has no status.
func noStatusWord() []string {
	return append(otherStatusWord(), "status.request.meta-tolerated", "status.request.unknown-fields-ignored", "status.response.value-vocabulary")
}
