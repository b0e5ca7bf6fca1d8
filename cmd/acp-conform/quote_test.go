package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

var awkward = []string{"", "plain", "a b", "it's", `"`, "$HOME", "`x`", "a\nb", "*", "!x", "~", "#x", `\`, "a;b", "ünïcode", "--flag=x", "'", "%1", "{a,b}", "a=b", "(x)", "&", "|", "\t"}

func TestQuotedWordsAreReadAsTheyAre(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no sh here")
	}
	var quoted []string
	for _, w := range awkward {
		quoted = append(quoted, quote(w))
	}
	out, err := exec.Command(sh, "-c", `printf '%s\0' `+strings.Join(quoted, " ")).Output()
	if err != nil {
		t.Fatal(err)
	}
	for i, got := range strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		if got != awkward[i] {
			t.Errorf("%q is read as %q", awkward[i], got)
		}
	}
}

func TestQuoteLeavesPlainWords(t *testing.T) {
	for _, w := range []string{"./my-agent", "cancel.stop-reason-cancelled", "--acp", "@fake", "a,b", "X=1"} {
		if got := quote(w); got != w {
			t.Errorf("%q became %q", w, got)
		}
	}
}

func TestRerunLine(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"./my-agent", "--acp"}, "acp-conform --rules a.b ./my-agent --acp"},
		{[]string{"./my agent", "it's"}, `acp-conform --rules a.b './my agent' 'it'\''s'`},
		{[]string{"--", "rules"}, "acp-conform --rules a.b -- rules"},
		{[]string{"--", "completion"}, "acp-conform --rules a.b -- completion"},
		{[]string{"--", "-x"}, "acp-conform --rules a.b -- -x"},
		{[]string{"./rules"}, "acp-conform --rules a.b ./rules"},
		{[]string{"--pure", "--home", "temp", "--env", "A=b c", "x"}, "acp-conform --rules a.b --pure --env 'A=b c' --home temp x"},
		{[]string{"--home", dir, "--cwd", dir, "x"}, "acp-conform --rules a.b --cwd " + quote(dir) + " --home " + quote(dir) + " x"},
		{[]string{"--home", "inherit", "--protocol", "1", "--slow", "1", "x"}, "acp-conform --rules a.b x"},
		{[]string{"--timeout", "3s", "--start-timeout", "1m", "--turn-timeout", "90s", "--slow", "2", "--prompts", "none", "--allow-no-session", "x"},
			"acp-conform --rules a.b --allow-no-session --prompts none --timeout 3s --start-timeout 1m0s --turn-timeout 1m30s --slow 2 x"},
		{[]string{"--strict", "--jobs", "3", "--seed", "4", "--quiet", "--rules", "transport", "x"}, "acp-conform --rules a.b x"},
		{[]string{"--env", "MY_API_KEY=s3cret", "x"}, `acp-conform --rules a.b --env MY_API_KEY="$MY_API_KEY" x`},
		{[]string{"@fake", "--without", "loadSession"}, "acp-conform --rules a.b @fake --without loadSession"},
	} {
		s, given := dry(t, fine(), c.args...)
		if len(given) != 1 {
			t.Fatalf("%q: %s", c.args, s.stderr)
		}
		if got := given[0].Rerun([]string{"a.b"}); got != c.want {
			t.Errorf("%q\n got %s\nwant %s", c.args, got, c.want)
		}
	}
}

// A rerun line that is pasted into a shell must mean the same agent.
func TestRerunLineIsReadBack(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no sh here")
	}
	_, given := dry(t, fine(), append([]string{"--"}, awkward[1:]...)...)
	line := strings.Replace(given[0].Rerun([]string{"transport.utf8"}), programName, `printf '%s\0'`, 1)
	cmd := exec.Command(sh, "-c", line)
	cmd.Env = os.Environ()
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	_, again := dry(t, fine(), strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")...)
	if len(again) != 1 || strings.Join(again[0].Command, "\x00") != strings.Join(given[0].Command, "\x00") {
		t.Errorf("%s\nmeans %+v", line, again)
	}
}
