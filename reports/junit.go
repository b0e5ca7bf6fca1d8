package reports

import (
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/acp-conform/acp-conform/conformance/result"
)

// The elements of JUnit XML that the common readers agree on: one suite for each area, one case for each rule, and before
// them one for the run where it failed for a reason of its own.
type (
	junitSuites struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Name     string       `xml:"name,attr"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Errors   int          `xml:"errors,attr"`
		Time     string       `xml:"time,attr"`
		Suites   []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name       string          `xml:"name,attr"`
		Tests      int             `xml:"tests,attr"`
		Failures   int             `xml:"failures,attr"`
		Errors     int             `xml:"errors,attr"`
		Skipped    int             `xml:"skipped,attr"`
		Time       string          `xml:"time,attr"`
		Timestamp  string          `xml:"timestamp,attr,omitempty"`
		Properties []junitProperty `xml:"properties>property,omitempty"`
		Cases      []junitCase     `xml:"testcase"`
		Out        string          `xml:"system-out,omitempty"`
		millis     int64
	}
	junitProperty struct {
		Name  string `xml:"name,attr"`
		Value string `xml:"value,attr"`
	}
	junitCase struct {
		Class   string        `xml:"classname,attr"`
		Name    string        `xml:"name,attr"`
		Time    string        `xml:"time,attr"`
		Skipped *junitSkipped `xml:"skipped"`
		Error   *junitProblem `xml:"error"`
		Failure *junitProblem `xml:"failure"`
		Out     string        `xml:"system-out,omitempty"`
	}
	junitSkipped struct {
		Message string `xml:"message,attr"`
	}
	junitProblem struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr"`
		Text    string `xml:",chardata"`
	}
)

