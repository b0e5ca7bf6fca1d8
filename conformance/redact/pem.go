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
	pemRun   = regexp.MustCompile(`[A-Za-z0-9+/]{20}`)
)

// A full line of a key has 64 characters, or 70 or 76; a key has no more lines than mostLines.
const (
	shortestBody = 60
	longestBody  = 80
	mostLines    = 200
)

// stream is a text that comes piece by piece, each of one or more whole lines.
type stream struct {
	inside int // lines of a key so far, 0 = not in one
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
			for ; last >= 0 && pemBody.MatchString(strings.TrimSpace(kept[last])); last-- {
				kept = kept[:last]
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
		switch t.inside++; {
		case pemEnd.MatchString(line):
			t.inside, line = 0, pemEnd.ReplaceAllString(line, Mask)
		case t.inside > mostLines || isProse(line):
			t.inside = 0
		case strings.TrimSpace(line) == "":
			return line
		default:
			return Mask
		}
	}
	switch {
	case pemBegin.MatchString(line):
		t.inside = 1
		return pemBegin.ReplaceAllString(line, Mask)
	case isBody(line):
		t.inside = 1
		return Mask
	}
	return pemEnd.ReplaceAllString(line, Mask)
}

// isProse tells whether a line is surely not of a key: a message, or several words without a long one.
func isProse(line string) bool {
	line = strings.TrimSpace(line)
	return strings.HasPrefix(line, "{") || strings.HasPrefix(line, "[") || len(strings.Fields(line)) > 2 && !pemRun.MatchString(line)
}

func hasBody(s string) bool {
	for line := range strings.SplitSeq(s, "\n") {
		if isBody(line) {
			return true
		}
	}
	return false
}

// isBody tells whether a line is a full one of a key, and not a checksum or a long path.
func isBody(line string) bool {
	line = strings.TrimSpace(line)
	return len(line) >= shortestBody && len(line) <= longestBody && pemBody.MatchString(line) &&
		strings.ContainsFunc(line, unicode.IsUpper) && strings.ContainsFunc(line, unicode.IsLower) && strings.ContainsFunc(line, unicode.IsDigit)
}
