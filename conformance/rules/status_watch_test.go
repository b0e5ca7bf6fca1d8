package rules

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/acp-conform/acp-conform/conformance/result"
	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/wire"
	"github.com/acp-conform/acp-conform/schemas"
)

// shakes is a handshake in a version, with this answer to initialize beside its version.
func shakes(version int, members string) string {
	if version == 2 {
		members = `,"info":{"name":"n","version":"1"}` + members
	}
	return fmt.Sprintf(`> {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":%d,"info":{"name":"n","version":"1"}}}
< {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":%d%s}}
`, version, version, members)
}

// opens is a handshake and the session s.
func opens(version int) string {
	return shakes(version, "") + `> {"jsonrpc":"2.0","id":2,"method":"session/new","params":{"cwd":"/","mcpServers":[]}}
< {"jsonrpc":"2.0","id":2,"result":{"sessionId":"s"}}
`
}

// question and answer are the two halves of a session/status.
func question(id int, session string) string {
	return fmt.Sprintf(`> {"jsonrpc":"2.0","id":%d,"method":"session/status","params":{"sessionId":"%s"}}`+"\n", id, session)
}

func answer(id int, result string) string {
	return fmt.Sprintf(`< {"jsonrpc":"2.0","id":%d,"result":%s}`+"\n", id, result)
}

// told is a session/status about s.
func told(id int, result string) string { return question(id, "s") + answer(id, result) }

// active is an answer about an active session in this state.
func active(state string) string { return `{"status":"active","state":` + state + `}` }

// becomes is a state_update of s.
func becomes(state string) string {
	return `< {"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"state_update",` + state[1:] + `}}` + "\n"
}

// method is a request about s that succeeds.
func method(id int, name string) string {
	return fmt.Sprintf(`> {"jsonrpc":"2.0","id":%d,"method":"%s","params":{"sessionId":"s","cwd":"/"}}`+"\n", id, name) + answer(id, "{}")
}

const (
	idle      = `{"state":"idle"}`
	ended     = `{"state":"idle","stopReason":"end_turn"}`
	atWork    = `{"state":"running"}`
	waiting   = `{"state":"requires_action"}`
	detached  = `{"state":"running","background":[{"type":"tool_call","toolCallId":"a"},{"type":"tool_call","toolCallId":"b"}]}`
	detached2 = `{"state":"running","background":[{"type":"tool_call","toolCallId":"b"},{"type":"tool_call","toolCallId":"a"}]}`
	detached1 = `{"state":"running","background":[{"type":"tool_call","toolCallId":"a"}]}`
)

type watchedStatus struct{ about, id, lines, want string }

func watchStatus(t *testing.T, version int, cases []watchedStatus) {
	t.Helper()
	for _, c := range cases {
		if got := tells(t, version, c.lines)[c.id]; got != c.want && (got != "" || c.want != "nothing") {
			t.Errorf("%s: %s: got %q, want %s", c.id, c.about, got, c.want)
		}
	}
}

// tells gives what each rule that watches makes of a whole conversation; rules that met no occasion are left out.
func tells(t *testing.T, version int, lines string) map[string]string {
	t.Helper()
	var watching []*rule.Rule
	for _, r := range All() {
		if r.Watch != nil && r.For(version) {
			watching = append(watching, &r)
		}
	}
	a := rule.NewAudience(schemas.Ours().Edition(version, false), watching, "test")
	transcript := wire.NewTranscript(func() time.Time { return time.Time{} }, nil, a.Tap)
	from := map[byte]wire.Side{'>': wire.Client, '<': wire.Agent, '#': wire.Suite}
	for line := range strings.Lines(lines + "\n" + `# {"closing":true}` + "\n" + `# {"ended":"ended"}`) {
		if text := strings.TrimSpace(line); text != "" {
			transcript.Add(wire.Frame{From: from[text[0]], Line: []byte(text[2:])})
		}
	}
	if fault := a.Fault(); fault != "" {
		t.Fatal(fault, lines)
	}
	told := map[string]string{}
	for i, l := range a.Logs {
		if l.Occasions > 0 {
			told[watching[i].ID] = "pass"
		}
		for _, o := range l.Seen {
			name := map[result.Severity]string{result.Failed: "fail", result.Warned: "warn", result.Noted: "note"}[o.Severity]
			if order := []string{"", "pass", "note", "warn", "fail"}; slices.Index(order, name) > slices.Index(order, told[watching[i].ID]) {
				told[watching[i].ID] = name
			}
		}
	}
	return told
}

