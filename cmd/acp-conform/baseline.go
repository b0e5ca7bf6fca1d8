package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/acp-conform/acp-conform/conformance"
	"github.com/acp-conform/acp-conform/conformance/baseline"
	"github.com/acp-conform/acp-conform/conformance/redact"
	"github.com/acp-conform/acp-conform/conformance/result"
	"github.com/acp-conform/acp-conform/reports"
)

const (
	baselineFlag = "--baseline"
	writeFlag    = "--write-baseline"
)

// known is what the flags say about known failures.
type known struct {
	file, write string
	shrinkOnly  bool

	list *baseline.File // nil = none
	to   *baseline.File // to write; nil = nothing
}

// read reads the baselines before an agent is started.
func (k *known) read(g *guard) error {
	if k.shrinkOnly && k.write == "" {
		return errors.New("--shrink-only: it says how --write-baseline FILE writes; give that as well")
	}
	for _, f := range []struct {
		flag, path string
		to         **baseline.File
		must       bool
	}{{baselineFlag, k.file, &k.list, true}, {writeFlag, k.write, &k.to, false}} {
		if f.path == "" {
			continue
		}
		hint := "--write-baseline makes such a file"
		text, err := g.readFile(f.path, mostSettings)
		if !f.must {
			hint = "name a file in a folder that exists and that you may write to"
			if errors.Is(err, fs.ErrNotExist) {
				text, err = nil, nil
			}
			err = cmp.Or(writable(f.path), err)
		} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
			hint = "name a file that can be read"
		}
		if err != nil {
			return about(f.flag, f.path, err, hint)
		}
		if *f.to, err = baseline.Read(f.path, text, isRule); err != nil {
			return err
		}
	}
	if k.to != nil && k.list != nil && len(k.to.Entries) == 0 && k.write != k.file {
		text, err := k.list.Text() // a new file begins with what is known
		if err != nil {
			return err
		}
		if k.to, err = baseline.Read(k.write, text, isRule); err != nil {
			return err
		}
	}
	return nil
}

// isRule tells whether there is a rule, and which was probably meant.
func isRule(id string) (exists bool, near string) {
	var ids []string
	for _, r := range conformance.Rules() {
		if r.ID == id {
			return true, ""
		}
		ids = append(ids, r.ID)
	}
	near, _ = nearest(id, ids)
	return false, near
}

// compare compares the run with what is known, and writes down what is known now. A run that says nothing of the agent changes nothing.
// What cannot be written is told and excuses nothing: the exit code is what it would be without.
func (p *program) compare(k *known, run *result.Run, policy result.Policy, secrets *redact.Redactor) {
	by := k.list
	if concluded := run.ExitCode == result.ExitOK || run.ExitCode == result.ExitFailed; k.to != nil && !concluded {
		_, _ = fmt.Fprintf(p.stderr, "%s: --write-baseline %s: nothing was written, because the run is %s: %s; write it by a run that is not\n",
			programName, k.write, run.Verdict, reports.Printable(secrets.String(run.ExitReason)))
	} else if k.to != nil {
		if by == nil && len(k.to.Entries) > 0 {
			old := *k.to
			by = &old
		}
		if err := guarded(func() error { return p.refresh(k, *run, policy.Strict) }); err != nil {
			err = fmt.Errorf("the baseline %s could not be written: %w", k.write, err)
			run.Hints = append(run.Hints, err.Error())
			p.complain(err)
		} else {
			by = k.to
		}
	}
	if by != nil {
		by.Apply(run, policy, time.Now())
	}
}

// refresh writes down what is known now.
func (p *program) refresh(k *known, run result.Run, strict bool) error {
	if p.amendBaseline != nil {
		p.amendBaseline()
	}
	refused := k.to.Refresh(run, strict, k.shrinkOnly)
	text, err := k.to.Text()
	if err != nil {
		return err
	}
	if before, err := readRegular(k.write, mostSettings); err != nil || !bytes.Equal(before, text) {
		if err = writable(k.write); err == nil { // the agent may have put something else in its place
			err = replace(k.write, text)
		}
		var u unfit
		if err != nil && !errors.As(err, &u) {
			err = fmt.Errorf("%w; name a file that can be written, where there is room", cause(err))
		}
		if err != nil {
			return err
		}
	}
	if refused != nil {
		_, _ = fmt.Fprintf(p.stderr, "%s: --shrink-only: %v; leave it out to add them\n", programName, refused)
	}
	return nil
}
