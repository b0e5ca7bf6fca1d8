package schemas

import (
	"encoding/json"
	"maps"
	"math/big"
	"slices"
	"strings"
)

// Text is one definition as it is written, with all its layers, indented, or false if the edition has none of this name.
// References are bare names. https://agentclientprotocol.com/protocol/v1/schema
func (e *Edition) Text(name string) (json.RawMessage, bool) {
	src, err := e.source()
	if err != nil || strings.HasPrefix(name, "_") {
		return nil, false
	}
	def, ok := src.raw[name]
	return indented(def), ok
}

// Bundle is one document, for any validator of JSON Schema 2020-12, with these definitions and all that they refer to
// under $defs; of a single definition the document itself is the schema. It is false if the edition lacks one of them.
// The verdict is that of Check, but for an integer that is written as 1.0, 1e3 or -0, which no keyword can refuse, and for
// what Check calls beyond its limits. What remains of the keywords of our own (x-reader, x-text, x-names) changes no verdict.
// https://agentclientprotocol.com/protocol/v1/schema
func (e *Edition) Bundle(names ...string) (json.RawMessage, bool) {
	src, err := e.source()
	if err != nil || len(names) == 0 {
		return nil, false
	}
	b := bundler{raw: src.raw, defs: map[string]any{}}
	for _, name := range names {
		if _, ok := src.raw[name]; !ok || strings.HasPrefix(name, "_") {
			return nil, false
		}
		b.add(name)
	}
	doc := bundle{Dialect: "https://json-schema.org/draft/2020-12/schema", Defs: b.defs}
	if len(names) == 1 {
		doc.Ref = refTo(names[0])
	}
	return indented(doc), true
}

// bundle is the document, in the order in which it is read.
type bundle struct {
	Dialect string         `json:"$schema"`
	Ref     string         `json:"$ref,omitempty"`
	Defs    map[string]any `json:"$defs"`
}

func refTo(name string) string { return "#/$defs/" + name }

// bundler collects definitions and writes them in standard keywords.
type bundler struct{ raw, defs map[string]any }

func (b *bundler) add(name string) {
	if _, done := b.defs[name]; done {
		return
	}
	b.defs[name] = nil // a definition may refer to itself
	b.defs[name] = b.schema(b.raw[name])
}

// The keywords whose values hold schemas; those of every other one are copied as they are.
var (
	schemaIn      = []string{"items", "additionalProperties", "unevaluatedProperties", "contains", "propertyNames", "not", "if", "then", "else"}
	schemasByName = []string{"properties", "patternProperties", "dependentSchemas"}
	schemasInList = []string{"allOf", "anyOf", "oneOf", "prefixItems"}
)

func (b *bundler) schema(raw any) any {
	from, ok := raw.(map[string]any)
	if !ok {
		return raw
	}
	s := maps.Clone(from)
	for key, v := range from {
		switch {
		case key == "$ref":
			if name, ok := v.(string); ok {
				b.add(name)
				s[key] = refTo(name)
			}
		case slices.Contains(schemaIn, key):
			s[key] = b.schema(v)
		case slices.Contains(schemasByName, key):
			s[key] = b.named(v)
		case slices.Contains(schemasInList, key):
			s[key] = b.list(v)
		}
	}
	if format, _ := s["format"].(string); integerRanges[format].max != nil {
		delete(s, "format") // validators do not know it
		narrow(s, integerRanges[format])
	}
	if sw, ok := s[switchKeyword].(map[string]any); ok {
		delete(s, switchKeyword)
		list, _ := s["allOf"].([]any)
		s["allOf"] = append(list[:len(list):len(list)], b.branches(sw)...)
	}
	return s
}

func (b *bundler) named(raw any) any {
	from, _ := raw.(map[string]any)
	made := make(map[string]any, len(from))
	for name, sub := range from {
		made[name] = b.schema(sub)
	}
	return made
}

func (b *bundler) list(raw any) []any {
	from, _ := raw.([]any)
	made := make([]any, len(from))
	for i, sub := range from {
		made[i] = b.schema(sub)
	}
	return made
}

// branches is a switch in standard keywords. A value that is no object is not its business: the keywords for members accept
// it, so that the conditions must ask for an object where it would get a branch.
func (b *bundler) branches(sw map[string]any) []any {
	member, _ := sw["on"].(string)
	cases, _ := sw["cases"].(map[string]any)
	has := func(values map[string]any) map[string]any {
		return map[string]any{"required": []any{member}, "properties": map[string]any{member: values}}
	}
	known := has(map[string]any{"enum": sortedKeys(cases)})
	var list []any
	otherwise, open := sw["else"]
	if !open {
		list = append(list, known)
	}
	for _, value := range sortedKeys(cases) {
		chosen := has(map[string]any{"const": value})
		chosen["type"] = "object"
		list = append(list, map[string]any{"if": chosen, "then": b.schema(cases[value])})
	}
	if open {
		list = append(list, map[string]any{"if": known, "else": b.schema(otherwise)})
	}
	return list
}

// narrow writes the range of an integer format down, unless the schema has a narrower one.
func narrow(s map[string]any, r integerRange) {
	least, most := new(big.Rat).SetInt(r.min), new(big.Rat).SetInt(r.max)
	if old, err := rational(s["minimum"]); err != nil || old.Cmp(least) < 0 {
		s["minimum"] = json.Number(r.min.String())
	}
	if old, err := rational(s["maximum"]); err != nil || old.Cmp(most) > 0 {
		s["maximum"] = json.Number(r.max.String())
	}
}

func indented(v any) json.RawMessage {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if e.Encode(v) != nil {
		return nil
	}
	return json.RawMessage(strings.TrimSuffix(b.String(), "\n"))
}
