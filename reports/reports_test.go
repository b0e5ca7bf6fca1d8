package reports

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/acp-conform/acp-conform/conformance/result"
)

// Regenerate the files of testdata with: go test ./reports -update
var update = flag.Bool("update", false, "write the reports of this version to testdata")

func TestReports(t *testing.T) {
	strict, clean, interrupted := sample(), sample(), sample()
	strict.Rules = slices.DeleteFunc(strict.Rules, func(o result.Outcome) bool { return o.Verdict == result.Fail || o.Verdict == result.Error })
	strict.Conclude(result.Policy{Strict: true})
	clean.Rules = slices.DeleteFunc(clean.Rules, func(o result.Outcome) bool { return !(o.Verdict == result.Pass) })
	clean.LeftBehind, clean.Transcript, clean.Frames.Source, clean.Hangs, clean.Hints = 0, "", "", nil, nil
	clean.Frames.Invalid, clean.Frames.Extensions, clean.Frames.Undefined, clean.Frames.Unreadable = 0, 0, 0, 0
	clean.Conclude(result.Policy{})
	interrupted.Interrupt = true
	interrupted.Rules = interrupted.Rules[:4]
	interrupted.Conclude(result.Policy{})
	early := unstarted()
	early.Interrupt = true
	early.Conclude(result.Policy{})
	text := func(o TextOptions) func(io.Writer, result.Run) error {
		return func(w io.Writer, r result.Run) error { return Text(w, r, o) }
	}
	for _, c := range []struct {
		file  string
		run   result.Run
		write func(io.Writer, result.Run) error
	}{
		{"all.txt", sample(), text(TextOptions{})},
		{"all-verbose.txt", sample(), text(TextOptions{Verbose: true})},
		{"all-colour.txt", sample(), text(TextOptions{Color: true})},
		{"all.json", sample(), JSON},
		{"incomplete-strict.txt", strict, text(TextOptions{})},
		{"all.html", sample(), HTML},
		{"all.xml", sample(), JUnit},
		{"all.md", sample(), Markdown},
		{"all.github.txt", sample(), GitHub},
		{"all.badge.json", sample(), BadgeJSON},
		{"all.svg", sample(), BadgeSVG},
		{"all.jsonl", sample(), JSONLines},
		{"conformant.html", clean, HTML},
		{"conformant.md", clean, Markdown},
		{"conformant.svg", clean, BadgeSVG},
		{"unstarted.html", unstarted(), HTML},
		{"unstarted.xml", unstarted(), JUnit},
		{"unstarted.md", unstarted(), Markdown},
		{"conformant.txt", clean, text(TextOptions{})},
		{"interrupted.txt", interrupted, text(TextOptions{})},
		{"interrupted-early.txt", early, text(TextOptions{})},
		{"unstarted.txt", unstarted(), text(TextOptions{})},
		{"unstarted.json", unstarted(), JSON},
	} {
		t.Run(c.file, func(t *testing.T) {
			var got bytes.Buffer
			if err := c.write(&got, c.run); err != nil {
				t.Fatal(err)
			}
			golden(t, c.file, got.Bytes())
		})
	}
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	gotLines, wantLines := strings.Split(string(got), "\n"), strings.Split(strings.ReplaceAll(string(want), "\r\n", "\n"), "\n")
	for i := range max(len(gotLines), len(wantLines)) {
		g, w := at(gotLines, i), at(wantLines, i)
		if g != w {
			t.Fatalf("%s differs in line %d:\n got %q\nwant %q", name, i+1, g, w)
		}
	}
}

func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "(no such line)"
}

func TestJSONKeepsToItsSchema(t *testing.T) {
	s := schema(t)
	for name, r := range map[string]result.Run{"sample": sample(), "unstarted": unstarted()} {
		if err := s.Validate(decoded(t, r)); err != nil {
			t.Errorf("%s: %#v", name, err)
		}
	}
}

