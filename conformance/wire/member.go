package wire

import (
	"bytes"
	"encoding/json"
)

// Member gives one member of a JSON object as it stands there, the last one of that name; nil where the value is no object or
// has no such member. The value must be valid JSON, as every part of an envelope is. Nothing is copied or decoded on the way:
// members are looked up many times for each frame.
func Member(obj json.RawMessage, name string) json.RawMessage {
	var found json.RawMessage
	eachMember(obj, func(key, value []byte) {
		if is(key, name) {
			found = value
		}
	})
	return found
}

// is compares a quoted key with a name.
func is(key []byte, name string) bool {
	if bytes.IndexByte(key, '\\') < 0 {
		return string(key[1:len(key)-1]) == name
	}
	var s string
	return json.Unmarshal(key, &s) == nil && s == name
}

// eachMember calls f with the quoted key and the value of every member of a valid JSON object, in order.
func eachMember(obj []byte, f func(key, value []byte)) {
	i := space(obj, 0)
	if i >= len(obj) || obj[i] != '{' {
		return
	}
	for i = space(obj, i+1); i < len(obj) && obj[i] == '"'; {
		keyEnd := value(obj, i)
		from := space(obj, space(obj, keyEnd)+1) // behind the colon
		to := value(obj, from)
		f(obj[i:keyEnd], obj[from:to:to])
		if i = space(obj, to); i < len(obj) && obj[i] == ',' {
			i = space(obj, i+1)
		}
	}
}

func space(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\t' || b[i] == '\n' || b[i] == '\r') {
		i++
	}
	return i
}

// value gives the index behind the value that begins at i.
func value(b []byte, i int) int {
	depth := 0
	for i < len(b) {
		switch b[i] {
		case '"':
			i = quoted(b, i)
		case '{', '[':
			depth++
			i++
		case '}', ']':
			depth--
			i++
		case ',', ':', ' ', '\t', '\n', '\r':
			i++
		default:
			i = word(b, i)
		}
		if depth <= 0 {
			return min(i, len(b))
		}
	}
	return len(b)
}

// quoted gives the index behind the string that begins at i.
func quoted(b []byte, i int) int {
	for i++; i < len(b); i++ {
		switch b[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(b)
}

// word gives the index behind the number or literal that begins at i.
func word(b []byte, i int) int {
	for i < len(b) && bytes.IndexByte([]byte(",:]} \t\n\r"), b[i]) < 0 {
		i++
	}
	return i
}
