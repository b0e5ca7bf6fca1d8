package main

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/acp-conform/acp-conform/reports"
	"github.com/acp-conform/acp-conform/schemas"
)

// mostNotes is how many notes of one file are printed as text.
const mostNotes = 20

// word is the verdict in a word or two.
func (v verdict) word() string {
	has := func(is func(listedFinding) bool) bool { return slices.ContainsFunc(v.Findings, is) }
	switch {
	case v.Valid:
		return "VALID"
	case v.beyondLimits():
		return "NOT JUDGED, because a limit of this program is exceeded"
	case !has(func(f listedFinding) bool { return f.Tolerated == "" }):
		return "INVALID by the strict reading, though tolerant readers cope"
	}
	return "INVALID"
}

// beyondLimits tells whether the value was not looked into, which says nothing of it.
func (v verdict) beyondLimits() bool {
	return slices.ContainsFunc(v.Findings, func(f listedFinding) bool { return f.Problem == schemas.Limits && f.Path == "" })
}

func (p *program) printVerdict(o schemaOptions, d schemas.Definition, v verdict, named bool) {
	if named {
		p.printf("%s: ", reports.Printable(v.File))
	}
	p.printf("%s: %s of edition %s", v.word(), v.Definition, o.called(d.Edition))
	if d.Method != "" {
		p.printf(" (%s, %s)", d.Method, partWords([]schemas.Definition{d}))
	}
	p.printf("\n")
	for _, f := range v.Findings {
		p.printf("\n  %s\n", reports.Printable(where(f.Path)))
		p.printWrapped("    expected  ", f.Expected)
		p.printf("    found     %s\n", reports.Printable(f.Actual))
		if f.Definition != d.Name {
			p.printf("    in        %s\n", f.Definition)
		}
		switch {
		case f.Problem == schemas.Limits:
			p.printf("    remark    a limit of this program, not of the protocol: the value was not looked into\n")
		case f.Tolerated != "":
			p.printf("    tolerant  readers cope: %s\n", f.Tolerated)
		}
	}
	if len(v.Findings) == mostFindings {
		p.printf("\n  There may be more: no more than %d are shown.\n", mostFindings)
	}
	p.printNotes(v)
}

func (p *program) printNotes(v verdict) {
	if len(v.Notes) == 0 {
		return
	}
	p.printf("\n  Notes, which make nothing invalid:\n")
	for _, n := range v.Notes[:min(len(v.Notes), mostNotes)] {
		p.printWrapped("    ", where(n.Path)+": "+n.Text)
	}
	if rest := len(v.Notes) - mostNotes; rest > 0 {
		least := ""
		if v.more {
			least = "at least "
		}
		p.printf("    … and %s%d more (--format json lists them)\n", least, rest)
	}
}

func where(path string) string {
	if path == "" {
		return "the value itself"
	}
	return path
}

// lineWidth is how many characters a line has at most, if it can be broken.
const lineWidth = 100

// printWrapped prints a text behind a lead, and what does not fit in a line below its beginning.
func (p *program) printWrapped(lead, text string) {
	for _, line := range wrapped(reports.Printable(text), lineWidth-utf8.RuneCountInString(lead)) {
		p.printf("%s%s\n", lead, line)
		lead = fmt.Sprintf("%*s", utf8.RuneCountInString(lead), "")
	}
}

// wrapped breaks a text at spaces, but not within a quoted value, which must stay as it is.
func wrapped(text string, width int) []string {
	var lines []string
	line := ""
	for _, word := range unquotedWords(text) {
		if line != "" && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > width {
			lines = append(lines, line)
			line = word
			continue
		}
		line = strings.TrimPrefix(line+" "+word, " ")
	}
	return append(lines, line)
}

// unquotedWords splits a text at its spaces, except those between quotes.
func unquotedWords(text string) []string {
	quoted, escaped := false, false
	var words []string
	start := 0
	for i, r := range text {
		switch {
		case escaped:
			escaped = false
		case r == '"':
			quoted = !quoted
		case r == '\\':
			escaped = quoted
		case r == ' ' && !quoted:
			words = append(words, text[start:i])
			start = i + 1
		}
	}
	return append(words, text[start:])
}
