package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/acp-conform/acp-conform/conformance"
	"github.com/acp-conform/acp-conform/conformance/result"
)

// programVariable makes the test binary, started again, the program (or an agent of these tests) instead of the tests.
const programVariable = "ACP_CONFORM_TEST_PROGRAM"

// panicVariable names a format whose report, or "baseline", which panics in such a program.
const panicVariable = "ACP_CONFORM_TEST_PANIC"

// withPanicIn is main, but for one report that panics.
func withPanicIn(format string) int {
	p := &program{stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr, suite: conformance.Run, guard: newGuard()}
	if format == "baseline" {
		p.amendBaseline = func() { panic("unknown character width") }
	}
	p.amend = func(all []*sink) {
		for _, s := range all {
			if s.format == format {
				s.write = func(w io.Writer, _ result.Run) error {
					_, _ = io.WriteString(w, "half a report")
					panic("index out of range")
				}
			}
		}
	}
	return p.execute(context.Background(), os.Args[1:])
}

func TestMain(m *testing.M) {
	if os.Getenv(programVariable) != "" {
		if len(os.Args) > 1 && strings.HasPrefix(os.Args[1], "agent:") {
			beAgent(os.Args[1:])
			return
		}
		if format := os.Getenv(panicVariable); format != "" {
			os.Exit(withPanicIn(format))
		}
		main()
		return
	}
	if err := os.Setenv(programVariable, "1"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// said is what a call of the program came to.
type said struct {
	code           int
	stdout, stderr string
}

// call runs the program in this process.
func call(t *testing.T, args ...string) said {
	t.Helper()
	return callWith(t, "", args...)
}

// callWith runs the program with something on its stdin.
func callWith(t *testing.T, stdin string, args ...string) said {
	t.Helper()
	var out, errs bytes.Buffer
	code := run(t.Context(), nil, args, strings.NewReader(stdin), &out, &errs)
	return said{code, out.String(), errs.String()}
}

// refused tells whether a command line is refused in one line on stderr, and nothing is begun.
func refused(t *testing.T, args []string, want ...string) {
	t.Helper()
	s, given := dry(t, fine(), args...)
	if s.code != result.ExitUsage || len(given) > 0 || s.stdout != "" {
		t.Fatalf("exit code %d, %d runs, stdout %q", s.code, len(given), s.stdout)
	}
	contains(t, "the message", s.stderr, append(want, "acp-conform: ")...)
	if n := strings.Count(s.stderr, "\n"); n != 1 {
		t.Errorf("the message has %d lines:\n%s", n, s.stderr)
	}
}

// dry runs the program with a suite that starts nothing; it returns the configurations that the suite was given.
func dry(t *testing.T, r result.Run, args ...string) (said, []conformance.Config) {
	t.Helper()
	var out, errs bytes.Buffer
	var given []conformance.Config
	p := &program{stdin: strings.NewReader(""), stdout: &out, stderr: &errs, version: "v0.0.0-test",
		suite: func(_ context.Context, cfg conformance.Config) (result.Run, error) {
			given = append(given, cfg)
			return r, nil
		}}
	code := p.execute(t.Context(), args)
	return said{code, out.String(), errs.String()}, given
}

// suiteOf is a suite that starts nothing.
func suiteOf(r result.Run) func(context.Context, conformance.Config) (result.Run, error) {
	return func(context.Context, conformance.Config) (result.Run, error) { return r, nil }
}

// fine is a run in which nothing is wrong.
func fine() result.Run {
	r := result.Run{Schema: result.Schema, Survey: result.Survey{Handshake: true, Session: true}, Protocol: result.Protocol{Requested: 1, Negotiated: 1},
		Rules: []result.Outcome{{ID: "transport.utf8", Area: "transport", Verdict: result.Pass, Occasions: 1}}}
	r.Conclude(result.Policy{})
	return r
}

func contains(t *testing.T, where, text string, want ...string) {
	t.Helper()
	for _, w := range want {
		if !strings.Contains(text, w) {
			t.Errorf("%s lacks %q:\n%s", where, w, text)
		}
	}
}
