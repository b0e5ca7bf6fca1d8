package fuzz

import (
	"bytes"
	"strconv"
)

const (
	deepest     = 60      // levels that every reader can read: some end at 128, some at 64
	widest      = 1 << 20 // bytes of a line that every reader takes in
	longestWord = 18      // digits of a number that every reader can read
	highest     = 2       // digits of an exponent that every reader can read
)

// isOdd tells whether a line, which is JSON, is one that a strict reader may refuse as a whole.
func isOdd(text []byte) bool {
	if len(text) > widest {
		return true
	}
	depth := 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			end := endOfText(text, i)
			if loneSurrogate(text[i:end]) {
				return true
			}
			i = end - 1
		case c == '{' || c == '[':
			if depth++; depth > deepest {
				return true
			}
		case c == '}' || c == ']':
			depth--
		case c >= '0' && c <= '9' || c == '-':
			end := i + 1
			for end < len(text) && bytes.IndexByte([]byte("0123456789+-.eE"), text[end]) >= 0 {
				end++
			}
			if oddNumber(text[i:end]) {
				return true
			}
			i = end - 1
		}
	}
	t, err := read(string(text))
	return err != nil || t.twins()
}

// endOfText is the index behind the string that begins at i.
func endOfText(text []byte, i int) int {
	for i++; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(text)
}

func oddNumber(token []byte) bool {
	mantissa, exponent, _ := bytes.Cut(bytes.ToLower(token), []byte("e"))
	return len(mantissa) > longestWord || len(bytes.TrimLeft(exponent, "+-")) > highest
}

// loneSurrogate tells whether half of a surrogate pair is escaped in the text.
func loneSurrogate(text []byte) bool {
	for i := 0; i+1 < len(text); i++ {
		if text[i] != '\\' {
			continue
		}
		switch surrogateAt(text, i) {
		case 0:
			i++ // what is escaped
		case 2:
			return true
		default:
			if surrogateAt(text, i+6) != 2 {
				return true
			}
			i += 11
		}
	}
	return false
}

// surrogateAt is 1 for the first half of a pair that is escaped at i, 2 for the second and 0 for anything else.
func surrogateAt(text []byte, i int) int {
	if i+6 > len(text) || text[i] != '\\' || text[i+1] != 'u' {
		return 0
	}
	n, err := strconv.ParseUint(string(text[i+2:i+6]), 16, 16)
	switch {
	case err != nil, n < 0xd800, n > 0xdfff:
		return 0
	case n < 0xdc00:
		return 1
	}
	return 2
}

// twins tells whether a member stands twice in an object.
func (t *tree) twins() bool {
	seen := map[string]bool{}
	for _, m := range t.members {
		name, _ := unquote(m.name)
		if seen[name] || m.value.twins() {
			return true
		}
		seen[name] = true
	}
	for _, item := range t.items {
		if item.twins() {
			return true
		}
	}
	return false
}
