package main

import (
	"os"
	"path/filepath"
	"testing"
)

// baselineOf writes a baseline and returns its path.
func baselineOf(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "known.yaml")
	if err := os.WriteFile(file, []byte(text), 0o640); err != nil {
		t.Fatal(err)
	}
	return file
}

// What is wrong with a baseline is found before the agent is started, and the file stays as it is.
func TestMistakesOfABaseline(t *testing.T) {
	for text, want := range map[string]string{
		"\xff\xfe":         ":1: there are bytes that are no UTF-8; save the file as UTF-8",
		"\xfe\xff":         ":1: there are bytes that are no UTF-8; save the file as UTF-8",
		"\xff\xfe\n\x00":   ":1: there are bytes that are no UTF-8; save the file as UTF-8",
		"# a\n# caf\xe9\n": ":2: there are bytes that are no UTF-8; save the file as UTF-8",
		"known:\n- rule: cancel.imediate\n  reason: x\n":     `:2: there is no rule "cancel.imediate" (did you mean "cancel.immediate"?); `,
		"known:\n- rule: nothing.like.it\n  reason: x\n":     `:2: there is no rule "nothing.like.it"; `,
		"known: []\nknown: []\n":                             ":2: known stands in line 1 already; ",
		"known:\n- rule: a\n  rule: b\n  reason: nobody\n":   ":3: rule stands in line 2 already; ",
		"known:\n- reason: a\n  rule: b\n  reason: nobody\n": ":4: reason stands in line 2 already; ",
	} {
		for _, flag := range []string{"--baseline", "--write-baseline"} {
			file := baselineOf(t, text)
			refused(t, []string{flag, file, "./agent"}, file+want)
			if readFile(t, file) != text {
				t.Errorf("%s changed %q", flag, text)
			}
		}
	}
}
