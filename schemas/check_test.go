package schemas

import (
	"encoding/json"
	"reflect"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
)

func lookup(t *testing.T, method string, sender Side, kind Kind) Definition {
	t.Helper()
	d, ok := v1.Lookup(method, sender, kind)
	if !ok {
		t.Fatalf("no %s %s of the %s", method, kind, sender)
	}
	return d
}

func TestAbsentPart(t *testing.T) {
	for _, c := range []struct {
		method string
		sender Side
		kind   Kind
		want   []Finding
	}{
		{"logout", Client, Request, nil},
		{"session/list", Client, Request, nil},
		{"session/cancel", Client, Notification, []Finding{{
			Problem: Missing, Expected: `an object with "sessionId"`, Actual: "absent", Def: "CancelNotification"}}},
		{"elicitation/create", Agent, Request, []Finding{{
			Problem: Missing, Expected: `an object with "message"`, Actual: "absent", Def: "CreateElicitationRequest"}}},
		{"terminal/kill", Agent, Request, []Finding{{
			Problem: Missing, Expected: `an object with "sessionId", "terminalId"`, Actual: "absent", Def: "KillTerminalRequest"}}},
		// A result must be there even if it has nothing to say.
		{"logout", Agent, Result, []Finding{{
			Problem: Missing, Expected: "an object", Actual: "absent", Def: "LogoutResponse"}}},
	} {
		d := lookup(t, c.method, c.sender, c.kind)
		if got := Check(d, nil); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s %s: got %+v", c.method, c.kind, got)
		}
	}
}

func TestPartThatIsNotOneValue(t *testing.T) {
	d := lookup(t, "session/cancel", Client, Notification)
	for part, why := range map[string]string{
		`{`:                         "it ends too early",
		`{"sessionId":"s"}}`:        "something stands behind the value: }",
		`{"sessionId":"s"} {}`:      "something stands behind the value: {}",
		"{\"sessionId\":\n \"s\",}": "line 2, column 6: invalid character '}' looking for beginning of object key string",
		"\ufeff{}":                  "it begins with a byte order mark; remove that",
		`{"a":1e}`:                  "line 1, column 8: invalid character '}' in exponent of numeric literal",
		`# Title -e`:                "line 1, column 1: invalid character '#' looking for beginning of value",
		` `:                         "it is empty",
	} {
		got := Check(d, json.RawMessage(part))
		want := []Finding{{Problem: Shape, Expected: "one JSON value (" + why + ")", Actual: part, Def: "CancelNotification"}}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %+v", part, got)
		}
	}
	if got := Check(d, json.RawMessage(" {\"sessionId\":\"s\"}\r\n")); got != nil {
		t.Errorf("space around the value: got %+v", got)
	}
}

// Without the caps the validator panics on the first of these numbers and needs a long time for the others.
func TestLongNumbers(t *testing.T) {
	for _, c := range []struct{ about, number, alike string }{
		{"huge exponent", "1e10000000", "1e400"},
		{"exponent beyond int", "1e99999999999999999999", "1e400"},
		{"tiny", "-1E-401", "-0.1"},
		{"401 digits", strings.Repeat("9", 401), strings.Repeat("9", 400)},
		{"401 digits behind the point", "0." + strings.Repeat("3", 401), "0.1"},
	} {
		of := func(number string) []Finding {
			return v1.CheckName("ToolCallLocation", json.RawMessage(`{"path":"/a","line":`+number+`}`))
		}
		got, want := of(c.number), of(c.alike)
		if len(got) != 2 || len(want) != 1 || got[0].Problem != want[0].Problem || got[1].Path != "/line" || got[1].Problem != Limits ||
			got[1].Expected != "a number of at most 400 bytes and exponents up to 400" || got[1].Tolerated != ourLimit || len(got[1].Actual) > maxActual {
			t.Errorf("%s: got %+v, want %+v and the limit", c.about, got, want)
		}
		for _, free := range []string{`"rawInput":` + c.number, `"_meta":{"x":[` + c.number + `]}`, `"own":` + c.number} {
			if got := v1.CheckName("ToolCall", json.RawMessage(`{"toolCallId":"c","title":"t",`+free+`}`)); got != nil {
				t.Errorf("%s in a free value: got %v", c.about, got)
			}
		}
	}
	if got := v1.CheckName("ToolCallLocation", json.RawMessage(`{"path":"/a","line":1e400}`)); len(got) != 1 || got[0].Problem != Range {
		t.Errorf("the longest exponent: got %v", got)
	}
}