func TestSchemaRefuses(t *testing.T) {
	s := schema(t)
	for name, spoil := range map[string]func(*result.Run){
		"an unknown verdict":         func(r *result.Run) { r.Rules[1].Verdict = "green" },
		"a failure without evidence": func(r *result.Run) { r.Rules[0].Evidence = nil },
		"a skip without a reason":    func(r *result.Run) { r.Rules[9].Reason = "" },
		"another shape":              func(r *result.Run) { r.Schema = "acp-conform/report/9" },
		"a usage error as a report":  func(r *result.Run) { r.ExitCode = result.ExitUsage },
		"less than no frames":        func(r *result.Run) { r.Frames.Checked = -1 },
		"a line that is two":         func(r *result.Run) { r.Rules[0].Evidence[0].Frames[0].Line = "both" },
	} {
		r := sample()
		spoil(&r)
		if s.Validate(decoded(t, r)) == nil {
			t.Errorf("the schema accepts %s", name)
		}
	}
}

func schema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	s, err := jsonschema.Compile("report.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func decoded(t *testing.T, r result.Run) any {
	t.Helper()
	var b bytes.Buffer
	if err := JSON(&b, r); err != nil {
		t.Fatal(err)
	}
	var v any
	if err := json.Unmarshal(b.Bytes(), &v); err != nil {
		t.Fatal(err)
	}
	return v
}

func TestJSONReadsBack(t *testing.T) {
	var b bytes.Buffer
	if err := JSON(&b, sample()); err != nil {
		t.Fatal(err)
	}
	var back result.Run
	if err := json.Unmarshal(b.Bytes(), &back); err != nil {
		t.Fatal(err)
	}
	if got, want := back.Rules[0].Evidence[0].Frames[1].Line, sample().Rules[0].Evidence[0].Frames[1].Line; got != want {
		t.Errorf("a cited line became %q, was %q", got, want)
	}
}

