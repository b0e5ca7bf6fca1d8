package equality

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"testing"
)

// The tests of this file look at the means of the comparison: whether the evaluator reads marks as it should, and whether the
// instances come to every corner of a definition.

func decoded(t *testing.T, text string) any {
	t.Helper()
	var v any
	d := json.NewDecoder(bytes.NewReader([]byte(text)))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}

func TestWhatTolerantReadersRepair(t *testing.T) {
	o := &official{raw: map[string]any{
		"Inner": decoded(t, `{"type": "object", "required": ["n"], "properties": {
			"n": {"type": "integer"}, "label": {"type": "string", "x-deserialize-default-on-error": true}}}`),
		"Outer": decoded(t, `{"type": "object", "required": ["must"], "properties": {
			"must": {"allOf": [{"$ref": "#/$defs/Inner"}], "x-deserialize-default-on-error": true},
			"hard": {"$ref": "#/$defs/Inner"},
			"list": {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/Inner"}, "x-deserialize-skip-invalid-items": true},
			"both": {"type": "array", "items": {"type": "string"}, "x-deserialize-skip-invalid-items": true,
				"x-deserialize-default-on-error": true},
			"map": {"type": "object", "additionalProperties": {"type": "string"}, "x-deserialize-default-on-null": true},
			"tag": {"type": ["string", "null"], "x-deserialize-default-on-error": true}},
			"anyOf": [
				{"properties": {"tag": {"const": "a"}}, "required": ["tag"]},
				{"properties": {"tag": {"type": "null"}}}]}`),
	}}
	o.parse()
	for _, c := range []struct {
		value string
		want  class
	}{
		{`{"must": {"n": 1}}`, good},
		{`{"must": 5}`, repaired},
		{`{}`, refused},
		{`{"must": {"n": 1}, "hard": {"n": 1, "label": 5}}`, repaired},
		{`{"must": {"n": 1}, "hard": {"n": "1"}}`, refused},
		{`{"must": {"n": 1}, "hard": null}`, refused},
		{`{"must": {"n": 1}, "list": [{"n": 1}, {}]}`, repaired},
		{`{"must": {"n": 1}, "list": [{"n": 1}, {"n": 2, "label": null}]}`, repaired},
		{`{"must": {"n": 1}, "list": [{}]}`, refused},
		{`{"must": {"n": 1}, "list": {}}`, refused},
		{`{"must": {"n": 1}, "both": [1, "a"]}`, repaired},
		{`{"must": {"n": 1}, "both": 1}`, repaired},
		{`{"must": {"n": 1}, "map": null}`, repaired},
		{`{"must": {"n": 1}, "map": {"k": null}}`, refused},
		{`{"must": {"n": 1}, "map": []}`, refused},
		{`{"must": {"n": 1}, "tag": "a"}`, good},
		{`{"must": {"n": 1}, "tag": "b"}`, refused},
		{`{"must": {"n": 1}, "tag": 5}`, repaired},
	} {
		if got := o.read(o.defs["Outer"], decoded(t, c.value), nil); got != c.want {
			t.Errorf("%s is %s, want %s", c.value, got, c.want)
		}
	}
}

// TestInstancesReachEverything expects that every official schema, down to the last branch of a union, has accepted and has
// refused some value among the instances of its own definition.
func TestInstancesReachEverything(t *testing.T) {
	for _, o := range editions(t) {
		for _, def := range o.names {
			accepted, refused := map[*node]bool{}, map[*node]bool{}
			e := evaluator{seen: func(n *node, ok bool) {
				if ok {
					accepted[n] = true
				} else {
					refused[n] = true
				}
			}}
			for in := range o.instances(def, 0) {
				e.accepts(o.defs[def], in.value, "")
			}
			parts(o.defs[def], def, func(n *node, at string) {
				if !accepted[n] {
					t.Errorf("%s: no instance is accepted at %s", o.name, at)
				}
				if !n.free() && !refused[n] {
					t.Errorf("%s: no instance is refused at %s", o.name, at)
				}
			})
		}
	}
}

// parts visits the schemas of a definition that have a say, without those of other definitions: not what "not" names, which an
// earlier branch has always taken, and no branch behind one that takes everything.
func parts(n *node, at string, visit func(n *node, at string)) {
	visit(n, at)
	below := func(sub *node, key string) {
		if sub != nil && sub.def == "" {
			parts(sub, at+"/"+key, visit)
		}
	}
	for i, sub := range slices.Concat(n.allOf, n.union()) {
		below(sub, strconv.Itoa(i))
		if i >= len(n.allOf) && sub.free() {
			break
		}
	}
	for key, sub := range n.props {
		below(sub, key)
	}
	below(n.items, "items")
	below(n.rest, "additionalProperties")
}

// free reports whether a schema accepts any value.
func (n *node) free() bool {
	return n.types == nil && n.values == nil && n.props == nil && n.required == nil && n.items == nil && n.not == nil &&
		!slices.ContainsFunc(n.allOf, func(sub *node) bool { return !sub.free() }) &&
		(len(n.union()) == 0 || slices.ContainsFunc(n.union(), (*node).free))
}

// TestInstancesAreTheSameEveryTime makes some of them twice.
func TestInstancesAreTheSameEveryTime(t *testing.T) {
	for _, o := range editions(t) {
		var first [][]byte
		for in := range o.instances("InitializeRequest", perMethod) {
			first = append(first, in.text)
		}
		i := 0
		for in := range o.instances("InitializeRequest", perMethod) {
			if !bytes.Equal(in.text, first[i]) {
				t.Fatalf("%s: %s and %s", o.name, in.text, first[i])
			}
			i++
		}
	}
}
