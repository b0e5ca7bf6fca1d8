package redact

import (
	"regexp"
	"strings"
)

// The flags of curl and others whose value is a name and a password.
const (
	userFlag      = "user"
	shortUserFlag = "-u"
)

// endings are how names of secrets end, in small letters. Those of members and flags are fewer than those of variables, since key and auth
// say too little there; what begins with _ is looked for in variables only, and they have capital letters.
var endings = []string{"token", "secret", "password", "passwd", "passphrase", "authorization", "cookie", "credential", "key",
	"_auth", "_pass", "_pwd", "_pat", userFlag, shortUserFlag}

var (
	someKey    = regexp.MustCompile(`(?i)(?:api|access|private|secret)[-_]?$`)
	inCapitals = regexp.MustCompile(`[A-Z0-9_]_[A-Z]+$`)
	// amounts are those that may be a number of tokens though they are not called tokens.
	amounts = regexp.MustCompile(`(?i)(?:max|min|total|num|input|output|prompt|completion|cached?|thinking|reasoning|context)[_-]?(?:[a-z]+[_-])?tokens?$`)
	// escape is what may stand before a flag, and ends with a letter or a digit.
	escape = regexp.MustCompile(`(?:\\[nrtbf]|\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2}|\[[0-9;]*m)$`)
)

// named are the secrets in a text that have a name there. Some may be in others.
func named(s string) []span { return namedIn(s, inSmall(s)) }

// namedIn looks for them in the text in small letters.
func namedIn(s, small string) []span {
	var found []span
	done, walked := 0, 0
	next := make([]int, len(endings)) // where each of them is
	for i, word := range endings {
		next[i] = index(small, word, 0)
	}
	for {
		i := 0
		for other := range next {
			if next[other] < next[i] {
				i = other
			}
		}
		at := next[i]
		if at == len(s) {
			return found
		}
		if at >= done {
			if n, ok := nameAt(s, at, endings[i]); ok {
				if v, ok := n.value(s); ok && !n.counts(s, v) {
					found, done = append(found, v), v.to
				} else if at >= walked {
					found, walked = n.inside(s, found)
				}
			}
		}
		next[i] = index(small, endings[i], max(at+1, done))
	}
}

// index is where a word is from a place on, the end of the text if it is not.
func index(s, word string, from int) int {
	if i := strings.Index(s[from:], word); i >= 0 {
		return from + i
	}
	return len(s)
}

// inSmall is a text in small letters, as far as it is ASCII: the places in it stay the same.
func inSmall(s string) string {
	if !strings.ContainsFunc(s, func(r rune) bool { return 'A' <= r && r <= 'Z' }) {
		return s
	}
	b := []byte(s)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// nameAt is the name that has an ending at a place.
func nameAt(s string, at int, word string) (n name, ok bool) {
	n = name{from: at, to: at + len(word), word: word}
	if before := s[max(0, at-8):n.to]; word == "key" && !someKey.MatchString(before[:len(before)-len(word)]) || word[0] == '_' {
		if n.variable = inCapitals.MatchString(before); !n.variable {
			return n, false
		}
	}
	for n.from > 0 && at-n.from < longestName && isInName(s[n.from-1]) {
		n.from--
	}
	if i := strings.IndexByte(s[n.from:n.to], '-'); i >= 0 {
		if n.flag = i == 0 || escape.MatchString(s[max(0, n.from+i-16):n.from+i]); n.flag {
			n.from += i
		}
	}
	if n.user() {
		return n, n.flag && (word == userFlag || n.from == at)
	}
	if n.to < len(s) && s[n.to]|' ' == 's' {
		n.to++
		n.plural = word != "credential"
	}
	for n.to < len(s) && isDigit(rune(s[n.to])) {
		n.to++
	}
	return n, word != "token" || !isOpenToken(s[n.from:n.to])
}

func isInName(c byte) bool { return c == '-' || c == '_' || isAlphanumeric(rune(c)) }

// openTokens are tokens that are none of a login: marks in the text of a model, and what a protocol calls a place or a request.
var openTokens = map[string]bool{"eos": true, "bos": true, "pad": true, "unk": true, "sep": true, "cls": true, "mask": true, "stop": true, "special": true,
	"progress": true, "workdone": true, "partialresult": true, "next": true, "page": true, "nextpage": true, "cancellation": true, "continuation": true}

// isOpenToken tells whether the name of a token, or of several, is that of an open one.
func isOpenToken(name string) bool {
	of := strings.TrimSuffix(strings.TrimSuffix(strings.ToLower(name), "s"), "token")
	if n := len(of); n > 0 && (of[n-1] == '_' || of[n-1] == '-') {
		of = of[:n-1]
	}
	last := strings.LastIndexAny(of, "_-")
	if before := of[:max(last, 0)]; of[last+1:] == "done" && (before == "work" || strings.HasSuffix(before, "_work") || strings.HasSuffix(before, "-work")) {
		return true
	}
	return openTokens[of[last+1:]]
}

// many tells whether a name is that of tokens, which are more often those of a text or of a parser.
func (n name) many() bool { return n.word == "token" && n.plural }

// counts tells whether a value is a number of tokens.
func (n name) counts(s string, v span) bool {
	return n.word == "token" && strings.Trim(s[v.from:v.to], "0123456789") == "" && (n.plural || amounts.MatchString(s[n.from:n.to]))
}
