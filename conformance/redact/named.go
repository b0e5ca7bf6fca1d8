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

// assignment is what stands between a name and a value that belongs to it, and where the value begins.
func assignment(s string, i int) (sign string, at int) {
	from := blanksInLine(s, i)
	at = from
	if strings.HasPrefix(s[at:], ":=") {
		at++
	}
	if !strings.HasPrefix(s[at:], "=") {
		return "", i
	}
	at = blanksInLine(s, at+1)
	if at < len(s) && strings.IndexByte("=>~", s[at]) >= 0 || strings.HasPrefix(s[at:], `\u003e`) { // a comparison
		return "", i
	}
	return s[i:at], at
}

// value is where the secret is that belongs to a name.
func (n name) value(s string) (span, bool) {
	if q, next, ok := quoteAt(s, n.to); ok {
		return n.member(s, q, next)
	}
	next := n.to + 1
	switch sign, at := assignment(s, n.to); {
	case next >= len(s):
		return span{}, false
	case n.user() && (sign == "=" || s[n.to] == ' '):
		if _, _, ok := quoteAt(s, next); !ok && !loginAhead.MatchString(window(s, next)) {
			return span{}, false
		}
		return loginAt(s, next)
	case n.user():
		return span{}, false
	case sign == "=" && n.flag:
		return atLeast(s, valueAt(s, next, ",;"), leastSecret)
	case sign == "=" && n.word == "authorization" && scheme.MatchString(window(s, next)):
		return n.header(s, next)
	case sign == "=":
		return atLeast(s, valueAt(s, next, ",;&"), leastSecret)
	case sign != "":
		return setting(s, at, strings.Contains(sign, ":"))
	case s[n.to] == ' ' && n.flag && !n.plural && s[next] != '-':
		return argument(s, next)
	case s[n.to] == ':' && !n.plural:
		return n.header(s, next)
	}
	if i := blanksInLine(s, n.to); i > n.to && !n.plural && strings.HasPrefix(s[i:], ":") && blanksInLine(s, i+1) > i+1 {
		return n.header(s, i+1)
	}
	return span{}, false
}

// loginLooked is how far a login is looked into to tell whether it is one: a line may be full of what is none.
const loginLooked = 1 << 10

// loginAt is the password of a name, a colon and a password.
func loginAt(s string, i int) (span, bool) {
	near := s[:min(len(s), i+loginLooked)]
	v, ok := passwordIn(near, valueAt(near, i, ""))
	if ok && v.to == len(near) {
		v.to = valueAt(s, i, "").to
	}
	return v, ok
}

// setting is the value behind a sign with blanks, as in a file of settings, or in a program, which tells no secret but in quotes.
func setting(s string, i int, inProgram bool) (span, bool) {
	if _, _, quoted := quoteAt(s, i); quoted {
		return atLeast(s, valueAt(s, i, ""), leastSecret)
	}
	v := valueAt(s, i, ",;")
	value := s[v.from:v.to]
	if !strings.Contains(value, Mask) && (program.MatchString(value) || helpWords.MatchString(value) || inProgram && !seems(value)) {
		return v, false
	}
	return atLeast(s, v, leastSecret)
}

// argument is the value of a flag behind a blank.
func argument(s string, i int) (span, bool) {
	v := valueAt(s, i, ",;")
	if v.from == i && helpWords.MatchString(s[v.from:v.to]) {
		return v, false
	}
	return atLeast(s, v, leastSecret)
}

// loginAhead is the beginning of a name and a password; without it the text is not gone through to find its end.
var loginAhead = regexp.MustCompile(`^[^\s/:"'=]+:[^/]`)

// wrapped is what languages write before a string that they print.
var wrapped = regexp.MustCompile(`^(?:[bu]|Some\()`)

// member is the value behind a name in quotes: of a member of JSON and the like, of a flag in a list, or of a pair of name and value.
func (n name) member(s string, q quote, i int) (span, bool) {
	if !n.begins(s, q) {
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

// begins tells whether a name begins behind the quote that it ends before.
func (n name) begins(s string, q quote) bool {
	return strings.HasSuffix(s[:n.from], strings.Repeat(`\`, q.depth)+string(q.mark))
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

// window is the beginning of a text from a place on.
func window(s string, i int) string { return s[min(i, len(s)):min(i+longestName, len(s))] }
