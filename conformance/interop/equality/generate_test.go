package equality

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
)

const (
	// deepest is how many levels below a place are filled; below it an instance has required members only.
	deepest = 3
	// bottom is where a schema that requires itself is given up.
	bottom = -8
)

// maker makes instances of one official edition.
type maker struct {
	*official
	*rand.Rand
}

// word is a string that no schema lists, so that it always stands for the branch of unknown values.
const word = "plain words"

// example is the first form of a schema, with all members.
func (g *maker) example(n *node, depth int) any {
	forms := g.forms(n)
	if len(forms) == 0 || depth < bottom {
		return nil
	}
	return g.full(forms[0], depth)
}

// full is a form with all members it knows, down to depth, and minimal only with those that it requires.
func (g *maker) full(f *form, depth int) any {
	return g.build(f, depth, func(string) bool { return depth > 0 })
}

func (g *maker) minimal(f *form) any {
	return g.build(f, 0, func(string) bool { return false })
}

// build makes a value of a form; has says which optional members it gets.
func (g *maker) build(f *form, depth int, has func(key string) bool) any {
	if f.fixed {
		return f.value
	}
	switch f.kind {
	case "object":
		object := map[string]any{}
		for _, key := range f.members() {
			if slices.Contains(f.required, key) || has(key) {
				object[key] = g.example(f.props[key], depth-1)
			}
		}
		for _, key := range f.required {
			if f.props[key] == nil {
				object[key] = word
			}
		}
		if f.rest != nil && depth > 0 {
			object["key"] = g.example(f.rest, depth-1)
		}
		return object
	case "array":
		list := []any{}
		if f.minItems > 0 || depth > 0 {
			list = append(list, g.item(f, depth))
		}
		return list
	}
	return g.scalars(f)[0]
}

func (g *maker) item(f *form, depth int) any {
	if f.items == nil {
		return word
	}
	return g.example(f.items, depth-1)
}

// scalars gives the values of a form that is neither an object nor a list.
func (g *maker) scalars(f *form) []any {
	switch f.kind {
	case "string":
		return []any{word, "https://example.org/a"}
	case "boolean":
		return []any{true, false}
	case "null":
		return []any{nil}
	case "number":
		return []any{json.Number("1"), json.Number("0.5"), json.Number("0")}
	case "integer":
		r, ok := integerRanges[f.format]
		if !ok {
			r = integerRanges["int64"]
		}
		lowest := json.Number(r.min.String())
		if f.bounds != nil {
			lowest = json.Number(f.bounds.min.Num().String())
		}
		return []any{json.Number("7"), lowest, json.Number(r.max.String())}
	}
	return []any{
		map[string]any{"free": json.Number("1")}, word, nil, true, json.Number("1.5"), []any{word, nil}, map[string]any{}, []any{},
	}
}

// alternatives gives values that follow a schema in every way that can be seen within depth levels: each branch, each listed
// value and each type, with all members, with none that may be absent, and with each member alone in each of its ways.
func (g *maker) alternatives(n *node, depth int) []any {
	var all []any
	for _, f := range g.forms(n) {
		switch {
		case depth <= 0:
			all = append(all, g.minimal(f))
		case f.fixed:
			all = append(all, f.value)
		case f.kind == "object":
			all = append(all, g.objects(f, depth)...)
		case f.kind == "array":
			all = append(all, g.lists(f, depth)...)
		default:
			all = append(all, g.scalars(f)...)
		}
	}
	return all
}

func (g *maker) objects(f *form, depth int) []any {
	least := g.minimal(f).(map[string]any)
	all := []any{g.full(f, depth), least}
	with := func(key string, n *node) {
		for _, value := range g.alternatives(n, depth-1) {
			object := maps.Clone(least)
			object[key] = value
			all = append(all, object)
		}
	}
	for _, key := range f.members() {
		with(key, f.props[key])
	}
	if f.rest != nil {
		with("key", f.rest)
	}
	return all
}

func (g *maker) lists(f *form, depth int) []any {
	var all []any
	if f.minItems == 0 {
		all = append(all, []any{})
	}
	if f.items == nil {
		return append(all, []any{word, nil})
	}
	items := g.alternatives(f.items, depth-1)
	for _, item := range items {
		all = append(all, []any{item})
	}
	return append(all, items[:min(len(items), 3)])
}

// random is a value that follows a schema: any of its forms, each optional member as likely there as not.
func (g *maker) random(n *node, depth int) any {
	forms := g.forms(n)
	if len(forms) == 0 || depth < bottom {
		return nil
	}
	f := forms[g.IntN(len(forms))]
	if f.fixed {
		return f.value
	}
	switch f.kind {
	case "object":
		return g.randomObject(f, depth)
	case "array":
		list := []any{}
		for range max(f.minItems, g.IntN(3)) {
			if f.items == nil {
				list = append(list, word)
			} else {
				list = append(list, g.random(f.items, depth-1))
			}
		}
		return list
	}
	if f.kind == "" {
		return g.free(2)
	}
	if f.kind == "string" && g.IntN(2) == 0 {
		return "text " + strconv.Itoa(g.IntN(1000))
	}
	values := g.scalars(f)
	return values[g.IntN(len(values))]
}

// free is any JSON.
func (g *maker) free(depth int) any {
	switch n := g.IntN(1000); {
	case depth > 0 && n%4 == 0:
		return map[string]any{"key" + strconv.Itoa(n): g.free(depth - 1), "unknownMember": g.free(depth - 1)}
	case depth > 0 && n%4 == 1:
		return []any{g.free(depth - 1), n%8 == 1}
	case n%4 == 2:
		return json.Number(strconv.Itoa(n))
	case n%40 == 3:
		return nil
	default:
		return "text " + strconv.Itoa(n)
	}
}

func (g *maker) randomObject(f *form, depth int) any {
	object := map[string]any{}
	for _, key := range f.members() {
		if slices.Contains(f.required, key) || depth > 0 && g.IntN(2) == 0 {
			object[key] = g.random(f.props[key], depth-1)
		}
	}
	for _, key := range f.required {
		if _, ok := object[key]; !ok {
			object[key] = word
		}
	}
	for range g.IntN(3) {
		key := "key" + strconv.Itoa(g.IntN(100))
		switch {
		case f.rest != nil:
			object[key] = g.random(f.rest, depth-1)
		case len(f.props) == 0 || g.IntN(8) == 0:
			object[key] = g.free(2)
		}
	}
	return object
}
