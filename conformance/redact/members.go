package redact

import (
	"reflect"
	"regexp"
	"slices"
	"strings"
)

// In what an agent has told as JSON, such as its capabilities, a secret and its name are two values.

// value is any value of JSON without secrets.
func (r *Redactor) value(v any) any {
	switch v := v.(type) {
	case nil:
		return nil
	case map[string]any:
		return r.members(v)
	case []any:
		return r.list(v)
	}
	return r.copied(reflect.ValueOf(v)).Interface()
}

func (r *Redactor) members(all map[string]any) map[string]any {
	if all == nil {
		return nil
	}
	name, _ := all["name"].(string)
	out := make(map[string]any, len(all))
	for key, v := range all {
		switch text, ok := v.(string); {
		case ok && (hides(key, text) || key == "value" && hides(name, text)):
			out[r.Shown(key)] = Mask
		case !ok && v != nil && hides(key, anySecret):
			out[r.Shown(key)] = r.below(v, key)
		default:
			out[r.Shown(key)] = r.value(v)
		}
	}
	return out
}

// anySecret is long enough to be one.
const anySecret = "xxxxxxxx"

// manyTokens are the names of tokens that may be those of a text.
var manyTokens = regexp.MustCompile(`(?i)tokens[0-9]*$`)

// below is a value below the name of a secret, by which it is a secret but for what says of which kind it is.
func (r *Redactor) below(v any, name string) any {
	switch v := v.(type) {
	case string:
		if len(v) < leastMember || manyTokens.MatchString(name) && !seems(v) {
			return r.value(v)
		}
		return Mask
	case []any:
		out := make([]any, len(v))
		for i, one := range v {
			out[i] = r.below(one, name)
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, one := range v {
			if slices.Contains(plainMembers, key) {
				out[r.Shown(key)] = r.value(one)
			} else {
				out[r.Shown(key)] = r.below(one, name)
			}
		}
		return out
	}
	return r.value(v)
}

// hides tells whether a text is a secret because of the name of its member.
func hides(name, text string) bool {
	line := `{"` + name + `":"`
	found := named(line + strings.Repeat("x", len(text)) + `"}`)
	return len(found) > 0 && found[0].from == len(line) && text != Mask
}

// list is a list, which may be a command line.
func (r *Redactor) list(all []any) []any {
	if all == nil {
		return nil
	}
	out := make([]any, len(all))
	for i, v := range all {
		out[i] = r.value(v)
		if text, ok := v.(string); ok && i > 0 {
			if flag, ok := all[i-1].(string); ok {
				if v, ok := ofFlag(flag, text); ok {
					out[i] = r.Shown(without(text, []span{v}))
				}
			}
		}
	}
	return out
}
