package redact

import (
	"regexp"
	"strings"
)

// left is what a key may follow. A word boundary is not enough: in a line of JSON the n of \n is a letter, and so is the m that ends
// the colour of a terminal.
const left = `(?:^|[^A-Za-z0-9]|\\[nrtbf]|\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2}|\[[0-9;]*m)`

// longestColour is how far back is looked for it.
const longestColour = 16

// shape is how a secret looks. What the first group matches stays.
type shape struct {
	// hints are what every match has one of, in small letters: looking for them is much quicker than the expression is.
	hints []string
	look  *regexp.Regexp
	prose bool // words look alike
}

func looks(expression string, hints ...string) shape {
	return shape{hints: hints, look: regexp.MustCompile(strings.ReplaceAll(expression, "LEFT", left))}
}

func looksInProse(expression string, hints ...string) shape {
	one := looks(expression, hints...)
	one.prose = true
	return one
}

// shapes are those that take more than a prefix.
var shapes = []shape{
	looksInProse(`(?i)(LEFT(?:bearer|basic|token)[ \t]+)[A-Za-z0-9._~+/=][A-Za-z0-9._~+/=-]{7,}`, "bearer", "basic", "token"),
	looks(`(LEFT)(?:sk|pk|rk)-(?:[A-Za-z0-9]+-)*[A-Za-z0-9_-]{16,}`, "sk-", "pk-", "rk-"),
	looks(`(LEFT)(?:sk|pk|rk)_(?:live|test)_[A-Za-z0-9]{10,}`, "k_live_", "k_test_"),
	looks(`(LEFT)xox[abeoprs](?:\.xox[bp])?-[A-Za-z0-9-]{10,}`, "xox"),
	looks(`(LEFT)(?:AKIA|ASIA)[0-9A-Z]{16}`, "akia", "asia"),
	looks(`(LEFT)eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?`, "eyj"), // a JSON web token
	looks(`(LEFT)[0-9]{8,10}:AA[A-Za-z0-9_-]{33}`, ":aa"),                              // of a bot of Telegram
	looks(`(LEFT)[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{40,}`, ".atlasv1."),
	looks(`(LEFT)[A-Za-z0-9_~.-]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,}`, "q~"), // of an application of Azure
	looks(`(?i)((?:Account|SharedAccess)Key=)[A-Za-z0-9+/=%]{20,}`, "accountkey=", "sharedaccesskey="),
	looks(`(?i)((?:[?&;]|\\u0026)(?:sig|X-(?:Amz|Goog)-Signature)=)[A-Za-z0-9%+/=_-]{16,}`, "sig=", "-signature="), // of an address that is signed
	looks(`(hooks\.slack\.com(?:\\*/)(?:services|workflows|triggers)(?:\\*/))[A-Za-z0-9_+-]+(?:\\*/[A-Za-z0-9_+-]+)*`, "hooks.slack.com"),
	looks(`(discord(?:app)?\.com(?:\\*/)api(?:\\*/)webhooks(?:\\*/))[0-9]+(?:\\*/)[A-Za-z0-9_-]+`, "webhooks"),
}

// shaped are what looks like a secret in a text, which is there in small letters, too.
func shaped(s, small string, found []span) []span {
	for _, one := range shapes {
		if !containsAny(small, one.hints) {
			continue
		}
		for _, at := range one.look.FindAllStringSubmatchIndex(s, -1) {
			if v := (span{at[3], at[1]}); !one.prose || seemsBehind(s, at[2], v) {
				found = append(found, v)
			}
		}
	}
	return withPrefixes(s, found)
}

// seemsBehind tells whether a word behind token and the like looks like a secret. Numbers are counted, or places, as are the words that a
// parser complains about.
func seemsBehind(s string, from int, v span) bool {
	word := s[v.from:v.to]
	return seems(word) && strings.ContainsFunc(word, isLetter) && !parser.MatchString(s[max(0, from-longestName):v.from])
}

// login is what follows the scheme of a URL that has a password.
var login = regexp.MustCompile(`^:(?:\\*/){2}[^\s/:@"\\]*:((?:[^\s/@"\\]|\\+u[0-9A-Fa-f]{4})+)@`)

// inURLs are the passwords in URLs.
func inURLs(s string, found []span) []span {
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
