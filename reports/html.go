package reports

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"strings"
	"time"

	"github.com/acp-conform/acp-conform/conformance/result"
)

//go:embed html
var parts embed.FS

// part is a part of the page.
func part(name string) string {
	b, err := parts.ReadFile("html/page." + name)
	if err != nil {
		panic(err) // it is embedded
	}
	return string(b)
}

// page is what the template shows of a run.
type page struct {
	result.Run
	Style        template.CSS
	Script       template.JS
	Who, Words   string
	Command      string
	Version      string // that was agreed on, "" = none
	Took         string
	Day          string // when it was tested, to the second
	ShowTimeline bool   // it tells most where there is little else
	Score        string
	Tally        []tallied
	Unseen       []unseen
	Timeline     []template.HTML
	Stuck        []template.HTML
	Areas        []areaOfPage
	Missing      string // what of the page was left out
	room
}

type tallied struct {
	Verdict result.Verdict
	N       int
}

type unseen struct {
	Verdict result.Verdict
	Reason  string
	IDs     []string
}

type moment struct{ At, What, Kind string }

type areaOfPage struct {
	Name, Score string
	Rules       []template.HTML
}

type ruleOfPage struct {
	result.Outcome
	Open, Bare bool // Bare: with nothing but its line
	Findings   []finding
}

// HTML writes the run as one page that needs nothing else: no network, and no scripts but for its filters.
func HTML(w io.Writer, r result.Run) error {
	t, err := template.New("page").Parse(part("html"))
	if err != nil {
		return err
	}
	r = abridged(complete(r))
	p := &page{Run: r, room: room{t: t}, Style: template.CSS(part("css")), Script: template.JS(part("js")), Who: r.Who(), Words: wordsOf(r), Command: Printable(strings.Join(r.Agent.Command, " ")),
		Version: agreed(r), Took: (time.Duration(r.DurationMs) * time.Millisecond).String()}
	p.Score = scoreOf(r.Counts)
	p.Day, p.ShowTimeline = dayOf(r.StartedAt), r.Verdict == result.Inconclusive
	for _, v := range result.Verdicts() {
		p.Tally = append(p.Tally, tallied{v, r.Counts[v]})
	}
	p.unseen()
	p.areas()
	p.fill()
	whole := p.render("page", p) // a template that fails has written nothing
	if p.err != nil {
		return p.err
	}
	_, err = io.WriteString(w, string(whole))
	return err
}

// visible shows what a reader would obey or drop, such as control characters; lines stay lines.
func visible(s string) string {
	all := strings.Split(s, "\n")
	for i, l := range all {
		all[i] = Printable(l)
	}
	return strings.Join(all, "\n")
}

// dayOf is a time of RFC 3339 to the second, for a person.
func dayOf(at string) string {
	t, err := time.Parse(time.RFC3339Nano, at)
	if err != nil {
		return at
	}
	return t.UTC().Format("2006-01-02 15:04:05 UTC")
}

// wordsOf says what the verdict means.
func wordsOf(r result.Run) string { return (&text{Run: r}).words() }

// scoreOf lists how many rules have each verdict, for whoever cannot see the bar.
func scoreOf(counts map[result.Verdict]int) string {
	var parts []string
	for _, v := range result.Verdicts() {
		if n := counts[v]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, v))
		}
	}
	return strings.Join(parts, ", ")
}

func (p *page) unseen() {
	for _, v := range []result.Verdict{result.NotObserved, result.Skipped} {
		for _, g := range groups((&markdown{Run: p.Run}).with(v), false) {
			p.Unseen = append(p.Unseen, unseen{v, Printable(cutRunes(g.reason, 200)), g.ids})
		}
	}
}

func (p *page) areas() {
	at := map[string]int{}
	counts := map[string]map[result.Verdict]int{}
	for _, o := range p.Rules {
		i, ok := at[o.Area]
		if !ok {
			i = len(p.Areas)
			at[o.Area], counts[o.Area] = i, map[result.Verdict]int{}
			p.Areas = append(p.Areas, areaOfPage{Name: o.Area})
		}
		counts[o.Area][o.Verdict]++
		p.Areas[i].Score = scoreOf(counts[o.Area])
	}
}

func (p *page) rule(o result.Outcome, raw bool) ruleOfPage {
	r := ruleOfPage{Outcome: o, Open: o.Verdict == result.Fail || o.Verdict == result.Error}
	r.Reason, r.Title = lines(o.Reason), Printable(o.Title)
	for _, ob := range o.Evidence {
		r.Findings = append(r.Findings, p.finding(ob, raw))
	}
	return r
}

// indented is JSON over several lines; what is no JSON stays as it is.
func indented(line string) (string, bool) {
	var b bytes.Buffer
	if json.Indent(&b, []byte(line), "", "  ") != nil {
		return lines(line), false
	}
	return lines(b.String()), true
}
