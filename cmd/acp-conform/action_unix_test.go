//go:build unix

package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// script is what the step of action.yml runs that starts the program.
func script(t *testing.T) string {
	t.Helper()
	var action struct {
		Runs struct {
			Steps []struct {
				ID  string `yaml:"id"`
				Run string `yaml:"run"`
			} `yaml:"steps"`
		} `yaml:"runs"`
	}
	if err := yaml.Unmarshal([]byte(readFile(t, "../../action.yml")), &action); err != nil {
		t.Fatal(err)
	}
	for _, s := range action.Runs.Steps {
		if s.ID == "run" {
			return s.Run
		}
	}
	t.Fatal("action.yml has no step of the id run")
	return ""
}

// The action's outputs are those of its own run, its exit code is the program's, and all reports are in the folder.
func TestTheAction(t *testing.T) {
	for _, tool := range []string{"bash", "jq"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is needed, as it is on the machines of GitHub: %v", tool, err)
		}
	}
	dir := t.TempDir()
	if err := os.Symlink(os.Args[0], filepath.Join(dir, programName)); err != nil {
		t.Fatal(err)
	}
	reports := filepath.Join(dir, "reports")
	for _, c := range []struct {
		agent, flags string
		code         int
		want, never  string
	}{
		{"@fake --fault cancel-ends-turn", "--rules 'cancel.stop-reason-cancelled'", 1, "verdict=nonconformant\nfailed=1\nreport=" + reports, ""},
		{"@fake", "--rulez x", 2, "folder=" + reports, "verdict="},
		{"@fake", "--rules transport.utf8", 0, "verdict=conformant\nfailed=0\n", ""},
	} {
		output := filepath.Join(t.TempDir(), "output")
		cmd := exec.Command("bash", "-eo", "pipefail", "-c", script(t))
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "RUNNER_TEMP="+dir, "GITHUB_OUTPUT="+output, "GITHUB_STEP_SUMMARY="+filepath.Join(dir, "summary"), "ACP_AGENT="+c.agent, "ACP_FLAGS="+c.flags, "ACP_REPORTS=reports")
		out, err := cmd.CombinedOutput()
		var failed *exec.ExitError
		if err != nil && !errors.As(err, &failed) || cmd.ProcessState.ExitCode() != c.code {
			t.Fatalf("%s: exit code %d, %v\n%s", c.flags, cmd.ProcessState.ExitCode(), err, out)
		}
		set := readFile(t, output)
		if !strings.Contains(set, c.want) || c.never != "" && strings.Contains(set, c.never) {
			t.Errorf("%s: the outputs are %q", c.flags, set)
		}
		kept, _ := filepath.Glob(filepath.Join(reports, "acp-conform.*"))
		if want := map[bool]int{true: 0, false: 4}[c.code == 2]; len(kept) != want {
			t.Errorf("%s: %d reports are in the folder: %q", c.flags, len(kept), kept)
		}
	}
}
