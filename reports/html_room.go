package reports

import (
	"bytes"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"github.com/acp-conform/acp-conform/conformance/result"
)

// htmlMost is how many bytes a page has at most, so that it can be mailed and opened anywhere: 1 MB. What would not fit is left out,
// which the page says: first the raw lines of a rule, then all but its line; the rules that are not kept have the first claim.
const htmlMost = 1_000_000

// spare are bytes for what stands around the parts, such as the titles of sections.
const spare = 4 << 10

// room counts what is really written, with its markup and all that is escaped.
type room struct {
	t    *template.Template
	left int
	err  error
}

// render is a part of the page as it is written.
func (r *room) render(name string, data any) template.HTML {
	var b bytes.Buffer
	t := r.t.Lookup(name)
	if err := t.Execute(&b, data); err != nil {
		r.err = err
	}
	return template.HTML(visible(b.String()))
}

// fits takes the first of some forms of a part for which there is room; old is how many bytes it takes the place of.
func (r *room) fits(old int, forms ...func() template.HTML) (template.HTML, bool) {
	for _, form := range forms {
		if part := form(); len(part)-old <= r.left {
			r.left -= len(part) - old
			return part, true
		}
	}
	return "", false
}

// fill gives the parts their room: a line to every rule, then all to those that are not kept, to the waits, to the other rules and to
// the timeline.
func (p *page) fill() {
	p.left = htmlMost - spare - len(p.render("page", p))
	lines := make([]template.HTML, len(p.Rules))
	for i, o := range p.Rules {
		lines[i] = p.render("rule", ruleOfPage{Outcome: o, Bare: true})
		p.left -= len(lines[i])
	}
	grow := func(of ...result.Verdict) {
		for i, o := range p.Rules {
			if slices.Contains(of, o.Verdict) {
				form := func(raw bool) func() template.HTML {
					return func() template.HTML { return p.render("rule", p.rule(o, raw)) }
				}
				if part, ok := p.fits(len(lines[i]), form(true), form(false)); ok {
					lines[i] = part
				}
			}
		}
	}
	grow(result.Fail, result.Error, result.Warn)
	p.waits()
	grow(result.Pass, result.Skipped, result.NotObserved)
	p.moments()
	for i, o := range p.Rules {
		a := slices.IndexFunc(p.Areas, func(a areaOfPage) bool { return a.Name == o.Area })
		p.Areas[a].Rules = append(p.Areas[a].Rules, lines[i])
	}
}

func (p *page) waits() {
	for i, h := range p.Hangs {
		form := func(raw bool) func() template.HTML {
			return func() template.HTML { return p.render("stuck", p.hang(h, raw)) }
		}
		part, ok := p.fits(-1, form(true), form(false))
		if !ok {
			p.Missing = plural(len(p.Hangs)-i, "wait") + " in vain"
			return
		}
		p.Stuck = append(p.Stuck, part)
	}
}

func (p *page) moments() {
	for _, m := range p.Run.Timeline {
		part, ok := p.fits(0, func() template.HTML {
			return p.render("moment", moment{fmt.Sprintf("%.3f s", float64(m.AtMs)/1000), Printable(m.What), m.Kind})
		})
		if !ok {
			p.Missing += after(strings.Repeat(" and ", min(1, len(p.Missing))), "the rest of the timeline")
			return
		}
		p.Timeline = append(p.Timeline, part)
	}
}

// longestText is how many bytes a text about the whole run, or the reason of many rules, may have on a page for people.
const longestText = 4 << 10

// abridged cuts what stands at the head of a page and may be long, such as a command line. It changes nothing of r.
func abridged(r result.Run) result.Run {
	r.Agent.Command = []string{abridge(strings.Join(r.Agent.Command, " "))}
	if i := r.Agent.Info; i != nil {
		r.Agent.Info = &result.Info{Name: abridge(i.Name), Version: abridge(i.Version)}
	}
	r.Problem, r.ExitReason, r.Transcript = abridge(r.Problem), abridge(r.ExitReason), abridge(r.Transcript)
	r.Hints = slices.Clone(r.Hints)
	for i, h := range r.Hints {
		r.Hints[i] = abridge(h)
	}
	return r
}

func abridge(s string) string {
	if len(s) <= longestText {
		return s
	}
	return fmt.Sprintf("%s … (%d more bytes: see the JSON report)", strings.ToValidUTF8(s[:longestText], ""), len(s)-longestText)
}
