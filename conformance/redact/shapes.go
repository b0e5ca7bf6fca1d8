package redact

import (
	"regexp"
	"strings"
)

// strict are the names of members and flags that carry secrets: fewer than of variables, since key and auth say too little there.
const strict = `(?:api[-_]?key|access[-_]?key|private[-_]?key|secret[-_]?key|token|secret|passw(?:or)?d|passwd|passphrase|authorization|cookie|credentials?)`

// left is what a key may follow. A word boundary is not enough: in a line of JSON the n of \n is a letter, and so is the m that ends
// the colour of a terminal.
const left = `(?:^|[^A-Za-z0-9]|\\[nrtbf]|\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2}|\[[0-9;]*m)`

// strictHints stand in every text that one of the names of strict stands in.
var strictHints = []string{"key", "token", "secret", "passw", "passphrase", "authorization", "cookie", "credential"}

// shape is how a secret looks. What the first group matches stays.
type shape struct {
	// hints are what every match has one of, in small letters: looking for them is much quicker than the expression is.
	hints []string
	look  *regexp.Regexp
}

func looks(expression string, hints ...string) shape {
	return shape{hints, regexp.MustCompile(strings.ReplaceAll(expression, "LEFT", left))}
}

var shapes = []shape{
	looks(`(?i)(LEFT(?:bearer|basic|token)\s+)[A-Za-z0-9._~+/=-]{8,}`, "bearer", "basic", "token"),
	looks(`(LEFT)(?:sk|pk|rk)-(?:[A-Za-z0-9]+-)*[A-Za-z0-9_-]{16,}`, "sk-", "pk-", "rk-"),
	looks(`(LEFT)(?:sk|pk|rk)_(?:live|test)_[A-Za-z0-9]{10,}`, "k_live_", "k_test_"),
	looks(`(LEFT)gh[pousr]_[A-Za-z0-9]{20,}`, "gh"),
	looks(`(LEFT)github_pat_[A-Za-z0-9_]{20,}`, "github_pat_"),
	looks(`(LEFT)glpat-[A-Za-z0-9_-]{16,}`, "glpat-"),
	looks(`(LEFT)xox[abeoprs]-[A-Za-z0-9-]{10,}`, "xox"),
	looks(`(LEFT)npm_[A-Za-z0-9]{30,}`, "npm_"),
	looks(`(LEFT)hf_[A-Za-z0-9]{20,}`, "hf_"),
	looks(`(LEFT)(?:AKIA|ASIA)[0-9A-Z]{16}`, "akia", "asia"),
	looks(`(LEFT)AIza[0-9A-Za-z_-]{30,}`, "aiza"),
	looks(`(LEFT)ya29\.[0-9A-Za-z_-]{10,}`, "ya29."),
	looks(`(LEFT)eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?`, "eyj"), // a JSON web token
	looks(`(\b[a-z][a-z0-9+.-]*://[^\s/:@"]*:)[^\s/@"]+(?:@)`, "://"),                  // a password in a URL
	looks(`(?i)("[A-Za-z0-9_-]*?`+strict+`s?"\s*:\s*")(?:[^"\\]|\\.){4,}`, strictHints...),
	looks(`(?i)(\\"[A-Za-z0-9_-]*?`+strict+`s?\\"\s*:\s*\\")(?:[^"\\]|\\[^"]){4,}`, strictHints...),                       // JSON in a string
	looks(`(?i)((?:LEFT)--?[a-z0-9-]*?`+strict+`[= ]["']?)[^\s"',;-][^\s"',;]{5,}`, strictHints...),                       // a flag
	looks(`(\b[A-Z0-9_]+_(?:KEY[0-9]*|AUTH|PASS|PWD)=["']?)[^\s"',;&]{6,}`, "key", "_auth=", "_pass=", "_pwd="),           // an assignment to a variable
	looks(`(?i)((?:^|[^A-Za-z0-9])[A-Za-z0-9_]*?`+strict+`s?[0-9]*=["']?)[^\s"',;&]{6,}`, strictHints...),                 // an assignment
	looks(`(?i)(LEFT[A-Za-z0-9-]*?`+strict+`:\s+)(?:(?:bearer|basic|token)\s+)?[^\s"',;\[][^\s"',;]{7,}`, strictHints...), // a header
}

// unshaped takes out what looks like a secret.
func unshaped(s string) string {
	small := strings.ToLower(s)
	for _, one := range shapes {
		if !containsAny(small, one.hints) {
			continue
		}
		s = one.look.ReplaceAllStringFunc(s, func(m string) string {
			if strings.Contains(m, Mask) {
				return m
			}
			end := ""
			if strings.HasSuffix(m, "@") {
				end = "@"
			}
			return one.look.FindStringSubmatch(m)[1] + Mask + end
		})
	}
	return s
}

func containsAny(s string, all []string) bool {
	for _, one := range all {
		if strings.Contains(s, one) {
			return true
		}
	}
	return false
}
