package interop

import (
	"archive/tar"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

// junitSchema takes the schema of Jenkins out of the package that pip put into the folder packages: the tests of pytest hold their own
// reports to it. The test is skipped where it is missing.
func junitSchema(t *testing.T) string {
	t.Helper()
	archives, _ := filepath.Glob("packages/pytest-*.tar.gz")
	if len(archives) == 0 {
		t.Skip("the schema of JUnit reports is not here; README.md says how pip puts it into the folder packages")
	}
	f, err := os.Open(archives[0])
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	plain, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	for files := tar.NewReader(plain); ; {
		h, err := files.Next()
		if err != nil {
			t.Fatalf("%s holds no schema: %v", archives[0], err)
		}
		if path.Base(h.Name) != "junit-10.xsd" {
			continue
		}
		text, err := io.ReadAll(files)
		file := filepath.Join(t.TempDir(), "junit.xsd")
		if err = errors.Join(err, os.WriteFile(file, text, 0o600)); err != nil {
			t.Fatal(err)
		}
		return file
	}
}

// readJUnit is what junit.mjs found in a report.
type readJUnit struct {
	Errors                  []string
	Statuses, Messages      map[string]string
	Failed, Broken, Skipped int
}

func readAsJUnit(t *testing.T, script []string, file, schema string) (read readJUnit) {
	t.Helper()
	cmd := exec.Command(script[0], append(script[1:], file, schema)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err == nil {
		err = json.Unmarshal(out, &read)
	}
	if err != nil {
		t.Fatalf("junit.mjs: %v\n%s", err, out)
	}
	return read
}

// What CI systems read of a JUnit report is what the JSON report of the same run says.
func TestJUnitAsOthersReadIt(t *testing.T) {
	script, schema := node(t, "xmllint-wasm", "junit.mjs"), junitSchema(t)
	for name, agent := range map[string][]string{
		"an agent with faults":     {"--rules", "cancel,transport,init", "@fake", "--fault", "cancel-ends-turn"},
		"an agent that is right":   {"--rules", "transport", "@fake"},
		"an agent that never came": {"@fake", "--fault", "exits-at-once"},
		"what only --strict minds": {"--strict", "--rules", "jsonrpc.batch-rejected", "@fake", "--fault", "batch-unanswered"},
		"an agent that says what is no XML": {"--rules", "jsonrpc,transport", "@fake",
			"--fault", "invalid-utf8", "--fault", "stdout-escape-line"},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "report.xml")
			asJSON := filepath.Join(t.TempDir(), "report.json")
			_, err := exec.Command(acpConform, append([]string{"--quiet", "--report", "junit=" + file, "--report", "json=" + asJSON}, agent...)...).CombinedOutput()
			if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
				t.Fatal(err)
			}
			var want report
			text, err := os.ReadFile(asJSON)
			if err == nil {
				err = json.Unmarshal(text, &want)
			}
			if err != nil {
				t.Fatal(err)
			}
			agrees(t, readAsJUnit(t, script, file, schema), want)
		})
	}
}

// agrees compares what was read with the rules of a run.
func agrees(t *testing.T, got readJUnit, want report) {
	t.Helper()
	if len(got.Errors) > 0 {
		t.Fatalf("the schema refuses it:\n%s", strings.Join(got.Errors, "\n"))
	}
	status := map[string]string{"pass": "PASS", "warn": "PASS", "fail": "FAIL", "error": "FAIL", "skipped": "SKIP", "not-observed": "SKIP"}
	n, cases := map[string]int{}, len(want.Rules)
	for _, r := range want.Rules {
		n[r.Verdict]++
		if got.Statuses[r.ID] != status[r.Verdict] {
			t.Errorf("%s: %q is read, and the verdict is %s", r.ID, got.Statuses[r.ID], r.Verdict)
		}
		if (got.Messages[r.ID] != "") != (status[r.Verdict] == "FAIL") {
			t.Errorf("%s, which is %s, has the message %q", r.ID, r.Verdict, got.Messages[r.ID])
		}
	}
	const theRun = "the run" // it has a case where no rule shows why the exit code is what it is
	if red := want.ExitCode > 1 || want.ExitCode == 1 && n["fail"] == 0; red != (got.Statuses[theRun] == "FAIL") || red != (got.Messages[theRun] != "") {
		t.Errorf("exit code %d, and of the run is read: %q, %q", want.ExitCode, got.Statuses[theRun], got.Messages[theRun])
	} else if red {
		n[map[bool]string{true: "fail", false: "error"}[want.ExitCode == 1]]++
		cases++
	}
	if len(got.Statuses) != cases || got.Failed != n["fail"] || got.Broken != n["error"] || got.Skipped != n["skipped"]+n["not-observed"] {
		t.Errorf("read: %d cases, %d failed, %d errors, %d skipped; the rules: %v", len(got.Statuses), got.Failed, got.Broken, got.Skipped, n)
	}
}

// The schema is one that refuses: a report that is nearly right is none.
func TestTheSchemaOfJUnitRefuses(t *testing.T) {
	script, schema := node(t, "xmllint-wasm", "junit.mjs"), junitSchema(t)
	right, err := os.ReadFile(filepath.FromSlash("../../reports/testdata/all.xml"))
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "report.xml")
	for _, c := range []struct{ old, new, want string }{
		{"", "", ""},
		{"<skipped message", "<skipped reason", "reason"},
		{`time="0.024"`, `time="24 ms"`, "24 ms"},
		{"<failure ", "<broken ", ""},
	} {
		text := strings.Replace(string(right), c.old, c.new, 1)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		got := strings.Join(readAsJUnit(t, script, file, schema).Errors, "\n")
		if (got != "") != (c.old != "") || !strings.Contains(got, c.want) {
			t.Errorf("%q in place of %q: %q", c.new, c.old, got)
		}
	}
}
