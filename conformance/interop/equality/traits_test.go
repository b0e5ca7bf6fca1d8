package equality

import (
	"maps"
	"slices"
	"strings"
)

// traits is what a definition says and no verdict need show: the names of its members, what it refers to, the values it lists,
// its defaults and its marks for readers, each by the place: "/a/*" is an item or a value of the member a. References are not
// followed, since what they mean has traits of its own.
type traits map[string][]string

func (t traits) add(kind, at string, values ...string) {
	key := kind + " " + at
	t[key] = append(t[key], values...)
	slices.Sort(t[key])
	t[key] = slices.Compact(t[key])
}

// under collects the traits of the schemas that stand inside another one, in either notation.
func (t traits) under(schema map[string]any, at string, visit func(raw any, at string)) {
	for _, key := range []string{"allOf", "anyOf", "oneOf"} {
		branches, _ := schema[key].([]any)
		for _, branch := range branches {
			visit(branch, at)
		}
	}
	members, _ := schema["properties"].(map[string]any)
	for key, member := range members {
		t.add("members", at, key)
		visit(member, at+"/"+key)
	}
	for _, key := range []string{"items", "additionalProperties"} {
		if sub, ok := schema[key].(map[string]any); ok {
			visit(sub, at+"/*")
		}
	}
	if value, ok := schema["default"]; ok {
		t.add("default", at, string(encode(value)))
	}
	values, _ := schema["enum"].([]any)
	for _, value := range values {
		t.add("values", at, string(encode(value)))
	}
}

// officialTraits reads a published definition.
func officialTraits(raw any, at string, t traits) {
	schema, ok := raw.(map[string]any)
	if !ok {
		return
	}
	t.under(schema, at, func(raw any, at string) { officialTraits(raw, at, t) })
	if value, ok := schema["const"]; ok {
		t.add("values", at, string(encode(value)))
	}
	if ref, ok := schema["$ref"]; ok {
		t.add("refers", at, target(ref))
	}
	marks := ""
	for _, mark := range []string{"default-on-error", "skip-invalid-items", "default-on-null"} {
		if schema["x-deserialize-"+mark] == true {
			marks += "+" + mark
		}
	}
	if marks != "" && constrains(schema) {
		t.add("mark", at, marks[1:])
	}
}

// constrains reports whether a schema can refuse a value. Where it cannot, a mark has nothing to do.
func constrains(schema map[string]any) bool {
	for key := range schema {
		if !slices.Contains(ignored, key) && !strings.HasPrefix(key, "x-deserialize-") {
			return true
		}
	}
	return false
}

// marksOfOurs says in the official words what x-reader means.
var marksOfOurs = map[string]string{
	"default": "default-on-error", "skip-items": "default-on-error+skip-invalid-items", "valid-items": "skip-invalid-items",
	"null-is-empty": "default-on-null",
}

// ourTraits reads one of our definitions. A helper stands for what it holds.
func ourTraits(defs map[string]any, raw any, at string, t traits) {
	schema, ok := raw.(map[string]any)
	if !ok {
		return
	}
	visit := func(raw any, at string) { ourTraits(defs, raw, at, t) }
	t.under(schema, at, visit)
	if name := target(schema["$ref"]); strings.HasPrefix(name, "_") {
		visit(defs[name], at)
	} else if name != "" {
		t.add("refers", at, name)
	}
	names, _ := schema["x-names"].([]any)
	for _, name := range names {
		t.add("values", at, string(encode(name)))
	}
	if mode, ok := schema["x-reader"].(string); ok {
		t.add("mark", at, marksOfOurs[mode])
	}
	choice, ok := schema["x-acp-switch"].(map[string]any)
	if !ok {
		return
	}
	tag, _ := choice["on"].(string)
	t.add("members", at, tag)
	cases, _ := choice["cases"].(map[string]any)
	for _, value := range slices.Sorted(maps.Keys(cases)) {
		t.add("values", at+"/"+tag, string(encode(value)))
		visit(cases[value], at)
	}
	visit(choice["else"], at)
}
