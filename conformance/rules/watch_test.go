package rules

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/acp-conform/acp-conform/conformance/result"
	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/wire"
	"github.com/acp-conform/acp-conform/schemas"
)

// opening is a handshake with these capabilities of the agent, a session and the beginning of a turn.
func opening(capabilities string) string {
	return `> {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}
< {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1,"agentCapabilities":` + capabilities + `}}
> {"jsonrpc":"2.0","id":2,"method":"session/new","params":{"cwd":"/","mcpServers":[]}}
< {"jsonrpc":"2.0","id":2,"result":{"sessionId":"s"}}
> {"jsonrpc":"2.0","id":3,"method":"session/prompt","params":{"sessionId":"s","prompt":[]}}
`
}

func sends(update string) string {
	return opening(`{}`) + `< {"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":` + update + `}}`
}

func asks(method, params string) string {
	return opening(`{}`) + `< {"jsonrpc":"2.0","id":1,"method":"` + method + `","params":` + params + `}`
}

func answers(method, params, result string) string {
	return opening(`{}`) + `> {"jsonrpc":"2.0","id":4,"method":"` + method + `","params":` + params + `}
< {"jsonrpc":"2.0","id":4,"result":` + result + `}`
}

// watched gives what a rule makes of a conversation: fail, warn or note for the worst that it saw, pass, or nothing if it met
// no occasion.
func watched(t *testing.T, e *schemas.Edition, id, lines string) string {
	t.Helper()
	all := All()
	i := slices.IndexFunc(all, func(r rule.Rule) bool { return r.ID == id })
	if i < 0 {
		t.Fatalf("there is no rule %s", id)
	}
	a := rule.NewAudience(e, []*rule.Rule{&all[i]}, "test")
	transcript := wire.NewTranscript(func() time.Time { return time.Time{} }, nil, a.Tap)
	for line := range strings.Lines(lines) {
		f := wire.Frame{From: wire.Agent, Line: []byte(strings.TrimSpace(line[1:]))}
		if line[0] == '>' {
			f.From = wire.Client
		}
		transcript.Add(f)
	}
	if fault := a.Fault(); fault != "" {
		t.Fatal(fault)
	}
	seen := map[result.Severity]bool{}
	for _, o := range a.Logs[0].Seen {
		seen[o.Severity] = true
	}
	switch {
	case seen[result.Failed]:
		return "fail"
	case seen[result.Warned]:
		return "warn"
	case seen[result.Noted]:
		return "note"
	case a.Logs[0].Occasions > 0:
		return "pass"
	}
	return "nothing"
}

func updated(at string) string {
	return sends(`{"sessionUpdate":"session_info_update","updatedAt":` + at + `}`)
}

func located(path string) string {
	return sends(`{"sessionUpdate":"tool_call","toolCallId":"c","title":"t","locations":[{"path":` + path + `}]}`)
}

const listed = `{"sessions":[{"sessionId":"s","cwd":"/","archived":false}]}`

