package reports

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/acp-conform/acp-conform/conformance/result"
)

// TextOptions say how the text report looks. The zero value is plain and short.
type TextOptions struct {
	Color   bool // with colour codes for a terminal
	Verbose bool // lists every rule, and every name and all of every line that the short form folds away
}

// Text writes the run for a person: counts by area, then what fails, what warns, what went wrong in the suite and what was
// not observed, and at the end the verdict, so that it is what stays on the screen. A run that came to nothing starts with
// what went wrong.
func Text(w io.Writer, r result.Run, o TextOptions) error {
	t := &text{TextOptions: o, Run: r}
	t.head()
	if !t.Survey.Handshake && t.Problem != "" && !t.Interrupt {
		t.line("")
		t.problem(0)
	}
	t.areas()
	t.findings(result.Fail)
	t.findings(result.Warn)
	t.errors()
	t.hangs()
	if t.Survey.Handshake { // else all rules lack the same
		t.folded(result.NotObserved, "Not observed")
	}
	t.folded(result.Skipped, "Skipped")
	if o.Verbose {
		t.every()
	}
	t.conclusion()
	_, err := w.Write(t.out.Bytes())
	return err
}

// text is a text report in the making.
type text struct {
	TextOptions
	result.Run
	out    bytes.Buffer
	legend bool // the signs of cited lines have been explained
}

func (t *text) line(format string, args ...any) {
	s := strings.TrimRight(fmt.Sprintf(format, args...), " ")
	t.out.WriteString(s + "\n")
}

// prose writes a text wrapped and indented; the first line starts with lead, which fills the indentation.
func (t *text) prose(indent int, lead, s string) {
	for _, l := range wrap(s, width-indent) {
		t.line("%-*s%s", indent, lead, Printable(l))
		lead = ""
	}
}

func (t *text) head() {
	name := "acp-conform"
	if v := t.Tool.Version; v != "" {
		name += " " + v
	}
	t.line("%s tested %s", name, Printable(strings.Join(t.Agent.Command, " ")))
	var about []string
	if i := t.Agent.Info; i != nil {
		about = append(about, strings.TrimSpace("the "+t.Who()+" calls itself "+Printable(i.Name+" "+i.Version)))
	}
	about = append(about, versions(t.Run))
	t.line("%s", strings.Join(about, "; "))
}

// tally counts verdicts.
type tally map[result.Verdict]int

// areas is the table of counts, in the order in which the areas first occur.
func (t *text) areas() {
	var order []string
	by := map[string]tally{}
	all := tally{}
	wide := len("area")
	for _, o := range t.Rules {
		if by[o.Area] == nil {
			by[o.Area] = tally{}
			order = append(order, o.Area)
			wide = max(wide, len(o.Area))
		}
		by[o.Area][o.Verdict]++
		all[o.Verdict]++
	}
	t.line("")
	head := fmt.Sprintf("  %-*s", wide, "area")
	for _, v := range result.Verdicts() {
		head += fmt.Sprintf("  %*s", max(5, len(v)), v)
	}
	t.line("%s", t.paint(dim, head))
	for _, area := range order {
		t.row(area, wide, by[area])
	}
	t.row("all", wide, all)
}

func (t *text) row(name string, wide int, n tally) {
	row := fmt.Sprintf("  %-*s", wide, name)
	for _, v := range result.Verdicts() {
		cell := fmt.Sprintf("  %*d", max(5, len(v)), n[v])
		switch {
		case n[v] == 0:
			cell = t.paint(dim, strings.Replace(cell, "0", ".", 1))
		default:
			cell = t.paint(colour(v), cell)
		}
		row += cell
	}
	t.line("%s", row)
}

func colour(v result.Verdict) string {
	switch v {
	case result.Pass:
		return green
	case result.Fail, result.Error:
		return red
	case result.Warn:
		return yellow
	}
	return ""
}

func (t *text) with(v result.Verdict) []result.Outcome {
	var out []result.Outcome
	for _, o := range t.Rules {
		if o.Verdict == v {
			out = append(out, o)
		}
	}
	return out
}

// title starts a section.
func (t *text) title(format string, args ...any) {
	t.line("")
	t.line("%s", t.paint(bold, fmt.Sprintf(format, args...)))
}

func (t *text) errors() {
	broken := t.with(result.Error)
	if len(broken) == 0 {
		return
	}
	t.title("Errors of the suite (%d), which say nothing of the %s", len(broken), t.Who())
	for _, o := range broken {
		t.line("")
		t.line("%s %s", t.paint(red, "ERROR"), t.paint(bold, o.ID))
		for l := range strings.SplitSeq(strings.TrimRight(o.Reason, "\n"), "\n") {
			t.line("  %s", Printable(strings.ReplaceAll(l, "\t", "  ")))
		}
		t.label("rerun", o.Rerun)
	}
}
