package redact

import (
	"reflect"
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
		out[r.Shown(key)] = r.value(v)
		if text, ok := v.(string); ok && (hides(key, text) || key == "value" && hides(name, text)) {
			out[r.Shown(key)] = Mask
		}
	}
	return out
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