func TestNesting(t *testing.T) {
	of := func(levels int) []Finding {
		part := `{"toolCallId":"c","title":"t","rawInput":` + strings.Repeat("[", levels) + strings.Repeat("]", levels) + `}`
		return v1.CheckName("ToolCall", json.RawMessage(part))
	}
	if got := of(7999); got != nil {
		t.Errorf("got %v", got)
	}
	for _, levels := range []int{8000, 1_000_000} {
		got := of(levels)
		if len(got) != 1 || got[0].Problem != Limits || got[0].Expected != "at most 8000 levels of nesting" || got[0].Tolerated != ourLimit {
			t.Errorf("%d levels: got %v", levels, got)
		}
	}
	if got := v1.CheckName("ToolCall", json.RawMessage(`{"toolCallId":"c","title":"`+strings.Repeat("[", 9000)+`"}`)); got != nil {
		t.Errorf("brackets in a string: got %v", got)
	}
}

func TestAtMostFiveFindingsAndWhatNobodyToleratesFirst(t *testing.T) {
	got := v1.CheckName("AgentCapabilities", json.RawMessage(
		`{"loadSession":1,"promptCapabilities":{"image":1,"audio":1,"embeddedContext":1},"mcpCapabilities":{"http":1,"sse":1}}`))
	if len(got) != 5 {
		t.Errorf("got %d findings: %v", len(got), got)
	}
	got = v1.CheckName("ToolCall", json.RawMessage(
		`{"toolCallId":"c","title":7,"content":1,"kind":1,"locations":1,"name":1,"status":1,"_meta":1}`))
	if len(got) != 5 || got[0].Path != "/title" || got[0].Tolerated != "" || got[1].Tolerated == "" {
		t.Errorf("got %v", got)
	}
}

func TestActualIsCutBetweenCharacters(t *testing.T) {
	got := v1.CheckName("StopReason", json.RawMessage(`"`+strings.Repeat("é", 300)+`"`))
	if len(got) != 1 || len(got[0].Actual) > 200 || !strings.HasSuffix(got[0].Actual, "é…") {
		t.Errorf("got %+v", got)
	}
}

func TestPathIsAPointer(t *testing.T) {
	got := v1.CheckName("ElicitationAcceptAction", json.RawMessage(`{"content":{"a/b~c":null}}`))
	if len(got) != 1 || got[0].Path != "/content/a~1b~0c" {
		t.Errorf("got %+v", got)
	}
}

func TestUnknownDefinitionIsNotTheMessagesFault(t *testing.T) {
	for _, got := range [][]Finding{
		v1.CheckName("NoSuchType", json.RawMessage(`{}`)),
		Ours().Edition(99, true).CheckName("ToolCall", json.RawMessage(`{}`)),
		v1.CheckName("_meta", json.RawMessage(`{}`)),
		Check(Definition{}, json.RawMessage(`{}`)),
	} {
		if len(got) != 1 || got[0].Problem != Internal || got[0].Expected == "" {
			t.Errorf("got %+v", got)
		}
	}
}

func TestFindingReadsAsALine(t *testing.T) {
	got := v1.CheckName("ToolCallLocation", json.RawMessage(`{"path":"/a","line":-1}`))
	if want := "/line: expected an integer from 0 to 4294967295, got -1 (read as absent)"; len(got) != 1 || got[0].String() != want {
		t.Errorf("got %v", got)
	}
	got = v1.CheckName("StopReason", json.RawMessage(`null`))
	if want := "the value: expected one of"; len(got) != 1 || !strings.HasPrefix(got[0].String(), want) {
		t.Errorf("got %v", got)
	}
}

// A finding says "the message is invalid" as soon as one of its findings has no Tolerated; a reader that drops an
// item must not hide a fault beside it.
func TestToleranceBelongsToThePlace(t *testing.T) {
	got := v1.CheckName("PromptRequest", json.RawMessage(
		`{"sessionId":"s","prompt":[{"type":"text","text":1,"annotations":{"audience":["nobody"],"priority":"high"}}]}`))
	want := []Finding{
		{Path: "/prompt/0/text", Problem: Type, Expected: "a string", Actual: "1", Def: "TextContent"},
		{Path: "/prompt/0/annotations/audience/0", Problem: Value, Expected: `one of "assistant", "user"`, Actual: `"nobody"`,
			Tolerated: "item dropped", Def: "Role"},
		{Path: "/prompt/0/annotations/priority", Problem: Type, Expected: "a number or null", Actual: `"high"`,
			Tolerated: "read as absent", Def: "Annotations"},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v", got)
	}
}