// How severe a finding is, where a fault of the fake agent shows only one of several answers.
func TestWatchingRulesWeigh(t *testing.T) {
	unstable, stable := schemas.Ours().Edition(1, false), schemas.Ours().Edition(1, true)
	for _, c := range []struct{ about, id, lines, want string }{
		{"with an offset", "session-info.updated-at-iso8601", updated(`"2026-01-01T00:00:00+02:00"`), "pass"},
		{"null", "session-info.updated-at-iso8601", updated(`null`), "nothing"},
		{"a number is the schema's business", "session-info.updated-at-iso8601", updated(`5`), "nothing"},
		{"without seconds", "session-info.updated-at-iso8601", updated(`"2026-01-01T00:00Z"`), "warn"},
		{"without signs", "session-info.updated-at-iso8601", updated(`"20260101T000000Z"`), "warn"},
		{"a week", "session-info.updated-at-iso8601", updated(`"2026-W01-4"`), "warn"},
		{"month 13", "session-info.updated-at-iso8601", updated(`"2026-13-01T00:00:00Z"`), "fail"},
		{"milliseconds since 1970", "session-info.updated-at-iso8601", updated(`"1767225600000"`), "fail"},
		{"empty", "session-info.updated-at-iso8601", updated(`""`), "fail"},

		{"a drive", "tool-call.location-absolute", located(`"C:\\x"`), "pass"},
		{"a share", "tool-call.location-absolute", located(`"\\\\server\\share"`), "pass"},
		{"a home", "tool-call.location-absolute", located(`"~/x"`), "fail"},
		{"empty", "tool-call.location-absolute", located(`""`), "fail"},
		{"in a raw value", "tool-call.location-absolute",
			sends(`{"sessionUpdate":"tool_call","toolCallId":"c","title":"t","rawInput":{"locations":[{"path":"x"}],"path":"x"}}`), "nothing"},
		{"a text that is shown", "tool-call.diff-absolute-path",
			sends(`{"sessionUpdate":"tool_call","toolCallId":"c","title":"t","content":[{"type":"content","content":{"type":"text","text":"x"}}]}`), "nothing"},
		{"no directory", "terminal.cwd-absolute", asks("terminal/create", `{"sessionId":"s","command":"true"}`), "nothing"},

		{"in a form of its own", "elicitation.custom-underscore",
			asks("elicitation/create", `{"sessionId":"s","message":"m","mode":"_own","requestedSchema":{"properties":{"a":{"type":"date"}}}}`), "pass"},
		{"titled items have no type", "elicitation.custom-underscore",
			asks("elicitation/create", `{"sessionId":"s","message":"m","mode":"form","requestedSchema":{"properties":{"a":{"type":"array","items":{"anyOf":[]}}}}}`), "pass"},

		{"null", "meta.object-or-null", sends(`{"sessionUpdate":"plan","entries":[],"_meta":null}`), "pass"},
		{"free inside", "meta.object-or-null", sends(`{"sessionUpdate":"plan","entries":[],"_meta":{"_meta":1}}`), "pass"},
		{"a list", "meta.object-or-null", answers("session/list", `{}`, `{"sessions":[],"_meta":[]}`), "fail"},
		{"none", "meta.object-or-null", sends(`{"sessionUpdate":"plan","entries":[]}`), "nothing"},

		{"inside _meta", "meta.no-root-extensions", sends(`{"sessionUpdate":"plan","entries":[],"_meta":{"own":1}}`), "pass"},
		{"beside the members", "meta.no-root-extensions", sends(`{"sessionUpdate":"plan","entries":[],"own":1}`), "warn"},
		{"a wrong name, under which another rule misses the right one", "meta.no-root-extensions", sends(`{"sessionUpdate":"plan","entrys":[]}`), "pass"},
		{"the mode by the name of a request", "meta.no-root-extensions", sends(`{"sessionUpdate":"current_mode_update","modeId":"m"}`), "pass"},
		{"in snake_case", "meta.no-root-extensions", sends(`{"sessionUpdate":"tool_call","toolCallId":"c","title":"t","raw_input":1}`), "pass"},
		{"usage", "meta.no-root-extensions", answers("session/prompt", `{"sessionId":"s","prompt":[]}`, `{"stopReason":"end_turn","usage":{"cost":1}}`), "note"},
		{"usage elsewhere", "meta.no-root-extensions", answers("session/list", `{}`, `{"sessions":[],"usage":{}}`), "warn"},
		{"models", "meta.no-root-extensions", answers("session/new", `{"cwd":"/","mcpServers":[]}`, `{"sessionId":"t","models":{}}`), "note"},
		{"the session's id again", "meta.no-root-extensions", answers("session/prompt", `{"sessionId":"s","prompt":[]}`, `{"stopReason":"end_turn","sessionId":"s"}`), "note"},
		{"another session's id", "meta.no-root-extensions", answers("session/prompt", `{"sessionId":"s","prompt":[]}`, `{"stopReason":"end_turn","sessionId":"t"}`), "warn"},
		{"keywords of a JSON Schema", "meta.no-root-extensions",
			asks("elicitation/create", `{"sessionId":"s","message":"m","mode":"form","requestedSchema":{"$schema":"x","properties":{}}}`), "note"},
		{"an unstable capability", "meta.no-root-extensions", opening(`{"sessionCapabilities":{"fork":{}}}`), "note"},
		{"a capability of its own", "meta.no-root-extensions", opening(`{"sessionCapabilities":{"own":{}}}`), "warn"},
		{"an unstable member", "meta.no-root-extensions", answers("session/list", `{}`, listed), "warn"},
		{"an unstable member of an advertised feature", "meta.no-root-extensions",
			opening(`{"sessionCapabilities":{"archive":{}}}`) + "> " + `{"jsonrpc":"2.0","id":4,"method":"session/list","params":{}}` + "\n< " + `{"jsonrpc":"2.0","id":4,"result":` + listed + `}`, "note"},

		{"its own", "ext.method-underscore", asks("_own/method", `{}`), "pass"},
		{"made up", "ext.method-underscore", asks("own/method", `{}`), "fail"},
		{"of the other side", "ext.method-underscore", asks("session/prompt", `{}`), "pass"},
		{"unstable", "ext.method-underscore", asks("mcp/message", `{}`), "note"},
		{"unstable, of the other side", "ext.method-underscore", asks("session/status", `{}`), "note"},
		{"by the protocol's prefix", "ext.method-underscore", asks("$/progress", `{}`), "warn"},
	} {
		for _, e := range []*schemas.Edition{unstable, stable} {
			if got := watched(t, e, c.id, c.lines); got != c.want {
				t.Errorf("%s: %s (%s): got %s, want %s", c.id, c.about, e.Name(), got, c.want)
			}
		}
	}
}

