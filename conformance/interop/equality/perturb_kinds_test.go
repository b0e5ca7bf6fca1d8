package equality

import (
	"encoding/json"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"
)

// perturber lists the single changes that can be made to our files. Left out are changes that say nothing else than before:
//   - taking a member from required, or adding it, where it chooses a branch and no other value is let through anyway;
//   - adding a member to required that a branch of the same object requires in every case;
//   - anything in a helper or branch that no definition uses;
//   - a reference to what it refers to already, and null as well where null is the type;
//   - $comment, x-text and x-names, which are no constraints of a shape.
type perturber struct {
	file, def string
	names     []string // of the definitions that a reference in this layer may mean, as references
	found     []perturbation
}

func allPerturbations(t *testing.T, fsys fs.FS) []perturbation {
	t.Helper()
	var all []perturbation
	for _, file := range schemaFiles(fsys) {
		doc, err := readJSON(fsys, file)
		if err != nil {
			t.Fatal(err)
		}
		defs := doc["$defs"].(map[string]any)
		for _, def := range slices.Sorted(maps.Keys(defs)) {
			if used(t, fsys, file, def) {
				p := &perturber{file: file, def: def, names: referable(t, fsys, file)}
				p.schema(defs[def], nil)
				all = append(all, p.found...)
			}
		}
	}
	return all
}

// used reports whether a definition is one of the protocol's, or helps one.
func used(t *testing.T, fsys fs.FS, file, def string) bool {
	t.Helper()
	for edition, layers := range folders {
		if slices.Contains(layers, path.Dir(file)) {
			defs, err := written(fsys, edition)
			if err != nil {
				t.Fatal(err)
			}
			return len(users(defs, def)) > 0
		}
	}
	return false
}

// referable gives references to the definitions of the same layer.
func referable(t *testing.T, fsys fs.FS, file string) []string {
	t.Helper()
	var refs []string
	for _, name := range schemaFiles(fsys) {
		if path.Dir(name) != path.Dir(file) {
			continue
		}
		doc, err := readJSON(fsys, name)
		if err != nil {
			t.Fatal(err)
		}
		for _, def := range slices.Sorted(maps.Keys(doc["$defs"].(map[string]any))) {
			refs = append(refs, path.Base(name)+"#/$defs/"+def)
		}
	}
	return refs
}

// add notes a change of the schema at a way inside the definition.
func (p *perturber) add(kind, what string, way []step, change func(schema map[string]any)) {
	where := make([]string, len(way))
	for i, s := range way {
		where[i] = strings.Trim(string(encode(s)), `"`)
	}
	p.found = append(p.found, perturbation{
		kind: kind, file: p.file, def: p.def, what: "/" + strings.Join(where, "/") + " " + what,
		change: func(def any) { change(at(def, way).(map[string]any)) },
	})
}

// schema lists the changes of one schema and of those inside it.
func (p *perturber) schema(raw any, way []step) {
	s, ok := raw.(map[string]any)
	if !ok {
		return
	}
	p.members(s, way)
	p.types(s, way)
	p.values(s, way)
	p.limits(s, way)
	p.references(s, way)
	p.reader(s, way)
	p.inside(s, way)
}

func (p *perturber) inside(s map[string]any, way []step) {
	properties, _ := s["properties"].(map[string]any)
	for _, key := range slices.Sorted(maps.Keys(properties)) {
		p.schema(properties[key], slices.Concat(way, []step{"properties", key}))
	}
	for _, union := range []string{"anyOf", "oneOf"} {
		branches, _ := s[union].([]any)
		for i, branch := range branches {
			p.schema(branch, slices.Concat(way, []step{union, i}))
		}
	}
	for _, key := range []string{"items", "additionalProperties"} {
		p.schema(s[key], slices.Concat(way, []step{key}))
	}
	choice, _ := s["x-acp-switch"].(map[string]any)
	cases, _ := choice["cases"].(map[string]any)
	for _, tag := range slices.Sorted(maps.Keys(cases)) {
		p.schema(cases[tag], slices.Concat(way, []step{"x-acp-switch", "cases", tag}))
	}
	p.schema(choice["else"], slices.Concat(way, []step{"x-acp-switch", "else"}))
}

func (p *perturber) members(s map[string]any, way []step) {
	properties, _ := s["properties"].(map[string]any)
	required, _ := s["required"].([]any)
	choice, _ := s["x-acp-switch"].(map[string]any)
	closed := choice != nil && choice["else"] == nil
	for _, key := range required {
		if !closed || choice["on"] != key {
			p.add("a required member less", key.(string), way, func(s map[string]any) {
				s["required"] = slices.DeleteFunc(slices.Clone(required), func(k any) bool { return k == key })
			})
		}
	}
	for _, key := range slices.Sorted(maps.Keys(properties)) {
		p.add("a member less", key, way, func(s map[string]any) { delete(s["properties"].(map[string]any), key) })
		if !slices.Contains(required, any(key)) && !(closed && choice["on"] == key) && !requiredByBranches(choice, key) {
			p.add("a required member more", key, way, func(s map[string]any) {
				s["required"] = slices.Concat(required, []any{key})
			})
		}
	}
}

