//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/acp-conform/acp-conform/conformance/result"
	"github.com/acp-conform/acp-conform/reports"
)

// whole is what stands in a report of each format only if all of it is there, for the run of these tests.
var whole = map[string]string{
	"text": "NONCONFORMANT", "json": `"verdict": "nonconformant"`, "jsonl": `{"event":"end"`, "html": "</html>", "junit": "</testsuites>",
	"markdown": "nonconformant", "github": "::error title=", "badge": `"message":`,
}

// allReports asks for every format in a folder, and for one of them somewhere else.
func allReports(dir, format, place string) (flags []string) {
	for _, name := range reports.Names() {
		file := filepath.Join(dir, name)
		if name == format {
			file = place
		}
		flags = append(flags, "--report", name+"="+file)
	}
	return flags
}

// failing runs the program as a process, on an agent that breaks a rule, with these flags.
func failing(t *testing.T, env string, flags []string) (code int, stderr string) {
	t.Helper()
	args := append([]string{"--quiet", "--rules", "cancel.stop-reason-cancelled,transport.utf8"}, flags...)
	cmd := command(t, append(args, "@fake", "--fault", "cancel-ends-turn")...)
	if env != "" {
		cmd.Env = append(cmd.Env, env)
	}
	return endedSaying(t, cmd, begun(t, cmd))
}

// A report that fails when the run is over costs itself alone: the others are whole, the exit code is that of the run, and a line says
// which one is missing.
func TestAFaultInAReportCostsNothingElse(t *testing.T) {
	full := devFull(t)
	for _, format := range reports.Names() {
		for name, c := range map[string]struct{ env, place, want string }{
			"the disk is full": {"", full, "no space left on device"},
			"it panics":        {panicVariable + "=" + format, filepath.Join(t.TempDir(), "bad"), "a fault of acp-conform itself: index out of range"},
		} {
			t.Run(format+": "+name, func(t *testing.T) {
				t.Parallel()
				dir := t.TempDir()
				code, said := failing(t, c.env, allReports(dir, format, c.place))
				if code != result.ExitFailed || strings.Count(said, "\n") != 1 {
					t.Errorf("exit code %d: %s", code, said)
				}
				contains(t, "the message", said, "the "+format+" report could not be written", c.want)
				for _, other := range reports.Names() {
					b, err := os.ReadFile(filepath.Join(dir, other))
					if other != format && !strings.Contains(string(b), whole[other]) {
						t.Errorf("the %s report is not whole: %v, %q", other, err, b)
					}
				}
				if _, err := os.Stat(c.place); c.place != full && format != "jsonl" && err == nil {
					t.Error("a part of the report is left")
				}
			})
		}
	}
}

// A place that is no good is found before the agent is started; nothing is written then, and nothing is left.
func TestAPlaceThatIsNoGoodIsFoundFirst(t *testing.T) {
	closed := unwritable(t)
	for _, format := range reports.Names() {
		for name, place := range map[string]string{
			"a folder that may not be written to": filepath.Join(closed, "report"),
			"a folder in place of the file":       t.TempDir(),
			"a folder that does not exist":        filepath.Join(t.TempDir(), "no", "report"),
		} {
			t.Run(format+": "+name, func(t *testing.T) {
				dir := t.TempDir()
				refused(t, append(allReports(dir, format, place), "@fake"), place)
				if left, _ := os.ReadDir(dir); len(left) > 0 {
					t.Errorf("left: %v", left)
				}
			})
		}
	}
}

// unwritable is a folder in which no file can be made.
func unwritable(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	for _, d := range []string{dir, "/proc"} { // the second one for root, who may write nearly everywhere
		if os.WriteFile(filepath.Join(d, "try"), nil, 0o600) != nil {
			return d
		}
	}
	t.Skip("this user may write everywhere")
	return ""
}
