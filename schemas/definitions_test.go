package schemas

import (
	"bufio"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the findings in testdata from what Check says now")

// The files in testdata hold examples by definition. A line that begins with + is valid; one that begins with - is
// not, and the indented lines below it are its findings: path, problem, expected, actual, tolerated, definition.
func TestExamples(t *testing.T) {
	covered := map[string]string{}
	for _, file := range exampleFiles(t) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			was, now := replayExamples(t, file, covered)
			if *update {
				if err := os.WriteFile(file, []byte(now), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			wanted, got := strings.Split(was, "\n"), strings.Split(now, "\n")
			for i := range min(len(wanted), len(got)) {
				if wanted[i] != got[i] {
					t.Fatalf("line %d\nwant %s\ngot  %s", i+1, wanted[i], got[i])
				}
			}
			if len(wanted) != len(got) {
				t.Errorf("want %d lines, got %d", len(wanted), len(got))
			}
		})
	}
	for _, name := range v1.Definitions() {
		if !strings.Contains(covered[name], "+") || !strings.Contains(covered[name], "-") {
			t.Errorf("%s needs a valid and an invalid example", name)
		}
	}
}

func exampleFiles(t *testing.T) []string {
	t.Helper()
	names, err := filepath.Glob("testdata/v1/*.txt")
	if err != nil || len(names) == 0 {
		t.Fatal("no examples", err)
	}
	return names
}

// replayExamples returns the text of a file and what it would be if the findings were written anew.
func replayExamples(t *testing.T, file string, covered map[string]string) (was, now string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	var name string
	lines := bufio.NewScanner(strings.NewReader(string(text)))
	for lines.Scan() {
		line := lines.Text()
		if strings.HasPrefix(line, " ") {
			continue
		}
		b.WriteString(line + "\n")
		sign, example, ok := strings.Cut(line, " ")
		switch {
		case line == "" || sign == "#":
		case !ok:
			name = line
		default:
			covered[name] += sign
			found := v1.CheckName(name, json.RawMessage(example))
			if (len(found) == 0) != (sign == "+") {
				t.Errorf("%s %s: got %v", name, line, found)
			}
			for _, f := range found {
				b.WriteString("    " + strings.Join(
					[]string{f.Path, string(f.Problem), f.Expected, f.Actual, f.Tolerated, f.Def}, " | ") + "\n")
			}
		}
	}
	return string(text), b.String()
}
