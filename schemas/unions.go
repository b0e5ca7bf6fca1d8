package schemas

import (
	"slices"
	"strings"
)

// explainUnion reports only the branch that the sender most probably meant.
func (x *explainer) explainUnion(s *node, v any, p place) {
	union := s.anyOf
	best, tried := bestBranch(union, v, p)
	if best < 0 {
		if member, names := discriminator(union); member != "" {
			if own := s.properties[member]; own != nil && own.reader != nil && own.reader.wrong != "" {
				p.tolerated = own.reader.wrong // the member may be left out, and a reader does so
			}
			x.badTag(member, names, v, p)
		} else {
			x.add(p.finding(Type, describe(s), jsonText(v)))
		}
		return
	}
	if s.single && len(tried[best].findings()) == 0 {
		for i := range union {
			if i != best && !(v != nil && onlyNull(union[i])) && !notChosen(union[i], v) && union[i].explains(v, p) {
				x.add(p.finding(Shape, "one of the alternatives, not two: "+alternatives(union), jsonText(v)))
				return
			}
		}
	}
	if f, ok := eitherMember(tried, p); ok {
		x.add(f)
		return
	}
	for _, f := range tried[best].findings() {
		if f.Path == p.path && (f.Problem == Type || f.Problem == Value && !nullable(union)) {
			f.Expected = describe(s)
			if !nullable(union) {
				f.Def = p.def // no branch was meant more than another
			}
		}
		x.add(f)
	}
}

// bestBranch explains v under each branch and returns the index of the closest: the one that the discriminator chooses,
// or else the one with the least that no reader tolerates, then with the least that is missing, then with the fewest
// findings. A branch that only accepts null is left out unless v is null; -1 means that no branch is left.
func bestBranch(union []*node, v any, p place) (int, []explainer) {
	best := -1
	tried := make([]explainer, len(union))
	chosen := chosenBranch(union, v)
	if chosen < 0 {
		chosen = slices.IndexFunc(union, func(branch *node) bool { return branch.accepts(v) })
	}
	for i, branch := range union {
		if v != nil && onlyNull(branch) || chosen >= 0 && i != chosen || chosen < 0 && notChosen(branch, v) {
			continue
		}
		tried[i].explain(branch, v, p)
		if best < 0 || closer(&tried[i], &tried[best], p) {
			best = i
		}
	}
	return best, tried
}

// The published files write a union as alternatives that each ask for their own constant in one member.

// tagOf returns the member and the constant that a branch asks for.
func tagOf(branch *node) (key, value string) {
	for _, key := range branch.required {
		if sub := branch.properties[key]; sub != nil && len(sub.listed) == 1 {
			if value, ok := sub.listed[0].(string); ok {
				return key, value
			}
		}
	}
	return "", ""
}

// findTags notes how a union can be decided without trying every branch. Where no two branches could accept the same value
// oneOf asks no more than anyOf; otherwise that is the validator's to say.
func (n *node) findTags() {
	tagged := map[string]*node{}
	constants, plain := map[any]bool{}, 0
	tag := ""
	for _, branch := range n.anyOf {
		key, value := tagOf(branch)
		switch {
		case key != "" && (tag == "" || tag == key) && tagged[value] == nil:
			tag, tagged[value] = key, branch
		case key == "" && len(branch.listed) == 1 && isText(branch.listed[0]) && !constants[branch.listed[0]]:
			constants[branch.listed[0]] = true
		default:
			plain++
		}
	}
	if len(tagged)+plain == len(n.anyOf) && len(tagged) > 0 {
		n.tag, n.tagged = tag, tagged
	}
	exclusive := len(tagged) == len(n.anyOf) || len(constants) == len(n.anyOf)
	n.unsure = n.unsure || n.single && !exclusive
}

func isText(v any) bool {
	_, ok := v.(string)
	return ok
}

// discriminator returns the member that tells the branches apart, with its values; "" if there is none.
func discriminator(union []*node) (string, []string) {
	member, names := "", []string(nil)
	for _, branch := range union {
		if key, value := tagOf(branch); key != "" {
			member, names = key, append(names, value)
		}
	}
	slices.Sort(names)
	return member, names
}

func chosenBranch(union []*node, v any) int {
	object, ok := v.(map[string]any)
	if !ok {
		return -1
	}
	return slices.IndexFunc(union, func(branch *node) bool {
		key, value := tagOf(branch)
		return key != "" && object[key] == value
	})
}

// notChosen tells whether a branch asks for another constant than the object has.
func notChosen(branch *node, v any) bool {
	object, ok := v.(map[string]any)
	key, value := tagOf(branch)
	return ok && key != "" && object[key] != value
}

func onlyNull(s *node) bool { return len(s.types) == 1 && s.types[0] == "null" }

// nullable reports whether a union says no more than that null is accepted too.
func nullable(union []*node) bool { return len(union) == 2 && onlyNull(union[1]) }

// closer tells whether a explains the value better than b does. The members that a branch asks for say most about whether
// it was meant; what is wrong inside of them comes after.
func closer(a, b *explainer, p place) bool {
	if len(a.hard) == 0 != (len(b.hard) == 0) {
		return len(a.hard) == 0
	}
	if am, bm := a.missing(p), b.missing(p); am != bm {
		return am < bm
	}
	return len(a.findings()) < len(b.findings())
}

// missing counts the members of the place itself that are not there.
func (x *explainer) missing(p place) int {
	n := 0
	for _, f := range x.findings() {
		if f.Problem == Missing && strings.Count(f.Path, "/") == strings.Count(p.path, "/")+1 {
			n++
		}
	}
	return n
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

// explains tells whether a value is valid under a schema.
func (n *node) explains(v any, p place) bool {
	x := explainer{}
	x.explain(n, v, p)
	return len(x.findings()) == 0
}

// alternatives names the members that the branches of a union ask for.
func alternatives(union []*node) string {
	var all []string
	for _, branch := range union {
		all = append(all, strings.Join(required(branch), ", "))
	}
	return strings.Join(all, " or ")
}
