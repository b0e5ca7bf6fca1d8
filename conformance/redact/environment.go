package redact

import (
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// leastSecret is how many bytes the value of a variable needs to be taken for a secret: shorter ones stand everywhere by chance.
const leastSecret = 6

// secretName recognises variables whose value is a secret, by a word among others or by how the name begins or ends.
var secretName = regexp.MustCompile(`(?i)PASSW(?:OR)?D|PASSPHRASE|SECRET|CREDENTIAL|(?:TOKENS?|KEYS?|PASS|PWD)[0-9]*$` +
	`|(?:^|[-_])(?:KEY|TOKEN|AUTHORIZATION|AUTH|COOKIE)s?(?:$|[-_])|(?:^|[-_])PATS?[0-9]*$`)

// harmlessName recognises variables that only seem to be such: words that end alike, numbers of tokens, and what tells of a secret where
// it is, of which kind, or for how long. An ID is not among them: that of a secret of Vault is one half of a login. Nor is an address
// taken for a secret, but for the password in it.
var harmlessName = regexp.MustCompile(`(?i)^(?:OLD)?PWD$|ASKPASS$|(?:BY|COM|TRES)PASS$|(?:MON|TUR|DON|HOT|HOC|JOC|WHIS)KEYS?$` +
	`|(?:^|_)(?:MAX|MIN|TOTAL|INPUT|OUTPUT|PROMPT|COMPLETION|THINKING|CONTEXT)_(?:.*_)?TOKENS?$` +
	`|_(?:FILE|FILENAME|PATH|DIR|DIRECTORY|SOCK|SOCKET|URL|URI|ENDPOINT|HOST|PORT|NAME|TYPE|METHODS?|MODE|PROVIDER|ALG|ALGORITHM|FORMAT|VERSION|SCOPES?|ISSUER|AUDIENCE|REALM)$` +
	`|_(?:EXPIRES|EXPIRY|EXPIRATION|TTL|TIMEOUT|LIFETIME|MAX_AGE)(?:_(?:AT|IN|MS|SECS?|SECONDS|MINUTES|HOURS|DAYS))?$` +
	`|_(?:COUNT|LIMIT|BUDGET|LENGTH|SIZE|ENABLED|DISABLED|REQUIRED)$`)

// countName recognises variables whose value may be a number of something.
var countName = regexp.MustCompile(`(?i)TOKENS$`)

// isSecret tells whether the value of a variable is a secret.
func isSecret(name, value, home string) bool {
	return secretName.MatchString(name) && !harmlessName.MatchString(name) && len(value) >= leastSecret && !harmless(value, home) &&
		!(countName.MatchString(name) && strings.Trim(value, "0123456789") == "")
}

// harmless tells whether the value of a variable is surely no secret though its name is that of one: a switch, or a path. A secret may
// begin with a slash, too, so a path has to exist.
func harmless(value, home string) bool {
	if value == home || slices.Contains([]string{"enabled", "disabled", "default"}, strings.ToLower(value)) {
		return true
	}
	if !filepath.IsAbs(value) {
		return false
	}
	_, err := os.Stat(value)
	return err == nil
}

// placeholders are passwords that are none: those of examples, and of databases that are for tests. They are words of other things, too.
var placeholders = []string{"password", "passwd", "secret", "postgres", "example", "changeme", "default", "testing", "username"}

// ofURLs are the passwords of the addresses in a text, also as they are before they are written into one. Whoever logs in tells the
// password, not the address.
func ofURLs(text string) []string {
	var all []string
	for _, v := range inURLs(text, nil) {
		secret := text[v.from:v.to]
		user := text[strings.LastIndexAny(text[:v.from-1], ":/")+1 : v.from-1]
		if len(secret) < leastSecret || secret == user || slices.Contains(placeholders, strings.ToLower(secret)) {
			continue
		}
		all = append(all, secret)
		if plain, err := url.PathUnescape(secret); err == nil && plain != secret && len(plain) >= leastSecret {
			all = append(all, plain)
		}
	}
	return all
}
