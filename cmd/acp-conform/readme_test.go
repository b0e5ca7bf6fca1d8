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
		if !slices.Contains(namesOf(fakeagent.Faults()), m[1]) {
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
	for _, m := range shown {
		if s := callWith(t, m[1], strings.Fields(m[2])...); s.stdout != m[3] || s.stderr != "" {
			t.Errorf("%s\n%s%s", m[2], s.stdout, s.stderr)
		}
	}
}
