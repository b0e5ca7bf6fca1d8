package redact

import (
	"regexp"
	"strings"
)

var (
	// scheme is what a header says before the secret.
	scheme = regexp.MustCompile(`(?i)^(?:bearer|basic|token|digest|apikey|key|negotiate)[ \t]+`)
	// surely is a scheme behind which nothing but a secret is.
	surely = regexp.MustCompile(`(?i)^(?:bearer|basic)`)
	// nextCookie is what stands before the second cookie of a header.
	nextCookie = regexp.MustCompile(`^; ?[A-Za-z0-9_.-]{1,64}=`)
	// parser is how a complaint about a word begins.
	parser = regexp.MustCompile(`(?i)unexpected (?:token[ \t]+)?$`)
)

// header is the value behind a colon. Prose has one, too, and goes on: there, only what looks like a secret is taken for one.
func (n name) header(s string, i int) (span, bool) {
	from := blanksInLine(s, i)
	if from == i { // without a blank it is more often a place in a file, or a name
		v := span{i, plainEnd(s, i, ",;:=/&()[]{}")}
		value := s[v.from:v.to]
		if !strings.ContainsFunc(value, isDigit) || !strings.ContainsFunc(value, isLetter) {
			return v, false
		}
		return atLeast(s, v, leastProse)
	}
	if parser.MatchString(s[max(0, n.from-longestName):n.from]) {
		return span{}, false
	}
	said := scheme.FindString(window(s, from))
	from += len(said)
	if i = from + len(wrapped.FindString(window(s, from))); i < len(s) {
		if _, _, ok := quoteAt(s, i); ok {
			return atLeast(s, valueAt(s, i, ""), leastSecret)
		}
	}
	if strings.HasPrefix(s[from:], "[") && !strings.HasPrefix(s[from:], Mask) {
		return span{}, false
	}
	v := span{from, plainEnd(s, from, ",;")}
	for n.word == "cookie" {
		next := nextCookie.FindString(window(s, v.to))
		if next == "" {
			break
		}
		v.to = plainEnd(s, v.to+len(next), ",;")
	}
	if v.to > v.from && s[v.to-1] == ':' { // the next name, whose value is looked for by itself
		return v, false
	}
	return n.credential(s, v, said)
}

// credential is the value of a header behind a scheme, "" = none is there.
func (n name) credential(s string, v span, said string) (span, bool) {
	if n.word == "authorization" && surely.MatchString(said) {
		return atLeast(s, v, leastMember)
	}
	value := s[v.from:v.to]
	if !strings.Contains(value, Mask) && !seems(value) && (n.word != "cookie" || !strings.Contains(value, "=")) {
		return v, false
	}
	if strings.ContainsFunc(value, isLetter) {
		return atLeast(s, v, leastSecret)
	}
	return atLeast(s, v, leastProse)
}
