package rules

import (
	"strings"
	"testing"

	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/wire"
	"github.com/acp-conform/acp-conform/schemas"
)

const noScope = `{"mode":"form","message":"m","requestedSchema":{"type":"object","properties":{}}}`

// form is a form with one property.
func form(name, property string) string {
	return asks("elicitation/create", `{"sessionId":"s","mode":"form","message":"m","requestedSchema":{"type":"object","properties":{"`+name+`":`+property+`}}}`)
}

func call(members string) string {
	return sends(`{"sessionUpdate":"tool_call","toolCallId":"c","title":"t",` + members + `}`)
}

// Each of these was once told by nobody, by the wrong rule or too severely.
func TestWhoTellsWhat(t *testing.T) {
	long := strings.Repeat("9", 500)
	links := strings.Repeat(`{"type":"content","content":{"type":"resource_link","name":"n","uri":"/no/scheme"}},`, 25)
	for _, c := range []struct{ about, id, lines, want string }{
		{"an alternative that is missing at the top", "schema.agent-request-valid", asks("elicitation/create", noScope), "fail"},
		{"the same is an object all right", "jsonrpc.params-object", asks("elicitation/create", noScope), "pass"},
		{"params that are none", "jsonrpc.params-object", asks("fs/read_text_file", `[1]`), "fail"},
		{"a chunk of a summary without content", "update.required-fields", sends(`{"sessionUpdate":"compaction_summary_chunk","compactionId":"c"}`), "fail"},
		{"a chunk of a summary with a text for content", "update.required-fields", sends(`{"sessionUpdate":"compaction_summary_chunk","compactionId":"c","content":"x"}`), "fail"},
		{"many links do not hide a location", "tool-call.location-absolute",
			call(`"content":[` + strings.TrimSuffix(links, ",") + `],"locations":[{"path":"a"}]`), "fail"},
		{"many bad items do not hide _meta", "meta.object-or-null", call(`"content":[1,2,3,4,5,6],"locations":[{"path":"/a","_meta":5}]`), "fail"},
		{"a request sent as a notification", "schema.agent-notification-valid",
			opening(`{}`) + `< {"jsonrpc":"2.0","method":"terminal/create","params":{"command":5}}`, "fail"},
		{"a notification sent as a request", "schema.agent-request-valid", asks("elicitation/complete", `{"elicitationId":"e"}`), "fail"},
		{"a request of the other side", "schema.agent-request-valid", asks("session/prompt", `{"sessionId":"s","prompt":[]}`), "fail"},
		{"an extension is nobody's", "schema.agent-request-valid", asks("_own/method", `[]`), "nothing"},
		{"a property called annotations", "schema.agent-request-valid", form("annotations", `{"type":"string","minLength":"x"}`), "fail"},
		{"a property called _meta", "schema.agent-request-valid", form("_meta", `{"type":"string","minLength":"x"}`), "fail"},
		{"a format of its own", "schema.agent-request-valid", form("a", `{"type":"string","format":"phone"}`), "warn"},
		{"a long number in a free value", "prompt.response-stop-reason",
			answers("session/prompt", `{"sessionId":"s","prompt":[]}`, `{"stopReason":"end_turn","_meta":{"n":`+long+`}}`), "pass"},
		{"and nobody else minds", "schema.strict-optional",
			answers("session/prompt", `{"sessionId":"s","prompt":[]}`, `{"stopReason":"end_turn","_meta":{"n":`+long+`}}`), "pass"},
		{"a long number in the data of an error", "jsonrpc.error-shape",
			opening(`{}`) + "< " + `{"jsonrpc":"2.0","id":3,"error":{"code":1,"message":"m","data":{"x":1e999}}}`, "pass"},
		{"a member twice", "prompt.response-stop-reason",
			answers("session/prompt", `{"sessionId":"s","prompt":[]}`, `{"stopReason":"end_turn","stopReason":"end_turn"}`), "pass"},
		{"a member twice", "schema.strict-optional",
			answers("session/prompt", `{"sessionId":"s","prompt":[]}`, `{"stopReason":"end_turn","stopReason":"end_turn"}`), "warn"},
		{"usage of the unstable edition in another style", "jsonrpc.camel-case-keys",
			answers("session/prompt", `{"sessionId":"s","prompt":[]}`, `{"stopReason":"end_turn","usage":{"input_tokens":1}}`), "pass"},
		{"which is noted", "meta.no-root-extensions",
			answers("session/prompt", `{"sessionId":"s","prompt":[]}`, `{"stopReason":"end_turn","usage":{"input_tokens":1}}`), "note"},
		{"an unstable update that nobody asked for", "update.required-fields", sends(`{"sessionUpdate":"plan_update"}`), "pass"},
		{"and the rule about kinds tells it", "update.known-variant", sends(`{"sessionUpdate":"plan_update"}`), "warn"},
		{"_meta in a free value", "meta.object-or-null", call(`"rawInput":{"_meta":5}`), "nothing"},
		{"a text that says _meta", "meta.object-or-null", call(`"name":"\"_meta\""`), "nothing"},
		{"a path beside content", "tool-call.diff-absolute-path", call(`"content":[{"type":"content","path":"a","content":{"type":"text","text":"x"}}]`), "nothing"},
		{"a kind of its own", "tool-call.kind-enum", call(`"kind":"bash"`), "fail"},
		{"a status of its own", "tool-call.status-enum", call(`"status":"cancelled"`), "fail"},
		{"a kind of the protocol", "tool-call.kind-enum", call(`"kind":"execute"`), "pass"},
	} {
		for _, e := range []*schemas.Edition{schemas.Ours().Edition(1, false), schemas.Ours().Edition(1, true)} {
			if got := watched(t, e, c.id, c.lines); got != c.want {
				t.Errorf("%s: %s (%s): got %s, want %s", c.id, c.about, e.Name(), got, c.want)
			}
		}
	}
}

// A number that is no version of any protocol is not another version.
func TestAVersionThatIsNone(t *testing.T) {
	for version, want := range map[string]string{"-1": "fail", "70000": "fail", "1": "pass", "2": "nothing"} {
		lines := `> {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}
< {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":` + version + `}}`
		if got := watched(t, schemas.Ours().Edition(1, false), "schema.integer-ranges", lines); got != want {
			t.Errorf("%s: got %s, want %s", version, got, want)
		}
	}
}

// What the schemas find in a message of the agent is told by some rule, whatever it is.
func TestNoFindingIsLost(t *testing.T) {
	ids := map[string]bool{}
	for _, r := range All() {
		ids[r.ID] = r.Watch != nil
	}
	c := rule.NewConversation(schemas.Ours().Edition(1, false))
	c.Watching = ids
	for _, kind := range []wire.Kind{wire.Request, wire.Notification, wire.Response} {
		for _, f := range []schemas.Finding{{Problem: schemas.Type}, {Path: "/a/b", Problem: schemas.Shape}, {Path: "/update/content/0", Problem: schemas.Missing, Tolerated: "x"},
			{Path: "/_meta", Problem: schemas.Type}, {Path: "/x", Problem: schemas.Limits}, {Path: "/x", Problem: schemas.Length}} {
			r := &rule.Reading{Envelope: wire.Envelope{Kind: kind}, Conversation: c, Part: []byte(`{}`)}
			if id := reporter(r, f); !ids[id] {
				t.Errorf("%s %+v is told by %q, which does not watch", kind, f, id)
			}
		}
	}
}
