package schemas

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"
)

// chunk is a message chunk of 300 bytes as it stands on the wire, without its envelope.
var chunk = json.RawMessage(`{"sessionId":"sess_0123456789abcdef","update":{"sessionUpdate":"agent_message_chunk",` +
	`"content":{"type":"text","text":"The quick brown fox jumps over the lazy dog, and the agent streams it word by word, ` +
	`so that a person can read along, and stop it when it goes astray."},"messageId":"msg_42"}}`)

// toolCall is a tool call of 2 KB with every member that one can have.
var toolCall = json.RawMessage(`{"sessionId":"sess_0123456789abcdef","update":{"sessionUpdate":"tool_call","toolCallId":"call_001",` +
	`"title":"Edit src/main.go and run the tests","name":"edit","kind":"edit","status":"in_progress","content":[` +
	`{"type":"diff","path":"/repo/src/main.go","oldText":` + quoted("\told := 1\n", 45) + `,"newText":` + quoted("\tnew := 2\n", 45) + `},` +
	`{"type":"content","content":{"type":"text","text":"ok  example.com/pkg 0.012s","annotations":{"audience":["user"],"priority":0.5}}},` +
	`{"type":"content","content":{"type":"resource_link","uri":"file:///repo/src/main.go","name":"main.go","mimeType":"text/x-go","size":1234}},` +
	`{"type":"terminal","terminalId":"term_1"}],"locations":[{"path":"/repo/src/main.go","line":10},{"path":"/repo/src/main_test.go","line":99}],` +
	`"rawInput":{"command":["go","test","./..."],"cwd":"/repo","timeout_ms":60000,"env":{"GOFLAGS":"-count=1"}},` +
	`"rawOutput":{"exit":0,"stdout":"ok","durations":[0.012,0.5,1.25]},"_meta":{"trace":{"id":"0af7651916cd43dd8448eb211c80319c"}}}}`)

// block is a message chunk whose content has 100 KB.
var block = json.RawMessage(`{"sessionId":"sess_0123456789abcdef","update":{"sessionUpdate":"agent_message_chunk",` +
	`"content":{"type":"text","text":` + quoted("The quick brown fox jumps over the lazy dog.\n", 100<<10/45) + `}}}`)

func quoted(s string, times int) string {
	b, _ := json.Marshal(strings.Repeat(s, times))
	return string(b)
}

var sizes = []struct {
	name string
	part json.RawMessage
}{{"chunk-300B", chunk}, {"tool-call-2KB", toolCall}, {"block-100KB", block}}

// BenchmarkDecode is the measure: what a program has to do in any case.
func BenchmarkDecode(b *testing.B) {
	for _, s := range sizes {
		b.Run(s.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				d := json.NewDecoder(bytes.NewReader(s.part))
				d.UseNumber()
				var v any
				if err := d.Decode(&v); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkDecodeAndCheck decodes and validates, guards included; nothing is remembered from the round before.
func BenchmarkDecodeAndCheck(b *testing.B) {
	d, _ := Ours().Edition(1, false).Lookup("session/update", Agent, Notification)
	for _, s := range sizes {
		b.Run(s.name, func(b *testing.B) {
			checkAgain(d, s.part)
			b.ReportAllocs()
			for b.Loop() {
				if f := checkAgain(d, s.part); f != nil {
					b.Fatal(f)
				}
			}
		})
	}
}

// BenchmarkRatio takes the two in turns, so that a busy machine slows both, and reports what decoding and validating costs as
// a multiple of decoding alone. Its medians of rounds are steadier than the quotient of two benchmarks.
func BenchmarkRatio(b *testing.B) {
	d, _ := Ours().Edition(1, false).Lookup("session/update", Agent, Notification)
	for _, s := range sizes {
		b.Run(s.name, func(b *testing.B) {
			var alone, both []time.Duration
			for b.Loop() {
				begin := time.Now()
				var v any
				decoder := json.NewDecoder(bytes.NewReader(s.part))
				decoder.UseNumber()
				err := decoder.Decode(&v)
				between := time.Now()
				found := checkAgain(d, s.part)
				alone, both = append(alone, between.Sub(begin)), append(both, time.Since(between))
				if err != nil || found != nil {
					b.Fatal(err, found)
				}
			}
			slices.Sort(alone)
			slices.Sort(both)
			b.ReportMetric(float64(both[len(both)/2])/float64(alone[len(alone)/2]), "x-decode")
		})
	}
}

// BenchmarkInvalid is a message that is not valid, with its explanation.
func BenchmarkInvalid(b *testing.B) {
	d, _ := Ours().Edition(1, false).Lookup("session/update", Agent, Notification)
	part := json.RawMessage(strings.Replace(string(toolCall), `"edit","status"`, `"edits","status"`, 1))
	b.ReportAllocs()
	for b.Loop() {
		if f := checkAgain(d, part); len(f) != 1 {
			b.Fatal(f)
		}
	}
}

func BenchmarkUnknownMembers(b *testing.B) {
	d, _ := Ours().Edition(1, false).Lookup("session/update", Agent, Notification)
	for _, s := range sizes {
		b.Run(s.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if u := searchUnknown(d, s.part); u != nil {
					b.Fatal(u)
				}
			}
		})
	}
}

// BenchmarkCompile reads the edition in use, and compiles it for the validator as far as a message needs or altogether.
func BenchmarkCompile(b *testing.B) {
	fresh := func() *Edition { return layered(files).Edition(1, false) }
	b.Run("read", func(b *testing.B) {
		for b.Loop() {
			if _, f := fresh().find("SessionNotification"); f != nil {
				b.Fatal(f)
			}
		}
	})
	b.Run("first-invalid-message", func(b *testing.B) {
		for b.Loop() {
			if f := fresh().CheckName("SessionNotification", json.RawMessage(`{}`)); len(f) != 2 {
				b.Fatal(f)
			}
		}
	})
	b.Run("everything", func(b *testing.B) {
		for b.Loop() {
			if err := fresh().Compile(); err != nil {
				b.Fatal(err)
			}
		}
	})
}
