package fuzz

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// tree is a JSON value as it is written: the members of an object stand in an order and may stand twice, and a scalar is the text
// that stands there. So it can hold what no decoder would keep.
type tree struct {
	kind    byte // '{', '[' or 's', a scalar
	text    string
	members []pair
	items   []*tree
}

// pair is a member; the name is written as it stands, with its quotes.
type pair struct {
	name  string
	value *tree
}

func scalar(text string) *tree { return &tree{kind: 's', text: text} }

// quote writes a string as JSON, without escapes that it does not need.
func quote(s string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // a string always encodes
	return strings.TrimSuffix(b.String(), "\n")
}

// unquote reads a string as it is written; false where it is none.
func unquote(text string) (string, bool) {
	var s string
	ok := strings.HasPrefix(text, `"`) && json.Unmarshal([]byte(text), &s) == nil
	return s, ok
}

// treeOf makes a tree of a decoded value, with members in the order of their names.
func treeOf(v any) *tree {
	switch v := v.(type) {
	case map[string]any:
		t := &tree{kind: '{'}
		names := make([]string, 0, len(v))
		for name := range v {
			names = append(names, name)
		}
		slices.Sort(names)
		for _, name := range names {
			t.members = append(t.members, pair{quote(name), treeOf(v[name])})
		}
		return t
	case []any:
		t := &tree{kind: '['}
		for _, item := range v {
			t.items = append(t.items, treeOf(item))
		}
		return t
	case string:
		return scalar(quote(v))
	case json.Number:
		return scalar(string(v))
	case verbatim:
		return scalar(string(v))
	}
	return scalar(fmt.Sprint(orNull(v)))
}

func orNull(v any) any {
	if v == nil {
		return "null"
	}
	return v
}

func (t *tree) String() string {
	var b strings.Builder
	t.write(&b)
	return b.String()
}

func (t *tree) write(b *strings.Builder) {
	switch t.kind {
	case '{':
		b.WriteByte('{')
		for i, m := range t.members {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(m.name + ":")
			m.value.write(b)
		}
		b.WriteByte('}')
	case '[':
		b.WriteByte('[')
		for i, item := range t.items {
			if i > 0 {
				b.WriteByte(',')
			}
			item.write(b)
		}
		b.WriteByte(']')
	default:
		b.WriteString(t.text)
	}
}

func (t *tree) clone() *tree {
	c := &tree{kind: t.kind, text: t.text}
	for _, m := range t.members {
		c.members = append(c.members, pair{m.name, m.value.clone()})
	}
	for _, item := range t.items {
		c.items = append(c.items, item.clone())
	}
	return c
}

// get gives a member by its name, nil if there is none.
func (t *tree) get(name string) *tree {
	if i := t.index(name); i >= 0 {
		return t.members[i].value
	}
	return nil
}

func (t *tree) index(name string) int {
	return slices.IndexFunc(t.members, func(m pair) bool { return m.name == quote(name) })
}

// put sets a member, in the place of the one that is there.
func (t *tree) put(name string, v *tree) {
	if i := t.index(name); i >= 0 {
		t.members[i].value = v
		return
	}
	t.members = append(t.members, pair{quote(name), v})
}

// drop takes a member away.
func (t *tree) drop(name string) {
	if i := t.index(name); i >= 0 {
		t.members = slices.Delete(t.members, i, i+1)
	}
}

// spot is a node of a tree with its parent; member is -1 for an item and the root.
type spot struct {
	node, parent *tree
	member, item int
	path         string
}

// spots are all nodes, the root first.
func (t *tree) spots() []spot {
	var all []spot
	var walk func(s spot)
	walk = func(s spot) {
		all = append(all, s)
		for i, m := range s.node.members {
			name, _ := unquote(m.name)
			walk(spot{m.value, s.node, i, -1, s.path + "/" + name})
		}
		for i, item := range s.node.items {
			walk(spot{item, s.node, -1, i, s.path + "/*"})
		}
	}
	walk(spot{t, nil, -1, -1, ""})
	return all
}

// read reads a tree as it is written. A placeholder may stand for a value.
func read(text string) (*tree, error) {
	r := reader{text: text}
	t := r.value(0)
	if r.space(); t == nil || r.at != len(text) {
		return nil, errors.New("not one JSON value")
	}
	return t, nil
}

const deepestRead = 400

type reader struct {
	text string
	at   int
}

func (r *reader) space() {
	for r.at < len(r.text) && strings.IndexByte(" \t\r\n", r.text[r.at]) >= 0 {
		r.at++
	}
}

// next takes a character, if it comes next.
func (r *reader) next(c byte) bool {
	r.space()
	if r.at < len(r.text) && r.text[r.at] == c {
		r.at++
		return true
	}
	return false
}

func (r *reader) value(depth int) *tree {
	switch {
	case depth > deepestRead:
		return nil
	case r.next('{'):
		return r.object(depth)
	case r.next('['):
		return r.array(depth)
	}
	if token := r.token(); token != "" {
		return scalar(token)
	}
	return nil
}

func (r *reader) object(depth int) *tree {
	t := &tree{kind: '{'}
	for !r.next('}') {
		if len(t.members) > 0 && !r.next(',') {
			return nil
		}
		r.space()
		name := r.token()
		if !strings.HasPrefix(name, `"`) || !r.next(':') {
			return nil
		}
		v := r.value(depth + 1)
		if v == nil {
			return nil
		}
		t.members = append(t.members, pair{name, v})
	}
	return t
}

func (r *reader) array(depth int) *tree {
	t := &tree{kind: '['}
	for !r.next(']') {
		if len(t.items) > 0 && !r.next(',') {
			return nil
		}
		v := r.value(depth + 1)
		if v == nil {
			return nil
		}
		t.items = append(t.items, v)
	}
	return t
}

// token reads a string, a number, a literal or a placeholder.
func (r *reader) token() string {
	from := r.at
	rest := r.text[from:]
	switch {
	case strings.HasPrefix(rest, `"`):
		for i := 1; i < len(rest); i++ {
			if rest[i] == '\\' {
				i++
			} else if rest[i] == '"' {
				r.at += i + 1
				return rest[:i+1]
			}
		}
		return ""
	case strings.HasPrefix(rest, "${"):
		end := strings.IndexByte(rest, '}')
		if end < 0 {
			return ""
		}
		r.at += end + 1
		return rest[:end+1]
	}
	end := strings.IndexAny(rest, "{}[]:,\" \t\r\n")
	if end < 0 {
		end = len(rest)
	}
	r.at += end
	return rest[:end]
}
