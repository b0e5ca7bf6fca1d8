package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/acp-conform/acp-conform/conformance"
	"github.com/acp-conform/acp-conform/conformance/result"
)

func TestAUsageErrorOfTheSuiteIsOneOfTheProgram(t *testing.T) {
	file := filepath.Join(t.TempDir(), "r.json")
	var out, errs strings.Builder
	p := &program{stdout: &out, stderr: &errs, suite: func(context.Context, conformance.Config) (result.Run, error) {
		return result.Run{}, conformance.UsageError{Err: errors.New("this cannot be")}
	}}
	if code := p.execute(t.Context(), []string{"--report", "json=" + file, "a"}); code != result.ExitUsage {
		t.Errorf("exit code %d", code)
	}
	contains(t, "stderr", errs.String(), "this cannot be")
	if _, err := os.Stat(file); err == nil {
		t.Error("an empty report was left")
	}
}

func TestAFailureOfTheSuiteIsReported(t *testing.T) {
	var out, errs strings.Builder
	p := &program{stdout: &out, stderr: &errs, suite: func(context.Context, conformance.Config) (result.Run, error) {
		return result.Run{}, errors.New("no room for a directory")
	}}
	if code := p.execute(t.Context(), []string{"a"}); code != result.ExitInconclusive {
		t.Errorf("exit code %d", code)
	}
	contains(t, "the report", out.String(), "INCONCLUSIVE", "no room for a directory")
}

func TestExitCodeIsTheRuns(t *testing.T) {
	for _, code := range []int{result.ExitOK, result.ExitFailed, result.ExitInconclusive, result.ExitInterrupted} {
		r := fine()
		r.ExitCode = code
		if s, _ := dry(t, r, "a"); s.code != code {
			t.Errorf("exit code %d became %d", code, s.code)
		}
	}
}
