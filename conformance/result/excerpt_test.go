package result

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestExcerptKeepsWhatMatters(t *testing.T) {
	pad := strings.Repeat(`{"type":"text","text":"pad"},`, 40)
	long := `{"jsonrpc":"2.0","id":7,"params":{"prompt":[` + pad + `],"sessionId":"s-1"},"method":"session/prompt"}`
	for _, c := range []struct {
		about string
		o     Observation
		f     Frame
		want  []string
	}{
		{"a short line is whole", Observation{}, Frame{Line: `{"id":1}`}, []string{`{"id":1}`}},
		{"the method", Observation{}, Frame{Line: long}, []string{`{"jsonrpc":"2.0","id":7,`, `"method":"session/prompt"`}},
		{"what was found", Observation{Actual: "s-1"}, Frame{Line: long}, []string{`"sessionId":"s-1"`, `"method":"session/prompt"`}},
		{"what was found, quoted", Observation{Actual: `"s-1"`}, Frame{Line: long}, []string{`"sessionId":"s-1"`}},
		{"what is spoken of", Observation{Explanation: "the sessionId is wrong"}, Frame{Line: long}, []string{`"sessionId":"s-1"`}},
		{"what was expected", Observation{Expected: "s-1", Actual: "s-2"}, Frame{Line: long}, []string{`"sessionId":"s-1"`}},
	} {
		got, left := c.o.Excerpt(c.f, 200)
		for _, want := range c.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s: %q lacks %q", c.about, got, want)
			}
		}
		if n := utf8.RuneCountInString(got); n > 220 {
			t.Errorf("%s: %d characters", c.about, n)
		}
		shown := len(strings.ReplaceAll(got, " … ", ""))
		if shown+left != len(c.f.Line) {
			t.Errorf("%s: %d bytes are shown and %d left out of %d", c.about, shown, left, len(c.f.Line))
		}
	}
}

func TestExcerptBreaksNoCharacter(t *testing.T) {
	line := strings.Repeat("ü🐦", 300) + `"status":"бусы"` + strings.Repeat("會話", 300)
	for n := 1; n < 400; n += 7 {
		got, left := Observation{Actual: "бусы"}.Excerpt(Frame{Line: line, Cut: 5}, n)
		if !utf8.ValidString(got) || left <= 5 {
			t.Fatalf("%d characters: %q, %d left", n, got, left)
		}
		if n >= 100 && !strings.Contains(got, "бусы") {
			t.Errorf("%d characters: %q", n, got)
		}
	}
	if got, left := (Observation{}).Excerpt(Frame{Base64: strings.Repeat("AAAA", 100), Cut: 1}, 40); len(got) != 40 || left != 271 {
		t.Errorf("%d characters of base64, %d bytes left", len(got), left)
	}
}

func TestExcerptsShowTheDifference(t *testing.T) {
	same := strings.Repeat("the same ", 60)
	expected, actual := Observation{Expected: same + "one" + same, Actual: same + "two" + same}.Excerpts(100)
	for text, word := range map[string]string{expected: "one", actual: "two"} {
		if !strings.Contains(text, word) || utf8.RuneCountInString(text) > 110 || !strings.HasPrefix(text, "… ") || !strings.HasSuffix(text, " …") {
			t.Errorf("%q", text)
		}
	}
	if expected, actual := (Observation{Expected: "a", Actual: same}).Excerpts(100); expected != "a" || !strings.HasPrefix(actual, "the same") {
		t.Errorf("%q, %q", expected, actual)
	}
}