func TestTheMarkerOfStatus(t *testing.T) {
	marker := func(at string) string { return shakes(1, `,"agentCapabilities":`+at) }
	watchStatus(t, 1, []watchedStatus{
		{"none", "status.capability.path-v1", marker(`{}`), "nothing"},
		{"in its place", "status.capability.path-v1", marker(`{"sessionCapabilities":{"status":{}}}`), "pass"},
		{"one level too high", "status.capability.path-v1", marker(`{"status":{}}`), "warn"},
		{"where version 2 has it", "status.capability.path-v1", shakes(1, `,"capabilities":{"session":{"status":{}}}`), "warn"},
		{"something else of that name", "status.capability.path-v1", marker(`{"status":"beta","auth":{"status":{}}}`), "nothing"},
		{"for the other version", "status.capability.path-v2", marker(`{"status":{}}`), "nothing"},
		{"none", "status.capability.marker-shape", marker(`{"sessionCapabilities":{}}`), "nothing"},
		{"empty", "status.capability.marker-shape", marker(`{"sessionCapabilities":{"status":{}}}`), "pass"},
		{"of the future", "status.capability.marker-shape", marker(`{"sessionCapabilities":{"status":{"push":true,"_meta":{}}}}`), "pass"},
		{"null", "status.capability.marker-shape", marker(`{"sessionCapabilities":{"status":null}}`), "pass"},
		{"true", "status.capability.marker-shape", marker(`{"sessionCapabilities":{"status":true}}`), "warn"},
		{"a list", "status.capability.marker-shape", marker(`{"sessionCapabilities":{"status":[]}}`), "warn"},
	})
	watchStatus(t, 2, []watchedStatus{
		{"in its place", "status.capability.path-v2", shakes(2, `,"capabilities":{"session":{"status":{}}}`), "pass"},
		{"where version 1 has it", "status.capability.path-v2", shakes(2, `,"agentCapabilities":{"sessionCapabilities":{"status":{}}}`), "warn"},
		{"a string", "status.capability.marker-shape", shakes(2, `,"capabilities":{"session":{"status":"yes"}}`), "warn"},
	})
}

func TestTheWordsOfStatus(t *testing.T) {
	const shape, words = "status.response.status-required", "status.response.value-vocabulary"
	load := `> {"jsonrpc":"2.0","id":9,"method":"session/load","params":{"sessionId":"t","cwd":"/","mcpServers":[]}}` + "\n" + answer(9, "{}")
	gone := method(8, "session/delete")
	watchStatus(t, 1, []watchedStatus{
		{"nobody asks", shape, opens(1), "nothing"},
		{"a word", shape, opens(1) + told(3, `{"status":"active"}`), "pass"},
		{"an empty word", shape, opens(1) + told(3, `{"status":""}`), "pass"},
		{"null", shape, opens(1) + told(3, `null`), "fail"},
		{"the bare word", shape, opens(1) + told(3, `"active"`), "fail"},
		{"a number", shape, opens(1) + told(3, `{"status":1}`), "fail"},
		{"about nobody's session", shape, opens(1) + question(3, "t") + answer(3, `null`), "nothing"},
		{"about a deleted session", shape, opens(1) + gone + told(3, `null`), "nothing"},
		{"about a session that turns out to be there", shape, opens(1) + question(3, "t") + answer(3, `null`) + load, "fail"},
		{"an error", shape, opens(1) + question(3, "s") + `< {"jsonrpc":"2.0","id":3,"error":{"code":-32002,"message":"m"}}`, "nothing"},
		{"a word", words, opens(1) + told(3, `{"status":"active"}`), "pass"},
		{"both words of the proposal", words, opens(1) + told(3, `{"status":"active"}`) + told(4, `{"status":"inactive"}`), "pass"},
		{"both words of the schema", words, opens(1) + told(3, `{"status":"open"}`) + told(4, `{"status":"saved"}`), "pass"},
		{"mixed", words, opens(1) + told(3, `{"status":"active"}`) + told(4, `{"status":"saved"}`), "fail"},
		{"mixed, about nobody's session", words, opens(1) + told(3, `{"status":"active"}`) + question(4, "t") + answer(4, `{"status":"saved"}`), "fail"},
		{"a third word", words, opens(1) + told(3, `{"status":"busy"}`), "warn"},
		{"an empty word", words, opens(1) + told(3, `{"status":""}`), "warn"},
		{"a word of its own", words, opens(1) + told(3, `{"status":"_hot"}`), "note"},
		{"a third word about nobody's session", words, opens(1) + question(3, "t") + answer(3, `{"status":"not_found"}`), "nothing"},
		{"a third word about a deleted session", words, opens(1) + gone + told(3, `{"status":"not_found"}`), "nothing"},
		{"no word", words, opens(1) + told(3, `null`), "nothing"},
		{"a state", "status.state.v1-absent", opens(1) + told(3, active(idle)), "fail"},
		{"null for a state", "status.state.v1-absent", opens(1) + told(3, active(`null`)), "warn"},
		{"a state in _meta", "status.state.v1-absent", opens(1) + told(3, `{"status":"active","_meta":{"state":{}}}`), "pass"},
	})
}

