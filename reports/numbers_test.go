package reports

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/acp-conform/acp-conform/conformance/result"
)

func written(t *testing.T, write func(io.Writer, result.Run) error, r result.Run) string {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// counts reads the number of rules by verdict out of each format.
var counts = map[string]func(t *testing.T, out string) map[result.Verdict]int{
	"jsonl": func(t *testing.T, out string) map[result.Verdict]int {
		n := map[result.Verdict]int{}
		for _, l := range strings.Split(strings.TrimSpace(out), "\n") {
			var o struct {
				Event   string
				Verdict result.Verdict
				Counts  map[result.Verdict]int
			}
			if err := json.Unmarshal([]byte(l), &o); err != nil {
				t.Fatal(err)
			}
			if o.Event == "outcome" {
				n[o.Verdict]++
			} else if fmt.Sprint(without0(o.Counts)) != fmt.Sprint(n) {
				t.Errorf("the end counts %v, the lines %v", o.Counts, n)
			}
		}
		return n
	},
	"html": func(_ *testing.T, out string) map[result.Verdict]int {
		n := map[result.Verdict]int{}
		for _, m := range regexp.MustCompile(`<details class="rule"[^>]* data-verdict="([a-z-]+)"`).FindAllStringSubmatch(out, -1) {
			n[result.Verdict(m[1])]++
		}
		for _, m := range regexp.MustCompile(`data-count="([a-z-]+)">(\d+)<`).FindAllStringSubmatch(out, -1) {
			if fmt.Sprint(n[result.Verdict(m[1])]) != m[2] {
				n["legend "+result.Verdict(m[1])] = -1
			}
		}
		return n
	},
	"junit": func(t *testing.T, out string) map[result.Verdict]int {
		var s junitSuites
		if err := xml.Unmarshal([]byte(out), &s); err != nil {
			t.Fatal(err)
		}
		n := map[result.Verdict]int{}
		tests, failures, errors, unruled := 0, 0, 0, junitSuite{}
		for _, suite := range s.Suites {
			tests, failures, errors = tests+suite.Tests, failures+suite.Failures, errors+suite.Errors
			for _, c := range suite.Cases {
				if c.Class == "acp-conform" { // the case of the run, which is no rule
					tests, failures, errors, unruled = tests-1, failures-suite.Failures, errors-suite.Errors, suite
					continue
				}
				n[verdictOf(c)]++
			}
		}
		if tests+unruled.Tests != s.Tests || failures+unruled.Failures != s.Failures || errors+unruled.Errors != s.Errors || failures > n[result.Fail] || errors != n[result.Error] {
			t.Errorf("%d tests, %d failures, %d errors do not add up to %v", tests, failures, errors, n)
		}
		return n
	},
	"text": func(t *testing.T, out string) map[result.Verdict]int {
		n, head := map[result.Verdict]int{}, "  area "
		table := out[strings.Index(out, head)+len(head):]
		rows := strings.Split(table[:strings.Index(table, "\n\n")], "\n")
		for _, row := range rows[1:] {
			cells := strings.Fields(row)
			for i, name := range strings.Fields(rows[0]) {
				var v int
				_, _ = fmt.Sscan(cells[i+1], &v)
				if cells[0] != "all" {
					n[result.Verdict(name)] += v
				} else if n[result.Verdict(name)] != v {
					t.Errorf("%s: the areas have %d, all %d", name, n[result.Verdict(name)], v)
				}
			}
		}
		return without0(n)
	},
	"markdown": func(_ *testing.T, out string) map[result.Verdict]int {
		n := map[result.Verdict]int{}
		row := regexp.MustCompile(`(?m)^\|---:.*\n\| (.*) \|$`).FindStringSubmatch(out)
		for i, cell := range strings.Split(row[1], " | ") {
			var v int
			_, _ = fmt.Sscan(cell, &v)
			n[result.Verdicts()[i]] = v
		}
		for verdict, title := range map[result.Verdict]string{result.Fail: "### Broken rules", result.Warn: "### Warnings", result.Error: "### Errors of the suite",
			result.Skipped: "<summary>Skipped", result.NotObserved: "<summary>Not observed"} {
			if n[verdict] > 0 && !strings.Contains(out, fmt.Sprintf("%s (%d)", title, n[verdict])) {
				n["heading "+verdict] = -1
			}
		}
		return without0(n)
	},
}

func verdictOf(c junitCase) result.Verdict {
	switch {
	case c.Failure != nil, c.Skipped != nil && strings.HasPrefix(c.Skipped.Message, knownFailure):
		return result.Fail
	case c.Error != nil:
		return result.Error
	case c.Skipped != nil && strings.HasPrefix(c.Skipped.Message, "not-observed: "):
		return result.NotObserved
	case c.Skipped != nil:
		return result.Skipped
	case strings.HasPrefix(c.Out, "warning\n"):
		return result.Warn
	}
	return result.Pass
}

func without0(n map[result.Verdict]int) map[result.Verdict]int {
	some := map[result.Verdict]int{}
	for v, i := range n {
		if i != 0 {
			some[v] = i
		}
	}
	return some
}

// Every format counts what the JSON report counts, and names every rule that is not kept.
func TestAllFormatsCountAlike(t *testing.T) {
	for name, r := range map[string]result.Run{"all": sample(), "unstarted": unstarted()} {
		var want result.Run
		if err := json.Unmarshal([]byte(written(t, JSON, r)), &want); err != nil {
			t.Fatal(err)
		}
		for format, count := range counts {
			f, err := Lookup(format)
			if err != nil {
				t.Fatal(err)
			}
			out := written(t, f.Write, r)
			if got := count(t, out); fmt.Sprint(got) != fmt.Sprint(without0(want.Counts)) {
				t.Errorf("%s, %s: counted %v, want %v", name, format, got, without0(want.Counts))
			}
			for _, o := range want.Rules {
				if (o.Verdict == result.Fail || o.Verdict == result.Warn) && !strings.Contains(out, o.ID) {
					t.Errorf("%s does not name %s", format, o.ID)
				}
			}
			if !strings.Contains(strings.ToLower(out), string(want.Verdict)) {
				t.Errorf("%s does not say %s", format, want.Verdict)
			}
		}
	}
}

// What an agent says is shown and never obeyed.
func TestWhatAnAgentSaysIsNoMarkup(t *testing.T) {
	const evil = "<script>alert(1)</script>]]> `` ``` | ::error::x\n</pre><img src=x onerror=y> \x1b[2J &amp; \x00"
	r := sample()
	r.Agent.Command, r.Agent.Info, r.Problem, r.ExitReason = []string{evil}, &result.Info{Name: evil, Version: evil}, evil, evil
	for i := range r.Rules {
		o := &r.Rules[i]
		o.Reason = evil
		for j := range o.Evidence {
			ob := &o.Evidence[j]
			ob.Explanation, ob.Expected, ob.Actual = evil, evil, evil
			for k := range ob.Frames {
				ob.Frames[k].Line, ob.Frames[k].Base64 = evil, ""
			}
		}
	}
	page := written(t, HTML, r)
	for _, bad := range []string{"<script>alert", "<img", "\x1b", "\x00"} {
		if strings.Contains(page, bad) {
			t.Errorf("%q stands in the page", bad)
		}
	}
	if err := xml.Unmarshal([]byte(written(t, JUnit, r)), &junitSuites{}); err != nil {
		t.Errorf("the XML cannot be read: %v", err)
	}
	for _, l := range strings.Split(strings.TrimSpace(written(t, GitHub, r)), "\n") {
		if !strings.HasPrefix(l, "::error title=") && !strings.HasPrefix(l, "::warning title=") {
			t.Errorf("a line of its own: %q", l)
		}
	}
}

// The formats that show few numbers show the right ones.
func TestAnnotationsAndBadgesCountAlike(t *testing.T) {
	r := sample()
	annotations := written(t, GitHub, r)
	for line, want := range map[string]int{"::error ": r.Counts[result.Fail] + r.Counts[result.Error] + 1, "::warning ": r.Counts[result.Warn]} { // one for the run
		if n := strings.Count("\n"+annotations, "\n"+line); n != want {
			t.Errorf("%d annotations begin with %q, want %d", n, line, want)
		}
	}
	for verdict, n := range map[result.RunVerdict]int{result.Nonconformant: r.Counts[result.Fail], result.Conformant: r.Counts[result.Pass]} {
		r.Verdict = verdict
		for name, write := range map[string]func(io.Writer, result.Run) error{"JSON": BadgeJSON, "SVG": BadgeSVG} {
			if out := written(t, write, r); !strings.Contains(out, plural(n, "rule")) {
				t.Errorf("the %s badge of a %s run does not show %d: %s", name, verdict, n, out)
			}
		}
	}
}
