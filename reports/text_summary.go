package reports

import (
	"fmt"
	"slices"
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
		if v == result.NotObserved || t.Verbose {
			t.prose(9, "", t.names(g))
		}
	}
	if owed > 0 {
		t.line("       * a MUST that any agent offers an occasion for: the run is incomplete without it")
	}
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

// conclusion is the verdict in words, why the exit code is what it is, and what went wrong if the run came to nothing.
func (t *text) conclusion() {
	t.line("")
	c := map[result.RunVerdict]string{result.Conformant: green, result.Nonconformant: red}[t.Run.Verdict]
	if c == "" {
		c = yellow
	}
	t.line("%s: %s", t.paint(c, t.paint(bold, strings.ToUpper(string(t.Run.Verdict)))), t.words())
	if t.Problem != "" {
		t.problem()
	}
	t.line("%s", t.facts())
	exit := fmt.Sprintf("exit code %d", t.ExitCode)
	if t.ExitReason != "" {
		exit += ": " + printable(t.ExitReason)
	}
	t.line("%s", exit)
}

// words say what the verdict of the run means.
func (t *text) words() string {
	n := func(v result.Verdict) int { return len(t.with(v)) }
	concluded := n(result.Pass) + n(result.Fail) + n(result.Warn)
	switch t.Run.Verdict {
	case result.Conformant:
		return fmt.Sprintf("the agent keeps the %s that could be judged%s", rules(concluded), alsoWarned(n(result.Warn)))
	case result.Incomplete:
		return fmt.Sprintf("nothing fails, but not all that any agent has to show was seen%s", alsoWarned(n(result.Warn)))
	case result.Nonconformant:
		return fmt.Sprintf("the agent breaks %d of the %s that could be judged%s", n(result.Fail), rules(concluded), alsoWarned(n(result.Warn)))
	case result.Interrupted:
		return fmt.Sprintf("the run was stopped; %s had concluded by then, %d of them with a failure", rules(concluded), n(result.Fail))
	}
	return "this run does not tell whether the agent conforms"
}

func alsoWarned(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("; %s", plural(n, "warning"))
}

func rules(n int) string { return plural(n, "rule") }

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func (t *text) problem() {
	for i, l := range strings.Split(strings.TrimRight(t.Problem, "\n"), "\n") {
		if i == 0 {
			t.prose(2, "", l)
			continue
		}
		t.line("    %s", printable(l))
	}
}

// facts are the numbers of the run.
func (t *text) facts() string {
	facts := []string{(time.Duration(t.DurationMs) * time.Millisecond).String(), plural(t.Prompts, "prompt") + " sent"}
	if t.LeftBehind > 0 {
		facts = append(facts, plural(t.LeftBehind, "session")+" of this run left behind in the agent")
	}
	if t.Transcript != "" {
		facts = append(facts, "transcripts in "+printable(t.Transcript))
	}
	return strings.Join(facts, ", ")
}
