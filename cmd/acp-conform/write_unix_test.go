//go:build unix

package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/acp-conform/acp-conform/conformance/result"
)

// devFull is a file that is open to all and always full.
func devFull(t *testing.T) string {
	t.Helper()
	const name = "/dev/full"
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	_ = f.Close()
	return name
}

// short is a run that says enough and takes a part of a second.
func short(args ...string) []string {
	return append([]string{"--rules", "transport.utf8,jsonrpc.version-field"}, args...)
}

// Whatever becomes of stdout, the agents end, the files are written and the program says what is wrong.
func TestStdoutThatTakesNothing(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		stdout func(*testing.T) *os.File
		want   string
	}{
		{"nobody reads the pipe any more", func(t *testing.T) *os.File {
			r, w, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			_ = r.Close()
			return w
		}, "broken pipe"},
		{"the disk is full", func(t *testing.T) *os.File {
			f, err := os.OpenFile(devFull(t), os.O_WRONLY, 0)
			if err != nil {
				t.Fatal(err)
			}
			return f
		}, "no space left on device"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newSwitchboard(t, 1000)
			file := filepath.Join(t.TempDir(), "r.json")
			cmd := command(t, short("--report", "json="+file, self, "agent:told", s.Addr().String())...)
			out := c.stdout(t)
			cmd.Stdout = out
			stderr := begun(t, cmd)
			_ = out.Close()
			code, text := endedSaying(t, cmd, stderr)
			if code != result.ExitOK || strings.Count(text, "\n") != 2 { // what is judged, and the message
				t.Errorf("exit code %d", code)
			}
			contains(t, "the message", text, "the text report could not be written", c.want)
			if r := readRun(t, file); r.Verdict != result.Conformant {
				t.Errorf("verdict %s", r.Verdict)
			}
			s.nothingLeft(t)
		})
	}
}

// Both streams in one pipe that is closed, as of `2>&1 | head -1`: not a word can be said, but the file is written.
func TestNobodyListens(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	s := newSwitchboard(t, 1000)
	file := filepath.Join(t.TempDir(), "r.json")
	cmd := command(t, short("--report", "json="+file, self, "agent:told", s.Addr().String())...)
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdout, cmd.Stderr = w, w
	_ = r.Close()
	if err := cmd.Run(); cmd.ProcessState.ExitCode() != result.ExitOK {
		t.Error(err)
	}
	_ = w.Close()
	if r := readRun(t, file); r.Verdict != result.Conformant {
		t.Errorf("verdict %s", r.Verdict)
	}
	s.nothingLeft(t)
}

func TestAFullDiskCostsOneReport(t *testing.T) {
	full := devFull(t)
	file := filepath.Join(t.TempDir(), "r.json")
	s := call(t, short("--quiet", "--report", "text="+full, "--report", "json="+file, "@fake")...)
	if s.code != result.ExitOK || strings.Count(s.stderr, "\n") != 1 {
		t.Errorf("exit code %d", s.code)
	}
	contains(t, "the message", s.stderr, "the text report could not be written", "no space left on device")
	if r := readRun(t, file); r.Verdict != result.Conformant || r.ExitCode != result.ExitOK {
		t.Errorf("verdict %s, exit code %d", r.Verdict, r.ExitCode)
	}
}

// A report of which only the beginning finds room is none: nothing is left that looks like one.
func TestNoPartOfAReportIsLeft(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "r.json")
	cmd := command(t, short("--quiet", "--report", "json="+file, "@fake")...)
	cmd.Path, cmd.Args = "/bin/sh", append([]string{"sh", "-c", `ulimit -f 1 && exec "$0" "$@"`}, cmd.Args...)
	stderr := begun(t, cmd)
	code, text := endedSaying(t, cmd, stderr)
	if code != result.ExitOK || strings.Count(text, "\n") != 1 {
		t.Errorf("exit code %d", code)
	}
	contains(t, "the message", text, "the json report could not be written", "file too large")
	if b, err := os.ReadFile(file); err == nil {
		t.Errorf("left: %q", b)
	}
}

// A report that grows while the run goes on keeps what found room, in whole lines; if that is nothing, no file is left.
func TestAReportThatGrowsKeepsWholeLines(t *testing.T) {
	for blocks, some := range map[string]bool{"0": false, "1": true, "4": true, "8": true} {
		t.Run(blocks, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "r.jsonl")
			cmd := command(t, "--quiet", "--rules", "cancel,transport.utf8", "--report", "jsonl="+file, "@fake")
			cmd.Path, cmd.Args = "/bin/sh", append([]string{"sh", "-c", `ulimit -f ` + blocks + ` && exec "$0" "$@"`}, cmd.Args...)
			code, text := endedSaying(t, cmd, begun(t, cmd))
			if code != result.ExitOK || strings.Count(text, "\n") != 1 {
				t.Errorf("exit code %d", code)
			}
			contains(t, "the message", text, "the jsonl report could not be written", "file too large")
			b, err := os.ReadFile(file)
			if (err == nil) != some {
				t.Errorf("%v, %q", err, b)
			}
			for line := range strings.Lines(string(b)) {
				if !json.Valid([]byte(line)) || !strings.HasSuffix(line, "\n") {
					t.Errorf("a line is %q", line)
				}
			}
		})
	}
}

// A disk that is full when transcripts are written costs those, and no verdict.
func TestAFullDiskCostsTranscripts(t *testing.T) {
	full, keep := devFull(t), t.TempDir()
	if err := os.Symlink(full, filepath.Join(keep, "survey-1.jsonl")); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "r.json")
	s := call(t, "--quiet", "--rules", "transport.utf8,cancel.stop-reason-cancelled", "--keep", keep, "--report", "json="+file, "@fake")
	if s.code != result.ExitOK || strings.Count(s.stderr, "\n") != 1 {
		t.Errorf("exit code %d", s.code)
	}
	contains(t, "the message", s.stderr, "--keep "+keep, "survey-1.jsonl", "no space left on device")
	if r := readRun(t, file); r.Verdict != result.Conformant || r.Counts[result.Pass] != 2 {
		t.Errorf("verdict %s, %v", r.Verdict, r.Counts)
	}
	if b, err := os.ReadFile(filepath.Join(keep, "cancel.stop-reason-cancelled-1.jsonl")); err != nil || !strings.Contains(string(b), "session/cancel") {
		t.Errorf("another transcript: %v, %q", err, b)
	}
}

// A folder that may not be written to is found before an agent is started.
func TestAFolderThatMayNotBeWrittenTo(t *testing.T) {
	dir := unwritable(t)
	for _, flags := range [][]string{
		{"--report", "json=" + filepath.Join(dir, "r.json")},
		{"--keep", dir},
		{"--keep", filepath.Join(dir, "sub")},
	} {
		refused(t, append(flags, "./agent"), flags[0][2:], dir)
	}
}
