package redact

import (
	"regexp"
	"strings"
)

// left is what a key may follow. A word boundary is not enough: in a line of JSON the n of \n is a letter, and so is the m that ends
// the colour of a terminal.
const left = `(?:^|[^A-Za-z0-9]|\\[nrtbf]|\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2}|\[[0-9;]*m)`

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
	looks(`(?i)(LEFT(?:bearer|basic|token)\s+)[A-Za-z0-9._~+/=][A-Za-z0-9._~+/=-]{7,}`, "bearer", "basic", "token"),
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
	looks(`(LEFT)AGE-SECRET-KEY-1[0-9A-Z]{20,}`, "age-secret-key-1"),
	looks(`(LEFT)(?:gsk_|r8_|pplx-|xai-|whsec_)[A-Za-z0-9]{24,}`, "gsk_", "r8_", "pplx-", "xai-", "whsec_"),
	looks(`(hooks\.slack\.com(?:\\*/)(?:services|workflows|triggers)(?:\\*/))[A-Za-z0-9_+-]+(?:\\*/[A-Za-z0-9_+-]+)*`, "hooks.slack.com"),
	looks(`(discord(?:app)?\.com(?:\\*/)api(?:\\*/)webhooks(?:\\*/))[0-9]+(?:\\*/)[A-Za-z0-9_-]+`, "webhooks"),
}

// unshaped takes out what looks like a secret, or is called one.
func unshaped(s string) string {
	small := inSmall(s)
	for _, one := range shapes {
		if containsAny(small, one.hints) {
			s = one.look.ReplaceAllStringFunc(s, one.masked)
		}
	}
	s = without(s, inURLs(s))
	return without(s, named(s))
}

// masked is a match without the secret.
func (one shape) masked(match string) string { return one.look.FindStringSubmatch(match)[1] + Mask }

// login is what follows the scheme of a URL that has a password.
var login = regexp.MustCompile(`^:(?:\\*/){2}[^\s/:@"\\]*:((?:[^\s/@"\\]|\\+u[0-9A-Fa-f]{4})+)@`)

// inURLs are the passwords in URLs.
func inURLs(s string) []span {
	var found []span
	for i := 0; ; i++ {
		if i = index(s, ":", i); i == len(s) {
			return found
		}
		if i == 0 || !isAlphanumeric(rune(s[i-1])) || i+1 < len(s) && s[i+1] != '/' && s[i+1] != '\\' {
			continue
		}
		if at := login.FindStringSubmatchIndex(s[i:]); at != nil {
			if v, ok := atLeast(s, span{i + at[2], i + at[3]}, 1); ok {
				found = append(found, v)
			}
			i += at[1] - 1
		}
	}
}

func containsAny(s string, all []string) bool {
	for _, one := range all {
		if strings.Contains(s, one) {
			return true
		}
	}
	return false
}
