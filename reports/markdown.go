package reports

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/acp-conform/acp-conform/conformance/result"
)

// markdownMost is how many bytes a Markdown report has at most: the summary of a step on GitHub takes one MiB. Findings beyond it are
// counted, not shown.
const markdownMost = 900 << 10

// Markdown writes the run for a page that shows Markdown with HTML in it, such as the summary of a CI step or a comment.
func Markdown(w io.Writer, r result.Run) error {
	m := &markdown{Run: abridged(r)}
	m.head()
	m.findings("Broken rules", result.Fail, true)
	m.findings("Errors of the suite", result.Error, true)
	m.findings("Warnings", result.Warn, false)
	m.hangs()
	m.reasons("Not observed", result.NotObserved)
	m.reasons("Skipped", result.Skipped)
	m.foot()
	_, err := w.Write(m.b.Bytes())
	return err
}

type markdown struct {
	result.Run
	b bytes.Buffer
}

func (m *markdown) line(format string, args ...any) { fmt.Fprintf(&m.b, format+"\n", args...) }

func (m *markdown) head() {
	// The sign is that of the exit code: a step that failed must not look green, whatever became of the agent.
	sign := map[int]string{result.ExitOK: "✅", result.ExitFailed: "❌"}[m.ExitCode]
	if sign == "" {
		sign = "⚠️"
	}
	m.line("## %s ACP: %s", sign, m.Verdict)
	m.line("")
	about := code(strings.Join(m.Agent.Command, " "))
	if i := m.Agent.Info; i != nil {
		about += ", which calls itself " + plainText(strings.TrimSpace(i.Name+" "+i.Version))
	}
	m.line("%s; %s; exit code %d%s.", about, versions(m.Run), m.ExitCode, after(": ", plainText(strings.TrimSuffix(m.ExitReason, "."))))
	if m.Problem != "" {
		m.line("\n%s", fenced(lines(m.Problem)))
	}
	m.line("\n| %s |", strings.Join(verdictNames(), " | "))
	m.line("|%s", strings.Repeat("---:|", len(result.Verdicts())))
	var counts []string
	for _, v := range result.Verdicts() {
		counts = append(counts, fmt.Sprint(m.Counts[v]))
	}
	m.line("| %s |", strings.Join(counts, " | "))
}

func verdictNames() []string {
	var names []string
	for _, v := range result.Verdicts() {
		names = append(names, string(v))
	}
	return names
}

// after is a text behind another, "" where there is none.
func after(lead, s string) string {
	if s == "" {
		return ""
	}
	return lead + s
}

func (m *markdown) with(v result.Verdict) (all []result.Outcome) {
	for _, o := range m.Rules {
		if o.Verdict == v {
			all = append(all, o)
		}
	}
	return all
}

// findings shows the rules of a verdict with their evidence, unfolded or not, for as long as there is room.
func (m *markdown) findings(title string, v result.Verdict, open bool) {
	list := m.with(v)
	if len(list) == 0 {
		return
	}
	m.line("\n### %s (%d)\n", title, len(list))
	m.some(len(list), "rule", func(i int) { m.finding(list[i], open) })
}

// hangs shows where the run waited in vain, the longest waits first.
func (m *markdown) hangs() {
	if len(m.Hangs) == 0 {
		return
	}
	m.line("\n### Waited in vain (%d)\n", len(m.Hangs))
	all := longest(m.Hangs)
	m.some(len(all), "wait", func(i int) {
		m.line("<details><summary><code>%s</code> %s</summary>\n", htmlText(all[i].Rule), htmlText(waited(all[i])))
		m.line("%s\n</details>\n", fenced(strings.TrimRight(plight(all[i]), "\n")))
	})
}

// some shows n things, for as long as there is room.
func (m *markdown) some(n int, noun string, show func(i int)) {
	for i := range n {
		before := m.b.Len()
		show(i)
		if m.b.Len() > markdownMost {
			m.b.Truncate(before)
			m.line("\n%s more: see another report.", plural(n-i, noun))
			return
		}
	}
}

func (m *markdown) finding(o result.Outcome, open bool) {
	attribute := ""
	if open {
		attribute = " open"
	}
	m.line("<details%s><summary><code>%s</code> (%s): %s</summary>\n", attribute, htmlText(o.ID), htmlText(o.Level), htmlText(o.Title))
	if text := account(o, result.Failed, result.Warned); text != "" {
		m.line("%s", fenced(strings.TrimRight(text, "\n")))
	} else {
		m.line("%s", fenced(lines(o.Reason)))
	}
	if o.Known != "" {
		m.line("Known: %s\n", plainText(o.Known))
	}
	if o.Ref != "" {
		m.line("[specification](%s)", o.Ref)
	}
	m.line("\n</details>\n")
}

// reasons lists the rules of a verdict by their reasons.
func (m *markdown) reasons(title string, v result.Verdict) {
	list := m.with(v)
	if len(list) == 0 {
		return
	}
	m.line("\n<details><summary>%s (%d)</summary>\n", title, len(list))
	m.line("| rules | reason |")
	m.line("|---|---|")
	owed := 0
	all := groups(list, v == result.NotObserved)
	m.some(len(all), "reason", func(i int) {
		owed += all[i].owed
		var ids []string
		for _, id := range all[i].ids {
			ids = append(ids, code(id))
		}
		m.line("| %s | %s |", strings.Join(ids, " "), plainText(all[i].reason))
	})
	if owed > 0 {
		m.line("\n\\* %s", owedMark(m.Who()))
	}
	m.line("\n</details>")
}

func (m *markdown) foot() {
	for _, h := range m.Hints {
		m.line("\nHint: %s", plainText(h))
	}
	m.line("\n%s %s, %s, %s", m.Tool.Name, m.Tool.Version, plural(m.Prompts, "prompt")+" sent", fmt.Sprintf("%d ms", m.DurationMs))
}

// backticks are the runs of backticks in a text.
var backticks = regexp.MustCompile("`+")

// code is a text in code font, whatever is in it.
func code(s string) string {
	s = strings.ReplaceAll(Printable(s), "|", `\|`)
	fence := fenceFor(s, 1)
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") || s == "" {
		s = " " + s + " "
	}
	return fence + s + fence
}

// fenced is a block of text as it is.
func fenced(s string) string {
	fence := fenceFor(s, 3)
	return fence + "text\n" + s + "\n" + fence + "\n"
}

// fenceFor is a run of at least n backticks that is longer than any in the text.
func fenceFor(s string, n int) string {
	for _, run := range backticks.FindAllString(s, -1) {
		n = max(n, len(run)+1)
	}
	return strings.Repeat("`", n)
}

// plainText is a text in which nothing is markup.
func plainText(s string) string {
	var b strings.Builder
	for _, r := range Printable(s) {
		if strings.ContainsRune("\\`*_{}[]()<>#|~@&", r) {
			fmt.Fprintf(&b, "&#%d;", r)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// MarkdownText is a text of Markdown, also in a cell of a table, in which nothing is markup.
func MarkdownText(s string) string { return plainText(s) }

// htmlText is a text inside of HTML that stands in Markdown.
func htmlText(s string) string { return plainText(s) }
