// Package redact takes out of what is written down what should not leave the machine: secrets, and where the user is at home.
//
// It knows the values of environment variables whose names look like secrets, tokens and keys by their shapes, members and flags that
// carry one by their names, and the user's home directory.
package redact

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// Mask stands in the place of a secret.
const Mask = "[redacted]"

// leastSecret is how many bytes the value of a variable needs to be taken for a secret: shorter ones stand everywhere by chance.
const leastSecret = 6

// names are those of variables that carry secrets; strict are those of members and flags as well, where key and auth say too little.
const (
	names  = `(?:api[-_]?key|access[-_]?key|private[-_]?key|key|token|secret|passw(?:or)?d|passwd|passphrase|credentials?|authorization|auth|cookie|session[-_]?key)`
	strict = `(?:api[-_]?key|access[-_]?key|private[-_]?key|secret[-_]?key|token|secret|passw(?:or)?d|passwd|passphrase|authorization|cookie|credentials?)`
)

// secretName recognises variables whose value is a secret.
var secretName = regexp.MustCompile(`(?i)(?:^|[-_])` + names + `s?(?:$|[-_])`)

// shapes are secrets that are known by how they look. What the first group matches stays.
var shapes = []*regexp.Regexp{
	regexp.MustCompile(`(?i)(\b(?:bearer|basic|token)\s+)[A-Za-z0-9._~+/=-]{8,}`),
	regexp.MustCompile(`()\b(?:sk|pk|rk)-(?:[A-Za-z0-9]+-)*[A-Za-z0-9_-]{16,}`),
	regexp.MustCompile(`()\b(?:sk|pk|rk)_(?:live|test)_[A-Za-z0-9]{10,}`),
	regexp.MustCompile(`()\bgh[pousr]_[A-Za-z0-9]{20,}`),
	regexp.MustCompile(`()\bgithub_pat_[A-Za-z0-9_]{20,}`),
	regexp.MustCompile(`()\bglpat-[A-Za-z0-9_-]{16,}`),
	regexp.MustCompile(`()\bxox[abeoprs]-[A-Za-z0-9-]{10,}`),
	regexp.MustCompile(`()\bnpm_[A-Za-z0-9]{30,}`),
	regexp.MustCompile(`()\bhf_[A-Za-z0-9]{20,}`),
	regexp.MustCompile(`()\b(?:AKIA|ASIA)[0-9A-Z]{16}\b`),
	regexp.MustCompile(`()\bAIza[0-9A-Za-z_-]{30,}`),
	regexp.MustCompile(`()\bya29\.[0-9A-Za-z_-]{10,}`),
	regexp.MustCompile(`()\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?`), // a JSON web token
	regexp.MustCompile(`()-----BEGIN [A-Z ]*PRIVATE KEY-----(?s:.*?)(?:-----END [A-Z ]*PRIVATE KEY-----|$)`),
	regexp.MustCompile(`(\b[a-z][a-z0-9+.-]*://[^\s/:@"]*:)[^\s/@"]+(?:@)`),                                              // a password in a URL
	regexp.MustCompile(`(?i)("[A-Za-z0-9_-]*?` + strict + `s?"\s*:\s*")(?:[^"\\]|\\.){4,}`),                              // a member of JSON
	regexp.MustCompile(`(?i)(\\"[A-Za-z0-9_-]*?` + strict + `s?\\"\s*:\s*\\")(?:[^"\\]|\\[^"]){4,}`),                     // of JSON in a string
	regexp.MustCompile(`(?i)((?:^|[\s"'])--?[a-z0-9-]*?` + strict + `[= ]["']?)[^\s"',;-][^\s"',;]{5,}`),                 // a flag
	regexp.MustCompile(`(\b[A-Z0-9_]+_(?:KEY|AUTH)=["']?)[^\s"',;&]{6,}`),                                                // an assignment to a variable
	regexp.MustCompile(`(?i)((?:^|[^A-Za-z0-9])[A-Za-z0-9_]*?` + strict + `s?=["']?)[^\s"',;&]{6,}`),                     // an assignment
	regexp.MustCompile(`(?i)(\b[A-Za-z0-9-]*?` + strict + `:\s+)(?:(?:bearer|basic|token)\s+)?[^\s"',;\[][^\s"',;]{7,}`), // a header
}

// Redactor takes out secrets. It may be used by several goroutines. A nil one changes nothing.
type Redactor struct {
	secrets []string // longest first, each also as JSON writes it
	home    *regexp.Regexp
}

// New makes a redactor for an environment, a list of NAME=value, and a home directory, "" = none.
func New(env []string, home string) *Redactor {
	r := &Redactor{}
	for _, pair := range env {
		name, value, _ := strings.Cut(pair, "=")
		if secretName.MatchString(name) && len(value) >= leastSecret && !harmless(value, home) {
			r.secrets = append(r.secrets, value)
			if quoted, err := json.Marshal(value); err == nil {
				r.secrets = append(r.secrets, strings.Trim(string(quoted), `"`))
			}
			r.secrets = append(r.secrets, strings.ReplaceAll(value, "/", `\/`))
		}
	}
	slices.SortFunc(r.secrets, func(a, b string) int { return len(b) - len(a) })
	r.secrets = slices.Compact(r.secrets)
	if home = strings.TrimRight(home, `/\`); len(home) > 1 {
		r.home = regexp.MustCompile(regexp.QuoteMeta(home) + `($|[/\\"'\s:;,)\]}])`)
	}
	return r
}

// harmless tells whether the value of a variable is surely no secret though its name is that of one: a path or a switch.
func harmless(value, home string) bool {
	return value == home || strings.HasPrefix(value, "/") && strings.Count(value, "/") > 1 || slices.Contains([]string{"enabled", "disabled", "default"}, strings.ToLower(value))
}

// String is the text without secrets.
func (r *Redactor) String(s string) string {
	if r == nil || s == "" {
		return s
	}
	for _, secret := range r.secrets {
		s = strings.ReplaceAll(s, secret, Mask)
	}
	for _, shape := range shapes {
		s = shape.ReplaceAllStringFunc(s, func(m string) string {
			if strings.Contains(m, Mask) {
				return m
			}
			kept := shape.FindStringSubmatch(m)[1]
			end := ""
			if strings.HasSuffix(m, "@") {
				end = "@"
			}
			return kept + Mask + end
		})
	}
	if r.home != nil {
		s = r.home.ReplaceAllString(s, "~$1")
	}
	return s
}

// Cut is String for a text whose end is missing: what may be the beginning of a secret there is taken out, too.
func (r *Redactor) Cut(s string) string {
	if r == nil {
		return s
	}
	for _, secret := range r.secrets {
		for n := min(len(secret)-1, len(s)); n >= 4; n-- {
			if strings.HasSuffix(s, secret[:n]) {
				return r.String(s[:len(s)-n]) + Mask
			}
		}
	}
	return r.String(s)
}

// Bytes is String for bytes. What is not UTF-8 is not changed but for the secrets.
func (r *Redactor) Bytes(b []byte) []byte {
	if r == nil || len(b) == 0 {
		return b
	}
	return []byte(r.String(string(b)))
}

// Base64 is String for bytes in Base64.
func (r *Redactor) Base64(s string) string {
	b, err := base64.StdEncoding.DecodeString(s)
	if r == nil || err != nil {
		return s
	}
	if clean := r.Bytes(b); !bytes.Equal(clean, b) {
		return base64.StdEncoding.EncodeToString(clean)
	}
	return s
}
