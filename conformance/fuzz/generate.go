package fuzz

import (
	"encoding/json"
	"math/big"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/acp-conform/acp-conform/schemas"
)

// maker makes valid params, with unusual values here and there: it is a schemas.Maker.
type maker struct {
	*rand.Rand
	facts   *facts
	session string // what stands for the id of a session
	cursor  string // what stands for a cursor, "" = there is none
	option  int    // which configuration option is meant
	plain   bool   // nothing unusual
	long    bool   // there is a long text already: two of them show no more than one
}

// one tells whether something happens that happens once in n times.
func (m *maker) one(n int) bool { return m.IntN(n) == 0 }

func pick[T any](r *rand.Rand, all []T) T { return all[r.IntN(len(all))] }

// Choose takes null, and what else comes last, less often.
func (m *maker) Choose(n int) int {
	i := m.IntN(n)
	if i == n-1 && m.one(2) {
		i = m.IntN(n)
	}
	return i
}

// Keep leaves most optional members out, and takes _meta along less often than others.
func (m *maker) Keep(member string) bool {
	switch {
	case m.plain, member == "cursor" && m.cursor == "":
		return false
	case member == "_meta":
		return m.one(6)
	}
	return m.one(3)
}

// Items is mostly one or two.
func (m *maker) Items(min int) int {
	switch {
	case m.plain:
		return max(min, 1)
	case m.one(8):
		return min
	case m.one(40):
		return min + 40
	}
	return max(min, 1+m.IntN(2))
}

// Number takes the limits, and what lies beside the limits of usual types.
func (m *maker) Number(low, high *big.Rat, whole bool) json.Number {
	text := pick(m.Rand, integers)
	if !whole && m.one(2) {
		text = pick(m.Rand, fractions)
	}
	n, _ := new(big.Rat).SetString(text)
	switch {
	case low != nil && n.Cmp(low) < 0:
		return json.Number(low.Num().String())
	case high != nil && n.Cmp(high) > 0:
		return json.Number(high.Num().String())
	}
	return json.Number(text)
}

var fractions = []string{"0.5", "-1.25", "1e2", "0.1", "1E-2", "3.0"}

var integers = []string{"0", "1", "-1", "255", "65536", "2147483647", "2147483648", "-2147483649", "4294967295", "4294967296",
	"9007199254740991", "9007199254740993", "1234567890123", "999999999999999999"}

// Free gives a member of the sender's own.
func (m *maker) Free() (string, any, bool) {
	if m.plain || m.one(3) {
		return "", nil, false
	}
	return pick(m.Rand, ownNames), m.own(0), true
}

var ownNames = []string{"acp-conform.dev/x", "x", "_x", "", "__proto__", "constructor", "toString", "sessionId", "_meta", "\u00e4\u2028", "🙂",
	"a.b", "a/b", "$ref", "length", "0", "${repeat:300:k}"}

// own is any value, not nested deep.
func (m *maker) own(depth int) any {
	switch n := m.IntN(9); {
	case n == 0:
		return nil
	case n == 1:
		return m.one(2)
	case n == 2:
		return m.Number(nil, nil, m.one(2))
	case n == 3:
		return verbatim(pick(m.Rand, []string{"${nest:40}", "${deep:40}", "${nest:200}", "${deep:200}", "${nest:2000}", "${deep:5000}", "[]", "{}"}))
	case n < 6 || depth > 3:
		return m.text()
	case n < 7:
		return []any{m.own(depth + 1), m.own(depth + 1)}
	}
	return map[string]any{pick(m.Rand, ownNames): m.own(depth + 1), "y": m.own(depth + 1)}
}

// verbatim is a value as it is written.
type verbatim string

