package schemas

import (
	"encoding/json"
	"strings"
	"testing"
	"testing/fstest"
)

func TestTextKinds(t *testing.T) {
	for kind, c := range map[string]struct{ good, bad []string }{
		"absolute-path": {[]string{"/", "/a b/ü", `C:\a`, "c:/a", `\\server\share`}, []string{"", "a", "./a", "../a", "C:", "C:a", "~", "file:///a"}},
		"uri":           {[]string{"file:///a", "https://example.com/?q=1", "urn:isbn:1", "zed://x", "mailto:a@b"}, []string{"", "/a", "a/b", `C:\a`, "c:/a", "://x", "%zz"}},
		"base64":        {[]string{"", "YQ==", "YWI=", "YWJj", "+/+/"}, []string{"YQ", "YQ=", "Y", "YQ==\n", "Y Q=", "-_-_", "data:;base64,YQ==", "YR=="}},
		"date-time": {[]string{"2026-11-02T10:00:00Z", "2026-11-02t10:00:00.123456789z", "2026-11-02T10:00:00+05:30", "2016-12-31T23:59:60Z", "2024-02-29T00:00:00Z"},
			[]string{"", "2026-11-02", "2026-11-02T10:00:00", "2026-11-02T10:00Z", "2026-13-02T10:00:00Z", "2026-02-29T10:00:00Z", "2026-11-02T10:00:00,5Z", "1762077600", "2026-11-02T1:00:00Z"}},
		"media-type": {[]string{"text/plain", "text/plain; charset=utf-8", "application/vnd.x+json"}, []string{"", "text", "/plain", "text/", "a b/c"}},
		"regex":      {[]string{"", "^a+$", "(?<=x)y", `\p{L}`, "(?!a)"}, []string{"(", "[a", `a\`}},
	} {
		for _, s := range c.good {
			if !textChecks[kind].holds(s) {
				t.Errorf("%q is a good %s", s, kind)
			}
		}
		for _, s := range c.bad {
			if textChecks[kind].holds(s) {
				t.Errorf("%q is no %s", s, kind)
			}
		}
	}
}

func texts(e *Edition, name, part string) string {
	var all []string
	for _, f := range Texts(Definition{Edition: e, Name: name}, json.RawMessage(part)) {
		all = append(all, f.Path+" "+string(f.Problem)+" "+f.Def)
	}
	return strings.Join(all, ", ")
}

func TestTexts(t *testing.T) {
	for _, c := range []struct{ about, def, part, want string }{
		{"nothing to say", "ToolCall", `{"toolCallId":"c","title":"t","locations":[{"path":"/a"}],"rawInput":{"path":"a"}}`, ""},
		{"a path in a list", "ToolCall", `{"toolCallId":"c","title":"t","locations":[{"path":"/a"},{"path":"b"}]}`, "/locations/1/path path ToolCallLocation"},
		{"behind two unions", "SessionNotification",
			`{"sessionId":"s","update":{"sessionUpdate":"tool_call","toolCallId":"c","title":"t","content":[{"type":"diff","path":"a","newText":"x"}]}}`,
			"/update/content/0/path path Diff"},
		{"a name of the protocol, and one of its own", "Notice", `{"severity":"info","title":"t"}`, ""},
		{"a name of one's own", "Notice", `{"severity":"_shout","title":"t"}`, ""},
		{"a name that is taken", "Notice", `{"severity":"shout","title":"t"}`, "/severity name NoticeSeverity"},
		{"the tag of an open union", "CreateElicitationRequest", `{"message":"m","mode":"frm","sessionId":"s"}`, "/mode name CreateElicitationRequest"},
		{"a tag of one's own", "CreateElicitationRequest", `{"message":"m","mode":"_own","sessionId":"s"}`, ""},
		{"the tag of an untagged branch", "McpServer", `{"type":"stdio","name":"m","command":"/c","args":[],"env":[]}`, ""},
		{"not a string", "Notice", `{"severity":1,"title":"t"}`, ""},
		{"not JSON", "Notice", `{`, ""},
		{"no such definition", "Nothing", `{}`, ""},
	} {
		if got := texts(v1, c.def, c.part); got != c.want {
			t.Errorf("%s: got %q", c.about, got)
		}
	}
}

func TestFiveOfOneKindHideNothing(t *testing.T) {
	part := `{"toolCallId":"c","title":"t","content":[` + strings.Repeat(`{"type":"diff","path":"a","newText":""},`, 9) +
		`{"type":"diff","path":"b","newText":""}],"locations":[{"path":"c"}]}`
	if got := texts(v1, "ToolCall", part); !strings.HasSuffix(got, "/locations/0/path path ToolCallLocation") {
		t.Errorf("got %q", got)
	}
}

// An official file has no x-names: an open string is constants beside any other string.
func TestNamesOfAPublishedFile(t *testing.T) {
	book, err := Open(fstest.MapFS{"schema.json": {Data: []byte(`{"$defs":{
		"Mood":{"anyOf":[{"type":"string","const":"good"},{"type":"string","const":"bad"},{"type":"string"}]},
		"Closed":{"oneOf":[{"type":"string","const":"good"}]},
		"SayRequest":{"x-method":"say","x-side":"agent","type":"object","required":["mood"],
			"properties":{"mood":{"allOf":[{"$ref":"#/$defs/Mood"}]},"at":{"type":"string","format":"date-time"}}},
		"SayResponse":{"x-method":"say","x-side":"agent"}}}`)}})
	if err != nil {
		t.Fatal(err)
	}
	e := book.Edition(1, true)
	for part, want := range map[string]string{`{"mood":"good"}`: "", `{"mood":"_odd"}`: "", `{"mood":"odd","at":"today"}`: "/at time SayRequest, /mood name Mood"} {
		if got := texts(e, "SayRequest", part); got != want {
			t.Errorf("%s: got %q", part, got)
		}
	}
	if got := texts(e, "Closed", `"odd"`); got != "" {
		t.Errorf("a closed list is the schema's business: got %q", got)
	}
}
