package redact

import (
	"math/bits"
	"regexp"
	"strings"
)

// quote is a mark with the backslashes before it: one in a string of JSON, three in JSON in such a string, and so on.
type quote struct {
	mark  byte
	depth int
}

// quoteAt is the quote at a place, and where what it holds begins.
func quoteAt(s string, i int) (q quote, from int, ok bool) {
	n := slashes(s, i)
	if i += n; i < len(s) && (s[i] == '"' || s[i] == '\'') {
		return quote{s[i], n}, i + 1, true
	}
	return q, 0, false
}

// slashes is how many backslashes there are from a place on.
func slashes(s string, i int) int {
	n := 0
	for i+n < len(s) && s[i+n] == '\\' {
		n++
	}
	return n
}

// blanks skips white space, also as JSON writes it.
func blanks(s string, i int) int { return skip(s, i, " \t\r\n", "trn") }

// blanksInLine skips white space up to the end of a line.
func blanksInLine(s string, i int) int { return skip(s, i, " \t", "t") }

func skip(s string, i int, white, escaped string) int {
	for {
		switch n := slashes(s, i); {
		case i < len(s) && strings.IndexByte(white, s[i]) >= 0:
			i++
		case n > 0 && i+n < len(s) && strings.IndexByte(escaped, s[i+n]) >= 0:
			i += n + 1
		default:
			return i
		}
	}
}

// structural tells whether what follows is what JSON has behind a string, so that a quote before it has ended one.
func structural(s string, i int) bool {
	i = blanks(s, i)
	return i == len(s) || strings.IndexByte(",:}])", s[i]) >= 0
}

// level is how many strings a quote is in that has some backslashes before it.
func level(slashes int) int { return bits.TrailingZeros(^uint(slashes)) }

// end is where a text in quotes ends that begins at a place: before the quote, with all backslashes that belong to it; or where a string
// or the line ends that all this stands in.
func (q quote) end(s string, i int) int {
	for i < len(s) {
		n := slashes(s, i)
		at := i + n
		switch {
		case at == len(s):
			return at
		case s[at] == q.mark && level(n) <= level(q.depth):
			return at - (1<<level(n) - 1)
		case s[at] == '"' && q.mark == '\'' && n%2 == 0 && structural(s, at+1): // of the string of JSON that holds all this
			return at
		case n == 0 && s[at] == '\n' || n > 0 && n <= q.depth && (s[at] == 'n' || s[at] == 'r'):
			return i
		}
		i = at + 1
	}
	return i
}

// plainEnd is where a text without quotes ends: at a blank, at a quote, at what else stops it, or at an escape of one of these. It never
// parts an escape.
func plainEnd(s string, i int, stops string) int {
	for i < len(s) {
		n := slashes(s, i)
		at := i + n
		switch {
		case at == len(s):
			return at
		case s[at] <= ' ' || s[at] == '"' || s[at] == '\'' || strings.IndexByte(stops, s[at]) >= 0:
			return i
		case n > 0 && escapesEnd(s[at:], stops):
			return i
		}
		i = at + 1
	}
	return i
}

// escapesEnd tells whether what follows a backslash makes it an escape of what ends a value.
func escapesEnd(s, stops string) bool {
	if strings.IndexByte("nrt", s[0]) >= 0 {
		return true
	}
	if len(s) < 5 || s[0] != 'u' {
		return false
	}
	switch code := strings.ToLower(s[1:5]); code {
	case "0020", "0022", "0027", "2028", "2029":
		return true
	case "0026":
		return strings.Contains(stops, "&")
	default:
		return strings.HasPrefix(code, "000") || strings.HasPrefix(code, "001")
	}
}

// valueAt is the value at a place, in quotes or up to a blank or what else stops it. The quote may be the one that ends the string which
// all this stands in: then it begins no value.
func valueAt(s string, i int, stops string) span {
	q, from, quoted := quoteAt(s, i)
	switch {
	case !quoted:
		return span{i, plainEnd(s, i, stops)}
	case structural(s, from):
		return span{i, i}
	}
	return span{from, q.end(s, from)}
}

// variable is a reference to a variable in a command, which tells no secret.
var variable = regexp.MustCompile(`^\$\{?[A-Z_][A-Z0-9_]*\}?$`)

// atLeast is the value if it is long enough to be a secret. Of one that has been taken out in part the rest is not left.
func atLeast(s string, v span, least int) (span, bool) {
	value := s[v.from:v.to]
	if rest := strings.ReplaceAll(value, Mask, ""); rest != value {
		return v, strings.ContainsFunc(rest, isAlphanumeric)
	}
	return v, len(value) >= least && !variable.MatchString(value)
}

// passwordIn is the password in a value that is a name, a colon and a password. Numbers are those of a user and a group, and there are
// addresses that look alike.
func passwordIn(s string, v span) (span, bool) {
	user, secret, ok := strings.Cut(s[v.from:v.to], ":")
	address := strings.Contains(user, "/") || strings.HasPrefix(secret, "/") || strings.Contains(user, "@") && strings.Contains(secret, "/")
	if !ok || user == "" || address || strings.Trim(secret, "0123456789") == "" {
		return v, false
	}
	return atLeast(s, span{v.from + len(user) + 1, v.to}, leastSecret)
}

func isAlphanumeric(r rune) bool { return isDigit(r) || isLetter(r) }
func isDigit(r rune) bool        { return '0' <= r && r <= '9' }
func isLetter(r rune) bool       { return 'A' <= r && r <= 'Z' || 'a' <= r && r <= 'z' }
