package schemas

import (
	"encoding/json"
	"reflect"
	"testing"
)

func TestUnknownMembers(t *testing.T) {
	for _, c := range []struct {
		about, def, part string
		want             []Unknown
	}{
		{"the nearest name, one wrong letter", "PromptResponse", `{"stopReasson":"end_turn"}`,
			[]Unknown{{"", "stopReasson", "stopReason", false, "PromptResponse", false, false}}},
		{"snake_case", "PromptRequest", `{"session_id":"s","prompt":[]}`,
			[]Unknown{{"", "session_id", "sessionId", true, "PromptRequest", false, false}}},
		{"another case is not snake_case", "PromptRequest", `{"sessionID":"s"}`,
			[]Unknown{{"", "sessionID", "sessionId", false, "PromptRequest", false, false}}},
		{"nothing near", "PromptRequest", `{"sessionId":"s","temperature":1}`,
			[]Unknown{{"", "temperature", "", false, "PromptRequest", false, false}}},
		{"known only to the unstable edition", "PromptResponse", `{"stopReason":"end_turn","usage":{"x":1}}`,
			[]Unknown{{"", "usage", "", false, "PromptResponse", false, false}}},
		{"in a block, through two unions", "SessionNotification",
			`{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"x","mime_type":"t","delta":true}}}`,
			[]Unknown{{"/update/content", "delta", "", false, "TextContent", false, false}, {"/update/content", "mime_type", "", false, "TextContent", false, false}}},
		{"in the update", "SessionNotification",
			`{"sessionId":"s","update":{"sessionUpdate":"tool_call","toolCallId":"c","title":"t","raw_input":{"a":1}}}`,
			[]Unknown{{"/update", "raw_input", "rawInput", true, "ToolCall", false, false}}},
		{"in items", "PromptRequest", `{"sessionId":"s","prompt":[{"type":"text","text":""},{"type":"image","data":"","mimeType":"","url":""}]}`,
			[]Unknown{{"/prompt/1", "url", "uri", false, "ImageContent", false, false}}},
		{"a variant that is not known has no names", "SessionUpdate", `{"sessionUpdate":"plan_update","plan":{}}`, nil},
		{"an extension of a union has its own names", "CreateElicitationRequest", `{"message":"m","mode":"_own","sessionId":"s","x":1}`, nil},
		{"a mode that is known has not", "CreateElicitationRequest", `{"message":"m","mode":"url","sessionId":"s","elicitationId":"e","url":"u","x":1}`,
			[]Unknown{{"", "x", "", false, "CreateElicitationRequest", false, false}}},
		{"_meta is free, where it is defined and where it is not", "ClientSessionCapabilities",
			`{"_meta":{"a":1},"notices":{"_meta":{"a":1}},"compaction":{"auto":true}}`,
			[]Unknown{{"/compaction", "auto", "", false, "CompactionCapabilities", false, false}}},
		{"raw values are free", "ToolCall", `{"toolCallId":"c","title":"t","rawInput":{"a":{"b":1}},"rawOutput":[{"c":1}]}`, nil},
		{"the data of an error is free", "Error", `{"code":1,"message":"m","data":{"a":1},"details":"d"}`,
			[]Unknown{{"", "details", "", false, "Error", false, false}}},
		{"keys of a map are the sender's", "AuthMethodTerminal", `{"id":"a","name":"A","env":{"ANY":"x"}}`, nil},
		{"form properties are a map of objects with names", "ElicitationSchema", `{"properties":{"any":{"type":"string","max_length":3}}}`,
			[]Unknown{{"/properties/any", "max_length", "maxLength", true, "StringPropertySchema", false, false}}},
		{"a resource may have the names of both kinds", "EmbeddedResource", `{"resource":{"uri":"u","text":"x","blob":1,"size":1}}`,
			[]Unknown{{"/resource", "size", "", false, "TextResourceContents", false, false}}},
		{"the discriminator of an untagged branch is known", "McpServer", `{"type":"stdio","name":"m","command":"c","args":[],"env":[],"url":"u"}`,
			[]Unknown{{"", "url", "", false, "McpServerStdio", false, false}}},
		{"groups of options", "SessionConfigSelect", `{"currentValue":"a","options":[{"group":"g","name":"G","options":[{"value":"a","name":"A","icon":"i"}]}]}`,
			[]Unknown{{"/options/0/options/0", "icon", "", false, "SessionConfigSelectOption", false, false}}},
		{"members beside a union", "SessionConfigOption", `{"id":"m","name":"M","type":"boolean","currentValue":true,"options":[]}`,
			[]Unknown{{"", "options", "", false, "SessionConfigOption", false, false}}},
		{"null has no members", "NewSessionResponse", `{"sessionId":"s","modes":null,"models":{}}`,
			[]Unknown{{"", "models", "modes", false, "NewSessionResponse", false, false}}},
		{"not an object", "PromptRequest", `[{"a":1}]`, nil},
		{"not JSON", "PromptRequest", `{`, nil},
		{"no such definition", "NoSuchType", `{"a":1}`, nil},
	} {
		t.Run(c.about, func(t *testing.T) {
			got := UnknownMembers(Definition{Edition: v1, Name: c.def}, json.RawMessage(c.part))
			if !reflect.DeepEqual(got, c.want) {
				t.Errorf("got %+v", got)
			}
		})
	}
}

func TestMembersThatOnlyTheUnstableEditionHas(t *testing.T) {
	unstable := Ours().Edition(1, false)
	d, _ := unstable.Lookup("initialize", Agent, Result)
	part := `{"protocolVersion":1,"agentCapabilities":{"loadSession":true,"promptCapabilities":{"image":true},` +
		`"sessionCapabilities":{"list":{},"fork":{},"forc":{}},"mcpCapabilities":{"acp":true}},"agentInfo":{"name":"n","version":"1"}}`
	got := UnknownMembers(d, json.RawMessage(part))
	want := []Unknown{
		{Path: "/agentCapabilities/mcpCapabilities", Key: "acp", Def: "McpCapabilities", Unstable: true},
		{Path: "/agentCapabilities/sessionCapabilities", Key: "forc", Nearest: "fork", Def: "SessionCapabilities"},
		{Path: "/agentCapabilities/sessionCapabilities", Key: "fork", Def: "SessionCapabilities", Unstable: true},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v", got)
	}
	d, _ = unstable.Lookup("session/prompt", Agent, Result)
	got = UnknownMembers(d, json.RawMessage(`{"stopReason":"end_turn","usage":{"thoughtTokenz":1}}`))
	want = []Unknown{
		{Key: "usage", Def: "PromptResponse", Unstable: true},
		{Path: "/usage", Key: "thoughtTokenz", Nearest: "thoughtTokens", Def: "Usage", Inside: true},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("a wrong name inside of what is unstable: got %+v", got)
	}
	d, _ = unstable.Lookup("session/status", Agent, Result)
	if got := UnknownMembers(d, json.RawMessage(`{"status":"active"}`)); got != nil {
		t.Errorf("a definition that is unstable as a whole: got %+v", got)
	}
}