func TestTheStateInStatus(t *testing.T) {
	const included, shape, stored = "status.state.v2-included", "status.state.v2-shape", "status.state.v2-absent-when-stored"
	inactive := func(state string) string { return strings.Replace(active(state), "active", "inactive", 1) }
	watchStatus(t, 2, []watchedStatus{
		{"a state", included, opens(2) + told(3, active(idle)), "pass"},
		{"no state", included, opens(2) + told(3, `{"status":"active"}`), "warn"},
		{"null", included, opens(2) + told(3, active(`null`)), "warn"},
		{"inactive", included, opens(2) + told(3, `{"status":"inactive"}`), "nothing"},
		{"about nobody's session", included, opens(2) + question(3, "t") + answer(3, `{"status":"active"}`), "nothing"},
		{"a state", shape, opens(2) + told(3, active(ended)), "pass"},
		{"a state of its own", shape, opens(2) + told(3, active(`{"state":"_warm"}`)), "pass"},
		{"null", shape, opens(2) + told(3, active(`null`)), "nothing"},
		{"the bare word", shape, opens(2) + told(3, active(`"running"`)), "fail"},
		{"empty", shape, opens(2) + told(3, active(`{}`)), "fail"},
		{"a number", shape, opens(2) + told(3, active(`{"state":5}`)), "fail"},
		{"an update", shape, opens(2) + told(3, active(`{"sessionUpdate":"state_update","state":"idle"}`)), "warn"},
		{"bad background work", shape, opens(2) + told(3, active(`{"state":"idle","background":5}`)), "warn"},
		{"no state", stored, opens(2) + told(3, `{"status":"inactive"}`), "pass"},
		{"null", stored, opens(2) + told(3, inactive(`null`)), "pass"},
		{"idle", stored, opens(2) + told(3, inactive(idle)), "warn"},
		{"running", stored, opens(2) + told(3, inactive(atWork)), "fail"},
		{"waiting", stored, opens(2) + told(3, inactive(waiting)), "fail"},
		{"active", stored, opens(2) + told(3, active(idle)), "nothing"},
	})
}

