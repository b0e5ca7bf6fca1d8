package interop

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"
)

const (
	runTimeout = 6 * time.Minute  // for one agent; a run takes seconds, unless the agent leaves much unanswered
	runGrace   = 30 * time.Second // to end its agents and write its report when that is over
	killGrace  = 2 * time.Second  // until the system has taken away a process that was killed
)

// acpConform is the program under test, built once.
var acpConform string

func TestMain(m *testing.M) {
	os.Exit(testMain(m))
}

func testMain(m *testing.M) int {
	dir, err := os.MkdirTemp("", "acp-conform-interop-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	acpConform = filepath.Join(dir, executable("acp-conform"))
	if out, err := goBuild(filepath.Join("..", ".."), acpConform, "./cmd/acp-conform"); err != nil {
		fmt.Fprintf(os.Stderr, "acp-conform cannot be built: %v\n%s", err, out)
		return 1
	}
	return m.Run()
}

func goBuild(dir, binary, pkg string) ([]byte, error) {
	cmd := exec.Command("go", "build", "-o", binary, pkg)
	cmd.Dir = dir
	return cmd.CombinedOutput()
}

func build(t *testing.T, dir, binary, pkg string) {
	t.Helper()
	if out, err := goBuild(dir, binary, pkg); err != nil {
		t.Fatalf("go build %s: %v\n%s", pkg, err, out)
	}
}

func executable(name string) string {
	if runtime.GOOS == "windows" {
		return name + ".exe"
	}
	return name
}

// node gives the command that runs a script of this folder, and skips the test where Node or the package is missing.
func node(t *testing.T, pkg, script string) []string {
	t.Helper()
	if os.Getenv("ACP_CONFORM_INTEROP") == "required" {
		t.Cleanup(func() {
			if t.Skipped() {
				t.Error("ACP_CONFORM_INTEROP=required: this test must not be skipped")
			}
		})
	}
	program, err := exec.LookPath("node")
	if err != nil {
		t.Skip("there is no Node here; install Node 20 or newer, then: cd conformance/interop && npm ci")
	}
	if _, err := os.Stat(filepath.Join("node_modules", filepath.FromSlash(pkg), "package.json")); err != nil {
		t.Skipf("%s is not installed: cd conformance/interop && npm ci", pkg)
	}
	path, err := filepath.Abs(filepath.FromSlash(script))
	if err != nil {
		t.Fatal(err)
	}
	return []string{program, path}
}

// report is what these tests read of the JSON report, by the names that every reader of it relies on.
type report struct {
	Verdict    string `json:"verdict"`
	ExitCode   int    `json:"exitCode"`
	ExitReason string `json:"exitReason"`
	Rules      []rule `json:"rules"`

	text string // what the program wrote to its stdout and stderr
}

type rule struct {
	ID       string `json:"id"`
	Verdict  string `json:"verdict"`
	Reason   string `json:"reason"`
	Evidence []struct {
		Severity    string `json:"severity"`
		Explanation string `json:"explanation"`
	} `json:"evidence"`
}

// conform runs acp-conform on an agent, in a folder and with a HOME of its own, and gives its report.
func conform(t *testing.T, flags []string, agent ...string) report {
	t.Helper()
	return judged(t, append([]string{"--home", "temp"}, flags...), agent)
}

// judged runs acp-conform with these words on a command, and gives its report. Nothing of the command may be left.
func judged(t *testing.T, words, command []string) report {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), runTimeout)
	defer cancel()
	file := filepath.Join(t.TempDir(), "report.json")
	args := append(slices.Clone(words), "--report", "json="+file, "--quiet")
	mark := fmt.Sprintf("ACP_CONFORM_INTEROP_RUN=%d-%d", os.Getpid(), time.Now().UnixNano())

	cmd := exec.CommandContext(ctx, acpConform, append(append(args, "--"), command...)...)
	cmd.Dir = t.TempDir()
	cmd.Env = append(environment(t.TempDir()), mark)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) } // as Ctrl-C: it still writes its report
	cmd.WaitDelay = runGrace
	var text bytes.Buffer
	cmd.Stdout, cmd.Stderr = &text, &text
	err := cmd.Run()
	nothingLeft(t, mark)

	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) || ctx.Err() != nil {
		t.Fatalf("acp-conform did not run to its end: %v %v\n%s", err, ctx.Err(), text.String())
	}
	got := report{text: text.String()}
	data, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(data, &got)
	}
	if err != nil {
		t.Fatalf("there is no report that can be read: %v; exit code %d\n%s", err, cmd.ProcessState.ExitCode(), text.String())
	}
	if code := cmd.ProcessState.ExitCode(); code != got.ExitCode {
		t.Errorf("the report says exit code %d, and the program ended with %d", got.ExitCode, code)
	}
	return got
}

// environment is as little as an agent needs, so that no setting and no login of this machine changes what is found.
func environment(home string) []string {
	env := []string{"HOME=" + home, "USERPROFILE=" + home, "NO_COLOR=1"}
	for _, name := range []string{"PATH", "TMPDIR", "TEMP", "TMP", "SystemRoot"} {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	return env
}
