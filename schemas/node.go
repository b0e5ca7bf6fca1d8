package schemas

import (
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strings"
)

// node is a schema as this package walks it: to accept a value quickly, to explain why one is not valid, to find members
// that nobody knows. The verdict "not valid" is the validator's alone; see verdict.go.
type node struct {
	def     string // the definition that this is, "" for a part of one or a helper
	unsure  bool   // the schema holds a keyword that is not known here
	types   []string
	listed  []any // of enum or const
	minimum *big.Rat
	maximum *big.Rat

	minLength, minItems int
	integers            string // a key of integerRanges
	meaning             meaning

	required   []string
	properties map[string]*node
	extra      *node // the schema of members that are not listed, nil = anything
	free       bool  // members that are not listed are the sender's own
	items      *node

	ref    *node
	allOf  []*node
	anyOf  []*node // of anyOf or oneOf
	single bool    // it is oneOf: no two may accept
	tag    string  // the member by whose constant the branches of anyOf differ, "" if there is none
	tagged map[string]*node
	sw     *switchOn

	reader *reader
	bits   int // of types; see quick.go
}

// parser makes the nodes of an edition. Each definition is made once, so that definitions may refer to themselves.
type parser struct {
	raw  map[string]any // definitions, their references written as bare names
	made map[string]*node
}

// parse makes a node of every definition.
func parse(raw map[string]any) (map[string]*node, error) {
	p := parser{raw: raw, made: make(map[string]*node, len(raw))}
	for _, name := range sortedKeys(raw) {
		if _, err := p.named(name); err != nil {
			return nil, err
		}
	}
	for _, name := range sortedKeys(raw) {
		if p.made[name].circular(map[*node]bool{}) {
			return nil, fmt.Errorf("%s refers to itself without end", name)
		}
	}
	return p.made, nil
}

// circular tells whether a schema applies itself to the same value again.
func (n *node) circular(above map[*node]bool) bool {
	if above[n] {
		return true
	}
	above[n] = true
	defer delete(above, n)
	next := slices.Concat(n.allOf, n.anyOf)
	if n.ref != nil {
		next = append(next, n.ref)
	}
	if n.sw != nil {
		for _, sub := range n.sw.cases {
			next = append(next, sub)
		}
		if n.sw.otherwise != nil {
			next = append(next, n.sw.otherwise)
		}
	}
	return slices.ContainsFunc(next, func(sub *node) bool { return sub.circular(above) })
}

func (p *parser) named(name string) (*node, error) {
	if n := p.made[name]; n != nil {
		return n, nil
	}
	n := &node{}
	p.made[name] = n
	if !strings.HasPrefix(name, "_") {
		n.def = name
	}
	if err := p.fill(n, p.raw[name]); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return n, nil
}

func (p *parser) node(raw any) (*node, error) {
	n := &node{}
	return n, p.fill(n, raw)
}

func (p *parser) fill(n *node, raw any) error {
	n.minLength, n.minItems, n.bits = -1, -1, bitsOf(nil)
	object, ok := raw.(map[string]any)
	if raw == true {
		return nil
	}
	if !ok {
		n.unsure = true // false, or no schema at all: the validator tells
		return nil
	}
	for _, key := range sortedKeys(object) {
		if err := p.keyword(n, key, object[key], object); err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
	}
	n.bits = bitsOf(n.types)
	n.findTags()
	if names, open := openNames(n.anyOf); open {
		n.meaning.names = names
	}
	return nil
}

// openNames reads an open string as the published files write one: constants, and any other string.
func openNames(union []*node) (names []string, open bool) {
	for _, branch := range union {
		name, isName := "", false
		if len(branch.listed) == 1 {
			name, isName = branch.listed[0].(string)
		}
		switch {
		case isName:
			names = append(names, name)
		case slices.Equal(branch.types, []string{"string"}) && len(branch.listed) == 0:
			open = true
		default:
			return nil, false
		}
	}
	return names, open && len(names) > 0
}

