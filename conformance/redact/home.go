package redact

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// homeless writes ~ for the home directory. It has to be where a path begins, and whole: /root is in neither /tmp/root nor /rooted.
func homeless(s, home string) string {
	var b strings.Builder
	from := 0 // what is written
	for at := 0; ; {
		i := strings.Index(s[at:], home)
		if i < 0 {
			break
		}
		start, end := at+i, at+i+len(home)
		if at = start + 1; begins(s[:start]) && ends(s[end:]) {
			b.WriteString(s[from:start])
			b.WriteString("~")
			from, at = end, end
		}
	}
	if from == 0 {
		return s
	}
	b.WriteString(s[from:])
	return b.String()
}

// noPath is what stands before a path though it ends with what could be a part of one: an escape, a colour, a scheme, a flag.
var noPath = regexp.MustCompile(`(?:\\[nrtbf]|\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2}|\[[0-9;]*m|:(?:\\?/){2}|(?:^|[^A-Za-z0-9._~/\\-])-[A-Za-z])$`)

// begins tells whether a path can begin behind a text.
func begins(before string) bool {
	r, _ := utf8.DecodeLastRuneInString(before)
	if before == "" || !inPath(r) && !strings.ContainsRune(`./\`, r) {
		return true
	}
	return noPath.MatchString(before[max(0, len(before)-16):])
}

// ends tells whether a path, or one of its names, can end before a text. A dot belongs to the path only if something follows.
func ends(after string) bool {
	after = strings.TrimLeft(after, ".")
	r, _ := utf8.DecodeRuneInString(after)
	return after == "" || !inPath(r)
}

func inPath(r rune) bool {
	return r == '_' || r == '-' || r == '~' || unicode.IsLetter(r) || unicode.IsDigit(r)
}
