package redact

import (
	"os"
	"regexp"
	"strings"
)

var (
	// flagName recognises the flags whose value is a secret.
	flagName = regexp.MustCompile(`(?i)^--?[a-z0-9_-]*(?:(?:api|access|private|secret)[-_]?key|token|secret|passw(?:or)?d|passphrase|authorization|cookie|credential)s?[0-9]*$`)
	// perhapsFlag recognises those whose value may be one, if it does not look like a word or a number.
	perhapsFlag = regexp.MustCompile(`(?i)^--?(?:[a-z0-9_-]*[-_])?(?:key|auth|pass|pwd|pat)$`)
	// loginFlag recognises those whose value is a name and a password.
	loginFlag = regexp.MustCompile(`^(?:-u|--?(?:[a-z]+-)*user)$`)
	// capitals recognises variables by their usual names.
	capitals = regexp.MustCompile(`^[A-Z_][A-Z0-9_]*$`)
	// plain is what is surely no secret behind a flag that perhaps has one.
	plain = regexp.MustCompile(`^(?:[A-Za-z_./-]+|[0-9]+)$`)
)

// ofFlag is the secret in the value of a flag.
func ofFlag(flag, value string) (v span, ok bool) {
	v = span{0, len(value)}
	_, err := os.Stat(value)
	switch {
	case strings.HasPrefix(value, "-"), err == nil, harmless(value, ""), harmlessName.MatchString(strings.ReplaceAll(strings.TrimLeft(flag, "-"), "-", "_")):
		return v, false
	case loginFlag.MatchString(flag):
		return passwordIn(value, v)
	case flagName.MatchString(flag), perhapsFlag.MatchString(flag) && !plain.MatchString(value):
		return atLeast(value, v, leastSecret)
	}
	return v, false
}

// inWord is the secret in a word of a command line that is, or has, the value of a flag or of a variable.
func inWord(words []string, i int) (v span, ok bool) {
	if name, value, cut := strings.Cut(words[i], "="); cut {
		if strings.HasPrefix(name, "-") {
			v, ok = ofFlag(name, value)
		} else {
			v, ok = span{0, len(value)}, capitals.MatchString(name) && isSecret(name, value, "")
		}
		if ok {
			return span{len(name) + 1 + v.from, len(name) + 1 + v.to}, true
		}
	}
	if i > 0 {
		return ofFlag(words[i-1], words[i])
	}
	return v, false
}

// ofCommand are the secrets in a command line. They are known then wherever the program tells them.
func ofCommand(words []string) []string {
	var all []string
	for i, w := range words {
		all = append(all, ofURLs(w)...)
		found := named(w) // a header, or a command line in a word
		if v, ok := inWord(words, i); ok {
			found = append(found, v)
		}
		for _, v := range found {
			if secret := w[v.from:v.to]; len(secret) >= leastSecret && !harmless(secret, "") {
				all = append(all, secret)
			}
		}
	}
	return all
}

// Words is a command line without secrets. A flag and its value are two words of it, neither of which tells by itself that there is one.
func (r *Redactor) Words(words []string) []string {
	if r == nil || words == nil {
		return words
	}
	clean := make([]string, len(words))
	for i, w := range words {
		if v, ok := inWord(words, i); ok {
			w = without(w, []span{v})
		}
		clean[i] = r.Shown(w)
	}
	return clean
}
