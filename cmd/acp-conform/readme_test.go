package main

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/acp-conform/acp-conform/fakeagent"
)

// The README may only speak of flags, commands, faults and directives that exist.
func TestTheReadmeSpeaksOfWhatIsThere(t *testing.T) {
	b, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	readme := string(b)
	p := &program{}
	root := p.root()
	known := map[string]bool{"its": true, "own": true, "flags": true, "acp": true} // of the agents in its examples
	root.InitDefaultHelpFlag()
	root.InitDefaultCompletionCmd()
	for _, c := range append(root.Commands(), root) {
		c.InitDefaultHelpFlag()
		for _, name := range flagNames(c.Flags()) {
			known[name] = true
		}
	}
	for _, m := range regexp.MustCompile(`(?:^|[\s("'`+"`"+`])--([a-z][a-z-]*)`).FindAllStringSubmatch(readme, -1) {
		if !known[m[1]] {
			t.Errorf("there is no flag --%s", m[1])
		}
	}
	for _, m := range regexp.MustCompile("`(?:\\./)?acp-conform ([a-z][a-z-]*)").FindAllStringSubmatch(readme, -1) {
		if c, _, err := root.Find([]string{m[1]}); err != nil || c == root {
			t.Errorf("there is no command %s", m[1])
		}
	}
	for _, m := range regexp.MustCompile(`--fault ([a-z-]+)`).FindAllStringSubmatch(readme, -1) {
		if !slices.Contains(append(namesOf(fakeagent.Faults()), namesOf(fakeagent.InputFaults())...), m[1]) {
			t.Errorf("there is no fault %s", m[1])
		}
	}
	for _, m := range regexp.MustCompile("[|`, ]`?/([a-z-]+)[ `]").FindAllStringSubmatch(readme, -1) {
		if !slices.ContainsFunc(fakeagent.Directives(), func(d fakeagent.Directive) bool { return d.Name == m[1] }) {
			t.Errorf("there is no directive /%s", m[1])
		}
	}
}

// The exit codes that the README shows are those that come.
func TestTheReadmesExitCodes(t *testing.T) {
	b, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	shown := regexp.MustCompile(`(?m)^\$ \./acp-conform (.*); echo \$\?\n((?:acp-conform: .*\n)?)(\d+)$`).FindAllStringSubmatch(string(b), -1)
	if len(shown) != 4 {
		t.Fatalf("%d calls are shown", len(shown))
	}
	for _, m := range shown {
		s := call(t, strings.Fields(m[1])...)
		if fmt.Sprint(s.code) != m[3] || s.stderr != m[2] || s.stdout != "" {
			t.Errorf("%s\nexit code %d, stderr %q, stdout %q", m[1], s.code, s.stderr, s.stdout)
		}
	}
}

// What the README shows of `schema --check` is what it prints.
func TestTheReadmesChecks(t *testing.T) {
	b, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	shown := regexp.MustCompile("(?m)^\\$ echo '(.*)' \\| \\./acp-conform (schema .*)\n([^`]*)```$").FindAllStringSubmatch(string(b), -1)
	if len(shown) != 2 {
		t.Fatalf("%d checks are shown", len(shown))
	}
	contains(t, "the README", string(b), releaseOf, releaseDate)
	for _, m := range shown {
		if s := callWith(t, m[1], strings.Fields(m[2])...); s.stdout != m[3] || s.stderr != "" {
			t.Errorf("%s\n%s%s", m[2], s.stdout, s.stderr)
		}
	}
}

// frameNumber is the number of a cited frame: how many frames come before it is a matter of luck.
var frameNumber = regexp.MustCompile(`(?m)^( *[<>] +)\d+ `)

// The finding that the README shows is the one that comes, in all its lines.
func TestTheReadmesFinding(t *testing.T) {
	b, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile("(?m)^\\$ \\./acp-conform (.*)\n…\n((?:.*\n)*?)```$").FindStringSubmatch(string(b))
	if m == nil {
		t.Fatal("no finding is shown")
	}
	s := call(t, strings.Fields(m[1])...)
	masked := func(text string) string { return frameNumber.ReplaceAllString(text, "${1}N ") }
	shown := strings.Split(masked(strings.TrimSpace(m[2])), "\n")
	_, after, _ := strings.Cut(masked(s.stdout), shown[0]+"\n")
	lines := strings.Split(after, "\n")
	for i, want := range shown[1:] {
		begin, cut := strings.CutSuffix(want, "…")
		if i >= len(lines) || lines[i] != want && !(cut && strings.HasPrefix(lines[i], begin)) {
			t.Fatalf("the README shows %q:\n%s", want, s.stdout)
		}
	}
}

