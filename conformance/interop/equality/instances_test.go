package equality

import (
	"encoding/json"
	"hash/fnv"
	"iter"
	"maps"
	"math/rand/v2"
	"slices"
)

// instance is one value that both sides judge.
type instance struct {
	value any
	text  []byte
	base  bool // made to follow the schema, and not changed afterwards
}

const (
	mutatedDepth = 3   // how deep the places lie that are changed one by one
	manyForms    = 9   // so many make a union too wide to look that deep into each branch; each is a definition of its own
	randomDepth  = 5   // how deep random instances are filled
	maxTries     = 100 // for an instance that has not been there yet
)

// maker gives the maker for one definition. It depends on nothing but names, so every run makes the same instances.
func (o *official) maker(def string, purpose string) *maker {
	h := fnv.New64a()
	for _, s := range []string{o.name, def, purpose} {
		h.Write([]byte(s + "\x00"))
	}
	return &maker{o, rand.New(rand.NewPCG(h.Sum64(), 1))}
}

// instances gives different instances for a definition: the systematic ones, and then random ones until there are at least
// that many. A definition that allows next to nothing may run out of them.
func (o *official) instances(def string, atLeast int) iter.Seq[instance] {
	return func(yield func(instance) bool) {
		seen := map[string]bool{}
		fresh := func(v any, base bool) (more, isNew bool) {
			if v == any(dropped{}) {
				return true, false
			}
			text := encode(v)
			if seen[string(text)] {
				return true, false
			}
			seen[string(text)] = true
			return yield(instance{v, text, base}), true
		}
		g := o.maker(def, "instances")
		for v, base := range g.systematic(o.defs[def]) {
			if more, _ := fresh(v, base); !more {
				return
			}
		}
		for tries := 0; len(seen) < atLeast && tries < maxTries; tries++ {
			v, base := g.anything(o.defs[def])
			more, isNew := fresh(v, base)
			if !more {
				return
			}
			if isNew {
				tries = 0
			}
		}
	}
}

func encode(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // instances are made of what JSON has
	}
	return text
}

// systematic gives every alternative of a schema, and then each form of it, full and with as little as possible, with one
// place changed in each way, and with what belongs to another form.
func (g *maker) systematic(n *node) iter.Seq2[any, bool] {
	return func(yield func(any, bool) bool) {
		forms := g.forms(n)
		wide := 0
		if len(forms) >= manyForms {
			wide = 1
		}
		for _, v := range g.alternatives(n, deepest-wide) {
			if !yield(v, true) {
				return
			}
		}
		for _, f := range forms {
			for _, base := range []any{g.minimal(f), g.full(f, deepest)} {
				for _, way := range ways(base, mutatedDepth-2*wide) {
					for _, by := range variants(at(base, way)) {
						if !yield(replace(base, way, by), false) {
							return
						}
					}
				}
			}
			for _, v := range g.mixed(f, forms) {
				if !yield(v, false) {
					return
				}
			}
		}
		yield(huge, false)
	}
}

// mixed gives an object of one form with what belongs to another: its tag, each of its members, right and wrong, and all of
// them. Of a wide union the tags are enough.
func (g *maker) mixed(f *form, forms []*form) []any {
	object, ok := g.minimal(f).(map[string]any)
	if !ok {
		return nil
	}
	var all []any
	for _, other := range forms {
		members, ok := g.full(other, 1).(map[string]any)
		if !ok || other == f {
			continue
		}
		joined := maps.Clone(members)
		maps.Copy(joined, object)
		all = append(all, joined)
		for _, key := range slices.Sorted(maps.Keys(members)) {
			values := []any{members[key]}
			if len(forms) < manyForms {
				values = slices.Concat(values, wrong)
			} else if p := other.props[key]; p == nil || len(p.values) != 1 {
				continue
			}
			for _, value := range values {
				with := maps.Clone(object)
				with[key] = value
				all = append(all, with)
			}
		}
	}
	return all
}

// anything gives a random instance: one that follows the schema, changed in no place or in up to three.
func (g *maker) anything(n *node) (v any, base bool) {
	v = g.random(n, g.IntN(randomDepth+1))
	changes := []int{0, 1, 1, 1, 1, 2, 2, 3}[g.IntN(8)]
	for range changes {
		way := g.anyWay(v)
		if changed := replace(v, way, g.anyVariant(at(v, way))); changed != any(dropped{}) {
			v = changed
		}
	}
	return v, changes == 0
}

// anyWay goes down at random, so that places near the root are met as often as the many deep ones.
func (g *maker) anyWay(v any) []step {
	var way []step
	for g.IntN(4) > 0 {
		switch inner := v.(type) {
		case map[string]any:
			if len(inner) == 0 {
				return way
			}
			keys := slices.Sorted(maps.Keys(inner))
			key := keys[g.IntN(len(keys))]
			way, v = append(way, key), inner[key]
		case []any:
			if len(inner) == 0 {
				return way
			}
			i := g.IntN(len(inner))
			way, v = append(way, i), inner[i]
		default:
			return way
		}
	}
	return way
}

func (g *maker) anyVariant(old any) any {
	switch g.IntN(8) {
	case 0: // what belongs elsewhere
		return g.random(g.defs[g.names[g.IntN(len(g.names))]], 2)
	case 1:
		return numbers[g.IntN(len(numbers))]
	case 2:
		return g.listed[g.IntN(len(g.listed))]
	}
	all := variants(old)
	return all[g.IntN(len(all))]
}
