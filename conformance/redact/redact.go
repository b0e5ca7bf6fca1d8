// Package redact takes out of what is written down what should not leave the machine: secrets, and where the user is at home.
//
// It knows the values of environment variables whose names look like secrets and those of such flags in a command line, tokens and keys by
// their shapes, members and flags that carry one by their names, and the user's home directory.
package redact

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"regexp"
	"slices"
	"strings"
)

// Mask stands in the place of a secret.
const Mask = "[redacted]"

// Redactor takes out secrets. It may be used by several goroutines. A nil one changes nothing.
type Redactor struct {
	secrets []string // longest first, each also as JSON writes it
	unusual []string // those that are no ordinary words
	homes   []string // the home directory in the same spellings
}

// New makes a redactor for an environment, a list of NAME=value, the command line that is run in it, and a home directory, "" = none.
func New(env, command []string, home string) *Redactor {
	r := &Redactor{}
	secrets := ofCommand(command)
	for _, pair := range env {
		name, value, _ := strings.Cut(pair, "=")
		if isSecret(name, value, home) {
			secrets = append(secrets, value)
		}
		secrets = append(secrets, ofURLs(value)...)
	}
	for _, secret := range secrets {
		for _, part := range append(linesOf(secret), secret) {
			r.secrets = append(r.secrets, spellings(part)...)
		}
	}
	r.secrets = longestFirst(r.secrets)
	for _, secret := range r.secrets {
		if !word.MatchString(secret) {
			r.unusual = append(r.unusual, secret)
		}
	}
	if home = strings.TrimRight(home, `/\`); len(home) > 1 {
		r.homes = longestFirst(spellings(home))
	}
	return r
}

// word is what may be a word of the protocol, such as a method.
var word = regexp.MustCompile(`^[A-Za-z_/]+$`)

func longestFirst(all []string) []string {
	slices.SortFunc(all, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	return slices.Compact(all)
}

// String is the text without secrets.
func (r *Redactor) String(s string) string { return r.next(&stream{}, s) }

// Lines makes what takes secrets out of a text that comes in pieces, each of one or more whole lines. It is for one such text, and for
// one goroutine at a time; nil if the redactor is.
func (r *Redactor) Lines() func([]byte) []byte {
	if r == nil {
		return nil
	}
	var t stream
	return func(b []byte) []byte { return []byte(r.next(&t, string(b))) }
}

// next is the next piece of a text without secrets.
func (r *Redactor) next(t *stream, s string) string {
	if r == nil || s == "" {
		return s
	}
	return r.masked(t.keyless(s), nil)
}

// masked is a text without secrets, and without some parts. All of them are found before any is taken out: what is left of a token whose
// middle is the value of a variable looks like none.
func (r *Redactor) masked(s string, found []span) string {
	small := inSmall(s)
	found = merged(inURLs(s, shaped(s, small, known(s, r.secrets, found))))
	first := len(found)
	for _, v := range namedIn(s, small) { // of which a bracket may be a part that is none of the secret
		if rest, whole := v.rest(s, found[:first]); whole || strings.ContainsFunc(rest, isAlphanumeric) {
			found = append(found, v)
		}
	}
	if len(found) > 0 { // and what is left of a value that was found in part
		s = without(s, merged(found))
		s = without(s, merged(named(s)))
	}
	for _, home := range r.homes {
		s = homeless(s, home)
	}
	return s
}

// Values is a text that has to keep its meaning, without the secrets of the environment that are no ordinary words, and the home directory.
// What only looks like a secret stays.
func (r *Redactor) Values(s string) string {
	if r == nil {
		return s
	}
	s = without(s, merged(known(s, r.unusual, nil)))
	for _, home := range r.homes {
		s = homeless(s, home)
	}
	return s
}

// Cut is String for a text whose end is missing: what may be the beginning of a secret there is taken out, too.
func (r *Redactor) Cut(s string) string {
	if r == nil {
		return s
	}
	var t stream
	s = t.keyless(s)
	for _, secret := range r.secrets {
		for n := min(len(secret)-1, len(s)); n >= 4; n-- {
			if strings.HasSuffix(s, secret[:n]) {
				return r.masked(s, []span{{len(s) - n, len(s)}})
			}
		}
	}
	return r.masked(s, nil)
}

// known are the places in a text of secrets that are known.
func known(s string, secrets []string, found []span) []span {
	for _, secret := range secrets {
		for i := index(s, secret, 0); i < len(s); i = index(s, secret, i+1) {
			if last := len(found) - 1; last >= 0 && found[last].from <= i && i <= found[last].to { // it overlaps itself
				found[last].to = max(found[last].to, i+len(secret))
			} else {
				found = append(found, span{i, i + len(secret)})
			}
		}
	}
	return found
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