func TestTextObeysNoAgent(t *testing.T) {
	r := sample()
	evil := "\x1b[2J\u202e\r\n\x00\x9b31m\u2028"
	r.Agent.Command, r.Agent.Info = []string{evil}, &result.Info{Name: evil, Version: evil}
	r.Problem, r.Transcript, r.ExitReason = evil, evil, evil
	r.Frames.Edition, r.Frames.Source = evil, evil
	for i := range r.Rules {
		o := &r.Rules[i]
		o.Reason, o.Rerun, o.Advice = evil, evil, evil
		for j := range o.Evidence {
			o.Evidence[j].Explanation, o.Evidence[j].Expected, o.Evidence[j].Actual, o.Evidence[j].SeenIn = evil, evil, evil, evil
		}
	}
	var b bytes.Buffer
	if err := Text(&b, r, TextOptions{Verbose: true}); err != nil {
		t.Fatal(err)
	}
	if at := strings.IndexAny(b.String(), "\x1b\u202e\r\x00\u009b\u2028"); at >= 0 {
		t.Errorf("a control character of the agent reached the terminal: %q", b.String()[at:min(len(b.String()), at+40)])
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestTextEndsWithOneLineEnd(t *testing.T) {
	for name, r := range map[string]result.Run{"sample": sample(), "unstarted": unstarted(), "nothing at all": {}} {
		var b bytes.Buffer
		if err := Text(&b, r, TextOptions{}); err != nil {
			t.Fatal(err)
		}
		if s := b.String(); !strings.HasSuffix(s, "\n") || strings.HasSuffix(s, "\n\n") {
			t.Errorf("%s ends with %q", name, s[max(0, len(s)-20):])
		}
	}
}

// Who copies a rerun line from the report must get the one that was made.
func TestTextShowsRerunLinesAsTheyAre(t *testing.T) {
	r := sample()
	const line = `acp-conform --rules transport.utf8 --env 'A=ü  b' ./my-agent $'x\ty\033' 'it'\''s  here'`
	r.Rules[0].Rerun = line
	var b bytes.Buffer
	if err := Text(&b, r, TextOptions{}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "  rerun      "+line+"\n") {
		t.Errorf("the report lacks %s:\n%s", line, b.String())
	}
}

func TestTheLastWordCountsEachRuleOnce(t *testing.T) {
	of := func(verdicts ...result.Verdict) result.Run {
		r := result.Run{Survey: result.Survey{Handshake: true, Session: true}}
		for _, v := range verdicts {
			r.Rules = append(r.Rules, result.Outcome{Verdict: v})
		}
		r.Conclude(result.Policy{})
		return r
	}
	for want, r := range map[string]result.Run{
		"CONFORMANT: 2 rules kept, none broken":                 of(result.Pass, result.Pass),
		"CONFORMANT: 1 rule kept, 1 warning, none broken":       of(result.Pass, result.Warn, result.Skipped),
		"CONFORMANT: 2 warnings, none broken":                   of(result.Warn, result.Warn),
		"NONCONFORMANT: 2 rules broken, 1 warning, 1 rule kept": of(result.Fail, result.Pass, result.Warn, result.Fail),
		"NONCONFORMANT: 1 rule broken":                          of(result.Fail),
		"INCONCLUSIVE: this run does not tell whether the ag":   of(result.Skipped),
	} {
		var b bytes.Buffer
		if err := Text(&b, r, TextOptions{}); err != nil || !strings.Contains(b.String(), "\n"+want) {
			t.Errorf("%v, %q is not in:\n%s", err, want, b.String())
		}
	}
}

func TestTheTextSaysWhatWasCompared(t *testing.T) {
	for _, c := range []struct {
		frames result.Frames
		want   string // "" = nothing
	}{
		{result.Frames{Edition: "v1"}, ""},
		{result.Frames{Edition: "v1", Deliberate: 3}, ""},
		{result.Frames{Edition: "v1", Checked: 1}, "1 frame compared with edition v1: all valid"},
		{result.Frames{Edition: "v1", Checked: 999, Deliberate: 2}, "999 frames compared with edition v1: all valid"},
		{result.Frames{Edition: "v1", Source: "/a\tb", Checked: 2}, `2 frames compared with edition v1 of /a\tb: all valid`},
		{result.Frames{Edition: "v1-unstable", Checked: 1234567, Invalid: 1000}, "1,234,567 frames compared with edition v1-unstable: 1,000 not valid"},
		{result.Frames{Edition: "v1", Checked: 20, Extensions: 7}, "20 frames compared with edition v1: all valid; not compared: 7 of extensions"},
		{result.Frames{Edition: "v1", Checked: 20, Undefined: 2}, "20 frames compared with edition v1: all valid; not compared: 2 that it does not define"},
		{result.Frames{Edition: "v1", Checked: 20, Unreadable: 1}, "20 frames compared with edition v1: all valid; not compared: 1 unreadable"},
		{result.Frames{Edition: "v1", Undefined: 2, Unreadable: 3}, "0 frames compared with edition v1; not compared: 2 that it does not define, 3 unreadable"},
	} {
		r := sample()
		r.Frames = c.frames
		var b bytes.Buffer
		if err := Text(&b, r, TextOptions{}); err != nil {
			t.Fatal(err)
		}
		if c.want == "" && strings.Contains(b.String(), "compared") || !strings.Contains(b.String(), "\n"+c.want) {
			t.Errorf("%+v: %q is not in:\n%s", c.frames, c.want, b.String())
		}
		if c.want != "" && !strings.Contains(b.String(), "\n"+c.want+"\nexit code ") {
			t.Errorf("%+v: the line is not the one before the exit code:\n%s", c.frames, b.String())
		}
	}
}

func TestWritersReportTheirErrors(t *testing.T) {
	for _, f := range Formats() {
		if f.Write(full{}, sample()) == nil {
			t.Errorf("%s: a report that could not be written is no error", f.Name)
		}
	}
}

func TestLookup(t *testing.T) {
	if f, err := Lookup("json"); err != nil || f.Name != "json" {
		t.Errorf("json: %v", err)
	}
	if _, err := Lookup("jsn"); err == nil || !strings.Contains(err.Error(), "text, json") {
		t.Errorf("an unknown format must name the known ones: %v", err)
	}
}
