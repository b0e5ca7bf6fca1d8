package redact

import (
	"regexp"
	"strings"
)

// How many bytes a value needs to be taken for a secret: a member of JSON can hardly be anything else, a word behind a colon can.
const (
	leastMember = 4
	leastProse  = 8
)

// longestName is how far is looked for where a name begins, or what stands between it and its value: no text may be gone through twice.
const longestName = 80

// name is the end of the name of a secret where it stands in a text, or the whole of it.
type name struct {
	from, to int
	word     string // what it ends with
	flag     bool   // it begins with a hyphen
	variable bool   // it is one of variables only
	plural   bool
}

// user tells whether the value is a name and a password.
func (n name) user() bool { return n.word == userFlag || n.word == shortUserFlag }

// assigned is what stands between a name and a value that belongs to it.
var assigned = regexp.MustCompile(`^[ \t]*:?=[ \t]*`)

// value is where the secret is that belongs to a name.
func (n name) value(s string) (span, bool) {
	if q, next, ok := quoteAt(s, n.to); ok {
		return n.member(s, q, next)
	}
	next := n.to + 1
	switch sign := assigned.FindString(window(s, n.to)); {
	case sign == "" && n.variable, next >= len(s):
		return span{}, false
	case sign == "=" && s[next] == '=':
		return span{}, false
	case n.user() && (sign == "=" || s[n.to] == ' '):
		if _, _, ok := quoteAt(s, next); !ok && !loginAhead.MatchString(window(s, next)) {
			return span{}, false
		}
		return passwordIn(s, valueAt(s, next, ""))
	case n.user():
		return span{}, false
	case sign == "=" && n.flag:
		return atLeast(s, valueAt(s, next, ",;"), leastSecret)
	case sign == "=":
		return atLeast(s, valueAt(s, next, ",;&"), leastSecret)
	case sign != "": // with blanks, as in a program, it is taken for a secret only in quotes
		if _, _, ok := quoteAt(s, n.to+len(sign)); ok {
			return atLeast(s, valueAt(s, n.to+len(sign), ""), leastSecret)
		}
	case s[n.to] == ' ' && n.flag && !n.plural && s[next] != '-':
		return atLeast(s, valueAt(s, next, ",;"), leastSecret)
	case s[n.to] == ':' && !n.plural:
		return n.header(s, next)
	}
	return span{}, false
}

// loginAhead is the beginning of a name and a password; without it the text is not gone through to find its end.
var loginAhead = regexp.MustCompile(`^[^\s/:"'=]+:[^/]`)

// wrapped is what languages write before a string that they print.
var wrapped = regexp.MustCompile(`^(?:[bu]|Some\()`)

// member is the value behind a name in quotes: of a member of JSON and the like, of a flag in a list, or of a pair of name and value.
func (n name) member(s string, q quote, i int) (span, bool) {
	if !strings.HasSuffix(s[:n.from], strings.Repeat(`\`, q.depth)+string(q.mark)) {
		return span{}, false
	}
	least := leastMember
	i = blanks(s, i)
	if strings.HasPrefix(s[i:], ",") {
		least, i = leastSecret, blanks(s, i+1)
		if !n.flag {
			i = afterMember(s, i, "value", q)
		}
	} else if sign := separator.FindString(window(s, i)); sign != "" && !n.user() {
		i = blanks(s, i+len(sign))
		i += len(wrapped.FindString(window(s, i)))
	} else {
		return span{}, false
	}
	value, from, ok := quoteAt(s, i)
	if !ok || value.mark == q.mark && value.depth != q.depth || n.flag && strings.HasPrefix(s[from:], "-") {
		return span{}, false
	}
	v := span{from, value.end(s, from)}
	if n.user() {
		return passwordIn(s, v)
	}
	return atLeast(s, v, least)
}

// separator is what stands between the name of a member and its value.
var separator = regexp.MustCompile(`^(?::|=(?:>|\\+u003e))`)

// afterMember is where the value of a member begins whose name stands at a place; the end of the text if it does not.
func afterMember(s string, i int, member string, q quote) int {
	at, from, ok := quoteAt(s, i)
	if !ok || at.depth != q.depth || !strings.HasPrefix(s[from:], member) {
		return len(s)
	}
	if _, i, ok = quoteAt(s, from+len(member)); ok {
		if i = blanks(s, i); strings.HasPrefix(s[i:], ":") {
			return blanks(s, i+1)
		}
	}
	return len(s)
}

var (
	// scheme is what a header says before the secret.
	scheme = regexp.MustCompile(`(?i)^(?:bearer|basic|token|digest|apikey|key|negotiate)[ \t]+`)
	// nextCookie is what stands before the second cookie of a header.
	nextCookie = regexp.MustCompile(`^; ?[A-Za-z0-9_.-]{1,64}=`)
	// parser is how a complaint about a word begins.
	parser = regexp.MustCompile(`(?i)unexpected $`)
)

// header is the value behind a colon.
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
	from += len(scheme.FindString(window(s, from)))
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
	return atLeast(s, v, leastProse)
}

// window is the beginning of a text from a place on.
func window(s string, i int) string { return s[min(i, len(s)):min(i+longestName, len(s))] }
