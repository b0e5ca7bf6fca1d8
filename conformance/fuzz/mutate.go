package fuzz

import (
	"math/rand/v2"
	"slices"
	"strings"
)

// mutation changes a tree at a place; it returns false where there is nothing for it to change.
type mutation struct {
	weight int
	apply  func(r *rand.Rand, s spot) bool
}

// mutations are what happens to params, by what a client may get wrong.
var mutations = []mutation{
	{4, func(r *rand.Rand, s spot) bool { return replace(s, scalar("null")) }},
	{6, func(r *rand.Rand, s spot) bool { return replace(s, otherType(r, s.node)) }},
	{4, remove},
	{4, addMember},
	{3, twice},
	{2, rename},
	{3, empty},
	{4, number},
	{6, changeText},
	{2, repeatItem},
	{1, wrap},
	{4, meta},
	{2, escape},
	{2, swap},
}

// mutate makes n changes to params.
func mutate(r *rand.Rand, params *tree, n int) {
	total := 0
	for _, m := range mutations {
		total += m.weight
	}
	for range n {
		for range 20 { // until one finds something to change
			all := params.spots()
			s := all[r.IntN(min(len(all), 1+r.IntN(len(all))))] // rather near the root
			k := r.IntN(total)
			i := slices.IndexFunc(mutations, func(m mutation) bool { k -= m.weight; return k < 0 })
			if mutations[i].apply(r, s) {
				break
			}
		}
	}
}

// replace puts another value in a place.
func replace(s spot, v *tree) bool {
	if s.parent == nil && v.kind == '{' && s.node.kind == '{' && len(s.node.members) == 0 {
		return false
	}
	*s.node = *v
	return true
}

// others are values of every type.
var others = []string{"true", "false", "0", "1", "-1", "1.5", `"x"`, `""`, "[]", "{}", `[1]`, `{"x":1}`, "null", `["x",null]`, "${nest:3}"}

// otherType is a value of another type.
func otherType(r *rand.Rand, t *tree) *tree {
	for {
		if v, err := read(pick(r, others)); err == nil && typeOf(v) != typeOf(t) {
			return v
		}
	}
}

func typeOf(t *tree) byte {
	if t.kind != 's' {
		return t.kind
	}
	switch c := t.text[0]; {
	case c == '-' || c >= '0' && c <= '9':
		return '0'
	default:
		return c // of a string, true, false, null or a placeholder
	}
}

func remove(_ *rand.Rand, s spot) bool {
	switch {
	case s.parent == nil:
		return false
	case s.member >= 0:
		s.parent.members = slices.Delete(s.parent.members, s.member, s.member+1)
	default:
		s.parent.items = slices.Delete(s.parent.items, s.item, s.item+1)
	}
	return true
}

func addMember(r *rand.Rand, s spot) bool {
	if s.node.kind != '{' {
		return false
	}
	m := &maker{Rand: r}
	v := treeOf(m.own(2))
	i := r.IntN(len(s.node.members) + 1)
	s.node.members = slices.Insert(s.node.members, i, pair{quote(pick(r, ownNames)), v})
	return true
}

// twice writes a member a second time, with the same value or another.
func twice(r *rand.Rand, s spot) bool {
	if s.member < 0 {
		return false
	}
	v := s.node.clone()
	if r.IntN(2) == 0 {
		v = otherType(r, s.node)
	}
	s.parent.members = append(s.parent.members, pair{s.parent.members[s.member].name, v})
	return true
}

// rename writes a name in another way.
func rename(r *rand.Rand, s spot) bool {
	if s.member < 0 {
		return false
	}
	name, _ := unquote(s.parent.members[s.member].name)
	s.parent.members[s.member].name = quote(pick(r, []string{strings.ToUpper(name), strings.ToLower(name), snake(name), name + " ", name + "\u0000"}))
	return true
}

func snake(name string) string {
	var b strings.Builder
	for _, c := range name {
		if c >= 'A' && c <= 'Z' {
			b.WriteByte('_')
			c += 'a' - 'A'
		}
		b.WriteRune(c)
	}
	return b.String()
}

func empty(_ *rand.Rand, s spot) bool {
	switch typeOf(s.node) {
	case '{':
		if s.node.members == nil {
			return false
		}
		s.node.members = nil
	case '[':
		if s.node.items == nil {
			return false
		}
		s.node.items = nil
	case '"':
		s.node.text = `""`
	default:
		return false
	}
	return true
}

var oddNumbers = []string{"-1", "2147483648", "4294967296", "9007199254740993", "9223372036854775807", "9223372036854775808", "18446744073709551616",
	"1.5", "1e3", "1.0", "-0", "1e400", "1E-400", "0.1e1", "123456789012345678901234567890"}