func TestTheSnapshotInStatus(t *testing.T) {
	const last, work, usage = "status.state.v2-equals-last-update", "status.state.v2-background", "status.state.v2-no-usage-recount"
	fence := `< {"jsonrpc":"2.0","method":"_own/alive","params":{}}` + "\n"
	watchStatus(t, 2, []watchedStatus{
		{"nothing was reported", last, opens(2) + told(3, active(atWork)) + fence, "nothing"},
		{"the last", last, opens(2) + becomes(atWork) + becomes(ended) + told(3, active(ended)), "pass"},
		{"the last without its reason", last, opens(2) + becomes(ended) + told(3, active(idle)), "pass"},
		{"the one before", last, opens(2) + becomes(atWork) + becomes(ended) + told(3, active(atWork)) + fence, "warn"},
		{"another reason", last, opens(2) + becomes(ended) + told(3, active(`{"state":"idle","stopReason":"refusal"}`)) + fence, "warn"},
		{"a reason of nobody", last, opens(2) + becomes(idle) + told(3, active(ended)) + fence, "warn"},
		{"one on its way", last, opens(2) + becomes(atWork) + question(3, "s") + becomes(ended) + answer(3, active(ended)), "pass"},
		{"the one before it", last, opens(2) + becomes(atWork) + question(3, "s") + becomes(ended) + answer(3, active(atWork)), "pass"},
		{"the next", last, opens(2) + becomes(atWork) + told(3, active(ended)) + becomes(ended), "pass"},
		{"one that the next does not explain", last, opens(2) + becomes(idle) + told(3, active(waiting)) + becomes(atWork), "warn"},
		{"the end comes in between", last, opens(2) + becomes(atWork) + told(3, active(ended)), "nothing"},
		{"another connection's session", last, opens(2) + question(3, "t") + answer(3, active(atWork)) + fence, "nothing"},
		{"of another session", last, opens(2) + strings.ReplaceAll(becomes(atWork), `"s"`, `"t"`) + told(3, active(idle)) + fence, "nothing"},
		{"after a resume", last, opens(2) + becomes(atWork) + method(5, "session/resume") + told(3, active(idle)) + fence, "nothing"},
		{"of an inactive session", last, opens(2) + becomes(idle) + told(3, `{"status":"inactive","state":{"state":"running"}}`) + fence, "nothing"},
		{"none", last, opens(2) + becomes(idle) + told(3, `{"status":"active"}`) + fence, "nothing"},

		{"there was none", work, opens(2) + becomes(atWork) + told(3, active(atWork)) + fence, "nothing"},
		{"the same", work, opens(2) + becomes(detached) + told(3, active(detached)), "pass"},
		{"in another order", work, opens(2) + becomes(detached) + told(3, active(detached2)), "pass"},
		{"left out", work, opens(2) + becomes(detached) + told(3, active(atWork)) + fence, "warn"},
		{"less", work, opens(2) + becomes(detached) + told(3, active(detached1)) + fence, "warn"},
		{"less, as the next says", work, opens(2) + becomes(detached) + told(3, active(detached1)) + becomes(detached1), "pass"},

		{"none", usage, opens(2) + becomes(idle) + told(3, active(idle)), "pass"},
		{"repeated", usage, opens(2) + becomes(`{"state":"idle","usage":{"a":1,"b":2}}`) + told(3, active(`{"state":"idle","usage":{"b":2,"a":1}}`)), "pass"},
		{"another", usage, opens(2) + becomes(`{"state":"idle","usage":{"a":1}}`) + told(3, active(`{"state":"idle","usage":{"a":2}}`)), "warn"},
		{"made up", usage, opens(2) + becomes(idle) + told(3, active(`{"state":"idle","usage":{"a":2}}`)), "warn"},
	})
}

// What one rule of session/status tells is not told again by another, be it about the same answer or about shapes in general.
func TestStatusIsToldOnce(t *testing.T) {
	for _, c := range []struct {
		version int
		lines   string
		want    string
	}{
		{1, opens(1) + told(3, active(idle)), "status.state.v1-absent"},
		{1, opens(1) + told(3, `"active"`), "status.response.status-required"},
		{1, opens(1) + told(3, `{"status":1}`), "status.response.status-required"},
		{1, opens(1) + question(3, "t") + answer(3, `null`), ""}, // told by whoever asked
		{1, shakes(1, `,"agentCapabilities":{"sessionCapabilities":{"status":true}}`), "status.capability.marker-shape"},
		{1, shakes(1, `,"agentCapabilities":{"status":{}}`), "status.capability.path-v1"},
		{2, opens(2) + told(3, active(`"running"`)), "status.state.v2-shape"},
		{2, opens(2) + told(3, active(`{"state":"idle","background":5}`)), "status.state.v2-shape"},
		{2, opens(2) + told(3, `{"status":"inactive","state":{"state":"running"}}`), "status.state.v2-absent-when-stored"},
		{2, shakes(2, `,"capabilities":{"session":{"status":1}}`), "status.capability.marker-shape"},
	} {
		var got []string
		for id, verdict := range tells(t, c.version, c.lines) {
			if verdict == "fail" || verdict == "warn" {
				got = append(got, id)
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: told by %v, want %s", c.lines, got, c.want)
		}
	}
}
