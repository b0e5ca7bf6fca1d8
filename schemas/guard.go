package schemas

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// What a decoder passes over in silence: a member that is there twice, and half of a surrogate pair. Readers differ in what
// they make of it (the first, the last, an error), so that a sender cannot know what it has said.

// mayHoldSurrogates is a quick look for an escape that is, or may be, half of a pair: \\ud800 to \\udfff. Escapes that hide
// behind an escaped backslash are passed over as well, since each step takes two bytes.
func mayHoldSurrogates(part []byte) bool {
	for {
		i := bytes.IndexByte(part, '\\')
		if i < 0 || i+2 >= len(part) {
			return false
		}
		if part[i+1] == 'u' && part[i+2]|0x20 == 'd' {
			return true
		}
		part = part[i+2:]
	}
}

// hidden finds what the value v, which was decoded from the part, does not show. Values that are opaque to the protocol are
// the sender's own.
func hidden(def *node, v any, part []byte) []Finding {
	s := secrets{text: part}
	s.keep = func(inside bool) bool { return !opaque(def, v, s.at, inside) }
	s.value(0)
	for i := range s.found {
		s.found[i].Def = def.def
	}
	return s.found
}

// secrets walks over the text of one valid JSON value.
type secrets struct {
	text  []byte
	at    []string               // the way to where the walk has arrived
	keep  func(inside bool) bool // whether what is found here, or inside of the value here, counts
	found []Finding
}

// value reads the value that begins at or behind i and returns the index behind it.
func (s *secrets) value(i int) int {
	i = s.space(i)
	switch s.text[i] {
	case '{':
		return s.object(i)
	case '[':
		n := 0
		for i = s.space(i + 1); s.text[i] != ']'; n++ {
			s.at = append(s.at, strconv.Itoa(n))
			i = s.space(s.value(i))
			s.at = s.at[:len(s.at)-1]
			if s.text[i] == ',' {
				i++
			}
		}
		return i + 1
	case '"':
		end := endOfString(s.text, i) + 1
		if halfSurrogate(s.text[i:end]) {
			s.add(true, Finding{Problem: Encoding, Expected: "a string of whole characters", Actual: cut(string(s.text[i:end])),
				Tolerated: "half a surrogate pair read as U+FFFD"})
		}
		return end
	}
	end := i
	for end < len(s.text) && !bytes.ContainsRune([]byte(" \t\r\n,]}"), rune(s.text[end])) {
		end++
	}
	if token := s.text[i:end]; isNumberByte(token[0]) && tooLong(token) {
		s.add(true, Finding{Problem: Limits, Expected: shortNumber, Actual: cut(string(token)), Tolerated: ourLimit})
	}
	return end
}

func (s *secrets) object(i int) int {
	seen := map[string]int{}
	for i = s.space(i + 1); s.text[i] != '}'; {
		end := endOfString(s.text, i) + 1
		var key string
		_ = json.Unmarshal(s.text[i:end], &key)
		s.at = append(s.at, key)
		if seen[key]++; seen[key] == 2 {
			s.add(false, Finding{Problem: Duplicate, Expected: "member " + strconv.Quote(key) + " once", Actual: "more than one of them",
				Tolerated: "the last one counts"})
		}
		if halfSurrogate(s.text[i:end]) {
			s.add(false, Finding{Problem: Encoding, Expected: "a name of whole characters", Actual: cut(string(s.text[i:end])),
				Tolerated: "half a surrogate pair read as U+FFFD"})
		}
		i = s.space(s.value(s.space(end) + 1))
		s.at = s.at[:len(s.at)-1]
		if s.text[i] == ',' {
			i = s.space(i + 1)
		}
	}
	return i + 1
}

func (s *secrets) add(inside bool, f Finding) {
	if len(s.found) < maxFindings && s.keep(inside) {
		f.Path = pointer(s.at)
		s.found = append(s.found, f)
	}
}

func (s *secrets) space(i int) int {
	for i < len(s.text) && (s.text[i] == ' ' || s.text[i] == '\t' || s.text[i] == '\r' || s.text[i] == '\n') {
		i++
	}
	return i
}

// halfSurrogate tells whether a quoted string holds an escape that is half of a pair without its other half.
func halfSurrogate(quoted []byte) bool {
	for i := 0; i+1 < len(quoted); i++ {
		if quoted[i] != '\\' {
			continue
		}
		i++
		if quoted[i] != 'u' {
			continue
		}
		switch unit := hexUnit(quoted[i:]); {
		case unit >= 0xDC00 && unit < 0xE000:
			return true
		case unit >= 0xD800 && unit < 0xDC00:
			low := -1
			if rest := quoted[min(i+5, len(quoted)):]; len(rest) > 1 && rest[0] == '\\' {
				low = hexUnit(rest[1:])
			}
			if low < 0xDC00 || low >= 0xE000 {
				return true
			}
			i += 6
		}
	}
	return false
}

// hexUnit reads u and four hexadecimal digits; -1 if they are not there.
func hexUnit(text []byte) int {
	if len(text) < 5 || text[0] != 'u' {
		return -1
	}
	n, err := strconv.ParseUint(string(text[1:5]), 16, 16)
	if err != nil {
		return -1
	}
	return int(n)
}

// opaque tells whether the way to a member, or into its value, leads through a value that the protocol does not look into.
func opaque(def *node, v any, at []string, inside bool) bool {
	s := def
	for n, key := range at {
		sh := shape{members: map[string]*node{}}
		sh.learn(s, v, place{})
		switch outer := v.(type) {
		case map[string]any:
			sub, known := sh.members[key]
			if !known {
				sub = sh.rest
			}
			switch {
			case n == len(at)-1 && !inside:
				return len(sh.members) == 0 && sh.rest == nil
			case key == "_meta", sub == nil, sub.anything():
				return true
			}
			s, v = sub, outer[key]
		case []any:
			i, err := strconv.Atoi(key)
			if err != nil || i >= len(outer) || sh.items == nil {
				return true
			}
			s, v = sh.items, outer[i]
		default:
			return true
		}
	}
	return false
}

func pointer(at []string) string {
	p := place{}
	for _, key := range at {
		p = p.member(key)
	}
	return p.path
}
