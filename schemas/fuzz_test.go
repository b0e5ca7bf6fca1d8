package schemas

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

// Check must come back from whatever bytes it gets, in every edition, and its findings must be fit to print.
func FuzzCheck(f *testing.F) {
	for _, seed := range []struct{ name, part string }{
		{"SessionNotification", string(chunk)},
		{"SessionNotification", string(toolCall)},
		{"UpdateSessionNotification", `{"sessionId":"s","update":{"sessionUpdate":"state_update","state":"idle","stopReason":null,"background":[{"type":"terminal"}]}}`},
		{"ToolCall", `{"toolCallId":"c","title":"t","kind":null,"content":[[],{"type":{}}]}`},
		{"RequestId", `1e400`},
		{"PromptRequest", `{"sessionId":"s","sessionId":"\ud800","prompt":[{"type":"text","text":"\\ud83d\ude00"}]}`},
		{"ElicitationSchema", `{"type":"object","properties":{"a":{"type":"array","items":{"enum":["x"]},"minItems":18446744073709551616}}}`},
		{"SessionConfigOption", `{"id":"m","name":"M","type":"select","currentValue":"a","options":[{"group":"g","name":"G","options":[]}]}`},
		{"InitializeResponse", `{"protocolVersion":1.0,"agentCapabilities":{"mcpCapabilities":{"http":"\xff"}}}`},
	} {
		f.Add(seed.name, []byte(seed.part))
	}
	f.Fuzz(func(t *testing.T, name string, part []byte) {
		for _, e := range Ours().editions {
			_, none := e.find(name)
			for _, found := range e.CheckName(name, part) {
				if found.Problem == Internal && none == nil {
					t.Errorf("%s %q: %v", name, part, found)
				}
				if len(found.Actual) > maxActual || found.Expected == "" || !utf8.ValidString(found.String()) && utf8.Valid(part) {
					t.Errorf("%s %q: %+v", name, part, found)
				}
			}
			d := Definition{Edition: e, Name: name}
			UnknownMembers(d, part)
			Texts(d, part)
		}
	})
}

// The guards look at bytes, and encoding/json at values: what passes the guards without a word has to be one JSON value in
// which nothing is there twice and no character is half.
func FuzzGuards(f *testing.F) {
	for _, s := range []string{`{"a":1,"a":2}`, `{"a":{"b":1,"\u0062":2}}`, `"\ud800"`, `"\ud83d\ude00"`, `"\\ud800"`, `["\uDC00\uD800"]`,
		`{"\ud800":1}`, `1e401`, "\"\xff\"", `{}x`, ` [ 1 , {"a" : "}:" } ] `, `"\u12"`, strings.Repeat("[", 600)} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, part []byte) {
		v, hides, found := decodeAll(part)
		if found != nil {
			return
		}
		if !json.Valid(part) || !utf8.Valid(part) {
			t.Fatalf("%q passes", part)
		}
		secret := len(hidden(&node{properties: map[string]*node{}, bits: bitsOf(nil)}, v, part)) > 0
		if secret && !hides {
			t.Errorf("%q hides something at second sight only", part)
		}
		var compact bytes.Buffer
		if json.Compact(&compact, part) == nil && bytes.Count(compact.Bytes(), []byte(`\u`)) == 0 && !hides {
			again, err := json.Marshal(v)
			if err != nil || countMembers(v) != bytes.Count(stripStrings(again), []byte(":")) {
				t.Errorf("%q: %s, %v", part, again, err)
			}
		}
	})
}

// stripStrings leaves the marks between the strings of a JSON text.
func stripStrings(text []byte) []byte {
	var marks []byte
	for i := 0; i < len(text); i++ {
		if text[i] == '"' {
			i = endOfString(text, i)
			continue
		}
		marks = append(marks, text[i])
	}
	return marks
}
