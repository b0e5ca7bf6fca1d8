package schemas

import (
	"encoding/json"
	"testing"
)

var chunk = json.RawMessage(`{"sessionId":"sess_0123456789abcdef","update":{"sessionUpdate":"agent_message_chunk",` +
	`"content":{"type":"text","text":"The quick brown fox jumps over the lazy dog, and the agent streams it word by word."},` +
	`"messageId":"msg_42"}}`)

func BenchmarkCheckChunk(b *testing.B) {
	d, _ := Lookup(1, "session/update", Agent, Notification)
	checkAgain(d, chunk)
	b.ReportAllocs()
	for b.Loop() {
		if f := checkAgain(d, chunk); f != nil {
			b.Fatal(f)
		}
	}
}

func BenchmarkUnknownMembersChunk(b *testing.B) {
	d, _ := Lookup(1, "session/update", Agent, Notification)
	b.ReportAllocs()
	for b.Loop() {
		if u := searchUnknown(d, chunk); u != nil {
			b.Fatal(u)
		}
	}
}

func BenchmarkCompile(b *testing.B) {
	for b.Loop() {
		if _, err := newEdition("v1", 1, &catalogV1, "v1").load(); err != nil {
			b.Fatal(err)
		}
	}
}
