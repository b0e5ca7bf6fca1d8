package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/acp-conform/acp-conform/conformance"
	"github.com/acp-conform/acp-conform/conformance/result"
)

// configured writes a configuration file and returns its path.
func configured(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), configName)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// Each mistake in a configuration file is found before the agent is started. It is named by its line, and so is what is right.
func TestMistakesOfAConfigurationFile(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string // behind the name of the file
	}{
		{"- prompts\n", []string{":1: the file is a list; write members there, such as prompts: …"}},
		{"storeDir: /\n# caf\xe9\n", []string{":2: there are bytes that are no UTF-8; save the file as UTF-8"}},
		{"\xff\xfea\x00", []string{":1: there are bytes that are no UTF-8; save"}},
		{"yes\n", []string{`:1: the file is "yes"; write members`}},
		{"# nothing\nevictAfter: -1s\n", []string{":2: evictAfter is -1s; write a time above zero, such as 500ms or 10m"}},
		{"evictAfter: 0s\n", []string{":1: evictAfter is 0s; write a time above zero"}},
		{"evictAfter: 10\n", []string{":1: evictAfter is 10, which is a number and no time; write a time above zero, such as 500ms"}},
		{"evictAfter: soon\n", []string{`:1: evictAfter is "soon", which is no time; write`}},
		{"evictAfter: [1s]\n", []string{":1: evictAfter is a list; write a time"}},
		{"evictAfter:\n", []string{":1: evictAfter has no value; give it one, or leave it out"}},
		{"evictAfter: ''\n", []string{":1: evictAfter is empty; write a time"}},
		{"probeUnadvertised: maybe\n", []string{`:1: probeUnadvertised is "maybe"; write true or false`}},
		{"probeUnadvertised: 1\n", []string{`:1: probeUnadvertised is "1"; write true or false`}},
		{"sharedStore: {a: true}\n", []string{":1: sharedStore has members; write true or false"}},
		{"prompts:\n  short: Hello\n  lng: Count\n", []string{":3: there is no prompts.lng (did you mean long?); what may stand in prompts is long, permission"}},
		{"prompts: Hello\n", []string{`:1: prompts is "Hello"; write members there, such as long: …`}},
		{"prompts:\n  - long\n", []string{":2: prompts is a list; write members"}},
		{"prompts:\n  long: ''\n", []string{":2: prompts.long is empty; write the text of a prompt"}},
		{"prompts:\n  long: [a, b]\n", []string{":2: prompts.long is a list; write the text of a prompt"}},
		{"prompts:\n  read: Read the file\n", []string{":2: prompts.read has no %s; write it where the path of the file stands"}},
		{"evictafter: 10m\n", []string{":1: there is no evictafter (did you mean evictAfter?); what may stand in the file is prompts, probeUnadvertised"}},
		{"? [evictAfter]\n: 10m\n", []string{":1: there is no name before the colon; write one of prompts"}},
		{"timeout: 10m\n", []string{":1: there is no timeout; what may stand"}},
		{"sharedStore: true\n\nsharedStore: false\n", []string{":3: sharedStore stands here a second time, after line 1; leave one of them"}},
		{"prompts:\n  long: a\n  long: b\n", []string{":3: prompts.long stands here a second time, after line 2; leave one of them"}},
		{"prompts:\n  long: a\nprompts:\n  short: b\n", []string{":3: prompts stands here a second time, after line 1; leave one of them"}},
		{"inactiveSession: {id: 1, cwd: /, id: 2}\n", []string{":1: inactiveSession.id stands here a second time, after line 1; leave one of them"}},
		{"storeDir: /no/such/place\n", []string{":1: storeDir is /no/such/place: no such file or directory; name an existing directory"}},
		{"inactiveSession: 0f3c\n", []string{`:1: inactiveSession is "0f3c"; write members there, such as id: …`}},
		{"inactiveSession:\n  id: 0f3c\n", []string{":2: inactiveSession has no cwd; write the absolute path"}},
		{"inactiveSession:\n  cwd: /home/me\n", []string{":2: inactiveSession has no id; write the id"}},
		{"inactiveSession:\n  id: 0f3c\n  cwd: project\n", []string{`:3: inactiveSession.cwd is "project", which is no absolute path; write`}},
		{"inactiveSession:\n  id: 0f3c\n  dir: /home/me\n", []string{":3: there is no inactiveSession.dir; what may stand in inactiveSession is id, cwd"}},
		{"sharedStore: true\n---\nevictAfter: 10m\n", []string{":2: a second document begins here; write all members into one"}},
		{"evictAfter: [10m\n", []string{": this is no YAML: "}},
		{"evictAfter 10m\nsharedStore: true\n", []string{": this is no YAML: "}},
		{"\tsharedStore: true\n", []string{": this is no YAML: "}},
		{"evictAfter: *x\n", []string{": this is no YAML: "}},
		{"evictAfter: 10\nprompts: [a]\nsharedStore: perhaps\n", []string{":1: evictAfter", ":2: prompts", ":3: sharedStore"}},
	} {
		file := configured(t, c.text)
		s, given := dry(t, fine(), "--config", file, "a")
		if s.code != result.ExitUsage || len(given) > 0 || s.stdout != "" {
			t.Errorf("%q: exit code %d, %d runs, stdout %q", c.text, s.code, len(given), s.stdout)
		}
		lines := strings.Split(strings.TrimSpace(s.stderr), "\n")
		if len(lines) != len(c.want) {
			t.Errorf("%q: %d lines: %s", c.text, len(lines), s.stderr)
			continue
		}
		for i, want := range c.want {
			rest, ok := strings.CutPrefix(lines[i], "acp-conform: "+file)
			if !ok || !strings.Contains(rest, want) || !regexp.MustCompile(`^:[1-9]\d*: .+; .+`).MatchString(rest) {
				t.Errorf("%q: %s", c.text, lines[i])
			}
		}
		if strings.Contains(s.stderr, "!!") || strings.Contains(s.stderr, "main.") {
			t.Errorf("%q: a name of Go or YAML is in %s", c.text, s.stderr)
		}
	}
}

