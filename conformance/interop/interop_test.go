package interop

import (
	"path/filepath"
	"testing"
)

// goExample is the example agent of the Go SDK. Its turns are always the same: text, a tool call, a permission request.
var goExample = expectation{
	verdict: "conformant", exitCode: 0,
	findings: []finding{
		// The SDK drops a line that it cannot read and answers nothing.
		{"jsonrpc.parse-error", "warn"},
		// It also drops values that are no messages, a request with a number for a method among them; one without jsonrpc
		// it takes for a good one.
		{"jsonrpc.invalid-request", "warn"},
		// It drops an array, too.
		{"jsonrpc.batch-rejected", "warn"},
		// An initialize without protocolVersion is answered by a result.
		{"jsonrpc.invalid-params", "warn"},
		// A prompt for a session that does not exist is refused with -32603, the code for an internal error, in place of -32002.
		{"error.resource-not-found-code", "warn"},
		{"error.internal-not-for-client-fault", "warn"},
		// It does not say its name and version.
		{"init.agent-info", "warn"},
		// It opens a session for a relative working directory.
		{"session-new.cwd-absolute", "warn"},
		// It runs a turn for a block of an unknown type, a text block without text and a link without a uri.
		{"prompt.malformed-block-rejected", "warn"},
		// After a rejected permission it ends the turn and leaves that tool call pending.
		{"prompt.no-pending-tools-at-end", "warn"},
	},
	sometimes: []finding{
		// The SDK handles requests and notifications side by side: the answer to its permission request may overtake the cancel
		// before it; then the turn ends with end_turn.
		{"cancel.during-permission", "warn"},
	},
}

// typeScript is our own agent on the TypeScript SDK, which answers whatever it cannot read as the pages say.
var typeScript = expectation{
	verdict: "conformant", exitCode: 0,
}

// codex is the adapter of Codex without a login: it shakes hands, and every session/new asks for authentication.
var codex = expectation{
	verdict: "nonconformant", exitCode: 1,
	findings: []finding{
		// It answers notifications that it does not know or cannot read with an error.
		{"jsonrpc.no-response-to-notification", "fail"},
		// Its errors for lines that it cannot read have no member id, where JSON-RPC wants null.
		{"jsonrpc.parse-error", "warn"},
		// The same for values that are no messages, with -32700 for good JSON; an empty object it does not answer.
		{"jsonrpc.invalid-request", "warn"},
		// The same for an array.
		{"jsonrpc.batch-rejected", "warn"},
		// It goes on running when its stdin is closed.
		{"transport.stdin-eof-exit", "warn"},
		// Its authMethods have a member vars, which has left the schema.
		{"meta.no-root-extensions", "warn"},
	},
}

const codexScript = "node_modules/@zed-industries/codex-acp/bin/codex-acp.js"

func TestTheExampleAgentOfTheGoSDK(t *testing.T) {
	t.Parallel()
	agent := filepath.Join(t.TempDir(), executable("agent"))
	build(t, ".", agent, "github.com/coder/acp-go-sdk/example/agent")
	goExample.compare(t, conform(t, nil, agent))
}

func TestAnAgentOnTheTypeScriptSDK(t *testing.T) {
	t.Parallel()
	agent := node(t, "@agentclientprotocol/sdk", "agent.mjs")
	typeScript.compare(t, conform(t, nil, agent...))
}

func TestTheCodexAdapterWithoutASession(t *testing.T) {
	t.Parallel()
	agent := node(t, "@zed-industries/codex-acp", codexScript)
	codex.compare(t, conform(t, []string{"--allow-no-session"}, agent...))
}

// An agent that opens no session has not been tested, however well it does until then; what it does wrong counts all the same.
func TestNoSessionIsNoGoodVerdict(t *testing.T) {
	t.Parallel()
	agent := node(t, "@zed-industries/codex-acp", codexScript)
	for _, want := range []struct {
		rules string
		expectation
	}{
		{"init.*", expectation{verdict: "inconclusive", exitCode: 3}},
		{"init.*,jsonrpc.no-response-to-notification", expectation{
			verdict: "nonconformant", exitCode: 1,
			findings: []finding{{"jsonrpc.no-response-to-notification", "fail"}},
		}},
	} {
		t.Run(want.verdict, func(t *testing.T) {
			want.compare(t, conform(t, []string{"--rules", want.rules}, agent...))
		})
	}
}