// texts are strings that programs have stumbled over.
var texts = []string{"", " ", "x", "hello", "null", "true", "0", "-1", "NaN", "undefined", "[object Object]", "__proto__", "\u0000", "a\u0000b", "\n", "\r\n", "\t",
	"\u001b[31m", "\u007f", "\"", "\\", "'", "{}", "[", "%s%n%d", "../..", "<b>&amp;</b>", "e\u0301", "\u202etxt.exe", "\ufeffx", "\u2028", "\ufffe", "ﷺ", "🙂", "👩‍👩‍👧‍👦", "𝕏", "ÄÖÜß",
	"日本語", "مرحبا", "${repeat:61:t}", "${repeat:300:x}", "${repeat:5000:ab }", "${repeat:9000:ä}", "${repeat:70000:x}", "${repeat:140000:y}", "${repeat:2000:🙂}"}

// prompts are texts of a user.
var prompts = []string{"hello", "What is in this folder?", "one\ntwo\nthree", "Say hello in German, please."}

// Text gives a string for its place.
func (m *maker) Text(at schemas.Place) string {
	if s, ok := m.meant(at); ok {
		return s
	}
	s := m.text()
	switch {
	case m.plain || at.Member != "text" && m.one(2):
		s = "x"
	case at.Member == "text" && m.one(2):
		s = pick(m.Rand, prompts)
	case at.Member == "text" && m.one(3) && len(m.facts.Directives) > 0:
		s = m.directive()
	case len(at.Names) > 0 && !m.one(4):
		s = pick(m.Rand, at.Names)
	}
	if len(s) < at.MinLength {
		return "xx"
	}
	return s
}

// text is an unusual one.
func (m *maker) text() string {
	s := pick(m.Rand, texts)
	if n := count.FindStringSubmatch(s); n != nil && len(n[2]) > 4 {
		if m.long {
			return "x"
		}
		m.long = true
	}
	return s
}

// directive is a prompt that steers a fake agent, with those words that touch nothing outside of it.
func (m *maker) directive() string {
	harmless := []string{"wait", "wait-tool", "permission", "stream", "think", "plan", "tool", "error", "refuse", "info", "commands", "usage", "background"}
	words := slices.DeleteFunc(slices.Clone(m.facts.Directives), func(w string) bool { return !slices.Contains(harmless, w) })
	if len(words) == 0 {
		return "hello"
	}
	word := pick(m.Rand, words)
	if word == "stream" {
		word += " " + strconv.Itoa(m.IntN(20))
	}
	return "/" + word
}

// meant is a string whose meaning is known. Nothing in it leads out of the directory of the run, or to another machine.
func (m *maker) meant(at schemas.Place) (string, bool) {
	switch at.Member {
	case "sessionId":
		return m.session, true
	case "cursor":
		return m.cursor, true
	case "modeId":
		return m.mode(), true
	case "configId":
		return m.chosen().ID, true
	case "value":
		if values := m.chosen().Values; len(values) > 0 && !m.one(4) {
			return pick(m.Rand, values), true
		}
		return m.text(), true
	case "command":
		return "${dir}/acp-conform-no-such-program", true
	case "cwd":
		return "${dir}", true
	}
	switch at.Means {
	case "absolute-path":
		return pick(m.Rand, []string{"${dir}", "${dir}/none", "${dir}/ä b", "${dir}/."}), true
	case "uri":
		return pick(m.Rand, []string{"file://${dir}/a.txt", "http://127.0.0.1:9/", "acp-conform:x", "file://${dir}/%20?q#f"}), true
	case "base64":
		return pick(m.Rand, []string{"aGVsbG8=", "", "AA==", "${repeat:3000:QUJD}"}), true
	case "date-time":
		return "2026-01-02T03:04:05Z", true
	case "media-type":
		return pick(m.Rand, []string{"text/plain", "image/png", "text/plain; charset=utf-8"}), true
	}
	return "", false
}

func (m *maker) mode() string {
	if len(m.facts.Modes) == 0 || m.one(5) {
		return m.text()
	}
	return pick(m.Rand, m.facts.Modes)
}

// chosen is the configuration option that is meant.
func (m *maker) chosen() option {
	if len(m.facts.Options) == 0 || m.option < 0 {
		return option{ID: "acp-conform"}
	}
	return m.facts.Options[m.option%len(m.facts.Options)]
}
