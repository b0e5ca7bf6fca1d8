package schemas

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
)

// The verdict is the validator's; the quick yes and the explanation are ours. They read the same schema and must never
// disagree, in any edition.
func TestEveryReadingAgreesWithTheVerdict(t *testing.T) {
	for _, e := range Ours().editions {
		t.Run(e.name, func(t *testing.T) {
			t.Parallel()
			src, err := e.source()
			if err != nil {
				t.Fatal(err)
			}
			asWritten, err := layered(files).Edition(e.protocol, e.Stable()).source()
			if err != nil {
				t.Fatal(err)
			}
			g := generator{rand.New(rand.NewPCG(1, 2))}
			valid, quick := 0, 0
			for _, name := range e.Definitions() {
				def := src.nodes[name]
				for range 100 {
					v := g.value(def, 5)
					for range g.IntN(3) {
						v = g.spoil(v)
					}
					err := src.validator.validate(name, v)
					if other := asWritten.validator.validate(name, v); (err == nil) != (other == nil) {
						t.Fatalf("%s %s: by draft 7 %v, by the draft of the files %v", name, jsonText(v), err, other)
					}
					x := explainer{}
					x.explain(def, v, place{def: name})
					if (err == nil) != (len(x.findings()) == 0) {
						t.Fatalf("%s %s\nverdict %v\nfindings %v", name, jsonText(v), err, x.findings())
					}
					if err == nil {
						valid++
					}
					if def.accepts(v) {
						quick++
						if err != nil {
							t.Fatalf("%s %s is accepted\nverdict %v", name, jsonText(v), err)
						}
					}
				}
			}
			if all := 100 * len(e.Definitions()); valid < all/4 || valid > all*9/10 {
				t.Errorf("%d of %d values were valid, which proves little", valid, all)
			}
			if quick < valid*9/10 {
				t.Errorf("%d of %d valid values were accepted quickly", quick, valid)
			}
		})
	}
}

// generator makes values that follow a schema, and values that nearly do.
type generator struct{ *rand.Rand }

var spoilt = []any{nil, true, "", "text", "select", "form", json.Number("-1"), json.Number("1.0"), json.Number("1.5"),
	json.Number("1e3"), json.Number("18446744073709551616"), []any{}, []any{nil}, map[string]any{}, map[string]any{"type": "text"}}

func (g generator) value(s *node, depth int) any {
	object := map[string]any{}
	switch {
	case len(s.listed) > 0:
		return s.listed[g.IntN(len(s.listed))]
	case len(s.anyOf) > 0:
		v := g.value(s.anyOf[g.IntN(len(s.anyOf))], depth)
		branch, ok := v.(map[string]any)
		if !ok {
			return v
		}
		object = branch
	case s.ref != nil:
		v := g.value(s.ref, depth)
		target, ok := v.(map[string]any)
		if !ok {
			return v
		}
		object = target
	}
	for _, key := range sortedKeys(s.properties) {
		if slices.Contains(s.required, key) || depth > 0 && g.IntN(2) == 0 {
			object[key] = g.value(s.properties[key], depth-1)
		}
	}
	if sw := s.sw; sw != nil {
		tag := sw.names[g.IntN(len(sw.names))]
		if branch, ok := g.value(sw.cases[tag], depth).(map[string]any); ok {
			maps.Copy(object, branch)
		}
		object[sw.member] = tag
	}
	if len(s.types) == 0 {
		return object
	}
	switch s.types[g.IntN(len(s.types))] {
	case "string":
		return "x"
	case "boolean":
		return g.IntN(2) == 0
	case "integer", "number":
		return json.Number(strconv.Itoa(g.IntN(9)))
	case "null":
		return nil
	case "array":
		list := []any{}
		for range max(s.minItems, g.IntN(3)) {
			if s.items == nil {
				list = append(list, "x")
				continue
			}
			list = append(list, g.value(s.items, depth-1))
		}
		return list
	}
	return object
}

// spoil replaces or removes one place, and only copies the way to it.
func (g generator) spoil(v any) any {
	switch v := v.(type) {
	case map[string]any:
		if len(v) > 0 && g.IntN(5) > 0 {
			keys := sortedKeys(v)
			key := keys[g.IntN(len(keys))]
			copied := maps.Clone(v)
			if g.IntN(4) == 0 {
				delete(copied, key)
			} else {
				copied[key] = g.spoil(v[key])
			}
			return copied
		}
	case []any:
		if len(v) > 0 && g.IntN(5) > 0 {
			copied := slices.Clone(v)
			i := g.IntN(len(v))
			copied[i] = g.spoil(v[i])
			return copied
		}
	}
	return spoilt[g.IntN(len(spoilt))]
}
