package schemas

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
)

// Unknown is a member that no definition names. Objects of the protocol keep their root for later versions; what an
// implementation adds belongs under _meta: https://agentclientprotocol.com/protocol/v1/extensibility
type Unknown struct {
	Path    string // JSON pointer to the object that holds it, "" = the part itself
	Key     string
	Nearest string // the nearest name that is known at this place, "" if there is none
	Snake   bool   // Key is Nearest written in snake_case
	Def     string // the definition of the object
	// Unstable tells that the unstable edition names the member and the stable one does not; Inside that no edition names
	// it, and that it stands in an object that only the unstable edition knows.
	Unstable, Inside bool
}

// maxUnknown is how many unknown members of one part are listed: a part that repeats one a million times has said enough.
const maxUnknown = 50

// UnknownMembers lists the first members of a part that no definition names, in order of their place, and those that only the
// unstable edition names. It never looks into values whose content is free: _meta, rawInput and rawOutput of a tool
// call, the data of an error, the branches of a union that this edition does not know.
// https://agentclientprotocol.com/protocol/v1/extensibility
func UnknownMembers(d Definition, part json.RawMessage) []Unknown {
	if d.Edition == nil || d.Edition.known.has(d.Name, part) {
		return nil
	}
	found := searchUnknown(d, part)
	if len(found) == 0 {
		d.Edition.known.add(d.Name, part)
	}
	return found
}

func searchUnknown(d Definition, part json.RawMessage) (found []Unknown) {
	defer func() { _ = recover() }() // Check says what is wrong with schemas that make a walk panic
	def, f := d.Edition.find(d.Name)
	if f != nil {
		return nil
	}
	v, f := decode(part)
	if f != nil {
		return nil
	}
	walkUnknown(def, v, place{def: d.Name}, &found)
	stable := d.Edition.narrower
	if stable == nil {
		return found
	}
	def, f = stable.find(d.Name)
	if f != nil {
		return found // the whole definition is unstable
	}
	var ahead []Unknown
	walkUnknown(def, v, place{def: d.Name}, &ahead)
	for i := range found {
		known := func(u Unknown) bool { return u.Path == found[i].Path && u.Key == found[i].Key }
		found[i].Inside = len(ahead) < maxUnknown && !slices.ContainsFunc(ahead, known)
	}
	for _, u := range ahead {
		if !slices.ContainsFunc(found, func(both Unknown) bool { return both.Path == u.Path && both.Key == u.Key }) {
			u.Unstable, u.Nearest, u.Snake = true, "", false
			found = append(found, u)
		}
	}
	slices.SortStableFunc(found, func(a, b Unknown) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Key, b.Key))
	})
	return found
}

// shape is what is known about one object or list, after references and unions have been followed.
type shape struct {
	def     string
	members map[string]*node // nil schema: a name that is known, with nothing to look into
	rest    *node            // of the values in a map
	items   *node
	free    bool // names at this place are the sender's own
}

func walkUnknown(s *node, v any, p place, found *[]Unknown) {
	if len(*found) >= maxUnknown {
		return
	}
	switch v := v.(type) {
	case map[string]any:
		sh := shape{members: map[string]*node{}}
		sh.learn(s, v, p)
		if sh.def == "" {
			sh.def = p.def
		}
		for _, key := range sortedKeys(v) {
			sub, known := sh.members[key]
			if !known {
				sub = sh.rest
			}
			switch {
			case key == "_meta":
			case sub != nil:
				walkUnknown(sub, v[key], place{path: p.member(key).path, def: sh.def}, found)
			case !known && !sh.free && len(sh.members) > 0 && len(*found) < maxUnknown:
				nearest, snake := nearestName(key, sortedKeys(sh.members))
				*found = append(*found, Unknown{Path: p.path, Key: cut(key), Nearest: nearest, Snake: snake, Def: sh.def})
			}
		}
	case []any:
		sh := shape{}
		sh.learn(s, v, p)
		if sh.items == nil {
			return
		}
		for i, item := range v {
			walkUnknown(sh.items, item, place{path: p.item(i).path, def: p.def}, found)
		}
	}
}

