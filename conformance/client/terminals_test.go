package client

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

func servedTerminals(t *testing.T, limit time.Duration) (*terminals, string) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	terms := newTerminals(func(session string) string { return filepath.Join(dir, session) }, limit, openTerminals, nil)
	t.Cleanup(terms.close)
	return terms, dir
}

func TestCreateRefusesBadParameters(t *testing.T) {
	terms, _ := servedTerminals(t, time.Minute)
	for _, bad := range []string{
		``, `null`, `[]`, `{}`, `{"command":"x"}`, `{"sessionId":".","command":""}`, `{"sessionId":".","command":null}`, `{"sessionId":1,"command":"x"}`,
		`{"sessionId":".","command":"x","args":"y"}`, `{"sessionId":".","command":"x","args":[null]}`, `{"sessionId":".","command":"x","args":[1]}`,
		`{"sessionId":".","command":"x","env":{"A":"b"}}`, `{"sessionId":".","command":"x","env":[{"name":"A"}]}`,
		`{"sessionId":".","command":"x","env":[{"name":"A=B","value":"c"}]}`, `{"sessionId":".","command":"x","env":[{"name":"","value":"c"}]}`,
		`{"sessionId":".","command":"x","cwd":"here"}`, `{"sessionId":".","command":"x","cwd":""}`,
		`{"sessionId":".","command":"x","outputByteLimit":-1}`, `{"sessionId":".","command":"x","outputByteLimit":"9"}`,
	} {
		if _, failure := terms.create(json.RawMessage(bad)); failure == nil || failure.Code != CodeInvalidParams {
			t.Errorf("%s: got %v", bad, failure)
		}
	}
	if n := terms.open(); n != 0 {
		t.Errorf("%d terminals are open", n)
	}
}

func TestCreateSaysWhyNothingStarted(t *testing.T) {
	terms, dir := servedTerminals(t, time.Minute)
	_, failure := terms.create(asParams(t, map[string]any{"sessionId": ".", "command": "acp-conform-no-such-program"}))
	wantCode(t, failure, CodeInternal, "executable file not found")
	_, failure = terms.create(asParams(t, map[string]any{"sessionId": ".", "command": filepath.Join(dir, "none")}))
	wantCode(t, failure, CodeInternal, "cannot be started")
	if n := terms.open(); n != 0 {
		t.Errorf("%d terminals are open", n)
	}
}

func TestUnknownTerminalsAreNotFound(t *testing.T) {
	terms, _ := servedTerminals(t, time.Minute)
	calls := terminalCalls(t, terms)
	for name, call := range calls {
		_, failure := call(json.RawMessage(`{"sessionId":".","terminalId":"term_1"}`))
		wantCode(t, failure, CodeNotFound, "term_1")
		wantData(t, failure, "terminalId", "term_1")
		for _, bad := range []string{``, `null`, `{}`, `{"sessionId":"."}`, `{"terminalId":"term_1"}`, `{"sessionId":null,"terminalId":"term_1"}`, `{"sessionId":".","terminalId":1}`} {
			if _, failure := call(json.RawMessage(bad)); failure == nil || failure.Code != CodeInvalidParams {
				t.Errorf("%s %s: got %v", name, bad, failure)
			}
		}
	}
}

// terminalCalls are the calls that name a terminal.
func terminalCalls(t *testing.T, terms *terminals) map[string]func(json.RawMessage) (any, *Error) {
	return map[string]func(json.RawMessage) (any, *Error){
		"output": terms.output, "kill": terms.kill, "release": terms.release,
		"wait": func(p json.RawMessage) (any, *Error) { return terms.waitForExit(t.Context(), p) },
	}
}

func TestOutputTailKeepsTheEnd(t *testing.T) {
	for _, c := range []struct {
		limit     int
		writes    []string
		complete  bool
		want      string
		truncated bool
	}{
		{5, []string{"abc"}, true, "abc", false},
		{5, []string{"abcde"}, true, "abcde", false},
		{5, []string{"abc", "def"}, true, "bcdef", true},
		{5, []string{"a", "b", strings.Repeat("x", 100), "yz"}, true, "xxxyz", true},
		{0, nil, true, "", false},
		{0, []string{"a"}, true, "", true},
		{5, []string{"äöü"}, true, "öü", true},
		{3, []string{"a😀"}, true, "", true},
		{4, []string{"a😀"}, true, "😀", true},
		{9, []string{"ab\xf0\x9f"}, false, "ab", false},
		{9, []string{"ab\xf0\x9f", "\x98\x80"}, false, "ab😀", false},
		{9, []string{"ab\xf0\x9f"}, true, "ab\uFFFD", false},
		{9, []string{"a\xffb"}, false, "a\uFFFDb", false},
		{4, []string{"\xffab"}, true, "ab", true},
		{3, []string{"\xff\xff\xff\xff"}, true, "\uFFFD", true},
	} {
		tail := outputTail{limit: c.limit}
		for _, w := range c.writes {
			if n, err := tail.Write([]byte(w)); n != len(w) || err != nil {
				t.Fatal(n, err)
			}
		}
		if got, truncated := tail.text(c.complete); got != c.want || truncated != c.truncated {
			t.Errorf("%q within %d: got %q %v, want %q %v", c.writes, c.limit, got, truncated, c.want, c.truncated)
		}
	}
}

func TestOutputTailIsAlwaysTextWithinItsLimit(t *testing.T) {
	parts := []string{"a", "ä", "€", "😀", "\xff", "\xe2\x82", "\x80\x80\x80\x80"}
	for limit := range 12 {
		tail := outputTail{limit: limit}
		for i := range 200 {
			_, _ = tail.Write([]byte(parts[(i*i+limit)%len(parts)]))
			for _, complete := range []bool{false, true} {
				if s, _ := tail.text(complete); len(s) > limit || !utf8.ValidString(s) {
					t.Fatalf("limit %d after %d writes: %q", limit, i+1, s)
				}
			}
		}
		if len(tail.kept) > 2*limit {
			t.Errorf("limit %d keeps %d bytes", limit, len(tail.kept))
		}
	}
}

// openTerminals is how many terminals may be open in these tests.
const openTerminals = 32