// The picture of a page, as the README describes it, is of the run that stands above it.
func TestTheReadmesPicture(t *testing.T) {
	b, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`(?s)\./acp-conform --report html=acp\.html --report junit=acp\.xml ([^` + "`" + `]*)` + "```" + `.*?alt="[^"]*: (\d+) rules kept, (\d+) broken`).FindStringSubmatch(string(b))
	if m == nil {
		t.Fatal("no picture is shown")
	}
	s := call(t, strings.Fields(strings.ReplaceAll(m[1], "\\\n", " "))...)
	contains(t, "the report", s.stdout, m[3]+" rule broken, "+m[2]+" rules kept")
}

// What the README says of some values is so.
func TestWhatTheReadmeSaysOfTheSchemas(t *testing.T) {
	for _, c := range []struct {
		by, part, want string
		code           int
	}{
		{"--definition AuthMethod", `{"type":"terminal","id":"i","name":"n","args":1}`, "INVALID: ", 1},
		{"--definition McpServer", `{"type":"http","name":"n","command":"/c","args":[],"env":[]}`, "INVALID: ", 1},
		{"--definition McpServer", `{"type":"sse","name":"n","command":"/c","args":[],"env":[]}`, "INVALID: ", 1},
		{"--definition McpServer", `{"type":"acp","name":"n","command":"/c","args":[],"env":[]}`, "INVALID: ", 1},
		{"--definition SetSessionConfigOptionRequest", `{"sessionId":"s","configId":"c","type":"boolean","value":"x"}`, "INVALID: ", 1},
		{"--method initialize", `{"protocolVersion":1.0}`, "INVALID: ", 1},
		{"--method initialize", `{"protocolVersion":1e3}`, "INVALID: ", 1},
		{"--method initialize", `{"protocolVersion":1,"protocolVersion":1}`, "INVALID by the strict reading", 1},
		{"--method initialize", `{"protocolVersion":1,"_meta":{"a":1,"a":1}}`, "VALID: ", 0},
		{"--definition ToolCall", `{"toolCallId":"c","title":"t","rawInput":{"a":1,"a":1},"rawOutput":{"a":1,"a":1}}`, "VALID: ", 0},
		{"--definition Error", `{"code":1,"message":"m","data":{"a":1,"a":1}}`, "VALID: ", 0},
		{"--method initialize", `{"protocolVersion":1,"_meta":{"a":1e400}}`, "VALID: ", 0},
		{"--method initialize", `{"protocolVersion":1,"_meta":{"a":1e10000000}}`, "VALID: ", 0},
		{"--method initialize", `{"protocolVersion":1e401}`, "INVALID: ", 1},
		{"--method initialize", `{"protocolVersion":1,"_meta":{"a":` + strings.Repeat("9", 400) + `}}`, "VALID: ", 0},
		{"--method initialize", `{"protocolVersion":1,"_meta":{"a":` + strings.Repeat("9", 401) + `}}`, "VALID: ", 0},
		{"--method initialize", `{"protocolVersion":1,"_meta":{"a":` + strings.Repeat("[", 7998) + strings.Repeat("]", 7998) + `}}`, "VALID: ", 0},
		{"--method initialize", `{"protocolVersion":1,"_meta":{"a":` + strings.Repeat("[", 7999) + strings.Repeat("]", 7999) + `}}`, "NOT JUDGED", 1},
	} {
		s := callWith(t, c.part, append([]string{"schema", "--check", "-"}, strings.Fields(c.by)...)...)
		if s.code != c.code || !strings.HasPrefix(s.stdout, c.want) {
			t.Errorf("%s %.80s: exit code %d, %s%s", c.by, c.part, s.code, s.stderr, s.stdout)
		}
	}
}
