package schemas

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Beyond these a validator or a reader of numbers spends seconds, or its stack, on a few bytes of input.
const (
	maxNumber   = 400 // bytes of a number, and the absolute value of its exponent
	maxDepth    = 512 // nested objects and lists
	maxActual   = 200 // bytes of Finding.Actual
	maxFindings = 5
)

// decode reads one JSON value and keeps numbers as they were written. A finding in place of a value says why it cannot.
func decode(part json.RawMessage) (any, *Finding) {
	if f := checkLimits(part); f != nil {
		return nil, f
	}
	d := json.NewDecoder(bytes.NewReader(part))
	d.UseNumber()
	var v any
	if d.Decode(&v) == nil && len(bytes.Trim(part[d.InputOffset():], " \t\r\n")) == 0 {
		return v, nil
	}
	return nil, &Finding{Problem: Shape, Expected: "one JSON value", Actual: cut(string(part))}
}

// checkLimits looks at the bytes before anything is decoded.
func checkLimits(part []byte) *Finding {
	depth := 0
	for i := 0; i < len(part); i++ {
		switch c := part[i]; {
		case c == '"':
			i = endOfString(part, i)
		case c == '{' || c == '[':
			if depth++; depth > maxDepth {
				return &Finding{
					Problem: Limits, Expected: "at most " + strconv.Itoa(maxDepth) + " levels of nesting", Actual: cut(string(part)),
				}
			}
		case c == '}' || c == ']':
			depth--
		case c == '-' || '0' <= c && c <= '9':
			end := i + 1
			for end < len(part) && isNumberByte(part[end]) {
				end++
			}
			if token := string(part[i:end]); tooLong(token) {
				return &Finding{
					Problem:  Limits,
					Expected: "a number of at most " + strconv.Itoa(maxNumber) + " bytes and exponents up to " + strconv.Itoa(maxNumber),
					Actual:   cut(token),
				}
			}
			i = end - 1
		}
	}
	return nil
}

// endOfString returns the index of the closing quote of the string that opens at start, or of the last byte.
func endOfString(part []byte, start int) int {
	for i := start + 1; i < len(part); i++ {
		switch part[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return len(part)
}

func isNumberByte(c byte) bool {
	return '0' <= c && c <= '9' || c == '.' || c == 'e' || c == 'E' || c == '+' || c == '-'
}

func tooLong(number string) bool {
	if len(number) > maxNumber {
		return true
	}
	i := strings.IndexAny(number, "eE")
	if i < 0 {
		return false
	}
	exponent, err := strconv.Atoi(number[i+1:])
	return err != nil || exponent > maxNumber || exponent < -maxNumber
}

// jsonText writes a decoded value as JSON, with members in order of their names.
func jsonText(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return err.Error()
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// cut shortens a text to maxActual bytes without splitting a character.
func cut(s string) string {
	const mark = "…"
	if len(s) <= maxActual {
		return s
	}
	end := maxActual - len(mark)
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + mark
}
