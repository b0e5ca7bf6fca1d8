package redact

import (
	"regexp"
	"strings"
	"unicode"
)

// A private key in the PEM format has many lines. They come one by one on stderr, and of a tail only some of them are there.

var (
	pemWhole = regexp.MustCompile(`-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----(?s:.*?)-----END [A-Z0-9 ]*PRIVATE KEY-----`)
	pemBegin = regexp.MustCompile(`-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----.*`)
	pemEnd   = regexp.MustCompile(`^.*-----END [A-Z0-9 ]*PRIVATE KEY-----`)
	pemBody  = regexp.MustCompile(`^[A-Za-z0-9+/]+={0,2}$`)
	// pemHead is a line before the body of one that has a password.
	pemHead = regexp.MustCompile(`^(?:Proc-Type|DEK-Info|Comment|Version): `)
)

// How lines of a key look. A full one has 64 characters, 70 or 76, of which many are of another kind than the one before them, as
// they are neither in a path nor in a checksum.
const (
	shortestBody  = 64
	longestBody   = 76
	leastCapitals = 5
	leastDigits   = 2
	leastChanges  = 8
	pathChanges   = 16 // where it begins like a path
	longWordBody  = 24 // letters that are no single word
	mostLines     = 200
)

// stream is a text that comes piece by piece, each of one or more whole lines.
type stream struct {
	inside int // lines of a key so far, 0 = not in one
	width  int // of its first one, 0 = there was none; -1 = the last was short, so that only the end can follow
}

// keyless takes out the private keys. What is in the middle of one is known by its looks where the beginning is missing.
func (t *stream) keyless(s string) string {
	if t.inside == 0 && !strings.Contains(s, "PRIVATE KEY-----") && !hasBody(s) {
		return s
	}
	if t.inside == 0 {
		s = pemWhole.ReplaceAllString(s, Mask)
	}
	var kept []string
	for line := range strings.SplitSeq(s, "\n") {
		clean := t.line(line)
		last := len(kept) - 1
		if clean == Mask && pemEnd.MatchString(line) { // the short last line of a key, before its end, may not look like one
			if last >= 0 && kept[last] != Mask && isBody(strings.TrimSpace(kept[last])) {
				kept, last = kept[:last], last-1
			}
		}
		if clean == Mask && last >= 0 && kept[last] == Mask {
			continue
		}
		kept = append(kept, clean)
	}
	return strings.Join(kept, "\n")
}

func (t *stream) line(line string) string {
	if t.inside > 0 {
		if clean, ok := t.body(line); ok {
			return clean
		}
		*t = stream{}
	}
	switch text := strings.TrimSpace(line); {
	case pemBegin.MatchString(line):
		t.inside = 1
		return pemBegin.ReplaceAllString(line, Mask)
	case isFull(text):
		*t = stream{1, len(text)}
		return Mask
	}
	return pemEnd.ReplaceAllString(line, Mask)
}

// body is a line in a key without it; ok tells whether it is one. Only the last is short.
func (t *stream) body(line string) (clean string, ok bool) {
	text := strings.TrimSpace(line)
	t.inside++
	switch {
	case pemEnd.MatchString(line):
		*t = stream{}
		return pemEnd.ReplaceAllString(line, Mask), true
	case t.inside > mostLines || t.width < 0:
		return "", false
	case text == "":
		return line, true
	case t.width == 0 && pemHead.MatchString(text):
		return Mask, true
	case isBody(text):
		if t.width == 0 {
			t.width = len(text)
		} else if len(text) < min(t.width, shortestBody) {
			t.width = -1
		}
		return Mask, len(text) <= max(t.width, longestBody)
	}
	fields := strings.Fields(text) // something may be before each, such as the time
	return Mask, len(fields) > 1 && isFull(fields[len(fields)-1])
}

func hasBody(s string) bool {
	for line := range strings.SplitSeq(s, "\n") {
		if isFull(strings.TrimSpace(line)) {
			return true
		}
	}
	return false
}

// isBody tells whether a text may be a line of a key where one is looked for: Base64, and no word.
func isBody(text string) bool {
	return pemBody.MatchString(text) && (len(text) >= longWordBody || strings.ContainsFunc(text, isDigit) || strings.ContainsAny(text, "+=") || strings.ContainsFunc(text[1:], unicode.IsUpper)) &&
		!(strings.Count(text, "/") > 1 && changes(text) < len(text)/8)
}

// isFull tells whether a text is a full line of a key by its looks alone.
func isFull(text string) bool {
	if n := len(text); n < shortestBody || n > longestBody || !pemBody.MatchString(text) {
		return false
	}
	capitals, digits := 0, 0
	for _, c := range text {
		if 'A' <= c && c <= 'Z' {
			capitals++
		} else if isDigit(c) {
			digits++
		}
	}
	least := leastChanges
	if text[0] == '/' {
		least = pathChanges
	}
	return capitals >= leastCapitals && digits >= leastDigits && capitals+digits < len(text) && changes(text) >= least
}

// changes is how often a letter or a digit follows one of another kind, but for a small letter behind a capital, as in a name.
func changes(text string) int {
	n := 0
	for i := 1; i < len(text); i++ {
		was, is := sort(text[i-1]), sort(text[i])
		if was != is && was != 0 && is != 0 && !(was == 'A' && is == 'a') {
			n++
		}
	}
	return n
}

// sort is what kind of character one is, 0 = neither a letter nor a digit.
func sort(c byte) byte {
	switch {
	case 'A' <= c && c <= 'Z':
		return 'A'
	case 'a' <= c && c <= 'z':
		return 'a'
	case '0' <= c && c <= '9':
		return '0'
	}
	return 0
}
