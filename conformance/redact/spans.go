package redact

import (
	"cmp"
	"slices"
	"strings"
)

// span is a part of a text.
type span struct{ from, to int }

// merged are parts of a text in their order, of which those that overlap or touch are one: what several look for and find in part goes as
// a whole.
func merged(all []span) []span {
	slices.SortFunc(all, func(a, b span) int { return cmp.Or(a.from-b.from, a.to-b.to) })
	kept := all[:0]
	for _, p := range all {
		if last := len(kept) - 1; last >= 0 && p.from <= kept[last].to {
			kept[last].to = max(kept[last].to, p.to)
		} else {
			kept = append(kept, p)
		}
	}
	return kept
}

// rest is what stays of a part of a text if those are taken out that are known, which are merged; all tells whether none of them is in it.
func (p span) rest(s string, known []span) (text string, all bool) {
	var b strings.Builder
	i, _ := slices.BinarySearchFunc(known, p.from, func(k span, from int) int { return cmp.Compare(k.to, from+1) })
	from := p.from
	for ; i < len(known) && known[i].from < p.to; i++ {
		b.WriteString(s[from:max(from, known[i].from)])
		from = min(known[i].to, p.to)
	}
	b.WriteString(s[from:p.to])
	return b.String(), from == p.from
}

// without is a text with a mask in the place of some parts, which are merged.
func without(s string, parts []span) string {
	if len(parts) == 0 {
		return s
	}
	var b strings.Builder
	var json place
	done := 0
	for _, p := range parts {
		mask := Mask
		if number, ok := json.number(s, p); ok { // a line of JSON stays one
			p, mask = number, `"`+Mask+`"`
		}
		if p.to <= done {
			continue
		}
		b.WriteString(s[done:max(p.from, done)])
		b.WriteString(mask)
		done = p.to
	}
	b.WriteString(s[done:])
	return b.String()
}

// place is a place in a text that may have lines of JSON.
type place struct {
	at       int
	began    bool // something but blanks is before it in its line
	json     bool // the line begins like JSON
	inString bool
}

// number is the number of JSON that a part of a text is, or is in.
func (j *place) number(s string, p span) (span, bool) {
	const digits, blank = "+-.0123456789Ee", " \t"
	if strings.Trim(s[p.from:p.to], digits) != "" {
		return p, false
	}
	from := p.from
	for p.from > 0 && from-p.from < longestName && strings.IndexByte(digits, s[p.from-1]) >= 0 {
		p.from--
	}
	for p.to < len(s) && p.to-from < longestName && strings.IndexByte(digits, s[p.to]) >= 0 {
		p.to++
	}
	before, after := p.from, p.to
	for before > 0 && strings.IndexByte(blank, s[before-1]) >= 0 {
		before--
	}
	for after < len(s) && strings.IndexByte(blank, s[after]) >= 0 {
		after++
	}
	if before == 0 || strings.IndexByte(":,[", s[before-1]) < 0 || after < len(s) && strings.IndexByte(",}]", s[after]) < 0 {
		return p, false
	}
	j.advance(s, p.from)
	return p, j.json && !j.inString
}

// advance goes on to a place, each time from the last one: no text may be gone through twice.
func (j *place) advance(s string, to int) {
	for ; j.at < to; j.at++ {
		switch c := s[j.at]; {
		case c == '\n':
			*j = place{at: j.at}
		case c == ' ' || c == '\t':
		case !j.began:
			j.began, j.json, j.inString = true, c == '{' || c == '[', c == '"'
		case c == '\\' && j.inString:
			j.at++
		case c == '"':
			j.inString = !j.inString
		}
	}
}
