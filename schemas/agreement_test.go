package schemas

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// The verdict is the validator's and the explanation is ours; they read the same schema and must never disagree.
func TestExplanationAgreesWithTheVerdict(t *testing.T) {
	set, err := editionOf(1).load()
	if err != nil {
		t.Fatal(err)
	}
	g := generator{rand.New(rand.NewPCG(1, 2))}
	valid := 0
	for _, name := range slices.Sorted(maps.Keys(set.byName)) {
		sch := set.byName[name]
		for range 100 {
			v := g.value(sch, 5)
			for range g.IntN(3) {
				v = g.spoil(v)
			}
			err := validate(sch, v)
			x := explainer{}
			x.explain(sch, v, place{def: name})
			if (err == nil) != (len(x.findings()) == 0) {
				t.Fatalf("%s %s\nverdict %v\nfindings %v", name, jsonText(v), err, x.findings())
			}
			if err == nil {
				valid++
			}
		}
	}
	if all := 100 * len(set.byName); valid < all/4 || valid > all*9/10 {
		t.Errorf("%d of %d values were valid, which proves little", valid, all)
	}
}

// Check must come back from whatever bytes it gets.
func FuzzCheck(f *testing.F) {
	f.Add("SessionNotification", []byte(chunk))
	f.Add("ToolCall", []byte(`{"toolCallId":"c","title":"t","kind":null,"content":[[],{"type":{}}]}`))
	f.Add("RequestId", []byte(`1e400`))
	f.Fuzz(func(t *testing.T, name string, part []byte) {
		for _, found := range CheckName(1, name, part) {
			_, none := find(editionOf(1), name)
			if found.Problem == Internal && none == nil {
				t.Errorf("%s %q: %v", name, part, found)
			}
			if len(found.Actual) > maxActual || found.Expected == "" {
				t.Errorf("%s %q: %+v", name, part, found)
			}
		}
		UnknownMembers(Definition{Edition: "v1", Name: name}, part)
	})
}

// generator makes values that follow a schema, and values that nearly do.
type generator struct{ *rand.Rand }

var spoilt = []any{nil, true, "", "text", "select", "form", json.Number("-1"), json.Number("1.0"), json.Number("1.5"),
	json.Number("1e3"), json.Number("18446744073709551616"), []any{}, []any{nil}, map[string]any{}, map[string]any{"type": "text"}}

func (g generator) value(s *jsonschema.Schema, depth int) any {
	object := map[string]any{}
	switch {
	case len(s.Enum) > 0:
		return s.Enum[g.IntN(len(s.Enum))]
	case len(s.AnyOf) > 0:
		v := g.value(s.AnyOf[g.IntN(len(s.AnyOf))], depth)
		branch, ok := v.(map[string]any)
		if !ok {
			return v
		}
		object = branch
	case s.Ref != nil:
		v := g.value(s.Ref, depth)
		target, ok := v.(map[string]any)
		if !ok {
			return v
		}
		object = target
	}
	for _, key := range sortedKeys(s.Properties) {
		if slices.Contains(s.Required, key) || depth > 0 && g.IntN(2) == 0 {
			object[key] = g.value(s.Properties[key], depth-1)
		}
	}
	if sw := switchOf(s); sw != nil {
		tag := sw.names[g.IntN(len(sw.names))]
		if branch, ok := g.value(sw.cases[tag], depth).(map[string]any); ok {
			maps.Copy(object, branch)
		}
		object[sw.member] = tag
	}
	if len(s.Types) == 0 {
		return object
	}
	switch s.Types[g.IntN(len(s.Types))] {
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
		for range g.IntN(3) {
			list = append(list, g.value(s.Items2020, depth-1))
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