func TestConfigurationFilesAreRead(t *testing.T) {
	store := t.TempDir()
	for _, c := range []struct {
		text string
		is   func(conformance.Config) bool
	}{
		{"", func(c conformance.Config) bool { return c.Prompts == nil && c.Profile == conformance.Profile{} }},
		{"# all is left out\n", func(c conformance.Config) bool { return c.Profile == conformance.Profile{} }},
		{"prompts:\n  long: Count to 2000.\n  read: \"100% of %s\"\n", func(c conformance.Config) bool {
			return len(c.Prompts) == 2 && c.Prompts["long"] == "Count to 2000." && c.Prompts["read"] == "100% of %s"
		}},
		{"probeUnadvertised: yes\nsharedStore: false\nevictAfter: 10m\nstoreDir: " + store + "\ninactiveSession: {id: 12, cwd: /home/me}\n", func(c conformance.Config) bool {
			return c.Profile == conformance.Profile{ProbeUnadvertised: true, EvictAfter: 10 * time.Minute, StoreDir: store, Session: "12", SessionDir: "/home/me"}
		}},
		{"probeUnadvertised: &yes true\nsharedStore: *yes\n", func(c conformance.Config) bool { return c.Profile.SharedStore && c.Profile.ProbeUnadvertised }},
	} {
		file := configured(t, c.text)
		s, given := dry(t, fine(), "--config", file, "a")
		if s.code != result.ExitOK || len(given) != 1 {
			t.Fatalf("%q: exit code %d: %s", c.text, s.code, s.stderr)
		}
		if !c.is(given[0]) || given[0].ConfigFile != file {
			t.Errorf("%q: %+v", c.text, given[0])
		}
	}
}

// What the README shows of a configuration file can be written.
func TestTheReadmesConfigurationFile(t *testing.T) {
	b, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile("(?s)```yaml\n(prompts:.*?)```").FindStringSubmatch(string(b))
	if m == nil {
		t.Fatal("no configuration file is shown")
	}
	file := configured(t, strings.Replace(m[1], "/home/me/.agent", t.TempDir(), 1))
	if s, given := dry(t, fine(), "--config", file, "a"); s.code != result.ExitOK || len(given) != 1 || given[0].Profile.Session == "" {
		t.Errorf("exit code %d: %s", s.code, s.stderr)
	}
}
