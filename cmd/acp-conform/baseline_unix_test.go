//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/acp-conform/acp-conform/conformance/result"
)

// longBaseline is one that finds no room where files are small, with entries for these rules.
func longBaseline(rules ...string) string {
	text := "# " + strings.Repeat("what we know ", 200) + "\nknown:\n"
	for _, r := range rules {
		text += "  - rule: " + r + "\n    reason: x\n"
	}
	return text
}

// A baseline that finds no room, or panics, costs itself alone: what was there is whole, nothing else is left, and the exit code is
// that of the run with what was known before.
func TestAFaultInABaselineCostsNothingElse(t *testing.T) {
	t.Parallel()
	const fails, passes = "cancel.stop-reason-cancelled", "transport.utf8"
	for name, c := range map[string]struct {
		before, from string // what stands in the file, and in the one of --baseline; "" = there is none
		code         int
	}{
		"an entry is dropped":         {longBaseline(fails, passes), "", result.ExitFailed},
		"one is added":                {longBaseline(), "", result.ExitFailed},
		"another baseline excuses":    {longBaseline(), longBaseline(fails), result.ExitOK},
		"a new one is made":           {"", longBaseline(fails), result.ExitOK},
		"a new one is made by itself": {"", "", result.ExitFailed},
	} {
		dir, report := t.TempDir(), filepath.Join(t.TempDir(), "r.json")
		file := filepath.Join(dir, "known.yaml")
		flags := []string{"--quiet", "--rules", fails + "," + passes, "--write-baseline", file}
		if c.from != "" {
			flags = append(flags, "--baseline", baselineOf(t, c.from))
		}
		left := 0
		if c.before != "" {
			left = 1
			if err := os.WriteFile(file, []byte(c.before), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		check := func(t *testing.T, code int, said, want string) {
			t.Helper()
			if code != c.code || strings.Count(said, "\n") != 1 {
				t.Errorf("exit code %d, not %d", code, c.code)
			}
			contains(t, "the message", said, "the baseline "+file+" could not be written: "+want)
			if files, _ := os.ReadDir(dir); len(files) != left || c.before != "" && readFile(t, file) != c.before {
				t.Errorf("what was there is changed, or there is more: %v", files)
			}
		}
		agent := []string{"@fake", "--fault", "cancel-ends-turn"}
		t.Run(name+", and it panics", func(t *testing.T) {
			cmd := command(t, append(append(flags, "--report", "json="+report), agent...)...)
			cmd.Env = append(cmd.Env, panicVariable+"=baseline")
			code, said := endedSaying(t, cmd, begun(t, cmd))
			check(t, code, said, "a fault of acp-conform itself: unknown character width")
			if r := readRun(t, report); r.ExitCode != c.code || len(r.Hints) != 1 || !strings.Contains(said, r.Hints[0]) {
				t.Errorf("the report has the exit code %d and says %q", r.ExitCode, r.Hints)
			}
		})
		if c.before+c.from == "" {
			continue // one that is so short finds room
		}
		t.Run(name+", and there is no room", func(t *testing.T) {
			cmd := command(t, append(flags, agent...)...)
			cmd.Path, cmd.Args = "/bin/sh", append([]string{"sh", "-c", `ulimit -f 1 && exec "$0" "$@"`}, cmd.Args...)
			code, said := endedSaying(t, cmd, begun(t, cmd))
			check(t, code, said, "file too large; name a file that can be written, where there is room")
		})
	}
}