func TestConcurrentUse(t *testing.T) {
	e := layered(files).Edition(1, true)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			sch, f := e.find("SessionNotification")
			if f != nil {
				t.Error(f)
				return
			}
			if got := e.check(sch, "SessionNotification", chunk); got != nil {
				t.Error(got)
			}
		})
	}
	wg.Wait()
}

// A fault in a file is the suite's own and must not pass for a message's.
func TestFaultOfTheFilesIsReported(t *testing.T) {
	twice := fstest.MapFS{
		"both/a.json": {Data: []byte(`{"$defs":{"X":{"type":"string"}}}`)},
		"v1/b.json":   {Data: []byte(`{"$defs":{"X":{"type":"string"}}}`)},
	}
	for about, fsys := range map[string]fstest.MapFS{
		"a definition in two topics": twice,
		"a layer that changes a type": {
			"both/a.json": {Data: []byte(`{"$defs":{"X":{"type":"string"}}}`)},
			"v1/a.json":   {Data: []byte(`{"$defs":{"X":{"type":"number"}}}`)},
		},
		"no JSON": {"both/a.json": {Data: []byte(`{`)}},
	} {
		e := layered(fsys).Edition(1, true)
		if err := e.Compile(); err == nil || !strings.Contains(err.Error(), "v1") {
			t.Errorf("%s: got %v", about, err)
		}
		if got := e.CheckName("X", json.RawMessage(`1`)); len(got) != 1 || got[0].Problem != Internal {
			t.Errorf("%s: got %v", about, got)
		}
	}
}

// The branch whose own members are there was meant, whatever is wrong inside of them.
func TestTheBranchThatWasMeant(t *testing.T) {
	got := Ours().Edition(1, false).CheckName("MessageMcpResponse", json.RawMessage(`{"error":{"code":1}}`))
	if len(got) != 1 || got[0].Path != "/error/message" {
		t.Errorf("got %v", got)
	}
}

// A message of many megabytes in which everything is wrong takes about as long as one in which nothing is.
func TestTenThousandFaults(t *testing.T) {
	e := Ours().Edition(1, false)
	for _, c := range []struct{ item, path string }{
		{`{"a":1,"b":2}`, "/update/entries/0/content"},
		{`7`, "/update/entries/0"},
	} {
		part := json.RawMessage(`{"sessionId":"s","update":{"sessionUpdate":"plan","entries":[` + strings.Repeat(c.item+",", 9_999) + c.item + `]}}`)
		d, _ := e.Lookup("session/update", Agent, Notification)
		if got := Check(d, part); len(got) != 5 || got[0].Path != c.path {
			t.Errorf("got %v", got)
		}
		if got := UnknownMembers(d, part); len(got) > maxUnknown {
			t.Errorf("got %d unknown members", len(got))
		}
	}
}

func TestOneOfTwoScopes(t *testing.T) {
	e := Ours().Edition(2, true)
	const form = `"message":"m","mode":"form","requestedSchema":{"type":"object","properties":{}}`
	for part, want := range map[string]string{
		`{` + form + `,"sessionId":"s"}`:                   "",
		`{` + form + `,"requestId":1}`:                     "",
		`{` + form + `,"sessionId":"s","requestId":1e300}`: "", // no id at all, and so no second scope
		`{` + form + `,"sessionId":"s","requestId":1}`:     "one of the alternatives, not two: sessionId or requestId",
		`{` + form + `}`:                                   `member "sessionId" or member "requestId"`,
		`{"message":"m","mode":"url","elicitationId":"e","url":"u","sessionId":"s","requestId":"r"}`: "one of the alternatives, not two: sessionId or requestId",
	} {
		got := e.CheckName("CreateElicitationRequest", json.RawMessage(part))
		if want == "" && got != nil || want != "" && (len(got) != 1 || got[0].Expected != want) {
			t.Errorf("%s: got %v", part, got)
		}
	}
}
