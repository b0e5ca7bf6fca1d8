package main

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/acp-conform/acp-conform/conformance/result"
)

func TestReportsGoWhereTheyShould(t *testing.T) {
	for _, c := range []struct {
		name               string
		flags              []string
		stdout             string // "text", "json" or ""
		textFile, jsonFile bool
	}{
		{"text by default", nil, "text", false, false},
		{"json alone", []string{"--report", "json"}, "json", false, false},
		{"json in a file besides the text", []string{"--report", "json=FILE.json"}, "text", false, true},
		{"both in files, text on stdout", []string{"--report", "json=FILE.json", "--report", "text=FILE.txt"}, "text", true, true},
		{"json on stdout, text in a file", []string{"--report", "json", "--report", "text=FILE.txt"}, "json", true, false},
		{"text said aloud", []string{"--report", "text"}, "text", false, false},
		{"quiet", []string{"--quiet"}, "", false, false},
		{"quiet drops the text that was asked for", []string{"--quiet", "--report", "text"}, "", false, false},
		{"quiet with json", []string{"--quiet", "--report", "json"}, "json", false, false},
		{"quiet with files", []string{"--quiet", "--report", "json=FILE.json", "--report", "text=FILE.txt"}, "", true, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			base := filepath.Join(t.TempDir(), "report")
			var args []string
			for _, f := range c.flags {
				args = append(args, strings.ReplaceAll(f, "FILE", base))
			}
			s, _ := dry(t, fine(), append(args, "./agent")...)
			if s.code != result.ExitOK {
				t.Fatalf("exit code %d: %s", s.code, s.stderr)
			}
			if got := kind(s.stdout); got != c.stdout {
				t.Errorf("stdout is %q, not %q", got, c.stdout)
			}
			for file, want := range map[string]bool{base + ".txt": c.textFile, base + ".json": c.jsonFile} {
				b, err := os.ReadFile(file)
				if (err == nil) != want || want && kind(string(b)) == "" {
					t.Errorf("%s: %v, %q", filepath.Base(file), err, b)
				}
			}
			if quiet := strings.Contains(strings.Join(args, " "), "--quiet"); quiet != (s.stderr == "") {
				t.Errorf("stderr is %q", s.stderr)
			}
		})
	}
}

// kind tells what kind of report a text is.
func kind(s string) string {
	switch {
	case json.Valid([]byte(s)):
		return "json"
	case strings.Contains(s, "CONFORMANT"):
		return "text"
	}
	return ""
}

func TestAnOldReportStaysUntilTheNewOneIsThere(t *testing.T) {
	file := filepath.Join(t.TempDir(), "r.json")
	old := strings.Repeat("old ", 10000)
	if err := os.WriteFile(file, []byte(old), 0o600); err != nil {
		t.Fatal(err)
	}
	if s := call(t, "--report", "json="+file, "--report", "json=no/such/folder/x", "@fake"); s.code != result.ExitUsage {
		t.Fatalf("exit code %d", s.code)
	}
	if b, _ := os.ReadFile(file); string(b) != old {
		t.Error("a run that did not begin has destroyed the report of an earlier one")
	}
	if s, _ := dry(t, fine(), "--report", "json="+file, "./agent"); s.code != result.ExitOK {
		t.Fatalf("exit code %d: %s", s.code, s.stderr)
	}
	if b, _ := os.ReadFile(file); !json.Valid(b) {
		t.Errorf("the new report is mixed with the old one")
	}
}

func TestNoEmptyReportIsLeft(t *testing.T) {
	dir := t.TempDir()
	a := filepath.Join(dir, "a.json")
	for _, second := range []string{filepath.Join(dir, "no", "b.json"), a} {
		s, given := dry(t, fine(), "--report", "json="+a, "--report", "text="+second, "./agent")
		if s.code != result.ExitUsage || len(given) > 0 {
			t.Errorf("%s: exit code %d", second, s.code)
		}
		if files, _ := os.ReadDir(dir); len(files) > 0 {
			t.Errorf("left behind: %v", files)
		}
	}
}

type closed struct{}

func (closed) Write([]byte) (int, error) { return 0, errors.New("closed") }

func TestAClosedStdoutCostsNoFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "r.json")
	p := &program{stdout: closed{}, stderr: io.Discard, suite: suiteOf(fine())}
	if code := p.execute(t.Context(), []string{"--report", "json=" + file, "a"}); code != result.ExitOK {
		t.Errorf("exit code %d because the text could not be written", code)
	}
	if b, _ := os.ReadFile(file); !json.Valid(b) {
		t.Errorf("the file is %q", b)
	}
}

func TestKeepMakesItsFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	if s, given := dry(t, fine(), "--keep", dir, "x"); s.code != result.ExitOK || given[0].Keep != dir {
		t.Errorf("exit code %d: %s", s.code, s.stderr)
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) > 0 {
		t.Errorf("%v, %v", files, err)
	}
}

func TestOnlyATerminalIsOne(t *testing.T) {
	p := &program{}
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = null.Close() }()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _, _ = r.Close(), w.Close() }()
	for name, stream := range map[string]any{"the null device": null, "a pipe": w, "a buffer": &strings.Builder{}, "nothing": nil} {
		if p.terminal(stream) {
			t.Errorf("%s counts as a terminal", name)
		}
	}
}

// The end of a name that asks for a picture may be written in capitals.
func TestABadgeIsAPicture(t *testing.T) {
	for _, end := range []string{"svg", "SVG", "json"} {
		file := filepath.Join(t.TempDir(), "b."+end)
		dry(t, fine(), "--report", "badge="+file, "a")
		if text := readFile(t, file); strings.HasPrefix(text, "<svg") != (end != "json") {
			t.Errorf("%s: %s", end, text)
		}
	}
}

// A stream that is sent to a file is no place for a report, unless nothing but the report goes there.
func TestReportsAreNotWrittenOverStreams(t *testing.T) {
	for _, c := range []struct{ flags, where, want string }{
		{"--report json=FILE", "stdout", "where stdout goes as well; name another file"},
		{"--report json=FILE", "stderr", "where stderr goes as well; name another file"},
		{"--report json=FILE --report text=FILE.txt --report markdown", "stdout", "where stdout goes as well"},
		{"--report json=FILE --quiet", "stdout", ""},
		{"--report json=FILE.json", "stdout", ""},
	} {
		file := filepath.Join(t.TempDir(), "f")
		f, err := os.Create(file)
		if err != nil {
			t.Fatal(err)
		}
		var said strings.Builder
		streams := map[string]io.Writer{"stdout": io.Discard, "stderr": &said, c.where: f}
		args := append(strings.Fields(strings.ReplaceAll(c.flags, "FILE", file)), "--rules", "transport.utf8", "@fake")
		code := run(t.Context(), nil, args, strings.NewReader(""), streams["stdout"], streams["stderr"])
		_ = f.Close()
		message := said.String()
		if c.where == "stderr" {
			message = readFile(t, file)
		}
		if c.want == "" && code != result.ExitOK || c.want != "" && code != result.ExitUsage || !strings.Contains(message, c.want) {
			t.Errorf("%s, %s: exit code %d, %s", c.flags, c.where, code, message)
		}
	}
}
