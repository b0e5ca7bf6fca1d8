package compare

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/acp-conform/acp-conform/conformance/result"
)

// titles are the kinds in words.
var titles = map[Kind]string{Worse: "Worse", Unseen: "No longer judged", Better: "Better", Seen: "Judged now", Gone: "Not in the newer run",
	New: "Not in the older run", Other: "Not judged, for another reason"}

// JSON writes the report for programs.
func JSON(w io.Writer, r Report) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(r)
}

// Text writes the report for a person; printable makes visible what a terminal would obey.
func Text(w io.Writer, r Report, printable func(string) string) error {
	var b strings.Builder
	line := func(format string, args ...any) { b.WriteString(printable(fmt.Sprintf(format, args...)) + "\n") }
	line("old  %s", r.Old)
	line("new  %s", r.New)
	for _, remark := range r.Remarks {
		line("     %s", remark)
	}
	last := Kind("")
	for _, c := range r.Changes {
		if c.Kind != last {
			line("")
			line("%s", titles[c.Kind])
			last = c.Kind
		}
		line("  %-44s %s", c.Rule, c.verdicts())
		if c.Why != "" && c.Kind != Better {
			line("    %s", c.Why)
		}
	}
	for _, part := range []struct {
		title string
		list  []Difference
	}{{"Capabilities", r.Capabilities}, {"Times", r.Timings}} {
		if len(part.list) > 0 {
			line("")
			line("%s", part.title)
		}
		for _, d := range part.list {
			line("  %-44s %s -> %s", d.What, orNone(d.Old), orNone(d.New))
		}
	}
	line("")
	line("%s", r.Conclusion())
	_, err := io.WriteString(w, b.String())
	return err
}

// String names a run.
func (s Side) String() string {
	name := s.Agent
	if s.Version != "" {
		name += " (" + s.Version + ")"
	}
	return fmt.Sprintf("%s: %s, %s", s.File, name, s.Verdict)
}

func (c Change) verdicts() string {
	switch {
	case c.Old == "" && c.Kind == Worse:
		return fmt.Sprintf("%s (not in the older run)", c.New)
	case c.Old == "":
		return string(c.New)
	case c.New == "":
		return "was " + string(c.Old)
	case c.Old == c.New:
		return string(c.New)
	}
	return fmt.Sprintf("%s -> %s", c.Old, c.New)
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

// Conclusion is the result in a sentence.
func (r Report) Conclusion() string {
	switch {
	case r.NotJudged != "" && r.Worse > 0:
		return "the new build was not judged: " + r.NotJudged + "; " + r.worse(" before that")
	case r.NotJudged != "":
		return "the new build was not judged: " + r.NotJudged
	case r.Worse > 0:
		return r.worse("")
	case len(r.Changes) == 0:
		return "no rule changed"
	}
	return "no rule became worse"
}

// worse is how many rules became worse. That some are not in the older run is said, because its selection may have been another one.
func (r Report) worse(when string) string {
	text := counted(r.Worse) + " became worse" + when
	switch {
	case r.Unlisted == 0:
		return text
	case r.Worse == 1:
		return text + ", which is not in the older run"
	case r.Unlisted == 1:
		return text + ", 1 of which is not in the older run"
	}
	return fmt.Sprintf("%s, %d of which are not in the older run", text, r.Unlisted)
}

func counted(rules int) string {
	if rules == 1 {
		return "1 rule"
	}
	return fmt.Sprintf("%d rules", rules)
}

// Markdown writes the report for a page that shows Markdown. escape makes a text of it in which nothing is markup.
func Markdown(w io.Writer, r Report, escape func(string) string) error {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	sign := "✅"
	if r.Failed() {
		sign = "❌"
	}
	line("## %s ACP: %s\n", sign, escape(r.Conclusion()))
	line("| | run |\n|---|---|\n| old | %s |\n| new | %s |", escape(r.Old.String()), escape(r.New.String()))
	for _, remark := range r.Remarks {
		line("\n%s", escape(remark))
	}
	if len(r.Changes) > 0 {
		line("\n| | rule | | |\n|---|---|---|---|")
	}
	for _, c := range r.Changes {
		line("| %s | %s | %s | %s |", strings.ToLower(titles[c.Kind]), escape(c.Rule), escape(c.verdicts()), escape(c.Why))
	}
	if len(r.Capabilities)+len(r.Timings) > 0 {
		line("\n| what | old | new |\n|---|---|---|")
	}
	for _, d := range append(append([]Difference{}, r.Capabilities...), r.Timings...) {
		line("| %s | %s | %s |", escape(d.What), escape(orNone(d.Old)), escape(orNone(d.New)))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Read reads the JSON report of a run. The error says what is wrong with the file.
func Read(name string, text []byte) (result.Run, error) {
	var r result.Run
	if err := json.Unmarshal(text, &r); err != nil {
		return r, fmt.Errorf("%s is no JSON report: %w", name, err)
	}
	if r.Schema != result.Schema {
		return r, fmt.Errorf("%s is no report of this suite: its schema is %q, not %q; make one with --report json=FILE", name, r.Schema, result.Schema)
	}
	if len(r.Rules) == 0 && !unmade(r.Verdict) { // a run that could not be made has none, and says so by its verdict
		return r, fmt.Errorf("%s has no rules, so that there is nothing to compare; make a report with --report json=FILE", name)
	}
	return r, nil
}
