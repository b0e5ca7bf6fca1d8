package conformance_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/acp-conform/acp-conform/conformance"
	"github.com/acp-conform/acp-conform/schemas"
)

// awkward are words that a shell would change if they were not quoted.
var awkward = []string{"", "plain", "a b", "it's", `"`, "$HOME", "`x`", "*", "!x", "~", "#x", `\`, "a;b", "ünïcode", "--flag=x", "'", "%1", "{a,b}", "a=b", "(x)", "&", "|"}

// unshowable are words that a report could not show as they are.
var unshowable = []string{"a\nb", "\t", "\x1b[2J", "a\rb'c\\d", "\u202e1", "\x7f", "\xff\xfe0", "\x01"}

// A rerun line that is pasted into a shell must mean the same agent.
func TestRerunLineIsReadAsItWasMeant(t *testing.T) {
	for shell, words := range map[string][]string{"sh": awkward, "bash": append(unshowable, awkward...)} {
		t.Run(shell, func(t *testing.T) {
			path, err := exec.LookPath(shell)
			if err != nil {
				t.Skipf("there is no %s here", shell)
			}
			line := conformance.Config{Command: append([]string{"agent"}, words...)}.CommandLine([]string{"a.b"})
			cmd := exec.Command(path, "-c", strings.Replace(line, "acp-conform", `printf '%s\0'`, 1))
			cmd.Env = os.Environ()
			out, err := cmd.Output()
			if err != nil {
				t.Fatal(err)
			}
			got := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
			want := append([]string{"--rules", "a.b", "agent"}, words...)
			for i := range max(len(got), len(want)) {
				if i >= len(got) || i >= len(want) || got[i] != want[i] {
					t.Fatalf("word %d of %q is not as in %q", i, got, want)
				}
			}
		})
	}
}

func TestCommandLine(t *testing.T) {
	none, seven := 0, 7
	for _, c := range []struct {
		cfg  conformance.Config
		want string // after the rules
	}{
		{conformance.Config{Command: []string{"./agent", "--acp", "a=b"}}, "./agent --acp a=b"},
		{conformance.Config{Command: []string{"./my agent", "", "it's", "$HOME"}}, `'./my agent' '' 'it'\''s' '$HOME'`},
		{conformance.Config{Command: []string{"a", "x\ty\x1b"}}, `a $'x\ty\033'`},
		{conformance.Config{Command: []string{"-agent"}}, "-- -agent"},
		{conformance.Config{Command: []string{"rules"}}, "-- rules"},
		{conformance.Config{Command: []string{"./rules"}}, "./rules"},
		{conformance.Config{Serve: mute, Name: "@fake"}, "@fake"},
		{conformance.Config{Command: []string{"a"}, Pure: true, Home: "temp", Env: []string{"A=b c", "B="}}, "--pure --env 'A=b c' --env B= --home temp a"},
		{conformance.Config{Command: []string{"a"}, Env: []string{"MY_API_KEY=s3cret"}}, `--env MY_API_KEY="$MY_API_KEY" a`},
		{conformance.Config{Command: []string{"a"}, Env: []string{"GITHUB_PAT=s3c", "PATH=/bin"}}, `--env GITHUB_PAT="$GITHUB_PAT" --env PATH=/bin a`},
		{conformance.Config{Command: []string{"a"}, Home: "/h", Dir: "d", Protocol: 1, Slow: 1}, "--cwd d --home /h a"},
		{conformance.Config{Command: []string{"a"}, AllowNoSession: true, PromptLimit: &none, Slow: 2,
			Timeouts: conformance.Timeouts{Request: 3 * time.Second, Start: time.Minute, Turn: 90 * time.Second}},
			"--allow-no-session --prompts none --timeout 3s --start-timeout 1m0s --turn-timeout 1m30s --slow 2 a"},
		{conformance.Config{Command: []string{"a"}, PromptLimit: &seven}, "--prompts 7 a"},
		{conformance.Config{Command: []string{"a"}, StableOnly: true, Schemas: schemas.Ours(), SchemaDir: "/my schemas", Pure: true},
			"--stable-only --schema '/my schemas' --pure a"},
		{conformance.Config{Command: []string{"schema"}, StableOnly: true}, "--stable-only -- schema"},
		{conformance.Config{Command: []string{"a"}, Strict: true, Jobs: 3, Seed: 4, Keep: "k", Rules: []string{"transport"}}, "a"},
	} {
		if got, want := c.cfg.CommandLine([]string{"a.b", "c.d"}), "acp-conform --rules a.b,c.d "+c.want; got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
	if got := (conformance.Config{Serve: mute}).CommandLine([]string{"a.b"}); got != "" {
		t.Errorf("a function without a name is started by %s", got)
	}
}

func TestOutcomesCarryTheirRerunLine(t *testing.T) {
	const id = "jsonrpc.version-field"
	for name, tc := range map[string]struct {
		cfg  conformance.Config
		want string
	}{
		"a command":      {conformance.Config{Command: []string{"./no-such-agent"}, Pure: true, Home: "temp"}, "acp-conform --rules " + id + " --pure --home temp ./no-such-agent"},
		"one of several": {conformance.Config{Command: []string{"./no-such-agent"}, Rules: []string{"jsonrpc"}}, "acp-conform --rules " + id + " ./no-such-agent"},
		"a function":     {conformance.Config{Serve: mute, Timeouts: conformance.Timeouts{Start: 1}}, ""},
		"the caller's":   {conformance.Config{Command: []string{"./no-such-agent"}, Rerun: func(ids []string) string { return "make " + strings.Join(ids, " ") }}, "make " + id},
	} {
		t.Run(name, func(t *testing.T) {
			if tc.cfg.Rules == nil {
				tc.cfg.Rules = []string{id}
			}
			if got := outcome(t, run(t, tc.cfg), id).Rerun; got != tc.want {
				t.Errorf("got  %s\nwant %s", got, tc.want)
			}
		})
	}
}
