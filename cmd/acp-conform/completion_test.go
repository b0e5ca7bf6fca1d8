package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/acp-conform/acp-conform/conformance/result"
)

// offered are the words that completion offers for the last one.
func offered(t *testing.T, words ...string) []string {
	t.Helper()
	s := call(t, append([]string{"__complete"}, words...)...)
	lines := strings.Split(strings.TrimSpace(s.stdout), "\n")
	if s.code != result.ExitOK || len(lines) == 0 {
		t.Fatalf("%q: exit code %d: %s", words, s.code, s.stderr)
	}
	for i := range lines {
		lines[i], _, _ = strings.Cut(lines[i], "\t")
	}
	return lines[:len(lines)-1] // the last one tells the shell what to do with them
}

// Values are completed wherever there is a list of them.
func TestValuesAreCompleted(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "reports[1]"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ words, want string }{
		{"--rules |", "transport.utf8"},
		{"--rules transport.utf8,canc|", "transport.utf8,cancel.stop-reason-cancelled"},
		{"--rules init,!canc|", "init,!cancel"},
		{"--report |", "junit"},
		{"--report |", "junit="},
		{"--report json=" + filepath.Join(dir, "rep") + "|", "json=" + filepath.Join(dir, "reports[1]") + string(filepath.Separator)},
		{"--protocol |", "2"},
		{"--status-vocabulary |", "open"},
		{"--home t|", "temp"},
		{"--prompts |", "none"},
		{"--limit |", "children=500"},
		{"--config |", "yaml"},
		{"--write-baseline |", "yml"},
		{"@|", "@fake"},
		{"@fake |", "--fault"},
		{"@fake --fault |", "cancel-ends-turn"},
		{"@fake --fault cancel-ends-turn --variant |", "one-byte-writes"},
		{"--rules cancel @fake --without |", "loadSession"},
		{"fuzz @fake --fault |", "input-null-meta"},
		{"fuzz --protocol |", "2"},
		{"fake-agent --fault |", "cancel-ends-turn"},
		{"client |", "@reference"},
		{"client --rules |", "status.client.gate"},
		{"client @reference --fault |", "client-dies-of-words"},
		{"client --report |", "json"},
		{"explain |", "transport.utf8"},
		{"explain |", "cancel-ends-turn"},
		{"schema |", "session/prompt"},
		{"selftest --rules |", "transport.utf8"},
		{"selftest --format |", "json"},
		{"rules --format |", "json"},
		{"faults --format |", "json"},
		{"compare --format |", "markdown"},
		{"compare |", "json"},
		{"comp|", "compare"},
		{"completion |", "powershell"},
	} {
		words := strings.Split(strings.TrimSuffix(c.words, "|"), " ")
		if got := "\n" + strings.Join(offered(t, words...), "\n") + "\n"; !strings.Contains(got, "\n"+c.want+"\n") {
			t.Errorf("%s: %q is not offered among%s", c.words, c.want, got)
		}
	}
	for _, words := range []string{"--home /", "--keep ", "--cwd ", "fake-agent --store "} {
		if s := call(t, append([]string{"__complete"}, strings.Split(words, " ")...)...); s.stdout != ":16\n" {
			t.Errorf("%s: directories are not asked for: %s", words, s.stdout)
		}
	}
	if s := call(t, "__complete", "./my-agent", "--fault", ""); strings.Contains(s.stdout, "cancel") {
		t.Errorf("the flags of another agent are completed: %s", s.stdout)
	}
}

// In a real bash the words arrive, too. What the package bash-completion would bring along is written out.
func TestCompletionInBash(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip(err)
	}
	script := filepath.Join(t.TempDir(), "completion")
	if err := os.WriteFile(script, []byte(call(t, "completion", "bash").stdout), 0o600); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(bash, "--norc", "-c", `_get_comp_words_by_ref() { words=("${COMP_WORDS[@]}"); cword=$COMP_CWORD; cur=${words[cword]}; prev=${words[cword-1]}; }
source "$1"; COMP_WORDS=("$2" --protocol 1 --rules transport.ut); COMP_CWORD=4; COMP_LINE="${COMP_WORDS[*]}"; COMP_POINT=${#COMP_LINE}
__start_acp-conform; printf '%s\n' "${COMPREPLY[@]}"`, "bash", script, self)
	out, err := cmd.Output() // outside of a terminal bash has a word to say on stderr
	if err != nil || strings.TrimSpace(string(out)) != "transport.utf8" {
		t.Errorf("%v: %s", err, out)
	}
}
