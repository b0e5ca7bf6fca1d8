package main

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/acp-conform/acp-conform/conformance/fuzz"
	"github.com/acp-conform/acp-conform/reports"
)

const (
	fuzzLines = 24  // of a conversation that are shown
	fuzzWidth = 400 // bytes of a line that are shown
	fuzzNotes = 12  // that are shown
)

// fuzzReport writes the text report of the fuzzer.
type fuzzReport struct {
	bytes.Buffer
	*fuzz.Result
	colour bool
}

// fuzzText writes what was found for a person.
func fuzzText(w io.Writer, res *fuzz.Result, colour bool) error {
	r := &fuzzReport{Result: res, colour: colour}
	took := (time.Duration(res.DurationMs) * time.Millisecond).Round(100 * time.Millisecond)
	r.line("%s, version %d of the protocol, seed %d: %s with %s in %s", strings.Join(res.Command, " "), res.Protocol, res.Seed,
		counted(res.Scripts, "script"), counted(res.Lines, "line"), took)
	if res.Session != "" {
		r.line("No session could be opened, so that only what needs none was tried: %s", res.Session)
	}
	for _, f := range res.Findings {
		r.finding(f)
	}
	r.notes("Notes (lenient, and no fault)", res.Notes)
	r.notes("Seen once and not again", res.Unconfirmed)
	for _, h := range res.Hints {
		r.line("")
		r.line("hint: %s", h)
	}
	r.line("")
	r.line("%s", r.last())
	_, err := w.Write(r.Bytes())
	return err
}

func (r *fuzzReport) line(format string, args ...any) {
	r.WriteString(reports.Printable(fmt.Sprintf(format, args...)) + "\n")
}

// paint colours a text that is not the agent's.
func (r *fuzzReport) paint(code, s string) string {
	if !r.colour {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

func (r *fuzzReport) finding(f fuzz.Finding) {
	code := "33"
	if f.Severity == fuzz.Failure {
		code = "31"
	}
	r.WriteString("\n" + r.paint(code, fmt.Sprintf("%s %d: %s", strings.ToUpper(string(f.Severity)), f.Number, f.Kind)) + "\n")
	r.line("  %s", f.Why)
	if f.Once {
		r.line("  seen once  it did not happen again when it was tried, and the script below need not show it")
	}
	shown := slices.DeleteFunc(slices.Clone(f.Frames), func(f fuzz.Frame) bool { return f.Fence })
	over := len(shown) - fuzzLines
	if over > 0 {
		r.line("     … %s before", counted(over, "line"))
	}
	for _, frame := range shown[max(0, over):] {
		r.frame(frame)
	}
	for _, line := range strings.Split(strings.TrimSpace(f.Stderr), "\n") {
		if line != "" {
			r.line("     ! %s", line)
		}
	}
	if f.Found > 0 && f.File != "" {
		r.line("  found in   script %d, and seen in %s", f.Found, counted(f.Seen, "script"))
	}
	if f.Rerun != "" {
		r.line("  rerun      %s", f.Rerun)
	}
}

func (r *fuzzReport) frame(f fuzz.Frame) {
	sign := "<"
	if f.From == "client" {
		sign = ">"
	}
	line, total := f.Line, max(f.Bytes, len(f.Line))
	if f.Base64 != "" {
		line, total = "(not UTF-8, in base64) "+f.Base64, 0
	}
	if len(line) > fuzzWidth {
		line = strings.ToValidUTF8(line[:fuzzWidth], "") + "…"
		if total > 0 {
			line += fmt.Sprintf(" (%d bytes)", total)
		}
	}
	r.line("     %s %s", sign, line)
}

func (r *fuzzReport) notes(title string, notes []fuzz.Note) {
	if len(notes) == 0 {
		return
	}
	r.line("")
	r.line("%s", title)
	for i, n := range notes {
		if i == fuzzNotes {
			r.line("  … %s more; the report json has all of them", counted(len(notes)-i, "note"))
			return
		}
		r.line("  %4d× %s", n.Times, n.Text)
	}
}

// last is the line that says how it ended.
func (r *fuzzReport) last() string {
	n := map[fuzz.Severity]int{}
	for _, f := range r.Findings {
		n[f.Severity]++
	}
	s := fmt.Sprintf("%s: %s, %s", strings.ToUpper(string(r.Verdict)), counted(n[fuzz.Failure], "failure"), counted(n[fuzz.Warning], "warning"))
	if r.ExitReason != "" {
		s += " (" + r.ExitReason + ")"
	}
	return s
}