// Published definitions do not say that a path is absolute; the rules know it all the same.
func TestTextsAreReadWhateverTheSchemas(t *testing.T) {
	book, err := schemas.Open(fstest.MapFS{"schema.json": {Data: []byte(`{"$defs":{"ReadTextFileRequest":{"type":"object",
		"x-side":"client","x-method":"fs/read_text_file","properties":{"path":{"type":"string"}}},"ReadTextFileResponse":{}}}`)}})
	if err != nil {
		t.Fatal(err)
	}
	if got := watched(t, book.Edition(1, true), "fs.path-absolute", asks("fs/read_text_file", `{"sessionId":"s","path":"x"}`)); got != "fail" {
		t.Errorf("got %s", got)
	}
}

// A narrower selection must not turn a finding into a pass: where the rule of a place does not watch, the generic one reports.
func TestTheGenericRuleReportsWhatNobodyElseWould(t *testing.T) {
	for _, c := range []struct{ id, lines, want string }{
		{"schema.agent-notification-valid", sends(`{"sessionUpdate":"nope"}`), "fail"},
		{"schema.agent-notification-valid", sends(`{"sessionUpdate":"tool_call","toolCallId":"c","title":"t","kind":"bash"}`), "warn"},
		{"schema.agent-notification-valid", sends(`{"sessionUpdate":"plan","entries":[]}`), "pass"},
		{"schema.agent-result-valid", answers("session/prompt", `{"sessionId":"s","prompt":[]}`, `{"stopReason":"endTurn"}`), "fail"},
		{"schema.agent-request-valid", asks("fs/read_text_file", `{"sessionId":"s","path":1}`), "fail"},
		{"schema.strict-optional", sends(`{"sessionUpdate":"nope"}`), "pass"},
	} {
		if got := watched(t, schemas.Ours().Edition(1, false), c.id, c.lines); got != c.want {
			t.Errorf("%s: %s: got %s, want %s", c.id, c.lines[len(opening(`{}`)):], got, c.want)
		}
	}
}