func (p *parser) keyword(n *node, key string, v any, schema map[string]any) (err error) {
	switch key {
	case "type":
		n.types = stringsOf(v)
		for _, t := range n.types {
			if typeBits[t] == 0 {
				return fmt.Errorf("%q is no type", t)
			}
		}
	case "enum":
		list, _ := v.([]any)
		n.unsure = n.unsure || len(n.listed) > 0
		n.listed = append(n.listed, list...)
	case "const":
		n.unsure = n.unsure || len(n.listed) > 0
		n.listed = append(n.listed, v)
	case "required":
		n.required = stringsOf(v)
	case "properties":
		n.properties, err = p.nodes(v)
	case "additionalProperties":
		if _, ok := v.(map[string]any); ok {
			n.extra, err = p.node(v)
		} else {
			n.free, n.unsure = v == true, n.unsure || v != true
		}
	case "unevaluatedProperties":
		n.free, n.unsure = n.free || v == true, n.unsure || v != true
	case "items":
		n.items, err = p.node(v)
	case "minLength":
		n.minLength, err = length(v)
	case "minItems":
		n.minItems, err = length(v)
	case "minimum":
		n.minimum, err = rational(v)
	case "maximum":
		n.maximum, err = rational(v)
	case "format":
		if text, _ := v.(string); integerRanges[text].max != nil {
			n.integers = text
		}
	case "$ref":
		n.ref, err = p.reference(v)
	case "allOf":
		n.allOf, err = p.list(v)
	case "anyOf":
		n.anyOf, err = p.list(v)
	case "oneOf":
		n.anyOf, err = p.list(v)
		n.single = true
	case switchKeyword:
		n.sw, err = p.switchOn(v)
	case readerKeyword, defaultOnError, skipItems, defaultOnNull:
		n.reader, err = readerOf(schema)
	case textKeyword, namesKeyword, "contentEncoding":
	case "default", "title", "description", "$comment", "discriminator", "x-side", "x-method", "x-docs-ignore":
	default:
		n.unsure = true
	}
	if err == nil {
		n.meaning, err = meaningOf(schema)
	}
	return err
}

func (p *parser) nodes(v any) (map[string]*node, error) {
	raw, _ := v.(map[string]any)
	made := make(map[string]*node, len(raw))
	for key, sub := range raw {
		n, err := p.node(sub)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", key, err)
		}
		made[key] = n
	}
	return made, nil
}

func (p *parser) list(v any) ([]*node, error) {
	raw, _ := v.([]any)
	var made []*node
	for _, sub := range raw {
		n, err := p.node(sub)
		if err != nil {
			return nil, err
		}
		made = append(made, n)
	}
	return made, nil
}

func (p *parser) reference(v any) (*node, error) {
	name, _ := v.(string)
	if _, ok := p.raw[name]; !ok {
		return nil, fmt.Errorf("there is no definition %q", name)
	}
	return p.named(name)
}

func (p *parser) switchOn(v any) (*switchOn, error) {
	raw, _ := v.(map[string]any)
	s := &switchOn{}
	s.member, _ = raw["on"].(string)
	var err error
	if s.cases, err = p.nodes(raw["cases"]); err != nil {
		return nil, err
	}
	if s.member == "" || len(s.cases) == 0 {
		return nil, fmt.Errorf("on and cases are needed")
	}
	s.names = sortedKeys(s.cases)
	if fallback, ok := raw["else"]; ok {
		s.otherwise, err = p.node(fallback)
	}
	return s, err
}

// anything tells whether a schema says nothing of a value.
func (n *node) anything() bool {
	return len(n.types)+len(n.listed)+len(n.properties)+len(n.required)+len(n.anyOf)+len(n.allOf) == 0 &&
		n.ref == nil && n.sw == nil && n.items == nil && n.extra == nil && !n.unsure
}

func stringsOf(v any) []string {
	if s, ok := v.(string); ok {
		return []string{s}
	}
	list, _ := v.([]any)
	var all []string
	for _, item := range list {
		if s, ok := item.(string); ok && !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	return all
}

func length(v any) (int, error) {
	n, ok := v.(json.Number)
	i, err := n.Int64()
	if !ok || err != nil || i < 0 || i > 1e6 {
		return 0, fmt.Errorf("%v is no length", v)
	}
	return int(i), nil
}

func rational(v any) (*big.Rat, error) {
	n, _ := v.(json.Number)
	if r, ok := new(big.Rat).SetString(string(n)); ok && !tooLong([]byte(n)) {
		return r, nil
	}
	return nil, fmt.Errorf("%v is no number", v)
}
