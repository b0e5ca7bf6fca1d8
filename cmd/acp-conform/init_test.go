package main

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/acp-conform/acp-conform/conformance/result"
	"github.com/acp-conform/acp-conform/conformance/stimulus"
)

// A file is written where there is none, is accepted as it is, and is told of.
func TestInitWritesAFile(t *testing.T) {
	t.Chdir(t.TempDir())
	s := call(t, "--init")
	if s.code != result.ExitOK || s.stderr != "" {
		t.Fatalf("exit code %d: %s", s.code, s.stderr)
	}
	contains(t, "stdout", s.stdout, "acp-conform.yaml is written", "acp-conform --config acp-conform.yaml ./my-agent")
	if s, given := dry(t, fine(), "--quiet", "--config", configName, "./agent"); s.code != result.ExitOK || len(given) != 1 {
		t.Errorf("the file is not accepted: exit code %d: %s", s.code, s.stderr)
	}
	if err := os.WriteFile(configName, []byte("sharedStore: true\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	refused(t, []string{"--init"}, "acp-conform.yaml is there already and stays as it is")
	if b, _ := os.ReadFile(configName); string(b) != "sharedStore: true\n" {
		t.Errorf("the file that was there reads %q", b)
	}
	other := filepath.Join("sub folder", "mine.yaml")
	refused(t, []string{"--init", "--config", other}, other, "no such file or directory")
	refused(t, []string{"--init", "./agent"}, "--init writes a file and judges nothing")
	if err := os.Mkdir("sub folder", 0o700); err != nil {
		t.Fatal(err)
	}
	contains(t, "stdout", call(t, "--init", "--config", other).stdout, "--config '"+other+"' ./my-agent")
}

// What the comments of the file show is all that there is, and right.
func TestInitShowsEverySetting(t *testing.T) {
	home := t.TempDir()
	text := regexp.MustCompile(`(?m)^# ((?:  )?[a-zA-Z]+:(?: .*)?)$`).ReplaceAllString(string(initial()), "$1")
	text = strings.ReplaceAll(text, "/home/me/.my-agent", home)
	f, err := readConfig(configName, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := slices.Sorted(maps.Keys(f.prompts)), slices.Sorted(maps.Keys(stimulus.Names())); !slices.Equal(got, want) {
		t.Errorf("prompts: %v, want %v", got, want)
	}
	p := f.profile
	if !p.ProbeUnadvertised || p.EvictAfter == 0 || p.Session == "" || p.SessionDir == "" || p.StoreDir != home || !p.SharedStore {
		t.Errorf("%+v", p)
	}
	for _, m := range configMembers(&configFile{}) {
		if !strings.Contains(text, "\n"+m.name+":") {
			t.Errorf("%s is not shown", m.name)
		}
	}
}
