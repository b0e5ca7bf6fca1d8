package main

import (
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"github.com/acp-conform/acp-conform/conformance"
	"github.com/acp-conform/acp-conform/conformance/result"
)

func TestWhatFollowsTheAgentIsItsOwn(t *testing.T) {
	for _, c := range []struct {
		args, command string
		is            func(conformance.Config) bool
	}{
		{"./agent", "./agent", nil},
		{"./agent --acp -v --strict", "./agent --acp -v --strict", func(c conformance.Config) bool { return !c.Strict }},
		{"--strict ./agent --pure", "./agent --pure", func(c conformance.Config) bool { return c.Strict && !c.Pure }},
		{"--strict -- ./agent -- x", "./agent -- x", func(c conformance.Config) bool { return c.Strict }},
		{"./agent rules", "./agent rules", nil},
		{"./agent --help", "./agent --help", nil},
		{"./agent --version", "./agent --version", nil},
		{"./agent help", "./agent help", nil},
		{"-- rules", "rules", nil},
		{"--jobs 3 -- selftest --full", "selftest --full", func(c conformance.Config) bool { return c.Jobs == 3 }},
		{"./rules", "./rules", nil},
		{"-- --odd", "--odd", nil},
		{"--rules transport ./agent", "./agent", func(c conformance.Config) bool { return slices.Equal(c.Rules, []string{"transport"}) }},
		{"--rules transport --rules !transport.utf8 ./agent", "./agent", func(c conformance.Config) bool { return len(c.Rules) == 2 }},
		{"--rules=transport,jsonrpc ./agent", "./agent", func(c conformance.Config) bool { return len(c.Rules) == 1 }},
		{"node agent.js --env X", "node agent.js --env X", func(c conformance.Config) bool { return c.Env == nil }},
		{"--env A=b=c,d --env E= node", "node", func(c conformance.Config) bool { return slices.Equal(c.Env, []string{"A=b=c,d", "E="}) }},
		{"--timeout 3s --start-timeout 4s --turn-timeout 5s --slow 2.5 a", "a", func(c conformance.Config) bool {
			return c.Timeouts == conformance.Timeouts{Request: 3 * time.Second, Start: 4 * time.Second, Turn: 5 * time.Second} && c.Slow == 2.5
		}},
		{"--prompts none a", "a", func(c conformance.Config) bool { return *c.PromptLimit == 0 }},
		{"--prompts 7 a", "a", func(c conformance.Config) bool { return *c.PromptLimit == 7 }},
		{"a", "a", func(c conformance.Config) bool { return c.PromptLimit == nil && c.Home == "" && c.Seed == 0 }},
		{"--home inherit a", "a", func(c conformance.Config) bool { return c.Home == "" }},
		{"--home temp --seed 9 --allow-no-session --pure a", "a", func(c conformance.Config) bool {
			return c.Home == "temp" && c.Seed == 9 && c.AllowNoSession && c.Pure
		}},
		{"--stable-only a", "a", func(c conformance.Config) bool { return c.StableOnly && c.Schemas == nil && c.SchemaDir == "" }},
		{"--home . --cwd . a", "a", func(c conformance.Config) bool { return filepath.IsAbs(c.Home) && c.Dir == "." }},
	} {
		t.Run(c.args, func(t *testing.T) {
			s, given := dry(t, fine(), strings.Fields(c.args)...)
			if s.code != result.ExitOK || len(given) != 1 {
				t.Fatalf("exit code %d, %d runs: %s", s.code, len(given), s.stderr)
			}
			if got := strings.Join(given[0].Command, " "); got != c.command {
				t.Errorf("the agent is %q, not %q", got, c.command)
			}
			if c.is != nil && !c.is(given[0]) {
				t.Errorf("the configuration is wrong: %+v", given[0])
			}
		})
	}
}