// JUnit writes the run as JUnit XML, for CI systems: a failed rule is a failure, an error of the suite an error, a rule that was skipped
// or not observed is skipped with its reason, and so is one that fails as the baseline says; what a warning or a note says stands in the
// output of its case. What no rule can show, such as an agent that never came, is a case of its own, so that whoever reads cases sees red
// where the exit code is not 0, and only there.
func JUnit(w io.Writer, r result.Run) error {
	all := junitSuites{Name: "acp-conform " + strings.Join(r.Agent.Command, " "), Time: seconds(r.DurationMs), Suites: append(aboutRun(r), areasOf(r)...)}
	for i := range all.Suites {
		s := &all.Suites[i]
		if i == 0 {
			s.Out = unlisted(r)
		}
		all.Tests, all.Failures, all.Errors = all.Tests+s.Tests, all.Failures+s.Failures, all.Errors+s.Errors
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// areasOf are the suites of the rules, one for each area.
func areasOf(r result.Run) (all []junitSuite) {
	at := map[string]int{}
	for _, o := range r.Rules {
		i, ok := at[o.Area]
		if !ok {
			i = len(all)
			at[o.Area] = i
			all = append(all, junitSuite{Name: o.Area, Timestamp: junitTime(r.StartedAt), Properties: verdictOfRun(r)})
		}
		s := &all[i]
		s.add(o)
		s.wait(r.Hangs, o.ID)
		s.Time = seconds(s.millis)
	}
	return all
}

// junitTime is a time as JUnit has it: without an offset.
func junitTime(at string) string { return strings.TrimSuffix(at, "Z") }

func seconds(millis int64) string { return fmt.Sprintf("%.3f", float64(millis)/1000) }

// knownFailure begins the message of a case whose rule fails as the baseline says.
const knownFailure = "known failure: "

func (s *junitSuite) add(o result.Outcome) {
	c := junitCase{Class: "acp-conform." + o.Area, Name: o.ID, Time: seconds(o.DurationMs)}
	s.Tests++
	s.millis += o.DurationMs
	switch known := o.Known != ""; o.Verdict {
	case result.Fail:
		if known {
			s.Skipped++
			c.Skipped = &junitSkipped{Message: knownFailure + Printable(o.Known)}
			c.Out = account(o, result.Failed, result.Warned, result.Noted)
			break
		}
		s.Failures++
		c.Failure = &junitProblem{Message: firstExplanation(o), Type: o.Level, Text: "\n" + account(o, result.Failed)}
		c.Out = account(o, result.Warned, result.Noted)
	case result.Error:
		s.Errors++
		c.Error = &junitProblem{Message: firstLine(o.Reason), Type: "suite", Text: "\n" + Printable(o.Title) + "\n" + lines(o.Reason)}
	case result.Skipped, result.NotObserved:
		s.Skipped++
		c.Skipped = &junitSkipped{Message: string(o.Verdict) + ": " + Printable(firstLine(o.Reason))}
	case result.Warn:
		c.Out = "warning\n" + account(o, result.Warned, result.Noted)
	default:
		c.Out = account(o, result.Noted)
	}
	s.Cases = append(s.Cases, c)
}

// wait tells in the output of the last case where its rule waited in vain.
func (s *junitSuite) wait(hangs []result.Hang, rule string) {
	out := &s.Cases[len(s.Cases)-1].Out
	for _, h := range hangs {
		if h.Rule == rule {
			*out += plight(h)
		}
	}
}

// unlisted tells where what is no rule of the run waited in vain, such as the survey, and what could be done better.
func unlisted(r result.Run) (out string) {
	for _, h := range r.Hangs {
		if !slices.ContainsFunc(r.Rules, func(o result.Outcome) bool { return o.ID == h.Rule }) {
			out += Printable(h.Rule) + " " + plight(h)
		}
	}
	for _, h := range r.Hints {
		out += "hint: " + Printable(h) + "\n"
	}
	return out
}

// firstExplanation is the first observation of the worst severity.
func firstExplanation(o result.Outcome) string {
	for _, severity := range []result.Severity{result.Failed, result.Warned, result.Noted} {
		for _, ob := range o.Evidence {
			if ob.Severity == severity {
				return Printable(ob.Explanation)
			}
		}
	}
	return Printable(firstLine(o.Reason))
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// lines makes a text of several lines printable.
func lines(s string) string {
	var out []string
	for _, l := range strings.Split(strings.TrimRight(s, "\n"), "\n") {
		out = append(out, Printable(l))
	}
	return strings.Join(out, "\n")
}

// account tells in plain text what was seen of a rule, with the lines that prove it; "" where nothing of these severities was.
func account(o result.Outcome, of ...result.Severity) string {
	var b strings.Builder
	for _, ob := range o.Evidence {
		for _, severity := range of {
			if ob.Severity == severity {
				observed(&b, ob)
			}
		}
	}
	if b.Len() == 0 {
		return ""
	}
	head := Printable(o.Title) + "\n"
	tail := ""
	for _, l := range [][2]string{{"more", unshown(o)}, {"advice", o.Advice}, {"reference", o.Ref}, {"rerun", o.Rerun}} {
		if l[1] != "" {
			tail += fmt.Sprintf("%-9s %s\n", l[0], Printable(l[1]))
		}
	}
	return head + b.String() + tail
}

// unshown says how many observations of a rule its evidence does not hold, "" where it holds all.
func unshown(o result.Outcome) string {
	if o.Suppressed == 0 {
		return ""
	}
	return plural(o.Suppressed, "further observation") + " of these kinds not shown"
}

func observed(b *strings.Builder, ob result.Observation) {
	fmt.Fprintf(b, "- %s\n", Printable(ob.Explanation))
	for _, l := range [][2]string{{"expected", ob.Expected}, {"found", ob.Actual}, {"oracle", ob.Oracle}, {"control", ob.Control}} {
		if l[1] != "" {
			fmt.Fprintf(b, "  %-9s %s\n", l[0], Printable(l[1]))
		}
	}
	for _, f := range ob.Frames {
		fmt.Fprintf(b, "  %s %s\n", lane(f), said(f))
	}
}

// lane is who said a line, and its number.
func lane(f result.Frame) string {
	mark := map[string]string{"client": ">", "agent": "<", "agent-stderr": "!", "suite": "#"}[f.From]
	return fmt.Sprintf("%s %d", mark, f.Seq)
}

// said is a line as it can be shown.
func said(f result.Frame) string {
	line := Printable(f.Line)
	if f.Base64 != "" {
		line = "base64 " + f.Base64
	}
	if f.Cut > 0 {
		line += fmt.Sprintf(" … (%d more bytes)", f.Cut)
	}
	if f.Deliberate {
		line += " (bad on purpose)"
	}
	return line
}
