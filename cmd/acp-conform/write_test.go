package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/acp-conform/acp-conform/conformance"
	"github.com/acp-conform/acp-conform/conformance/result"
)

// meanwhile runs the program with a suite during which something happens.
func meanwhile(t *testing.T, r result.Run, happens func(), args ...string) said {
	t.Helper()
	var out, errs bytes.Buffer
	p := &program{stdin: strings.NewReader(""), stdout: &out, stderr: &errs, suite: func(context.Context, conformance.Config) (result.Run, error) {
		happens()
		return r, nil
	}}
	code := p.execute(t.Context(), args)
	return said{code, out.String(), errs.String()}
}

// A report goes where it was asked for, whatever becomes of its place during the run.
func TestAReportWhosePlaceVanishesIsWritten(t *testing.T) {
	for name, happens := range map[string]func(dir, file string) error{
		"the file is removed": func(_, file string) error { return os.Remove(file) },
		"the file is moved":   func(_, file string) error { return os.Rename(file, file+".1") },
		"another takes its place": func(_, file string) error {
			_ = os.Remove(file)
			return os.WriteFile(file, []byte(strings.Repeat("x", 1<<16)), 0o600)
		},
		"the folder is removed":      func(dir, _ string) error { return os.RemoveAll(dir) },
		"the folder above is, too":   func(dir, _ string) error { return os.RemoveAll(filepath.Dir(dir)) },
		"the file is written before": func(_, file string) error { return os.WriteFile(file, []byte(strings.Repeat("x", 1<<16)), 0o600) },
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "a", "b")
			if err := os.MkdirAll(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(dir, "r.json")
			s := meanwhile(t, fine(), func() {
				if err := happens(dir, file); err != nil {
					t.Skip(err) // a system that does not remove what is open
				}
			}, "--quiet", "--report", "json="+file, "./agent")
			if s.code != result.ExitOK || s.stderr != "" {
				t.Errorf("exit code %d: %s", s.code, s.stderr)
			}
			if r := readRun(t, file); r.Verdict != result.Conformant {
				t.Errorf("verdict %s", r.Verdict)
			}
		})
	}
}

// What cannot be made again is told, and the other reports are written.
func TestAPlaceThatIsTakenCostsOneReport(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	lost, other := filepath.Join(dir, "r.json"), filepath.Join(filepath.Dir(dir), "r.json")
	s := meanwhile(t, fine(), func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Skip(err)
		}
		if err := os.WriteFile(dir, nil, 0o600); err != nil {
			t.Error(err)
		}
	}, "--quiet", "--report", "json="+lost, "--report", "json="+other, "./agent")
	if s.code != result.ExitOK || strings.Count(s.stderr, "\n") != 1 {
		t.Errorf("exit code %d: %s", s.code, s.stderr)
	}
	contains(t, "the message", s.stderr, "the json report could not be written", dir)
	readRun(t, other)
}

// An interrupt outranks what cannot be written: a terminal that goes away takes stdout with it.
func TestAnInterruptedRunEndsAsOne(t *testing.T) {
	r := fine()
	r.Interrupt = true
	r.Conclude(result.Policy{})
	var errs bytes.Buffer
	p := &program{stdout: closed{}, stderr: &errs, suite: suiteOf(r)}
	if code := p.execute(t.Context(), []string{"a"}); code != result.ExitInterrupted {
		t.Errorf("exit code %d", code)
	}
	contains(t, "the message", errs.String(), "the text report could not be written")
}

// Transcripts that are asked for and not there are told of, and change nothing of the verdict.
func TestTranscriptsThatAreNotComplete(t *testing.T) {
	r := fine()
	r.Transcript, r.TranscriptProblem = "kept", "no space left on device"
	file := filepath.Join(t.TempDir(), "r.json")
	s, _ := dry(t, r, "--quiet", "--report", "json="+file, "./agent")
	if s.code != result.ExitOK || strings.Count(s.stderr, "\n") != 1 {
		t.Errorf("exit code %d: %s", s.code, s.stderr)
	}
	contains(t, "the message", s.stderr, "--keep kept: the transcripts are not complete: no space left on device")
	if got := readRun(t, file); got.Verdict != result.Conformant || got.TranscriptProblem == "" {
		t.Errorf("%s, %q", got.Verdict, got.TranscriptProblem)
	}
}