func TestFakeInTheAgentsPlace(t *testing.T) {
	process := "" // some fault that needs a process
	for _, name := range faultNames(true) {
		process = name
	}
	plain := faultNames(false)[0]
	for _, c := range []struct {
		args    []string
		process bool
	}{
		{[]string{"@fake"}, false},
		{[]string{"@fake", "--fault", plain}, false},
		{[]string{"@fake", "--without", "loadSession", "--fault=" + plain}, false},
		{[]string{"@fake", "--fault", plain, "--fault", process, "--store", "s"}, true},
	} {
		s, given := dry(t, fine(), c.args...)
		if s.code != result.ExitOK || len(given) != 1 {
			t.Fatalf("%q: exit code %d: %s", c.args, s.code, s.stderr)
		}
		cfg := given[0]
		if (cfg.Serve == nil) != c.process || (cfg.Command != nil) != c.process {
			t.Errorf("%q: process %v, function %v", c.args, cfg.Command, cfg.Serve != nil)
		}
		contains(t, "the first line", s.stderr, "judging "+strings.Join(c.args, " "))
		contains(t, "the report", s.stdout, "tested "+strings.Join(c.args, " "))
		if c.process {
			store, _ := filepath.Abs("s")
			want := []string{"fake-agent", "--fault", plain, "--fault", process, "--store", store}
			if !slices.Equal(cfg.Command[1:], want) {
				t.Errorf("the process is %q", cfg.Command)
			}
		}
		contains(t, "the rerun line", cfg.Rerun([]string{"a", "b"}), "acp-conform --rules a,b @fake")
	}
}

