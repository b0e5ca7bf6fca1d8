package interop

import (
	"slices"
	"testing"
)

// typeScriptClient is our driver on the unstable entries of the TypeScript SDK, client.mjs: the SDK reads the messages.
var typeScriptClient = expectation{
	verdict: "nonconformant", exitCode: 1,
	findings: []finding{
		// In version 1 the SDK's client hands on the answer to initialize as it came, unlike in version 2, where it puts a capability
		// that is no object down as absent. The driver asks what the SDK's examples ask, whether there is a capability, and
		// takes true, "yes", 1 and an array for support.
		{"status.client.invalid-marker", "fail"},
	},
}

// typeScriptClient2 is the same client in version 2.
var typeScriptClient2 = expectation{verdict: "conformant", exitCode: 0}

// A client that speaks of open and saved sessions does not know active: it takes the session for inactive, which is right, so
// that it never claims to have one open. What it makes of an invalid capability is the same.
var typeScriptClientOfOtherWords = expectation{
	verdict: "nonconformant", exitCode: 1,
	findings: []finding{{"status.client.invalid-marker", "fail"}},
}

func TestAClientOnTheTypeScriptSDK(t *testing.T) {
	for _, c := range []struct {
		name       string
		flags      []string
		want       expectation
		unobserved []string // everything else passes
	}{
		{"both versions", []string{"--status-vocabulary", "open"}, typeScriptClient, nil},
		{"version 2", []string{"--status-vocabulary", "open", "--protocol", "2"}, typeScriptClient2, nil},
		{"other words", []string{"--protocol", "1"}, typeScriptClientOfOtherWords, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			client := node(t, "@agentclientprotocol/sdk", "client.mjs")
			run := judgeClient(t, c.flags, client...)
			c.want.compare(t, run)
			for _, r := range run.Rules {
				if r.Verdict == "not-observed" != slices.Contains(c.unobserved, r.ID) {
					t.Errorf("%s: %s: %s", r.ID, r.Verdict, r.Reason)
				}
			}
		})
	}
}

// judgeClient runs acp-conform on a client and gives its report. Nothing of the client may be left.
func judgeClient(t *testing.T, flags []string, client ...string) report {
	t.Helper()
	return judged(t, append([]string{"client"}, flags...), client)
}
