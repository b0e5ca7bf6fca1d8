package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/acp-conform/acp-conform/conformance/result"
)

// conclude writes the reports and ends with the code of the run. What cannot be written is told and changes nothing of that code: it
// says what became of the agent, and a disk that fills up says nothing of agents.
func (p *program) conclude(sinks []*sink, r result.Run) error {
	failed := p.writeAll(sinks, r)
	if r.TranscriptProblem != "" {
		failed = errors.Join(failed, fmt.Errorf("--keep %s: the transcripts are not complete: %s", r.Transcript, r.TranscriptProblem))
	}
	p.complain(failed)
	return exit(r.ExitCode)
}

// complain says what went wrong, each thing on a line of its own.
func (p *program) complain(err error) {
	if err != nil {
		said := strings.ReplaceAll(err.Error(), "\n", "\n"+programName+": ")
		_, _ = fmt.Fprintf(p.stderr, "%s: %s\n", programName, said)
	}
}

// writeAll writes every report, files first: a closed stdout (as of `| head`) must not cost a file. One that fails does not
// keep the others.
func (p *program) writeAll(all []*sink, r result.Run) error {
	var failed error
	for _, toStdout := range []bool{false, true} {
		for _, s := range all {
			if (s.path == "") != toStdout {
				continue
			}
			if err := p.guard.write(func() error { return p.writeOne(s, r) }); err != nil {
				failed = errors.Join(failed, fmt.Errorf("the %s report could not be written: %w", s.format, err))
			}
		}
	}
	return failed
}

func (p *program) writeOne(s *sink, r result.Run) error {
	var b bytes.Buffer
	if err := guarded(func() error { return s.write(&b, r) }); err != nil {
		return err
	}
	if s.path == "" {
		_, err := p.stdout.Write(b.Bytes())
		return err
	}
	if err := s.put(b.Bytes()); err != nil || s.lost == nil {
		return err
	}
	return fmt.Errorf("events are missing: %w", s.lost)
}

// guarded makes an error of a panic: a fault in one report is no reason to lose the others.
func guarded(write func() error) (err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("a fault of %s itself: %v", programName, fault)
		}
	}()
	return write()
}

// put writes the report to its file, in the place of what is there.
func (s *sink) put(report []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.file
	s.file = nil
	if s.vanished(f) {
		_ = f.Close()
		var err error
		if f, err = reopen(s.path); err != nil {
			return err
		}
		s.begun = false // what went before has gone
	}
	info, err := f.Stat()
	regular := err == nil && info.Mode().IsRegular() && !s.behind && !s.begun
	if regular {
		if err := f.Truncate(0); err != nil {
			return errors.Join(err, f.Close())
		}
	}
	n, err := f.Write(report)
	left := int64(0)
	switch {
	case err == nil:
	case regular:
		_ = f.Truncate(0) // a part of a report would be taken for one
	case s.begun:
		left = s.whole + int64(bytes.LastIndexByte(report[:n], '\n')+1)
		_ = f.Truncate(left)
	}
	if err = errors.Join(err, f.Close()); err != nil && (regular || s.begun) && s.created && left == 0 {
		_ = os.Remove(s.path)
	}
	return err
}

// vanished tells whether the file is not what its name stands for any more: it was removed or moved away during the run.
func (s *sink) vanished(f *os.File) bool {
	opened, err := f.Stat()
	if err != nil || !opened.Mode().IsRegular() {
		return false
	}
	named, err := os.Stat(s.path)
	return err != nil || !os.SameFile(opened, named)
}

// reopen opens a report whose file has gone, and perhaps its folder as well.
func reopen(path string) (*os.File, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, err
	}
	return os.OpenFile(path, os.O_WRONLY|os.O_CREATE|withoutWaiting, 0o644) // a pipe may stand there now
}
