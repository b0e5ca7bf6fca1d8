package schemas

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"slices"
)

// Maker decides what Make makes where a definition leaves a choice. https://agentclientprotocol.com/protocol/v1/schema
type Maker interface {
	// Choose gives a number from 0 to n-1: which of the listed values, which branch of a union, which of several types. null
	// and the branch for whatever has no branch of its own come last.
	Choose(n int) int
	// Keep tells whether an optional member is there.
	Keep(member string) bool
	// Items is how many items a list has, at least min.
	Items(min int) int
	// Text gives a string for a place, with at least MinLength characters.
	Text(at Place) string
	// Number gives a number from min to max, either of which may be nil; if whole, one that is written with digits alone.
	Number(min, max *big.Rat, whole bool) json.Number
	// Free gives a member for an object whose members are the sender's own.
	Free() (key string, value any, ok bool)
}

// Place is where a string stands, and what it means there. https://agentclientprotocol.com/protocol/v1/schema
type Place struct {
	Def       string   // the innermost named definition
	Member    string   // the member that it is, or whose list it stands in; "" in none
	Means     string   // what it is beyond its type, such as "absolute-path"; see Texts
	Names     []string // the protocol's own values, if others are allowed as well
	MinLength int
}

// Make makes a value that is valid by a definition, of the types that encoding/json decodes to, with numbers as json.Number.
// The same choices make the same value. https://agentclientprotocol.com/protocol/v1/schema
func (e *Edition) Make(name string, m Maker) (made any, err error) {
	def, f := e.find(name)
	if f != nil {
		return nil, errors.New(f.Expected)
	}
	defer func() {
		if r := recover(); r != nil {
			made, err = nil, fmt.Errorf("no value of %s can be made: %v", name, r)
		}
	}()
	return (&making{Maker: m}).value(def, Place{Def: name}), nil
}

// making is a walk over a schema; depth ends definitions that hold themselves.
type making struct {
	Maker
	depth int
}

const deepestMade = 24

func (m *making) value(s *node, at Place) any {
	if m.depth++; m.depth > deepestMade {
		panic("it has no end")
	}
	defer func() { m.depth-- }()
	if s.def != "" {
		at.Def = s.def
	}
	if s.meaning.text != "" {
		at.Means = s.meaning.text
	}
	if len(s.meaning.names) > 0 {
		at.Names = s.meaning.names
	}
	at.MinLength = max(at.MinLength, s.minLength)
	switch {
	case len(s.listed) > 0:
		return s.listed[m.Choose(len(s.listed))]
	case s.sw == nil && len(s.anyOf) > 0:
		return merged(m.plain(s, at), m.value(m.branch(s.anyOf), at))
	case s.ref != nil:
		return merged(m.plain(s, at), m.value(s.ref, at))
	case s.anything():
		return m.object(s, at)
	}
	return m.plain(s, at)
}

// branch chooses one of a union, the one that is null last.
func (m *making) branch(union []*node) *node {
	ordered := slices.Clone(union)
	slices.SortStableFunc(ordered, func(a, b *node) int { return rank(a) - rank(b) })
	return ordered[m.Choose(len(ordered))]
}

func rank(s *node) int {
	if onlyNull(s) {
		return 1
	}
	return 0
}

// merged is a value that both parts of a schema describe.
func merged(a, b any) any {
	x, ok := a.(map[string]any)
	y, both := b.(map[string]any)
	if !ok || !both {
		return b
	}
	maps.Copy(x, y)
	return x
}

// plain makes what the keywords of the schema itself describe, nil if they say nothing.
func (m *making) plain(s *node, at Place) any {
	types := slices.Clone(s.types)
	if len(types) == 0 && (len(s.properties)+len(s.required)+len(s.allOf) > 0 || s.sw != nil) {
		types = []string{"object"}
	}
	if len(types) == 0 {
		return nil
	}
	slices.SortStableFunc(types, func(a, b string) int { return nullLast(a) - nullLast(b) })
	switch types[m.Choose(len(types))] {
	case "object":
		return m.object(s, at)
	case "array":
		return m.list(s, at)
	case "string":
		return m.Text(at)
	case "integer":
		return m.number(s, true)
	case "number":
		return m.number(s, false)
	case "boolean":
		return m.Choose(2) == 0
	}
	return nil
}

func nullLast(name string) int {
	if name == "null" {
		return 1
	}
	return 0
}

func (m *making) number(s *node, whole bool) json.Number {
	low, high := s.minimum, s.maximum
	if r, ok := integerRanges[s.integers]; ok {
		if low == nil {
			low = new(big.Rat).SetInt(r.min)
		}
		if high == nil {
			high = new(big.Rat).SetInt(r.max)
		}
	}
	return m.Number(low, high, whole)
}

func (m *making) list(s *node, at Place) any {
	items := []any{}
	for range m.Items(max(s.minItems, 0)) {
		if s.items != nil {
			items = append(items, m.value(s.items, at))
		} else {
			items = append(items, map[string]any{})
		}
	}
	return items
}

func (m *making) object(s *node, at Place) any {
	made := map[string]any{}
	for _, key := range sortedKeys(s.properties) {
		if slices.Contains(s.required, key) || m.Keep(key) {
			made[key] = m.value(s.properties[key], Place{Def: at.Def, Member: key})
		}
	}
	for _, key := range s.required {
		if _, there := made[key]; !there && s.properties[key] == nil {
			made[key] = m.Text(Place{Def: at.Def, Member: key})
		}
	}
	for _, sub := range s.allOf {
		made, _ = merged(made, m.value(sub, at)).(map[string]any)
	}
	if s.sw != nil {
		m.tagged(s.sw, made, at)
	}
	if len(s.properties)+len(s.allOf) == 0 && s.sw == nil {
		m.own(s, made, at)
	}
	return made
}

// tagged adds what the tag of the object asks for.
func (m *making) tagged(sw *switchOn, made map[string]any, at Place) {
	n := len(sw.names)
	if sw.otherwise != nil {
		n++
	}
	i := m.Choose(n)
	if i == len(sw.names) {
		delete(made, sw.member)
		merged(made, m.value(sw.otherwise, at))
		return
	}
	merged(made, m.value(sw.cases[sw.names[i]], at))
	made[sw.member] = sw.names[i]
}

// own adds members that the protocol has no names for.
func (m *making) own(s *node, made map[string]any, at Place) {
	for range 3 {
		key, value, ok := m.Free()
		if !ok {
			return
		}
		if s.extra != nil {
			value = m.value(s.extra, Place{Def: at.Def, Member: key})
		}
		made[key] = value
	}
}
