package schemas

import (
	"encoding/json"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// place is where an explanation has arrived in the part.
type place struct {
	path      string
	def       string
	tolerated string // by the innermost mark around this place
}

func (p place) member(key string) place {
	if strings.ContainsAny(key, "~/") {
		key = strings.ReplaceAll(strings.ReplaceAll(key, "~", "~0"), "/", "~1")
	}
	p.path += "/" + key
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

// missing counts the findings that say that a member is not there.
func (x *explainer) missing() int {
	n := 0
	for _, f := range x.findings() {
		if f.Problem == Missing {
			n++
		}
	}
	return n
}

// explain adds a finding for each cause that makes v invalid under s.
func (x *explainer) explain(s *jsonschema.Schema, v any, p place) {
	if name := definitionName(s); name != "" {
		p.def = name
	}
	mark := readerOf(s)
	if mark != nil && mark.wrong != "" {
		p.tolerated = mark.wrong
	}
	if mark != nil && mark.null != "" && v == nil {
		p.tolerated = mark.null
	}
	if len(s.Types) > 0 && !slices.ContainsFunc(s.Types, func(t string) bool { return hasType(v, t) }) {
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
	if s.Ref != nil {
		x.explain(s.Ref, v, p)
	}
	if len(s.AnyOf) > 0 {
		x.explainAnyOf(s, v, p)
	}
}

func (x *explainer) explainScalar(s *jsonschema.Schema, v any, p place) {
	if len(s.Enum) > 0 && !slices.Contains(s.Enum, v) {
		problem := Value
		if _, ok := v.(string); !ok {
			problem = Type
		}
		x.add(p.finding(problem, describe(s), jsonText(v)))
	}
	if text, ok := v.(string); ok && s.MinLength > len([]rune(text)) {
		x.add(p.finding(Shape, describe(s), jsonText(v)))
	}
	n, isNumber := v.(json.Number)
	r, hasRange := integerRanges[s.Format]
	if !isNumber || !hasRange {
		return
	}
	if !r.contains(n) {
		x.add(p.finding(Range, typeWords(s, "integer"), jsonText(v)))
	} else if !plainInteger(n) {
		x.add(p.finding(Token, typeWords(s, "integer")+", written with digits alone", jsonText(v)))
	}
}

func (x *explainer) explainObject(s *jsonschema.Schema, object map[string]any, p place) {
	for _, key := range s.Required {
		if _, ok := object[key]; !ok {
			x.add(p.member(key).finding(Missing, member(key), "absent"))
		}
	}
	extra, _ := s.AdditionalProperties.(*jsonschema.Schema)
	for _, key := range sortedKeys(object) {
		if sub := s.Properties[key]; sub != nil {
			x.explain(sub, object[key], p.member(key))
		} else if extra != nil {
			x.explain(extra, object[key], p.member(key))
		}
	}
	sw := switchOf(s)
	if sw == nil {
		return
	}
	if branch, _ := sw.branch(object); branch != nil {
		x.explain(branch, object, p)
		return
	}
	at := p.member(sw.member)
	switch tag := object[sw.member].(type) {
	case string:
		x.add(at.finding(Value, oneOf(sw.names), jsonText(tag)))
	default:
		if _, ok := object[sw.member]; !ok {
			x.add(at.finding(Missing, member(sw.member), "absent"))
		} else {
			x.add(at.finding(Type, oneOf(sw.names), jsonText(tag)))
		}
	}
}

func (x *explainer) explainList(s *jsonschema.Schema, list []any, mark *reader, p place) {
	if s.Items2020 == nil {
		return
	}
	if mark != nil && mark.item != "" {
		p.tolerated = mark.item
	}
	for i, item := range list {
		x.explain(s.Items2020, item, p.member(strconv.Itoa(i)))
	}
}

// explainAnyOf reports only the branch that the sender most probably meant.
func (x *explainer) explainAnyOf(s *jsonschema.Schema, v any, p place) {
	best, tried := bestBranch(s, v, p)
	if best < 0 {
		x.add(p.finding(Type, describe(s), jsonText(v)))
		return
	}
	if f, ok := eitherMember(tried, p); ok {
		x.add(f)
		return
	}
	for _, f := range tried[best].findings() {
		if f.Problem == Type && f.Path == p.path {
			f.Expected = describe(s)
			if !nullable(s) {
				f.Def = p.def // no branch was meant more than another
			}
		}
		x.add(f)
	}
}

// bestBranch explains v under each branch and returns the index of the closest: the one with the least that no
// reader tolerates, then with the least that is missing, then with the fewest findings. A branch that only accepts
// null is left out unless v is null; -1 means that there is no other.
func bestBranch(s *jsonschema.Schema, v any, p place) (int, []explainer) {
	best := -1
	tried := make([]explainer, len(s.AnyOf))
	for i, branch := range s.AnyOf {
		if v != nil && onlyNull(branch) {
			continue
		}
		tried[i].explain(branch, v, p)
		if best < 0 || closer(&tried[i], &tried[best]) {
			best = i
		}
	}
	return best, tried
}

func onlyNull(s *jsonschema.Schema) bool { return len(s.Types) == 1 && s.Types[0] == "null" }

// nullable reports whether an anyOf says no more than that null is accepted too.
func nullable(s *jsonschema.Schema) bool { return len(s.AnyOf) == 2 && onlyNull(s.AnyOf[1]) }

func closer(a, b *explainer) bool {
	if len(a.hard) == 0 != (len(b.hard) == 0) {
		return len(a.hard) == 0
	}
	if am, bm := a.missing(), b.missing(); am != bm {
		return am < bm
	}
	return len(a.findings()) < len(b.findings())
}

// eitherMember joins the findings of branches that each lack nothing but one member of their own.
func eitherMember(tried []explainer, p place) (Finding, bool) {
	var names []string
	for i := range tried {
		found := tried[i].findings()
		if len(found) != 1 || found[0].Problem != Missing || strings.Count(found[0].Path, "/") != strings.Count(p.path, "/")+1 {
			return Finding{}, false
		}
		names = append(names, found[0].Expected)
	}
	if len(names) < 2 {
		return Finding{}, false
	}
	return p.finding(Missing, strings.Join(names, " or "), "absent"), true
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
