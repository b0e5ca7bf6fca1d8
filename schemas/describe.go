package schemas

import (
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// describe says in words which values a schema accepts at its own place.
func describe(s *node) string {
	words, names := gather(s)
	if len(names) > 0 && !slices.Contains(words, "a string") {
		words = append([]string{oneOf(names)}, words...)
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

// gather collects the words for the types of a schema and its alternatives, and the values that are listed there.
func gather(s *node) (words, names []string) {
	for _, v := range s.listed {
		names = append(names, fmt.Sprint(v))
	}
	if len(names) == 0 {
		for _, t := range s.types {
			words = append(words, typeWords(s, t))
		}
	}
	parts := slices.Concat(s.anyOf, s.allOf)
	if s.ref != nil {
		parts = append(parts, s.ref)
	}
	for _, part := range parts {
		w, n := gather(part)
		words, names = append(words, w...), append(names, n...)
	}
	return words, names
}

func typeWords(s *node, name string) string {
	switch name {
	case "integer", "number":
		return numberWords(s)
	case "string":
		if s.minLength == 1 {
			return "a string that is not empty"
		}
		return "a string"
	case "null":
		return "null"
	case "object":
		return "an object"
	case "array":
		if s.minItems == 1 {
			return "an array that is not empty"
		}
		return "an array"
	default:
		return "a " + name
	}
}

func numberWords(s *node) string {
	words := "an integer"
	if slices.Contains(s.types, "number") {
		words = "a number"
	}
	r, ok := integerRanges[s.integers]
	min, max := s.minimum, s.maximum
	if ok && min == nil {
		min = new(big.Rat).SetInt(r.min)
	}
	if ok && max == nil {
		max = new(big.Rat).SetInt(r.max)
	}
	switch {
	case min != nil && max != nil:
		return fmt.Sprintf("%s from %s to %s", words, min.RatString(), max.RatString())
	case min != nil:
		return fmt.Sprintf("%s from %s", words, min.RatString())
	case max != nil:
		return fmt.Sprintf("%s up to %s", words, max.RatString())
	}
	return words
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
func whole(s *node) string {
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
func required(s *node) []string {
	keys := slices.Clone(s.required)
	if s.ref != nil {
		keys = append(keys, required(s.ref)...)
	}
	for _, sub := range s.allOf {
		keys = append(keys, required(sub)...)
	}
	if sw := s.sw; sw != nil && sw.otherwise == nil {
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

// perhaps suggests the listed value that the sender probably meant.
func perhaps(value string, names []string) string {
	near, _ := nearestName(value, names)
	if near == "" || len(names) == 1 {
		return ""
	}
	return "; perhaps " + strconv.Quote(near)
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
