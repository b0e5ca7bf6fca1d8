package equality

import (
	"cmp"
	"encoding/json"
	"maps"
	"math/big"
	"slices"
	"strings"
)

// node is one official schema with its references followed. Instances are made from it, and the reading of tolerant readers
// is worked out on it.
type node struct {
	def   string // the name of the definition, for its root only
	never bool   // the schema false

	types       []string
	values      []any // of enum or const; nil = any
	props       map[string]*node
	required    []string
	allOf       []*node // with the target of $ref
	anyOf       []*node
	oneOf       []*node
	not         *node
	items       *node
	rest        *node // additionalProperties, if it is a schema
	min, max    *big.Rat
	minItems    int
	minLength   int
	format      string
	skipItems   bool // x-deserialize-skip-invalid-items
	nullIsEmpty bool // x-deserialize-default-on-null
	onError     bool // x-deserialize-default-on-error
}

// ignored are the keywords that take part in no verdict.
var ignored = []string{
	"title", "description", "default", "x-docs-ignore", "x-method", "x-side", "discriminator", "contentEncoding",
}

// union gives the branches of a schema that has some.
func (n *node) union() []*node {
	return slices.Concat(n.anyOf, n.oneOf)
}

func (o *official) parse() {
	o.defs = map[string]*node{}
	for name := range o.raw {
		o.defs[name] = &node{def: name}
	}
	for name, raw := range o.raw {
		o.fill(o.defs[name], raw)
	}
	slices.Sort(o.unknown)
	o.unknown = slices.Compact(o.unknown)
}

func (o *official) node(raw any) *node {
	n := &node{}
	o.fill(n, raw)
	return n
}

func (o *official) nodes(raw any) []*node {
	var all []*node
	for _, one := range raw.([]any) {
		all = append(all, o.node(one))
	}
	return all
}

func (o *official) fill(n *node, raw any) {
	m, ok := raw.(map[string]any)
	if !ok {
		n.never = raw == false
		return
	}
	for _, key := range slices.Sorted(maps.Keys(m)) {
		if v := m[key]; !o.fillShape(n, key, v) && !n.fillScalar(key, v) && !slices.Contains(ignored, key) {
			o.unknown = append(o.unknown, key)
		}
	}
}

func (o *official) fillShape(n *node, key string, v any) bool {
	switch key {
	case "$ref":
		n.allOf = append(n.allOf, o.defs[strings.TrimPrefix(v.(string), "#/$defs/")])
	case "allOf":
		n.allOf = append(n.allOf, o.nodes(v)...)
	case "anyOf":
		n.anyOf = o.nodes(v)
	case "oneOf":
		n.oneOf = o.nodes(v)
	case "not":
		n.not = o.node(v)
	case "items":
		n.items = o.node(v)
	case "properties":
		n.props = map[string]*node{}
		for name, sub := range v.(map[string]any) {
			n.props[name] = o.node(sub)
		}
	case "additionalProperties", "unevaluatedProperties":
		if v != true {
			n.rest = o.node(v)
			return key == "additionalProperties"
		}
	default:
		return false
	}
	return true
}

func (n *node) fillScalar(key string, v any) bool {
	switch key {
	case "type":
		n.types = texts(v)
	case "required":
		n.required = texts(v)
	case "enum":
		n.values = v.([]any)
	case "const":
		n.values = []any{v}
	case "format":
		n.format = v.(string)
	case "minimum":
		n.min, _ = new(big.Rat).SetString(string(v.(json.Number)))
	case "maximum":
		n.max, _ = new(big.Rat).SetString(string(v.(json.Number)))
	case "minItems":
		n.minItems = count(v)
	case "minLength":
		n.minLength = count(v)
	case "x-deserialize-skip-invalid-items":
		n.skipItems = v == true
	case "x-deserialize-default-on-null":
		n.nullIsEmpty = v == true
	case "x-deserialize-default-on-error":
		n.onError = v == true
	default:
		return false
	}
	return true
}

func texts(v any) []string {
	if one, ok := v.(string); ok {
		return []string{one}
	}
	var all []string
	for _, one := range v.([]any) {
		all = append(all, one.(string))
	}
	return all
}

func count(v any) int {
	n, _ := v.(json.Number).Int64()
	return int(n)
}

// consts gives the strings that a schema requires of one member, over all branches of its union: the discriminator's values.
func (n *node) consts(member string) []string {
	var all []string
	for _, branch := range n.union() {
		if p := branch.props[member]; p != nil && len(p.values) == 1 {
			if s, ok := p.values[0].(string); ok {
				all = append(all, s)
			}
		}
	}
	slices.SortFunc(all, cmp.Compare)
	return all
}
