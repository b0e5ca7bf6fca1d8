package redact

import (
	"slices"
	"strings"
)

// plainMembers are those of an object below the name of a secret that say what it is, as a schema does, and not the secret itself.
var plainMembers = []string{"type", "title", "description", "name", "id", "format", "kind", "label", "enum", "required", "pattern", "$ref"}

// opened is a list or an object that is gone through.
type opened struct {
	object bool
	plain  bool // nothing in it is a secret
}

// inside adds the strings of a list or an object that belongs to a name, and tells where it ends.
func (n name) inside(s string, found []span) ([]span, int) {
	q, i, ok := quoteAt(s, n.to)
	if !ok || n.flag || n.user() || !n.begins(s, q) {
		return found, n.to
	}
	i = blanks(s, i)
	sign := separator.FindString(window(s, i))
	if i = blanks(s, i+len(sign)); sign == "" || i == len(s) || s[i] != '[' && s[i] != '{' {
		return found, n.to
	}
	var open []opened
	key := ""
	for {
		if i = blanks(s, i); i == len(s) {
			return found, i
		}
		if v, next, ok := q.stringAt(s, i); ok {
			i = blanks(s, next)
			top := open[len(open)-1]
			if top.object && strings.HasPrefix(s[i:], ":") {
				key, i = s[v.from:v.to], i+1
			} else if secret, ok := atLeast(s, v, leastMember); ok && !top.plain && !slices.Contains(plainMembers, key) && (!n.many() || seems(s[v.from:v.to])) {
				found = append(found, secret)
			}
			continue
		}
		if open, key, i = step(s, i, open, key); len(open) == 0 {
			return found, i
		}
	}
}

// stringAt is the string at a place, and where what is behind it begins.
func (q quote) stringAt(s string, i int) (v span, next int, ok bool) {
	at, from, ok := quoteAt(s, i)
	if !ok || at != q {
		return v, i, false
	}
	v = span{from, q.end(s, from)}
	if _, next, ok = quoteAt(s, v.to); !ok {
		next = v.to
	}
	return v, next, true
}

// step goes on behind something that is no string; nothing is open any more where the whole has ended.
func step(s string, i int, open []opened, key string) (now []opened, member string, next int) {
	switch c := s[i]; c {
	case '[', '{':
		plain := len(open) > 0 && open[len(open)-1].plain || slices.Contains(plainMembers, key)
		return append(open, opened{c == '{', plain}), "", i + 1
	case ']', '}':
		return open[:len(open)-1], "", i + 1
	case ',':
		return open, "", i + 1
	}
	if next = plainEnd(s, i, ",]}[{:"); next == i { // the string ends that holds all this
		return nil, "", i
	}
	return open, key, next
}
