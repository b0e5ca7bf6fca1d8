package redact

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"
)

// leastLine is how many bytes a line of a value of several lines needs to be taken for a part of the secret wherever it stands.
const leastLine = 8

// linesOf are the lines of a value of several lines: programs print them one by one. Of one that has quotes, such as a line of JSON, they
// are what stands in the quotes or between them: the line itself could be what a message has, too.
func linesOf(value string) []string {
	if !strings.ContainsRune(value, '\n') {
		return nil
	}
	var all []string
	for _, line := range strings.FieldsFunc(value, func(r rune) bool { return r == '\n' || r == '\r' || r == '"' }) {
		line = strings.TrimSpace(line)
		if len(line) >= leastLine && !word.MatchString(line) && !strings.HasPrefix(line, "-----") {
			all = append(all, line)
		}
	}
	return all
}

// spellings are the ways in which programs write a text for a shell, into JSON, and into JSON in a string of JSON; the first is the text
// itself.
func spellings(text string) []string {
	all := []string{text}
	add := func(s string) {
		if !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	add(strings.ReplaceAll(text, "'", `'\''`))
	add(strings.ReplaceAll(text, "'", `\'`))
	for range 2 {
		for _, s := range slices.Clone(all) {
			plain := inJSON(s, false)
			add(plain)
			add(inJSON(s, true))
			add(strings.ReplaceAll(plain, "/", `\/`))
			add(inASCII(plain, `\u%04x`))
			add(inASCII(plain, `\u%04X`))
		}
	}
	return all
}

// inJSON is a text between the quotes of JSON; some writers escape what means something in HTML.
func inJSON(text string, html bool) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(html)
	if err := e.Encode(text); err != nil || b.Len() < 3 {
		return text
	}
	return b.String()[1 : b.Len()-2]
}

// inASCII writes what is not ASCII as escapes.
func inASCII(text, escape string) string {
	var b strings.Builder
	for _, c := range text {
		if c < 0x80 {
			b.WriteRune(c)
			continue
		}
		for _, unit := range utf16.Encode([]rune{c}) {
			fmt.Fprintf(&b, escape, unit)
		}
	}
	return b.String()
}
