package schemas

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

// MaxPart is the size in bytes up to which a part is looked at.
// https://agentclientprotocol.com/protocol/v1/transports
const MaxPart = 64 << 20

// Beyond these a validator or a reader of numbers spends seconds, or its stack, on a few bytes of input.
const (
	maxNumber   = 400  // bytes of a number, and the absolute value of its exponent
	maxDepth    = 8000 // nested objects and lists; the decoder knows 10,000
	maxActual   = 200  // bytes of Finding.Actual
	maxFindings = 50
)

// shortNumber is what a number is expected to be.
var shortNumber = fmt.Sprintf("a number of at most %d bytes and exponents up to %[1]d", maxNumber)

// ourLimit is what is said of a part that may be fine: the limit is of this program, not of the protocol.
const ourLimit = "not looked into: this is a limit of this program"

// decode reads one JSON value and keeps numbers as they were written. A finding in place of a value says why it cannot.
func decode(part json.RawMessage) (any, *Finding) {
	v, _, f := decodeAll(part)
	return v, f
}

// decodeAll also tells whether the text holds something that the value does not show, such as a member that is there twice.
func decodeAll(part json.RawMessage) (v any, hides bool, f *Finding) {
	members, long, f := checkLimits(part)
	if f != nil {
		return nil, false, f
	}
	d := json.NewDecoder(bytes.NewReader(part))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		return nil, false, notJSON(part, whereBroken(part, err))
	}
	if rest := bytes.TrimLeft(part[d.InputOffset():], " \t\r\n"); len(rest) > 0 {
		return nil, false, notJSON(part, "something stands behind the value: "+cut(string(rest)))
	}
	if long {
		v = shortened(v)
	}
	return v, long || members != countMembers(v) || mayHoldSurrogates(part), nil
}

// shortened replaces numbers that would keep the validator busy for seconds by ones that are as whole, and as far beyond every
// range, as they are.
func shortened(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for key, sub := range v {
			v[key] = shortened(sub)
		}
	case []any:
		for i, sub := range v {
			v[i] = shortened(sub)
		}
	case json.Number:
		if !tooLong([]byte(v)) {
			return v
		}
		mantissa, exponent, scientific := strings.Cut(strings.ToLower(string(v)), "e")
		sign := ""
		if mantissa[0] == '-' {
			sign = "-"
		}
		switch {
		case strings.HasPrefix(exponent, "-"), !scientific && strings.Contains(mantissa, "."):
			return json.Number(sign + "0.1")
		case scientific:
			return json.Number(sign + "1e" + strconv.Itoa(maxNumber))
		}
		return json.Number(mantissa[:maxNumber])
	}
	return v
}

func notJSON(part []byte, why string) *Finding {
	if bytes.HasPrefix(part, []byte("\ufeff")) {
		why = "it begins with a byte order mark; remove that"
	}
	return &Finding{Problem: Shape, Expected: "one JSON value (" + why + ")", Actual: cut(string(part[:min(len(part), 2*maxActual)]))}
}

// whereBroken says what is wrong with a text that is not JSON, and where.
func whereBroken(text []byte, err error) string {
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &syntax):
		before := text[:min(int(syntax.Offset), len(text))]
		line := 1 + bytes.Count(before, []byte("\n"))
		column := len(before) - 1 - bytes.LastIndexByte(before, '\n')
		return fmt.Sprintf("line %d, column %d: %s", line, max(column, 1), syntax)
	case errors.Is(err, io.EOF):
		return "it is empty"
	case errors.Is(err, io.ErrUnexpectedEOF):
		return "it ends too early"
	}
	return "it is of another type"
}

// checkLimits looks at the bytes before anything is decoded. It returns the number of members of all objects, and whether a
// number is longer than is looked into.
func checkLimits(part []byte) (members int, long bool, f *Finding) {
	switch {
	case len(part) > MaxPart:
		return 0, false, &Finding{Problem: Limits, Expected: "at most 64 MB", Actual: strconv.Itoa(len(part)>>20) + " MB", Tolerated: ourLimit}
	case !utf8.Valid(part):
		return 0, false, &Finding{Problem: Encoding, Expected: "UTF-8", Actual: cut(strings.ToValidUTF8(string(part[:min(len(part), maxActual)]), "\uFFFD"))}
	}
	depth := 0
	for i := 0; i < len(part); i++ {
		switch c := part[i]; {
		case c == '"':
			i = endOfString(part, i)
		case c == ':':
			members++
		case c == '{' || c == '[':
			if depth++; depth > maxDepth {
				return 0, false, &Finding{
					Problem: Limits, Expected: "at most " + strconv.Itoa(maxDepth) + " levels of nesting", Actual: cut(string(part[:min(len(part), 2*maxActual)])), Tolerated: ourLimit,
				}
			}
		case c == '}' || c == ']':
			depth--
		case c == '-' || '0' <= c && c <= '9':
			end := i + 1
			for end < len(part) && isNumberByte(part[end]) {
				end++
			}
			long = long || end-i > 1 && tooLong(part[i:end])
			i = end - 1
		}
	}
	return members, long, nil
}

// endOfString returns the index of the closing quote of the string that opens at start, or the length of the part.
func endOfString(part []byte, start int) int {
	for i := start + 1; ; i++ {
		n := bytes.IndexByte(part[i:], '"')
		if n < 0 {
			return len(part)
		}
		i += n
		slashes := 0
		for part[i-1-slashes] == '\\' {
			slashes++
		}
		if slashes%2 == 0 {
			return i
		}
	}
}

// countMembers counts the members of all objects in a value.
func countMembers(v any) int {
	n := 0
	switch v := v.(type) {
	case map[string]any:
		n = len(v)
		for _, sub := range v {
			n += countMembers(sub)
		}
	case []any:
		for _, sub := range v {
			n += countMembers(sub)
		}
	}
	return n
}

func isNumberByte(c byte) bool {
	return '0' <= c && c <= '9' || c == '.' || c == 'e' || c == 'E' || c == '+' || c == '-'
}

func tooLong(number []byte) bool {
	if len(number) > maxNumber {
		return true
	}
	i := bytes.IndexAny(number, "eE")
	if i < 0 {
		return false
	}
	exponent, err := strconv.Atoi(string(number[i+1:]))
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
