package hostile

import (
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/acp-conform/acp-conform/fakeagent"
)

func itoa(n int) string { return strconv.Itoa(n) }

const hugeNumber = "1e10000000"

// numberModes are numbers that no type holds.
func numberModes() []Mode {
	usage := func(number string) func(*stage) {
		return func(s *stage) {
			u := s.update(map[string]any{"sessionUpdate": "usage_update", "used": 4711, "size": 200000})
			s.say(strings.Replace(u, "4711", number, 1))
		}
	}
	return []Mode{
		{"exponent-in-update", "counts usage with the number 1e10000000", correct(inTurn(usage(hugeNumber)))},
		{"exponent-in-meta", "puts the number 1e10000000 into a _meta", correct(inTurn(func(s *stage) { s.sayWithMeta(hugeNumber) }))},
		{"exponent-as-version", "answers initialize with the protocol version 1e10000000", correct(answering("initialize", func(line string) string {
			return strings.Replace(line, `"protocolVersion":1`, `"protocolVersion":`+hugeNumber, 1)
		}))},
		{"exponent-as-id", "answers session/new under the id 1e10000000", correct(answering("session/new", func(line string) string {
			_, rest, _ := strings.Cut(line, `"id":`)
			_, rest, _ = strings.Cut(rest, ",")
			return `{"jsonrpc":"2.0","id":` + hugeNumber + "," + rest
		}))},
		{"exponent-as-code", "refuses unknown requests with the error code -1e10000000", correct(answering("", func(line string) string {
			return strings.Replace(line, `"code":-32601`, `"code":-`+hugeNumber, 1)
		}))},
		{"digits", "counts usage with a number of a million digits", correct(inTurn(func(s *stage) { usage("1" + strings.Repeat("0", s.many(1_000_000)))(s) }))},
	}
}

// textModes are about characters, and what is none.
func textModes() []Mode {
	text := func(raw string) func(*stage) error { // a text as it stands between the quotes
		return correct(inTurn(func(s *stage) { s.say(strings.Replace(s.chunk("TEXT"), "TEXT", raw, 1)) }))
	}
	everyLine := func(change func(string) string) func(*stage) error {
		return correct(saying(func(_ *stage, _ *fakeagent.Message, line []byte) [][]byte {
			return [][]byte{[]byte(change(string(line)))}
		}))
	}
	return []Mode{
		{"invalid-utf8", "says a text that is not UTF-8", text("\xff\xfe\xc0\xaf")},
		{"cut-utf8", "says a text that ends within a character", text("\xe2\x82")},
		{"raw-surrogates", "says a text with the bytes of a lone surrogate", text("\xed\xa0\x80")},
		{"lone-surrogates", "says a text with escapes of lone surrogates", text(`\ud800 \udfff \udc00\ud800`)},
		{"nul-in-text", "says a text with a NUL that is not escaped", text("a\x00b")},
		{"escaped-nul", "says a text with escaped NULs", text(`a\u0000b`)},
		{"separators", "says a text with U+2028, U+2029, U+0085 and U+FEFF", text("a\u2028b\u2029c\u0085d\ufeffe")},
		{"terminal-codes", "says a text with escaped control codes that clear a terminal and write to its clipboard", text(`\u001b[2J\u001b]52;c;aG9zdGlsZQ==\u0007\u009b31m\r\b`)},
		{"right-to-left", "says a text that turns the direction of writing", text("\u202e\u2066abc\u2069\u200b")},
		{"nul-lines", "writes lines of NULs between its messages", everyLine(func(l string) string { return l + "\x00\x00\x00\n" })},
		{"byte-order-marks", "begins every line with a byte order mark", everyLine(func(l string) string { return "\ufeff" + l })},
		{"carriage-returns", "ends every line with CR alone", everyLine(func(l string) string { return strings.TrimSuffix(l, "\n") + "\r" })},
		{"utf16", "writes everything in UTF-16", everyLine(func(l string) string {
			var b strings.Builder
			for _, u := range utf16.Encode([]rune(l)) {
				b.WriteByte(byte(u))
				b.WriteByte(byte(u >> 8))
			}
			return b.String()
		})},
		{"length-headers", "writes every message behind a Content-Length header, as a language server does", everyLine(func(l string) string {
			return "Content-Length: " + itoa(len(l)-1) + "\r\n\r\n" + strings.TrimSuffix(l, "\n")
		})},
	}
}
