package reports

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/acp-conform/acp-conform/conformance/result"
)

// shownNames is how many rules of one reason the short form names.
const shownNames = 8

// group is the rules that have one reason in common.
type group struct {
	reason string
	owed   int // of these the suite owed an occasion
	ids    []string
}

// folded lists the rules of a verdict by their reasons, the most frequent first. Where the suite owed an occasion, the rule
// is marked: it is what makes a run incomplete.
func (t *text) folded(v result.Verdict, title string) {
	list := t.with(v)
	if len(list) == 0 {
		return
	}
	t.title("%s (%d)", title, len(list))
	owed := 0
	for _, g := range groups(list, v == result.NotObserved) {
		owed += g.owed
		t.prose(7, fmt.Sprintf("%5d", len(g.ids)), g.reason)
		t.prose(9, "", t.names(g))
	}
	if owed > 0 {
		t.line("       * %s", owedMark(t.Who()))
	}
}

// owedMark says what the star behind the id of a rule means.
func owedMark(who string) string {
	return "a MUST that any " + who + " offers an occasion for: the run is incomplete without it"
}

func (t *text) names(g group) string {
	ids := g.ids
	if !t.Verbose && len(ids) > shownNames+1 {
		ids = append(slices.Clone(ids[:shownNames]), fmt.Sprintf("and %d more (--verbose names them)", len(ids)-shownNames))
	}
	return strings.Join(ids, ", ")
}

func groups(list []result.Outcome, mark bool) []group {
	var out []group
	for _, o := range list {
		reason, _, _ := strings.Cut(o.Reason, "\n")
		if reason == "" {
			reason = "no reason is given"
		}
		i := slices.IndexFunc(out, func(g group) bool { return g.reason == reason })
		if i < 0 {
			i = len(out)
			out = append(out, group{reason: reason})
		}
		if mark && o.Owed {
			out[i].ids = slices.Insert(out[i].ids, out[i].owed, o.ID+"*")
			out[i].owed++
		} else {
			out[i].ids = append(out[i].ids, o.ID)
		}
	}
	slices.SortStableFunc(out, func(a, b group) int { return len(b.ids) - len(a.ids) })
	return out
}

// conclusion is the verdict in words, why the exit code is what it is, and what went wrong if that has not been said. The
// problem of an interrupted run is nobody's but that it was interrupted.
func (t *text) conclusion() {
	t.line("")
	c := map[result.RunVerdict]string{result.Conformant: green, result.Nonconformant: red}[t.Run.Verdict]
	if c == "" {
		c = yellow
	}
	t.line("%s: %s", t.paint(c, t.paint(bold, strings.ToUpper(string(t.Run.Verdict)))), t.words())
	if t.Problem != "" && t.Survey.Handshake && !t.Interrupt {
		t.problem(2)
	}
	for _, h := range t.Hints {
		t.prose(6, "hint:", h)
	}
	t.line("%s", t.facts())
	t.compared()
	exit := fmt.Sprintf("exit code %d", t.ExitCode)
	if t.ExitReason != "" {
		exit += ": " + Printable(t.ExitReason)
	}
	t.line("%s", exit)
}

// words say what the verdict of the run means.
func (t *text) words() string {
	switch t.Run.Verdict {
	case result.Conformant:
		return t.score("none broken")
	case result.Incomplete:
		return t.score("none broken") + ", but not all that any " + t.Who() + " has to show was seen"
	case result.Nonconformant:
		return t.score("")
	case result.Interrupted:
		if s := t.score(""); s != "" {
			return "the run was stopped; until then " + s
		}
		return "the run was stopped before a rule was judged"
	}
	return "this run does not tell whether the " + t.Who() + " conforms"
}

// score counts the rules that concluded, the worst first; those that only warned are neither kept nor broken.
func (t *text) score(last string) string {
	var parts []string
	if n := len(t.with(result.Fail)); n > 0 {
		parts = append(parts, plural(n, "rule")+" broken")
	}
	if n := len(t.with(result.Warn)); n > 0 {
		parts = append(parts, plural(n, "warning"))
	}
	if n := len(t.with(result.Pass)); n > 0 {
		parts = append(parts, plural(n, "rule")+" kept")
	}
	if last != "" { // nothing is bad
		slices.Reverse(parts)
		parts = append(parts, last)
	}
	return strings.Join(parts, ", ")
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// problem is what went wrong; what it quotes is indented further.
func (t *text) problem(indent int) {
	for i, l := range strings.Split(strings.TrimRight(t.Problem, "\n"), "\n") {
		if i == 0 {
			t.prose(indent, "", l)
			continue
		}
		t.line("%*s%s", indent+2, "", Printable(l))
	}
}

// facts are the numbers of the run.
func (t *text) facts() string {
	facts := []string{(time.Duration(t.DurationMs) * time.Millisecond).String(), plural(t.Prompts, "prompt") + " sent"}
	if t.LeftBehind > 0 {
		facts = append(facts, plural(t.LeftBehind, "session")+" of this run left behind in the agent")
	}
	if t.Transcript != "" {
		facts = append(facts, "transcripts in "+Printable(t.Transcript))
	}
	if t.TranscriptProblem != "" {
		facts = append(facts, "which are not complete ("+Printable(t.TranscriptProblem)+")")
	}
	return strings.Join(facts, ", ")
}

// compared says how much of what was said has been held against the definitions of the protocol, and what came of it.
func (t *text) compared() {
	f := t.Frames
	if f.Checked+f.Extensions+f.Undefined+f.Unreadable == 0 {
		return
	}
	verdict := ""
	switch {
	case f.Checked > 0 && f.Invalid == 0:
		verdict = ": all valid"
	case f.Checked > 0:
		verdict = ": " + grouped(f.Invalid) + " not valid"
	}
	var rest []string
	if f.Extensions > 0 {
		rest = append(rest, grouped(f.Extensions)+" of extensions")
	}
	if f.Undefined > 0 {
		rest = append(rest, grouped(f.Undefined)+" that it does not define")
	}
	if f.Unreadable > 0 {
		rest = append(rest, grouped(f.Unreadable)+" unreadable")
	}
	if len(rest) > 0 {
		verdict += "; not compared: " + strings.Join(rest, ", ")
	}
	noun := "frames"
	if f.Checked == 1 {
		noun = "frame"
	}
	edition := f.Edition
	if f.Source != "" {
		edition += " of " + f.Source
	}
	t.line("%s %s compared with edition %s%s", grouped(f.Checked), noun, Printable(edition), verdict)
}

// grouped writes a number with commas between its thousands.
func grouped(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
