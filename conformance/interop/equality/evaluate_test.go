package equality

import (
	"encoding/json"
	"maps"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// evaluator judges a value by the official schema once more, because the validator cannot do two things: let a tolerant reader
// repair what the marks x-deserialize-* allow, and choose the branch of a union by its tag alone. Without both it has to agree
// with the validator on every instance, so that its verdicts with them can be believed.
type evaluator struct {
	tolerant bool             // read as the marks allow
	dispatch map[*node]string // unions and the member that chooses their branch
	trace    bool             // collect decided
	decided  []string         // JSON pointers of the values for which it made a difference that a tag has chosen the branch

	seen func(n *node, accepted bool) // told of every judgement, if set
}

// accepts reports whether v is valid under n. The innermost defect is repaired first: a member whose own defects a reader
// copes with is a good member. What else a schema says of an object, its union above all, is about the repaired one.
func (e *evaluator) accepts(n *node, v any, path string) bool {
	accepted := e.decide(n, v, path)
	if e.seen != nil {
		e.seen(n, accepted)
	}
	return accepted
}

func (e *evaluator) decide(n *node, v any, path string) bool {
	if n.never || len(n.types) > 0 && !slices.ContainsFunc(n.types, func(t string) bool { return hasType(v, t) }) {
		return false
	}
	if n.values != nil && !slices.ContainsFunc(n.values, func(one any) bool { return equal(one, v) }) {
		return false
	}
	v, ok := e.acceptsParts(n, v, path)
	if !ok {
		return false
	}
	for _, sub := range n.allOf {
		if !e.accepts(sub, v, path) {
			return false
		}
	}
	return (n.not == nil || !e.accepts(n.not, v, path)) && e.acceptsUnion(n, v, path)
}

func (e *evaluator) acceptsUnion(n *node, v any, path string) bool {
	if branch := e.choose(n, v); branch != nil {
		accepted := e.accepts(branch, v, path)
		if plain := (evaluator{tolerant: e.tolerant}); e.trace && accepted != plain.acceptsUnion(n, v, path) {
			e.decided = append(e.decided, path)
		}
		return accepted
	}
	if n.anyOf != nil && !slices.ContainsFunc(n.anyOf, func(b *node) bool { return e.accepts(b, v, path) }) {
		return false
	}
	if n.oneOf == nil {
		return true
	}
	matches := 0
	for _, branch := range n.oneOf {
		if e.accepts(branch, v, path) {
			matches++
		}
	}
	return matches == 1
}

// choose gives the branch whose tag v has, if n is a union that is to be read so.
func (e *evaluator) choose(n *node, v any) *node {
	member := e.dispatch[n]
	object, ok := v.(map[string]any)
	if member == "" || !ok {
		return nil
	}
	for _, branch := range n.union() {
		if tag := branch.props[member]; tag != nil && len(tag.values) == 1 && tag.values[0] == object[member] {
			return branch
		}
	}
	return nil
}

// acceptsParts looks at what is inside of a value, and gives it back as a tolerant reader has repaired it.
func (e *evaluator) acceptsParts(n *node, v any, path string) (any, bool) {
	switch v := v.(type) {
	case map[string]any:
		return e.acceptsObject(n, v, path)
	case []any:
		return v, e.acceptsList(n, v, path)
	case string:
		return v, utf8.RuneCountInString(v) >= n.minLength
	case json.Number:
		return v, n.acceptsNumber(v)
	}
	return v, true
}

func (e *evaluator) acceptsObject(n *node, object map[string]any, path string) (any, bool) {
	for _, key := range n.required {
		if _, ok := object[key]; !ok {
			return nil, false
		}
	}
	read := object
	for key, value := range object {
		sub := n.props[key]
		if sub == nil {
			sub = n.rest
		}
		if sub == nil || e.accepts(sub, value, e.below(path, key)) {
			continue
		}
		if !e.tolerant || !sub.onError && !(sub.nullIsEmpty && value == nil) {
			return nil, false
		}
		if len(read) == len(object) {
			read = maps.Clone(object)
		}
		delete(read, key)
	}
	return read, true
}

func (e *evaluator) acceptsList(n *node, list []any, path string) bool {
	kept := len(list)
	for i, item := range list {
		switch {
		case n.items == nil || e.accepts(n.items, item, e.below(path, strconv.Itoa(i))):
		case e.tolerant && n.skipItems:
			kept--
		default:
			return false
		}
	}
	return kept >= n.minItems
}

// below is only worth its time when paths are asked for. No name in an instance needs escaping.
func (e *evaluator) below(path, key string) string {
	if !e.trace {
		return ""
	}
	return path + "/" + key
}

func (n *node) acceptsNumber(v json.Number) bool {
	if n.min == nil && n.max == nil && n.format == "" {
		return true
	}
	x, _ := new(big.Rat).SetString(string(v))
	if n.min != nil && x.Cmp(n.min) < 0 || n.max != nil && x.Cmp(n.max) > 0 {
		return false
	}
	r, ok := integerRanges[n.format]
	return !ok || r.contains(v)
}

func hasType(v any, name string) bool {
	switch v := v.(type) {
	case nil:
		return name == "null"
	case bool:
		return name == "boolean"
	case string:
		return name == "string"
	case []any:
		return name == "array"
	case map[string]any:
		return name == "object"
	case json.Number:
		return name == "number" || name == "integer" && isInteger(v)
	}
	return false
}

func isInteger(v json.Number) bool {
	if !strings.ContainsAny(string(v), ".eE") {
		return true
	}
	x, ok := new(big.Rat).SetString(string(v))
	return ok && x.IsInt()
}

// equal compares the scalars that the official schemas list.
func equal(a, b any) bool {
	x, ok := a.(json.Number)
	if !ok {
		switch b.(type) {
		case map[string]any, []any:
			return false
		}
		return a == b
	}
	y, ok := b.(json.Number)
	if !ok {
		return false
	}
	p, _ := new(big.Rat).SetString(string(x))
	q, _ := new(big.Rat).SetString(string(y))
	return p.Cmp(q) == 0
}
