package equality

import (
	"cmp"
	"maps"
	"slices"
)

// form is one way to follow a schema: its unions are decided, what stands in allOf and behind references is put together, and
// at most one type is left. A schema has as many forms as it has branches, types and listed values.
type form struct {
	kind     string // a JSON type, or "" for a value that is free
	value    any    // the only value, if fixed
	fixed    bool
	props    map[string]*node
	required []string
	items    *node
	rest     *node
	format   string
	minItems int
	bounds   *node // whose minimum counts
}

// forms gives the forms of a schema, in the order in which they are written. A form whose parts exclude each other is left out;
// "not" is disregarded, since no name that this package makes up is a listed one.
func (o *official) forms(n *node) []*form {
	o.lock.Lock()
	defer o.lock.Unlock()
	return o.formsOf(n)
}

func (o *official) formsOf(n *node) []*form {
	if known, ok := o.formed[n]; ok {
		return known
	}
	all := n.own()
	for _, sub := range n.allOf {
		all = combineAll(all, o.formsOf(sub))
	}
	if branches := n.union(); len(branches) > 0 {
		var chosen []*form
		for _, branch := range branches {
			chosen = append(chosen, o.formsOf(branch)...)
		}
		all = combineAll(all, chosen)
	}
	if o.formed == nil {
		o.formed = map[*node][]*form{}
	}
	o.formed[n] = all
	return all
}

// own gives the forms of a schema without its subschemas for the same value.
func (n *node) own() []*form {
	base := form{
		props: n.props, required: n.required, items: n.items, rest: n.rest, format: n.format, minItems: n.minItems,
	}
	if n.min != nil {
		base.bounds = n
	}
	var all []*form
	for _, value := range n.values {
		f := base
		f.kind, f.value, f.fixed = typeOf(value), value, true
		all = append(all, &f)
	}
	if len(all) > 0 || n.never {
		return all
	}
	for _, kind := range n.types {
		f := base
		f.kind = kind
		all = append(all, &f)
	}
	if len(all) > 0 {
		return all
	}
	if base.props != nil {
		base.kind = "object"
	}
	return []*form{&base}
}

func typeOf(v any) string {
	for _, name := range []string{"null", "boolean", "string", "integer", "number", "array", "object"} {
		if hasType(v, name) {
			return name
		}
	}
	return ""
}

func combineAll(as, bs []*form) []*form {
	var all []*form
	for _, a := range as {
		for _, b := range bs {
			if f := combine(a, b); f != nil {
				all = append(all, f)
			}
		}
	}
	return all
}

// combine gives the form of a value that has to follow both, or nil if there is none.
func combine(a, b *form) *form {
	f := *a
	switch {
	case a.kind == "" || a.kind == "number" && b.kind == "integer":
		f.kind = b.kind
	case b.kind != "" && a.kind != b.kind && !(a.kind == "integer" && b.kind == "number"):
		return nil
	}
	if b.fixed {
		if a.fixed && !equal(a.value, b.value) {
			return nil
		}
		f.value, f.fixed = b.value, true
	}
	if len(b.props) > 0 {
		f.props = maps.Clone(b.props)
		for key, sub := range a.props {
			f.props[key] = both(sub, b.props[key])
		}
	}
	f.required = slices.Concat(a.required, b.required)
	f.items, f.rest = both(a.items, b.items), both(a.rest, b.rest)
	f.format = cmp.Or(a.format, b.format)
	f.minItems = max(a.minItems, b.minItems)
	f.bounds = cmp.Or(a.bounds, b.bounds)
	return &f
}

func both(a, b *node) *node {
	if a == nil || b == nil || a == b {
		return cmp.Or(a, b)
	}
	return &node{allOf: []*node{a, b}}
}

// members gives the names of the members that a form knows, sorted.
func (f *form) members() []string {
	return slices.Sorted(maps.Keys(f.props))
}
