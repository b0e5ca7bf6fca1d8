package schemas

import (
	"encoding/json"
	"math/big"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// place is where an explanation has arrived in the part.
type place struct {
	path      string
	def       string
	tolerated string // by the innermost mark around this place
}

func (p place) member(key string) place {
	key = cut(key)
	if strings.ContainsAny(key, "~/") {
		key = strings.ReplaceAll(strings.ReplaceAll(key, "~", "~0"), "/", "~1")
	}
	p.path += "/" + key
	return p
}

func (p place) item(i int) place {
	p.path += "/" + strconv.Itoa(i)
	return p
}

func (p place) finding(problem Problem, expected, actual string) Finding {
	return Finding{Path: p.path, Problem: problem, Expected: expected, Actual: cut(actual), Tolerated: p.tolerated, Def: p.def}
}

// explainer walks the schema and the value side by side after the validator said no. The validator's own errors name
// keywords; a reader of a report needs what was expected, what was there, and which reader would still cope.
type explainer struct {
	hard, soft []Finding // by whether a tolerant reader copes
}

func (x *explainer) add(f Finding) {
	list := &x.hard
	if f.Tolerated != "" {
		list = &x.soft
	}
	if len(*list) < maxFindings && !slices.Contains(*list, f) {
		*list = append(*list, f)
	}
}

func (x *explainer) findings() []Finding {
	all := append(x.hard, x.soft...)
	return all[:min(len(all), maxFindings)]
}

// explain adds a finding for each cause that makes v invalid under s.
func (x *explainer) explain(s *node, v any, p place) {
	if len(x.hard) >= maxFindings || p.tolerated != "" && len(x.soft) >= maxFindings {
		return // enough has been said
	}
	if name := s.def; name != "" {
		p.def = name
	}
	mark := s.reader
	if mark != nil && mark.wrong != "" {
		p.tolerated = mark.wrong
	}
	if mark != nil && mark.null != "" && v == nil {
		p.tolerated = mark.null
	}
	if len(s.types) > 0 && !slices.ContainsFunc(s.types, func(t string) bool { return hasType(v, t) }) {
		x.add(p.finding(Type, describe(s), jsonText(v)))
		return
	}
	x.explainScalar(s, v, p)
	switch v := v.(type) {
	case map[string]any:
		x.explainObject(s, v, p)
	case []any:
		x.explainList(s, v, mark, p)
	}
	if s.ref != nil {
		x.explain(s.ref, v, p)
	}
	for _, sub := range s.allOf {
		x.explain(sub, v, p)
	}
	if len(s.anyOf) > 0 {
		x.explainUnion(s, v, p)
	}
}

func (x *explainer) explainScalar(s *node, v any, p place) {
	if values := s.listed; len(values) > 0 && !isListed(values, v) {
		if text, ok := v.(string); ok {
			_, names := gather(s)
			x.add(p.finding(Value, describe(s)+perhaps(text, names), jsonText(v)))
		} else {
			x.add(p.finding(Type, describe(s), jsonText(v)))
		}
	}
	if text, ok := v.(string); ok && s.minLength > utf8.RuneCountInString(text) {
		x.add(p.finding(Length, describe(s), jsonText(v)))
	}
	if n, ok := v.(json.Number); ok {
		x.explainNumber(s, n, p)
	}
}

func (x *explainer) explainNumber(s *node, n json.Number, p place) {
	r, hasRange := integerRanges[s.integers]
	value, _ := new(big.Rat).SetString(string(n))
	switch {
	case hasRange && !r.contains(n), value == nil,
		s.minimum != nil && value.Cmp(s.minimum) < 0, s.maximum != nil && value.Cmp(s.maximum) > 0:
		x.add(p.finding(Range, numberWords(s), string(n)))
	case hasRange && !plainInteger(n):
		x.add(p.finding(Token, numberWords(s)+", written with digits alone", string(n)))
	}
}

func (x *explainer) explainObject(s *node, object map[string]any, p place) {
	for _, key := range s.required {
		if _, ok := object[key]; !ok {
			x.add(p.member(key).finding(Missing, member(key), s.absent(key, object)))
		}
	}
	for _, key := range sortedKeys(object) {
		if sub := s.properties[key]; sub != nil {
			x.explain(sub, object[key], p.member(key))
		} else if s.extra != nil {
			x.explain(s.extra, object[key], p.member(key))
		}
	}
	sw := s.sw
	if sw == nil {
		return
	}
	if branch := sw.branch(object); branch != nil {
		x.explain(branch, object, p)
		return
	}
	x.badTag(sw.member, sw.names, object, p)
}

func (x *explainer) explainList(s *node, list []any, mark *reader, p place) {
	if s.minItems > len(list) {
		x.add(p.finding(Length, describe(s), jsonText(list)))
	}
	if s.items == nil {
		return
	}
	if mark != nil && mark.item != "" {
		p.tolerated = mark.item
	}
	for i, item := range list {
		x.explain(s.items, item, p.item(i))
	}
}

// badTag says that the member that chooses the branch of a union does not choose any.
func (x *explainer) badTag(key string, names []string, v any, p place) {
	object, ok := v.(map[string]any)
	if !ok {
		x.add(p.finding(Type, "an object", jsonText(v)))
		return
	}
	at := p.member(key)
	switch tag := object[key].(type) {
	case string:
		x.add(at.finding(Value, oneOf(names)+perhaps(tag, names), jsonText(tag)))
	default:
		if _, ok := object[key]; !ok {
			x.add(at.finding(Missing, member(key), absentBeside(key, others(object, nil))))
		} else {
			x.add(at.finding(Type, oneOf(names), jsonText(tag)))
		}
	}
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
		if name != "integer" {
			return name == "number"
		}
		x, ok := new(big.Rat).SetString(string(v))
		return ok && x.IsInt()
	}
	return false
}

// absent says that a member is not there, and which one may stand in its place.
func (n *node) absent(key string, object map[string]any) string {
	return absentBeside(key, others(object, n.properties))
}

func absentBeside(key string, names []string) string {
	if near, _ := nearestName(key, names); near != "" {
		return "absent; there is " + strconv.Quote(near)
	}
	return "absent"
}

// others are the names of members that a schema does not list.
func others(object map[string]any, listed map[string]*node) []string {
	var names []string
	for _, name := range sortedKeys(object) {
		if listed[name] == nil && len(names) < maxUnknown {
			names = append(names, name)
		}
	}
	return names
}

// isListed tells whether a value is one of a list. Objects and lists, which cannot be compared so, never are; the validator
// knows better.
func isListed(values []any, v any) bool {
	switch v.(type) {
	case map[string]any, []any:
		return slices.ContainsFunc(values, func(o any) bool { return reflect.DeepEqual(o, v) })
	}
	return slices.ContainsFunc(values, func(o any) bool {
		switch o.(type) {
		case map[string]any, []any:
			return false
		}
		return o == v
	})
}