// learn adds what one schema says about v.
func (sh *shape) learn(s *node, v any, p place) {
	if s.def != "" && s.properties != nil && sh.def == "" {
		sh.def = s.def
	}
	if s.items != nil && sh.items == nil {
		sh.items = s.items
	}
	if object, ok := v.(map[string]any); ok {
		sh.learnObject(s, object, p)
	}
	if s.ref != nil {
		sh.learn(s.ref, v, p)
	}
	for _, sub := range s.allOf {
		sh.learn(sub, v, p)
	}
	if len(s.anyOf) > 0 {
		sh.learnUnion(s.anyOf, v, p)
	}
}

func (sh *shape) learnObject(s *node, object map[string]any, p place) {
	if s.properties != nil {
		// Every object may carry _meta, also where its definition does not say so.
		sh.members["_meta"] = nil
	}
	for key, sub := range s.properties {
		if sh.members[key] == nil {
			sh.members[key] = sub
		}
	}
	sh.free = sh.free || s.free
	if s.extra != nil {
		sh.rest = s.extra
	}
	sw := s.sw
	if sw == nil {
		return
	}
	branch := sw.branch(object)
	if branch == nil {
		sh.free = true
		return
	}
	sh.learn(branch, object, p)
	if _, ok := sh.members[sw.member]; !ok {
		sh.members[sw.member] = nil
	}
}

// learnUnion follows the branch that was meant; the other branches only lend their names.
func (sh *shape) learnUnion(union []*node, v any, p place) {
	best, _ := bestBranch(union, v, p)
	if best < 0 {
		sh.free = true // it is none of the kinds that are known here
		return
	}
	sh.learn(union[best], v, p)
	if _, ok := v.(map[string]any); !ok {
		return
	}
	for i, branch := range union {
		if i == best {
			continue
		}
		lent := shape{members: map[string]*node{}}
		lent.learn(branch, v, p)
		for key := range lent.members {
			if _, ok := sh.members[key]; !ok {
				sh.members[key] = nil
			}
		}
		sh.free = sh.free || lent.free && branch.accepts(v)
	}
}

const longestName = 64 // bytes of a name that may be a misspelt one

// nearestName finds the known name that the sender probably meant: the same letters in another style, or at most two
// wrong letters.
func nearestName(key string, names []string) (nearest string, snake bool) {
	if len(key) > longestName {
		return "", false
	}
	for _, name := range names {
		if letters(name) == letters(key) {
			return name, key == snakeCase(name)
		}
	}
	best := min(2, len(key)/3) + 1
	for _, name := range names {
		if d := levenshtein.ComputeDistance(key, name); d < best {
			nearest, best = name, d
		}
	}
	return nearest, false
}

// letters is a name without what joins its words.
func letters(s string) string {
	return strings.ToLower(strings.ReplaceAll(strings.ReplaceAll(s, "_", ""), "-", ""))
}

func snakeCase(camel string) string {
	var b strings.Builder
	for _, r := range camel {
		if 'A' <= r && r <= 'Z' {
			b.WriteByte('_')
			r += 'a' - 'A'
		}
		b.WriteRune(r)
	}
	return b.String()
}

// Holds tells whether an object of the part that a definition describes has a member of this name. It does not look into
// values whose content is free. https://agentclientprotocol.com/protocol/v1/extensibility
func Holds(d Definition, part json.RawMessage, key string) bool {
	if d.Edition == nil || !bytes.Contains(part, []byte(key)) {
		return false
	}
	def, f := d.Edition.find(d.Name)
	if f != nil {
		return false
	}
	v, f := decode(part)
	return f == nil && holds(def, v, key, place{def: d.Name})
}

func holds(s *node, v any, key string, p place) bool {
	sh := shape{members: map[string]*node{}}
	sh.learn(s, v, p)
	switch v := v.(type) {
	case map[string]any:
		if _, ok := v[key]; ok && !s.anything() {
			return true
		}
		for name, sub := range v {
			next, known := sh.members[name]
			if !known {
				next = sh.rest
			}
			if name != "_meta" && next != nil && holds(next, sub, key, place{def: sh.def}) {
				return true
			}
		}
	case []any:
		if sh.items != nil {
			return slices.ContainsFunc(v, func(item any) bool { return holds(sh.items, item, key, p) })
		}
	}
	return false
}
