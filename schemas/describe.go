package schemas

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// describe says in words which values a schema accepts at its own place.
func describe(s *jsonschema.Schema) string {
	var words []string
	for _, branch := range append([]*jsonschema.Schema{s}, s.AnyOf...) {
		words = append(words, ownWords(branch)...)
	}
	if s.Ref != nil {
		words = append(words, describe(s.Ref))
	}
	words = compact(words)
	switch n := len(words); n {
	case 0:
		return "another value"
	case 1:
		return words[0]
	default:
		return strings.Join(words[:n-1], ", ") + " or " + words[n-1]
	}
}

func ownWords(s *jsonschema.Schema) []string {
	if len(s.Types) == 0 && len(s.Enum) == 0 && s.Ref != nil {
		return ownWords(s.Ref)
	}
	var words []string
	if len(s.Enum) > 0 {
		names := make([]string, len(s.Enum))
		for i, v := range s.Enum {
			names[i] = fmt.Sprint(v)
		}
		words = append(words, oneOf(names))
	}
	for _, t := range s.Types {
		words = append(words, typeWords(s, t))
	}
	return words
}

func typeWords(s *jsonschema.Schema, name string) string {
	switch name {
	case "integer":
		if r, ok := integerRanges[s.Format]; ok {
			return fmt.Sprintf("an integer from %s to %s", r.min, r.max)
		}
		return "an integer"
	case "string":
		if s.MinLength == 1 {
			return "a string that is not empty"
		}
		return "a string"
	case "null":
		return "null"
	case "object":
		return "an object"
	case "array":
		return "an array"
	default:
		return "a " + name
	}
}

// compact drops repeated words and moves null to the end, where a reader expects it.
func compact(words []string) []string {
	var kept []string
	null := false
	for _, w := range words {
		if w == "null" {
			null = true
		} else if !slices.Contains(kept, w) {
			kept = append(kept, w)
		}
	}
	if null {
		kept = append(kept, "null")
	}
	return kept
}

// whole describes a part that is absent altogether.
func whole(s *jsonschema.Schema) string {
	words := describe(s)
	keys := required(s)
	for i, key := range keys {
		keys[i] = strconv.Quote(key)
	}
	if len(keys) > 0 {
		words += " with " + strings.Join(keys, ", ")
	}
	return words
}

// required returns the members that an object needs whatever branch of a union it takes, and the discriminator.
func required(s *jsonschema.Schema) []string {
	keys := slices.Clone(s.Required)
	if s.Ref != nil {
		keys = append(keys, required(s.Ref)...)
	}
	if sw := switchOf(s); sw != nil && sw.otherwise == nil {
		keys = append(keys, sw.member)
	}
	return keys
}

func member(key string) string { return "member " + strconv.Quote(key) }

func oneOf(names []string) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = strconv.Quote(name)
	}
	if len(quoted) == 1 {
		return quoted[0]
	}
	return "one of " + strings.Join(quoted, ", ")
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