// number writes a number, in the place of another if there is one.
func number(r *rand.Rand, s spot) bool {
	if s.parent == nil || typeOf(s.node) != '0' && r.IntN(8) > 0 {
		return false
	}
	return replace(s, scalar(pick(r, oddNumbers)))
}

// rawTexts are strings that no encoder writes.
var rawTexts = []string{`"\ud800"`, `"\udc00x"`, `"\uD83D\uDE42"`, `"\/"`, `"\u0000"`, `"${bytes:ff}"`, `"${bytes:c080}"`, `"${bytes:eda080}"`}

// changeText writes another string; of a tag or a name it is one that nobody knows.
func changeText(r *rand.Rand, s spot) bool {
	if s.parent == nil || typeOf(s.node) != '"' {
		return false
	}
	switch n := r.IntN(8); {
	case n == 0:
		s.node.text = pick(r, rawTexts)
	case strings.HasSuffix(s.path, "/sessionId"):
		s.node.text = `"` + otherSession(r, s.node.text) + `"`
	case strings.HasSuffix(s.path, "/command") || strings.HasSuffix(s.path, "/url"):
		return false // what would be started or called
	case n < 4:
		s.node.text = pick(r, []string{`"acp_conform"`, `"_acp_conform"`, `"Text"`, `"TEXT"`, `"text "`})
	case strings.HasSuffix(s.path, "wd") || strings.HasSuffix(s.path, "/additionalDirectories/*"):
		s.node.text = pick(r, []string{`"."`, `"acp-conform-none"`, `"~"`, `"${dir}/../none"`, `"${dir}/\u0000"`, `"C:\\none"`, `"file://${dir}"`, `"${dir}/${repeat:5000:x}"`})
	default:
		s.node.text = quote(pick(r, texts))
	}
	return true
}

// otherSession is an id that the agent does not have, or one that it has in another spelling.
func otherSession(r *rand.Rand, text string) string {
	id := strings.Trim(text, `"`)
	if p, ok := strings.CutSuffix(id, "}"); ok && r.IntN(2) == 0 {
		return p + pick(r, []string{"|escaped}", "|escaped}", "|upper}", "|padded}"})
	}
	return pick(r, strangers)
}

// strangers are ids that no session can have: a session of the user must not be met by chance.
var strangers = []string{nobody, nobody + "/../x", nobody + "\\u0000", "", "acp-conform-ü🙂", "acp-conform-${repeat:5000:x}", "__proto__", "5a0f3a3e-7f0c-4d55-9a0e-6d0f5b1c2e77"}

// mostRepeated is how many bytes an item may become that is repeated: a line of many megabytes is no fault of whoever takes long over it.
const mostRepeated = 1 << 20

func unknown(string) (string, bool) { return "", false }

func repeatItem(r *rand.Rand, s spot) bool {
	if s.node.kind != '[' || len(s.node.items) == 0 {
		return false
	}
	item, n := s.node.items[r.IntN(len(s.node.items))], pick(r, []int{1, 5, 300})
	if len(item.String()) > 500 || n*len(expand(item.String(), unknown)) > mostRepeated {
		return false
	}
	for range n {
		s.node.items = append(s.node.items, item.clone())
	}
	return true
}

func wrap(_ *rand.Rand, s spot) bool {
	return replace(s, &tree{kind: '[', items: []*tree{s.node.clone()}})
}

// meta gives an object a _meta that is none, or none of the usual.
func meta(r *rand.Rand, s spot) bool {
	if s.node.kind != '{' {
		return false
	}
	s.node.put("_meta", scalar(pick(r, []string{"null", "[]", `[{}]`, `"x"`, "1", "true", "{}", "${deep:150}", "${nest:150}", "${deep:3000}", `{"_meta":null}`})))
	return true
}

// escape writes every character of a string as an escape, or those of a name: it is the same string.
func escape(r *rand.Rand, s spot) bool {
	text := s.node.text
	if r.IntN(2) == 0 && s.member >= 0 {
		text = s.parent.members[s.member].name
	}
	plain, ok := unquote(text)
	if !ok || strings.Contains(plain, "${") || plain == "" {
		return false
	}
	escaped := `"` + escaped(plain) + `"`
	if s.member >= 0 && text == s.parent.members[s.member].name {
		s.parent.members[s.member].name = escaped
	} else {
		s.node.text = escaped
	}
	return true
}

// swap exchanges the values of two members.
func swap(r *rand.Rand, s spot) bool {
	n := len(s.node.members)
	if n < 2 {
		return false
	}
	i, j := r.IntN(n), r.IntN(n)
	a, b := &s.node.members[i], &s.node.members[j]
	a.value, b.value = b.value, a.value
	return i != j
}
