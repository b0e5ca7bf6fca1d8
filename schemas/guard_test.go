package schemas

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

func TestWhatADecoderHides(t *testing.T) {
	for _, c := range []struct {
		about, def, part string
		want             []Finding
	}{
		{"a member twice", "PromptResponse", `{"stopReason":"end_turn","stopReason":"cancelled"}`, []Finding{
			{"/stopReason", Duplicate, `member "stopReason" once`, "more than one of them", "the last one counts", "PromptResponse"}}},
		{"three times is reported once", "PromptResponse", `{"stopReason":"a","stopReason":"b","stopReason":"cancelled"}`, []Finding{
			{"/stopReason", Duplicate, `member "stopReason" once`, "more than one of them", "the last one counts", "PromptResponse"}}},
		{"the same name, escaped", "PromptResponse", `{"stopReason":"end_turn","stop\u0052eason":"cancelled"}`, []Finding{
			{"/stopReason", Duplicate, `member "stopReason" once`, "more than one of them", "the last one counts", "PromptResponse"}}},
		{"inside a block", "SessionNotification",
			`{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"a","text":"b"}}}`, []Finding{
				{"/update/content/text", Duplicate, `member "text" once`, "more than one of them", "the last one counts", "SessionNotification"}}},
		{"the same name in two objects", "ToolCall", `{"toolCallId":"c","title":"t","locations":[{"path":"/a"},{"path":"/b"}]}`, nil},
		{"inside a raw value", "ToolCall", `{"toolCallId":"c","title":"t","rawInput":{"a":1,"a":2,"b":[{"c":1,"c":2}]}}`, nil},
		{"inside _meta", "ToolCall", `{"toolCallId":"c","title":"t","_meta":{"a":1,"a":2}}`, nil},
		{"_meta twice", "ToolCall", `{"toolCallId":"c","title":"t","_meta":{},"_meta":{}}`, []Finding{
			{"/_meta", Duplicate, `member "_meta" once`, "more than one of them", "the last one counts", "ToolCall"}}},
		{"half a pair", "TextContent", `{"text":"a\ud83d"}`, []Finding{
			{"/text", Encoding, "a string of whole characters", `"a\ud83d"`, "half a surrogate pair read as U+FFFD", "TextContent"}}},
		{"the other half", "TextContent", `{"text":"\uDE00\ud83d"}`, []Finding{
			{"/text", Encoding, "a string of whole characters", `"\uDE00\ud83d"`, "half a surrogate pair read as U+FFFD", "TextContent"}}},
		{"a whole pair", "TextContent", `{"text":"\ud83d\ude00 \\ud800"}`, nil},
		{"half a pair inside a raw value", "ToolCall", `{"toolCallId":"c","title":"t","rawOutput":"\ud800","rawInput":["\ud800"]}`, nil},
		{"half a pair in a name", "ToolCallLocation", `{"path":"/a","\ud800":1}`, []Finding{
			{"/\ufffd", Encoding, "a name of whole characters", `"\ud800"`, "half a surrogate pair read as U+FFFD", "ToolCallLocation"}}},
		{"beside a fault", "PromptResponse", `{"stopReason":1,"stopReason":2}`, []Finding{
			{"/stopReason", Type, `one of "end_turn", "max_tokens", "max_turn_requests", "refusal", "cancelled"`, "2", "", "StopReason"},
			{"/stopReason", Duplicate, `member "stopReason" once`, "more than one of them", "the last one counts", "PromptResponse"}}},
		{"bytes that are no UTF-8", "TextContent", "{\"text\":\"a\xff\"}", []Finding{
			{"", Encoding, "UTF-8", "{\"text\":\"a\ufffd\"}", "", "TextContent"}}},
	} {
		t.Run(c.about, func(t *testing.T) {
			if got := v1.CheckName(c.def, json.RawMessage(c.part)); !reflect.DeepEqual(got, c.want) {
				t.Errorf("got  %+v\nwant %+v", got, c.want)
			}
		})
	}
}

func TestSizeIsLimited(t *testing.T) {
	part := `{"text":"` + strings.Repeat("x", MaxPart) + `"}`
	got := v1.CheckName("TextContent", json.RawMessage(part))
	if len(got) != 1 || got[0].Problem != Limits || !strings.Contains(got[0].Expected, "at most 64 MB") {
		t.Errorf("got %v", got)
	}
}

// What is free must not use up what is kept of the rest.
func TestFreeValuesHideNothing(t *testing.T) {
	free := strings.TrimSuffix(strings.Repeat(`"k":"\ud800",`, 200), ",")
	part := json.RawMessage(`{"_meta":{` + free + `},"path":"/a","path":"/b"}`)
	got := v1.CheckName("ToolCallLocation", part)
	if len(got) != 1 || got[0].Problem != Duplicate || got[0].Path != "/path" {
		t.Errorf("got %v", got)
	}
}

// An escaped emoji, as many writers make it, costs one walk over the text.
func BenchmarkEscapedPairs(b *testing.B) {
	part := json.RawMessage(`{"toolCallId":"c","title":"\ud83d\ude00","rawInput":` + strings.Repeat("[", 500) + strings.TrimSuffix(strings.Repeat("0,", 500_000), ",") +
		strings.Repeat("]", 500) + `}`)
	b.SetBytes(int64(len(part)))
	for b.Loop() {
		if got := v1.CheckName("ToolCall", part); got != nil {
			b.Fatal(got)
		}
	}
}