// An agent whose name is like that of a command is an agent if there is one, or if it is said to be one.
func TestAnAgentThatIsCalledLikeACommand(t *testing.T) {
	dir := layout(t, map[string]string{"schem": "", "in/rule": "", "path/explan": ""})
	t.Chdir(dir)
	if err := os.Chmod(filepath.Join(dir, "path", "explan"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", filepath.Join(dir, "path"))
	agents := []string{"schem", "./schemas", "-- schemas", "--cwd in rule", "scheme-agent", "goose", "ru"}
	if runtime.GOOS != "windows" {
		agents = append(agents, "explan")
	}
	for _, args := range agents {
		if s, given := dry(t, fine(), strings.Fields(args)...); s.code != result.ExitOK || len(given) != 1 {
			t.Errorf("%s: exit code %d, %s", args, s.code, s.stderr)
		}
	}
}

// What a rerun line says must be taken by the program as it was given.
func TestRerunLineIsReadBack(t *testing.T) {
	dir := t.TempDir()
	for _, args := range []string{
		"./my-agent --acp --strict",
		"--pure --home temp --env A=b --timeout 3s --start-timeout 1m0s --turn-timeout 1m30s --slow 2 --prompts none --allow-no-session x",
		"--home " + dir + " --cwd " + dir + " --prompts 7 x",
		"--env MY_API_KEY=secret x",
		"--stable-only --schema " + ownLayout(t) + " x",
		"-- -x",
		"@fake --without loadSession",
	} {
		_, given := dry(t, fine(), strings.Fields(args)...)
		line := given[0].Rerun([]string{"transport.utf8"})
		_, again := dry(t, fine(), strings.Fields(line)[1:]...)
		if len(again) != 1 || again[0].Rerun([]string{"transport.utf8"}) != line {
			t.Errorf("%s\nbecame %s", args, line)
		}
		if got := strings.Count(line, "secret"); got > 0 {
			t.Errorf("a secret is in %s", line)
		}
	}
}

func TestRerunLineKeepsCommandsApart(t *testing.T) {
	p := &program{stdin: strings.NewReader(""), stdout: io.Discard, stderr: io.Discard}
	names := []string{"help", "completion", cobra.ShellCompRequestCmd, cobra.ShellCompNoDescRequestCmd}
	for _, c := range p.root().Commands() {
		names = append(names, c.Name())
	}
	for _, name := range names {
		if got, want := (conformance.Config{Command: []string{name}}).CommandLine([]string{"a.b"}), "acp-conform --rules a.b -- "+name; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// Flags that are planned but not there must not be accepted as if they did something.
func TestBadInput(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	fault, dir := faultNames(false)[0], t.TempDir()
	for _, c := range []struct {
		args []string
		want []string
	}{
		{nil, []string{"no agent is given", "@fake", "--help"}},
		{[]string{"--strict"}, []string{"no agent is given"}},
		{[]string{"--"}, []string{"no agent is given"}},
		{[]string{""}, []string{"the agent's name is empty"}},
		{[]string{"."}, []string{". is a directory", "name the program in it"}},
		{[]string{t.TempDir(), "--acp"}, []string{"is a directory"}},
		{[]string{"--cwd", "../..", "./cmd"}, []string{"./cmd is a directory"}},
		{[]string{"@fake", ""}, []string{"@fake: an empty word stands behind it; leave that out"}},
		{[]string{"completion"}, []string{"no shell is named; write `acp-conform completion SHELL` with bash, zsh, fish or powershell"}},
		{[]string{"completion", "fis"}, []string{`there is no completion for "fis"; did you mean fish?`, "bash, zsh, fish or powershell"}},
		{[]string{"completion", "bash", "x"}, []string{"bash takes flags only"}},
		{[]string{"@fak"}, []string{"no built-in agent @fak", "did you mean @fake?"}},
		{[]string{"--fault", fault, "@fake"}, []string{"unknown flag: --fault", "behind @fake"}},
		{[]string{"--without", "loadSession"}, []string{"behind @fake"}},
		{[]string{"--home", "temp", "rules"}, []string{"unknown flag: --home", "write -- rules"}},
		{[]string{"--quiet", "selftest"}, []string{"write -- selftest"}},
		{[]string{"--strickt", "a"}, []string{"unknown flag: --strickt", "did you mean --strict?"}},
		{[]string{"--baseline", "x", "a"}, []string{"--baseline x: no such file", "--write-baseline makes such a file"}},
		{[]string{"--baseline", dir, "a"}, []string{"--baseline " + dir + ": this is a directory; name a file in it"}},
		{[]string{"--config", dir, "a"}, []string{"--config " + dir + ": this is a directory; name a file in it"}},
		{[]string{"--write-baseline", dir, "a"}, []string{"--write-baseline " + dir + ": this is a directory; name a file in it"}},
		{[]string{"--write-baseline", "nosuch/x", "a"}, []string{"--write-baseline nosuch/x: no such file or directory; name a file in a folder that exists"}},
		{[]string{"-x", "a"}, []string{"unknown shorthand flag"}},
		{[]string{"--rules"}, []string{"needs an argument"}},
		{[]string{"--rules", "transprot", "a"}, []string{`no rule matches "transprot"`, `did you mean "transport"?`, "acp-conform rules"}},
		{[]string{"--rules", "transport,!transport", "a"}, []string{"leave no rule"}},
		{[]string{"--protocol", "0", "a"}, []string{"no such version", "1 and 2"}},
		{[]string{"--status-vocabulary", "live", "a"}, []string{"--status-vocabulary live", "active (and inactive)", "auto"}},
		{[]string{"--config", "nowhere.yaml", "a"}, []string{"--config nowhere.yaml", "no such file"}},
		{[]string{"--protocol", "7", "a"}, []string{"no such version"}},
		{[]string{"--protocol", "v1", "a"}, []string{"--protocol v1: give a whole number: --protocol 1; `acp-conform --help`"}},
		{[]string{"--jobs", "many", "a"}, []string{"--jobs many: give a whole number;"}},
		{[]string{"--jobs", "1.5", "a"}, []string{"--jobs 1.5: give a whole number;"}},
		{[]string{"--slow", "very", "a"}, []string{"--slow very: give a number;"}},
		{[]string{"schem"}, []string{"there is no program schem; did you mean the command `schema`?", "written ./schem"}},
		{[]string{"schemas", "session/prompt"}, []string{"the command `schema`?"}},
		{[]string{"--strict", "explan", "transport"}, []string{"the command `explain`?"}},
		{[]string{"self-test"}, []string{"the command `selftest`?"}},
		{[]string{"fakeagent", "--fault", fault}, []string{"the command `fake-agent`?"}},
		{[]string{"Rules"}, []string{"the command `rules`?"}},
		{[]string{"--prompts", "many", "a"}, []string{"--prompts many", "none"}},
		{[]string{"--prompts", "-1", "a"}, []string{"--prompts -1"}},
		{[]string{"--timeout", "30", "a"}, []string{"--timeout", "missing unit", "write 30s for seconds"}},
		{[]string{"--turn-timeout", "-3s", "a"}, []string{"--turn-timeout", "positive"}},
		{[]string{"--slow", "0", "a"}, []string{"--slow 0"}},
		{[]string{"--slow", "NaN", "a"}, []string{"--slow NaN"}},
		{[]string{"--jobs", "-2", "a"}, []string{"--jobs -2"}},
		{[]string{"--model-sequences", "-1", "a"}, []string{"--model-sequences -1: give a number from 1 to 10000, or 0"}},
		{[]string{"--model-sequences", "10001", "a"}, []string{"--model-sequences 10001: give a number from 1 to 10000, or 0"}},
		{[]string{"--env", "NOVALUE", "a"}, []string{"NAME=VALUE"}},
		{[]string{"--env", "=x", "a"}, []string{"NAME=VALUE"}},
		{[]string{"--cwd", "no/such", "a"}, []string{"--cwd no/such", "existing directory"}},
		{[]string{"--cwd", file, "a"}, []string{"not a directory"}},
		{[]string{"--home", "tmp", "a"}, []string{"--home tmp", "inherit, temp"}},
		{[]string{"explian", "transport"}, []string{"there is no program explian; did you mean the command `explain`?"}},
		{[]string{"--report", "htlm=x", "a"}, []string{"; did you mean html?"}},
		{[]string{"client", "--script", "plian", "@reference"}, []string{`did you mean "plain"?`}},
		{[]string{"fake-agent", "--hostile", "flod"}, []string{`did you mean "stderr-flood"?`}},
		{[]string{"fake-agent", "--hostile", "xyzxyzxyz"}, []string{"unknown hostile mode \"xyzxyzxyz\" (`acp-conform faults --hostile` lists the modes)"}},
		{[]string{"--report", "jason", "a"}, []string{"unknown report format", "text, json", "; did you mean json?"}},
		{[]string{"--limit", "lines=3", "a"}, []string{`there is no limit "lines"`, "; did you mean line?"}},
		{[]string{"--report", "sarif=x.xml", "a"}, []string{"unknown report format", "text, json"}},
		{[]string{"--report", "json=", "a"}, []string{"--report json=FILE"}},
		{[]string{"--report", "json", "--report", "text", "a"}, []string{"both go to stdout"}},
		{[]string{"--report", "json=" + filepath.Join(file, "x"), "a"}, []string{"cannot be written", "name a file"}},
		{[]string{"--report", "json=" + t.TempDir(), "a"}, []string{"cannot be written"}},
		{[]string{"--keep", file, "a"}, []string{"--keep", "name a folder"}},
		{[]string{"@fake", "--fault", fault + "x"}, []string{"unknown fault", `did you mean "` + fault + `"?`, "acp-conform faults"}},
		{[]string{"@fake", "--variant", "none"}, []string{"unknown variant"}},
		{[]string{"@fake", "--without", "loadsession"}, []string{"unknown capability", `"loadSession"`}},
		{[]string{"@fake", "--store", file}, []string{"--store", "not a directory"}},
		{[]string{"@fake", fault}, []string{"--fault " + fault}},
		{[]string{"@fake", "--strict"}, []string{"unknown flag: --strict", "stand before @fake"}},
		{[]string{"fake-agent", "--fault", "x-y-z"}, []string{"unknown fault"}},
		{[]string{"fake-agent", "--falt", fault}, []string{"did you mean --fault?"}},
		{[]string{"fake-agent", "more"}, []string{"more"}},
		{[]string{"rules", "--format", "yaml"}, []string{"text, json"}},
		{[]string{"faults", "--format", "yaml"}, []string{"text, json"}},
		{[]string{"rules", "x"}, []string{`rules takes flags only, but "x" was given`, "rules --help"}},
		{[]string{"rules", "transport"}, []string{"`acp-conform explain transport` tells about that"}},
		{[]string{"faults", fault}, []string{"`acp-conform explain " + fault + "` tells about that"}},
		{[]string{"selftest", "x"}, []string{"selftest takes flags only"}},
		{[]string{"help", "nope"}, []string{`no command "nope"`, "--help"}},
		{[]string{"help", "rules", "x"}, []string{`no command "rules x"`}},
		{[]string{"explain"}, []string{"explain what?", "an area"}},
		{[]string{"explain", "transport", "jsonrpc"}, []string{"takes one name, but 2"}},
		{[]string{"explain", ""}, []string{`no rule, area, fault or variant is called "";`}},
		{[]string{"explain", "zzz"}, []string{`is called "zzz";`}},
		{[]string{"explain", "transprot"}, []string{`did you mean "transport"?`}},
		{[]string{"explain", "transport.utf9"}, []string{`did you mean "transport.utf8"?`, "acp-conform rules"}},
		{[]string{"selftest", "--format", "yaml"}, []string{"text, json"}},
		{[]string{"selftest", "--rules", "nothing-like-it"}, []string{"no rule matches"}},
		{[]string{"selftest", "--jobs", "-1"}, []string{"--jobs"}},
	} {
		t.Run(strings.Join(c.args, " "), func(t *testing.T) {
			refused(t, c.args, c.want...)
		})
	}
}
