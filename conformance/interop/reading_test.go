package interop

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// reading is what STATUS.md expects of the status rules on one agent: verdicts by id.
type reading map[string]string

// read finds the column of an agent in the table of STATUS.md. A rule that is not about the agent's version has a dash there.
func read(t *testing.T, column string) reading {
	t.Helper()
	text, err := os.ReadFile("STATUS.md")
	if err != nil {
		t.Fatal(err)
	}
	want, at := reading{}, -1
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.Trim(line, "| \n"), " | ")
		switch {
		case !strings.HasPrefix(line, "|"):
			at = -1
		case at < 0:
			at = slices.Index(cells, column)
		case at < len(cells) && strings.HasPrefix(cells[0], "`") && cells[at] != "–":
			want["status."+strings.Trim(cells[0], "`")] = cells[at]
		}
	}
	if len(want) == 0 {
		t.Fatalf("STATUS.md has no column %q", column)
	}
	return want
}

// compare holds the verdicts of a run to the reading, rule by rule.
func (want reading) compare(t *testing.T, run report) {
	t.Helper()
	run.soundness(t)
	met := map[string]bool{}
	for _, r := range run.Rules {
		if !strings.HasPrefix(r.ID, "status.") {
			continue
		}
		met[r.ID] = true
		busy := strings.HasPrefix(r.ID, "status.perf.") && r.Verdict == "not-observed" // too few calls to compare
		if want[r.ID] != r.Verdict && !busy {
			t.Errorf("%s: %s (%s), and the reading says %q", r.ID, r.Verdict, r.why(), want[r.ID])
		}
	}
	for id := range want {
		if !met[id] {
			t.Errorf("%s: there is a reading of it, and no such rule was run", id)
		}
	}
}

// python gives the command that runs a script of the folder agents, and skips the test where there is no Python 3.
func python(t *testing.T, script string) []string {
	t.Helper()
	program, err := exec.LookPath("python3")
	if err != nil {
		if os.Getenv("ACP_CONFORM_INTEROP") == "required" {
			t.Fatal("ACP_CONFORM_INTEROP=required: there is no python3")
		}
		t.Skip("there is no python3 here")
	}
	return []string{program, "-B", absolute(t, filepath.Join("agents", script))}
}

func absolute(t *testing.T, path string) string {
	t.Helper()
	whole, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return whole
}