// requiredByBranches reports whether every branch asks for a member itself.
func requiredByBranches(choice map[string]any, key string) bool {
	cases, _ := choice["cases"].(map[string]any)
	branches := slices.Collect(maps.Values(cases))
	if choice["else"] != nil {
		branches = append(branches, choice["else"])
	}
	return len(branches) > 0 && !slices.ContainsFunc(branches, func(raw any) bool {
		branch, _ := raw.(map[string]any)
		required, _ := branch["required"].([]any)
		return !slices.Contains(required, any(key))
	})
}

// otherType is what stands where another type has to be.
var otherType = map[string]string{
	"string": "number", "number": "boolean", "integer": "string", "boolean": "string", "array": "object", "object": "array",
	"null": "boolean",
}

func (p *perturber) types(s map[string]any, way []step) {
	switch types := s["type"].(type) {
	case string:
		p.add("another type", types, way, func(s map[string]any) { s["type"] = otherType[types] })
		if types != "null" {
			p.add("null as well", types, way, func(s map[string]any) { s["type"] = []any{types, "null"} })
		}
	case []any:
		for i, name := range types {
			p.add("another type", name.(string), way, func(s map[string]any) {
				s["type"] = slices.Concat(types[:i], []any{otherType[name.(string)]}, types[i+1:])
			})
		}
		if i := slices.Index(types, any("null")); i >= 0 {
			p.add("no null", "type", way, func(s map[string]any) { s["type"] = slices.Concat(types[:i], types[i+1:]) })
		}
	}
	for _, union := range []string{"anyOf", "oneOf"} {
		branches, _ := s[union].([]any)
		for i := range branches {
			p.add("a branch less", string(encode(branches[i])), way, func(s map[string]any) {
				s[union] = slices.Concat(branches[:i], branches[i+1:])
			})
		}
	}
}

func (p *perturber) values(s map[string]any, way []step) {
	values, _ := s["enum"].([]any)
	for i, value := range values {
		p.add("a listed value less", string(encode(value)), way, func(s map[string]any) {
			s["enum"] = slices.Concat(values[:i], values[i+1:])
		})
		p.add("a listed value spelt otherwise", string(encode(value)), way, func(s map[string]any) {
			s["enum"] = slices.Concat(values[:i], []any{value.(string) + "s"}, values[i+1:])
		})
	}
	choice, ok := s["x-acp-switch"].(map[string]any)
	if !ok {
		return
	}
	cases, _ := choice["cases"].(map[string]any)
	for _, tag := range slices.Sorted(maps.Keys(cases)) {
		p.add("a case less", tag, way, func(s map[string]any) {
			delete(s["x-acp-switch"].(map[string]any)["cases"].(map[string]any), tag)
		})
	}
	if choice["else"] != nil {
		p.add("no else", "", way, func(s map[string]any) { delete(s["x-acp-switch"].(map[string]any), "else") })
	} else if len(cases) > 0 && choice["on"] != nil {
		p.add("an else", "", way, func(s map[string]any) { s["x-acp-switch"].(map[string]any)["else"] = map[string]any{} })
	}
}

// otherFormat has another end than the format that it stands for.
var otherFormat = map[string]string{
	"uint32": "int64", "uint64": "int64", "uint16": "uint32", "int32": "int64", "int64": "int32",
}

func (p *perturber) limits(s map[string]any, way []step) {
	if format, ok := s["format"].(string); ok {
		p.add("another format", format, way, func(s map[string]any) { s["format"] = otherFormat[format] })
		p.add("no format", format, way, func(s map[string]any) { delete(s, "format") })
	}
	for _, key := range []string{"minItems", "minLength", "minimum", "maximum"} {
		if limit, ok := s[key].(json.Number); ok {
			p.add("no limit", key, way, func(s map[string]any) { delete(s, key) })
			p.add("another limit", key, way, func(s map[string]any) { s[key] = json.Number("1" + string(limit)) })
		}
	}
}

func (p *perturber) references(s map[string]any, way []step) {
	ref, ok := s["$ref"].(string)
	if !ok {
		return
	}
	kind := "another reference"
	if len(way) > 0 && way[len(way)-1] == "items" {
		kind = "another reference for items"
	}
	// The name says which one, so that a run draws the same as the run before.
	h := 0
	for _, c := range p.def + ref {
		h = h*31 + int(c)
	}
	other := p.names[(h&0xffff)%len(p.names)]
	if target(other) != target(ref) && target(other) != p.def {
		p.add(kind, ref+" -> "+other, way, func(s map[string]any) { s["$ref"] = other })
	}
}

func (p *perturber) reader(s map[string]any, way []step) {
	mode, ok := s["x-reader"].(string)
	if !ok {
		return
	}
	p.add("no mark for readers", mode, way, func(s map[string]any) { delete(s, "x-reader") })
	other := map[string]string{
		"default": "null-is-empty", "skip-items": "valid-items", "valid-items": "default", "null-is-empty": "default",
	}[mode]
	p.add("another mark for readers", mode+" -> "+other, way, func(s map[string]any) { s["x-reader"] = other })
}
