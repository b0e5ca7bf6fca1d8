package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/acp-conform/acp-conform/conformance"
	"github.com/acp-conform/acp-conform/conformance/baseline"
	"github.com/acp-conform/acp-conform/conformance/result"
)

// known is what the flags say about known failures.
type known struct {
	file, write string
	shrinkOnly  bool

	list *baseline.File // nil = none
	to   *baseline.File // to write; nil = nothing
}

// read reads the baselines before an agent is started.
func (k *known) read() error {
	if k.shrinkOnly && k.write == "" {
		return errors.New("--shrink-only: it says how --write-baseline FILE writes; give that as well")
	}
	for _, f := range []struct {
		flag, path string
		to         **baseline.File
		must       bool
	}{{"--baseline", k.file, &k.list, true}, {"--write-baseline", k.write, &k.to, false}} {
		if f.path == "" {
			continue
		}
		text, err := os.ReadFile(f.path)
		if errors.Is(err, fs.ErrNotExist) && !f.must {
			text, err = nil, writable(f.path)
		}
		if err != nil {
			return fmt.Errorf("%s %s: %w; --write-baseline makes such a file", f.flag, f.path, cause(err))
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

// writable tells whether a file that is not there yet can be made.
func writable(path string) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(path))
}

func isRule(id string) bool {
	for _, r := range conformance.Rules() {
		if r.ID == id {
			return true
		}
	}
	return false
}

// compare compares the run with what is known, and writes down what is known now. A run that says nothing of the agent changes nothing.
func (p *program) compare(k *known, run *result.Run, strict bool) error {
	policy := result.Policy{Strict: strict}
	concluded := run.ExitCode == result.ExitOK || run.ExitCode == result.ExitFailed
	if k.to == nil || !concluded {
		if k.list != nil {
			k.list.Apply(run, policy, time.Now())
		}
		return nil
	}
	refused := k.to.Refresh(*run, strict, k.shrinkOnly)
	text, err := k.to.Text()
	if err != nil {
		return err
	}
	if before, err := os.ReadFile(k.write); err != nil || !bytes.Equal(before, text) {
		if err := os.WriteFile(k.write, text, 0o644); err != nil {
			return fmt.Errorf("--write-baseline %s: %w", k.write, cause(err))
		}
	}
	k.to.Apply(run, policy, time.Now())
	if refused != nil {
		_, _ = fmt.Fprintf(p.stderr, "%s: --shrink-only: %v\n", programName, refused)
	}
	return nil
}
