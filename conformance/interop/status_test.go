package interop

import (
	"path/filepath"
	"strconv"
	"testing"
)

// statusRules are the rules that these tests are about.
const statusRules = "status.*"

// config is what a user would know about the agents of the folder agents.
func config(t *testing.T) []string {
	t.Helper()
	return []string{"--config", absolute(t, filepath.Join("agents", "acp-conform.yaml"))}
}

func TestTheStatusRulesOnTheUnstableEntriesOfTheTypeScriptSDK(t *testing.T) {
	t.Parallel()
	agent := node(t, "@agentclientprotocol/sdk", "agent-unstable.mjs")
	for version := 1; version <= 2; version++ {
		v := strconv.Itoa(version)
		t.Run("v"+v, func(t *testing.T) {
			t.Parallel()
			read(t, "unstable v"+v).compare(t, conform(t, []string{"--protocol", v, "--rules", statusRules}, agent...))
		})
	}
}

func TestTheStatusRulesOnARightAgent(t *testing.T) {
	t.Parallel()
	agent := python(t, "right.py")
	for version := 1; version <= 2; version++ {
		v := strconv.Itoa(version)
		t.Run("v"+v, func(t *testing.T) {
			t.Parallel()
			read(t, "right v"+v).compare(t, conform(t, append(config(t), "--protocol", v, "--rules", statusRules), agent...))
		})
	}
}

// The right agent is right in everything, and so is the one on the SDK.
func TestNoRuleAccusesTheAgentsWithStatus(t *testing.T) {
	t.Parallel()
	conformant := expectation{verdict: "conformant"}
	t.Run("right.py", func(t *testing.T) {
		t.Parallel()
		conformant.compare(t, conform(t, []string{"--rules", "!" + statusRules}, python(t, "right.py")...))
	})
	t.Run("agent-unstable.mjs", func(t *testing.T) {
		t.Parallel()
		agent := node(t, "@agentclientprotocol/sdk", "agent-unstable.mjs")
		conformant.compare(t, conform(t, []string{"--rules", "!" + statusRules}, agent...))
	})
}

// wrongAgents have one subtle fault each. STATUS.md says which rules should find it.
var wrongAgents = []struct {
	script  string
	version int
	expectation
}{
	{"touches.py", 1, expectation{
		verdict: "nonconformant", exitCode: 1,
		findings: []finding{
			// The row of the session that was asked about has another updatedAt; that of its neighbour has not.
			{"status.sidefx.no-change-metadata", "fail"},
		},
		sometimes: []finding{
			// It writes a file for each question. On a busy machine there are too few calls to tell.
			{"status.perf.active-cheap", "warn"},
		},
	}},
	{"loads.py", 1, expectation{
		verdict: "nonconformant", exitCode: 1,
		findings: []finding{
			// It took a prompt without a resume, and a server ran: the session was in memory.
			{"status.sidefx.no-load", "fail"},
			// It took a prompt that it refuses when nobody has asked.
			{"status.sidefx.no-resume", "fail"},
			// The canary noted a start that nobody asked for.
			{"status.sidefx.no-mcp-start", "fail"},
		},
	}},
	{"loads.py", 2, expectation{
		verdict: "nonconformant", exitCode: 1,
		findings: []finding{
			// As in version 1. There is no canary here to tell whether the session was loaded or only opened to prompts.
			{"status.sidefx.no-resume", "fail"},
		},
	}},
	{"stale.py", 1, expectation{
		verdict: "nonconformant", exitCode: 1,
		findings: []finding{
			// It had called the session inactive before the resume, and does so while a turn runs.
			{"status.response.in-memory", "fail"},
			// It had called the session active before the close, and does so seconds later.
			{"status.consistency.after-close", "warn"},
			{"status.consistency.after-delete", "warn"},
		},
		sometimes: []finding{
			// The same in a sequence that has a close; on a busy machine there may be none.
			{"status.model", "warn"},
		},
	}},
}

func TestASubtleFaultIsFound(t *testing.T) {
	t.Parallel()
	for _, c := range wrongAgents {
		v := strconv.Itoa(c.version)
		t.Run(c.script+"/v"+v, func(t *testing.T) {
			t.Parallel()
			c.compare(t, conform(t, append(config(t), "--protocol", v, "--rules", statusRules), python(t, c.script)...))
		})
	}
}
