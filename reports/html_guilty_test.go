package reports

import (
	"strings"
	"testing"

	"github.com/acp-conform/acp-conform/conformance/result"
)

// What a finding is about is what a reader would point at.
func TestTheLineThatAFindingIsAbout(t *testing.T) {
	lines := map[string]result.Frame{
		"prompt": {From: "client", Line: `{"id":3,"method":"session/prompt"}`}, "cancel": {From: "client", Line: `{"method":"session/cancel"}`},
		"bad": {From: "client", Line: `{"id":"bad-1","method":"session/prompt"}`, Deliberate: true}, "fence": {From: "client", Line: `{"id":9,"method":"_acp_conform/fence"}`},
		"broken": {From: "client", Line: `{"jsonrpc":`, Deliberate: true}, "reply": {From: "client", Line: `{"id":0,"result":{}}`},
		"update": {From: "agent", Line: `{"method":"session/update"}`}, "result": {From: "agent", Line: `{"id":3,"result":{}}`}, "ask": {From: "agent", Line: `{"id":0,"method":"fs/read_text_file"}`},
		"long":   {From: "client", Line: `{"id":3,"jsonrpc":"2.0","method":"session/prompt","params":{"prompt":[`, Cut: 9},
		"stderr": {From: "agent-stderr", Line: "panic"}, "quiet": {From: "suite", Line: "quiet for 200 ms"},
	}
	for _, c := range []struct {
		who, cited string
		want       int
	}{
		{"agent", "bad cancel", 0}, // never answered, and then cancelled
		{"agent", "prompt cancel fence quiet", 0},
		{"agent", "prompt prompt", 0},               // the first
		{"agent", "prompt result prompt cancel", 2}, // the next one is not answered
		{"agent", "prompt cancel result", 2},        // the answer is wrong
		{"agent", "prompt update", 1},               // what came is wrong, not that its turn goes on
		{"agent", "prompt cancel update stderr", 2},
		{"agent", "ask reply", 0}, // an answer of ours owes nothing
		{"agent", "update", 0},
		{"agent", "result cancel", 0},
		{"agent", "broken", 0},       // no request that could be read
		{"agent", "cancel quiet", 1}, // nothing but what was waited for
		{"agent", "fence", 0},
		{"agent", "long cancel", 0}, // cut, so that it is no JSON
		{"agent", "stderr", 0},
		{"agent", "", -1},
		{"client", "ask cancel", 1},        // of a client: what the client said
		{"client", "prompt ask update", 1}, // of a client: it does not answer
		{"client", "ask reply", 1},
	} {
		var frames []result.Frame
		for _, name := range strings.Fields(c.cited) {
			frames = append(frames, lines[name])
		}
		if got := guilty(frames, c.who); got != c.want {
			t.Errorf("of a finding about the %s with %q it is line %d, want %d", c.who, c.cited, got, c.want)
		}
	}
}
