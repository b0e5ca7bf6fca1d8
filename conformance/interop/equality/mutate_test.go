package equality

import (
	"encoding/json"
	"maps"
	"slices"
)

// Numbers around the ends of every format and limit, and integers that are not written as such.
var numbers = []json.Number{
	"-9223372036854775809", "-9223372036854775808", "-2147483649", "-2147483648", "-1", "0", "1", "2", "1.5", "0.5", "-0.5",
	"65535", "65536", "2147483647", "2147483648", "4294967295", "4294967296", "9223372036854775807", "9223372036854775808",
	"18446744073709551615", "18446744073709551616", "1.0", "1e3", "-0",
}

// huge is a number that takes a reader seconds or is refused; one is enough.
const huge = json.Number("1e1000")

// wrong are values of every type, small and empty, to stand where another value was.
var wrong = []any{
	nil, true, false, "", "no_such_name", "_private", json.Number("5"), json.Number("1.5"), json.Number("1.0"),
	[]any{}, []any{nil}, []any{"text"}, map[string]any{}, map[string]any{"unknownMember": true},
}

// step is a member's name or an index on the way to a place; a way is from the outside to the inside.
type step any

// ways gives the ways to all places of a value that are at most depth steps long, the value itself first.
func ways(v any, depth int) [][]step {
	all := [][]step{nil}
	if depth == 0 {
		return all
	}
	add := func(s step, sub any) {
		for _, way := range ways(sub, depth-1) {
			all = append(all, slices.Concat([]step{s}, way))
		}
	}
	switch v := v.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			add(key, v[key])
		}
	case []any:
		for i, item := range v {
			add(i, item)
		}
	}
	return all
}

func at(v any, way []step) any {
	for _, s := range way {
		switch s := s.(type) {
		case string:
			v = v.(map[string]any)[s]
		case int:
			v = v.([]any)[s]
		}
	}
	return v
}

// dropped marks a place that is to be taken away.
type dropped struct{}

// replace gives v with another value at one place, or without that place. It copies the way there and shares the rest.
func replace(v any, way []step, by any) any {
	if len(way) == 0 {
		return by
	}
	switch v := v.(type) {
	case map[string]any:
		key := way[0].(string)
		object := maps.Clone(v)
		if object[key] = replace(v[key], way[1:], by); object[key] == any(dropped{}) {
			delete(object, key)
		}
		return object
	case []any:
		i := way[0].(int)
		list := slices.Clone(v)
		if list[i] = replace(v[i], way[1:], by); list[i] == any(dropped{}) {
			list = slices.Delete(list, i, i+1)
		}
		return list
	}
	return v
}

// variants gives what may be put in the place of a value: nothing, every wrong type, what lies at the ends of the same type,
// and the same thing with something more in it.
func variants(old any) []any {
	all := append([]any{dropped{}}, wrong...)
	switch old := old.(type) {
	case map[string]any:
		more := maps.Clone(old)
		more["unknownMember"] = map[string]any{"deep": []any{nil}}
		all = append(all, more)
	case []any:
		for _, item := range []any{nil, json.Number("5"), map[string]any{}, []any{}} {
			all = append(all, append(slices.Clone(old), item))
		}
	case json.Number:
		for _, n := range numbers {
			all = append(all, n)
		}
	}
	return all
}
