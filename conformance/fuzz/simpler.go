package fuzz

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// simpler is the nth way to make a place of a message simpler, nil behind the last one.
func simpler(s spot, n int) func() {
	ways := waysOf(s)
	if n >= len(ways) {
		return nil
	}
	return ways[n]
}

// plainID stands for the id of a message that may have any; each message gets another one.
const plainID = "ID"

// plainPrompt is the line of a step that says no more than a prompt has to.
func plainPrompt(step int, session string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"session/prompt","params":{"sessionId":"${%s.sessionId}","prompt":[{"type":"text","text":"hello"}]}}`,
		firstPlain+step, session)
}

// isPrompt tells whether a step is a prompt, however it is written and whatever is wrong with it.
func (r *run) isPrompt(s Step) bool {
	l := r.read(s)
	return l.prompt && !s.Reply && l.clarity != broken
}

func waysOf(s spot) []func() {
	become := func(text string) func() { return func() { *s.node = *scalar(text) } }
	switch {
	case s.path == "/jsonrpc":
		return []func(){become(`"2.0"`)}
	case s.path == "/method":
		return plainly(s)
	case s.path == "/id" && s.node.text == "${id}": // of a request of the agent
		return nil
	case s.path == "/id":
		return []func(){become(plainID)}
	}
	ways := append([]func(){func() { remove(nil, s) }}, plainly(s)...)
	if strings.HasSuffix(s.path, "/type") { // what it says decides about all that stands beside it
		return ways
	}
	switch typeOf(s.node) {
	case '{':
		ways = append(append(ways, func() { s.node.members = nil }), singly(s)...)
	case '[':
		half := len(s.node.items) / 2
		ways = append(ways, func() { s.node.items = nil }, func() { s.node.items = s.node.items[:min(1, half)] },
			func() { s.node.items = s.node.items[:half] }, func() { s.node.items = s.node.items[half:] })
	case '"':
		ways = append(ways, shorter(s.node.text, become)...)
	case '0':
		ways = append(ways, become("1"))
	case '$':
		ways = append(ways, become("[]"), become("{}"))
	}
	return ways
}

// mostSingly is for how many members of an object each is tried alone.
const mostSingly = 12

// singly leaves one member of an object.
func singly(s spot) (ways []func()) {
	if n := len(s.node.members); n < 3 || n > mostSingly {
		return nil
	}
	for _, m := range s.node.members {
		ways = append(ways, func() { s.node.members = []pair{m} })
	}
	return ways
}

// shorter are shorter strings than one.
func shorter(written string, become func(string) func()) (ways []func()) {
	if !strings.Contains(written, "${") || strings.HasPrefix(written, `"${repeat`) {
		ways = append(ways, become(`"x"`))
	}
	if text, ok := unquote(written); ok && !strings.Contains(text, "${") {
		if r := []rune(text); len(r) > 1 {
			ways = append(ways, become(quote(string(r[:len(r)/2]))), become(quote(string(r[len(r)/2:]))))
		}
	}
	return ways
}

// plainly writes a string without escapes, and its name.
func plainly(s spot) (ways []func()) {
	if text, ok := unquote(s.node.text); ok && quote(text) != s.node.text && !strings.Contains(text, "${") && !strings.Contains(text, "\uFFFD") {
		ways = append(ways, func() { s.node.text = quote(text) })
	}
	if s.member >= 0 {
		written := s.parent.members[s.member].name
		if name, ok := unquote(written); ok && quote(name) != written && !strings.Contains(name, "${") {
			ways = append(ways, func() { s.parent.members[s.member].name = quote(name) })
		}
	}
	return ways
}

// count is the number in a placeholder that repeats something.
var count = regexp.MustCompile(`\$\{(repeat|nest|deep):([0-9]+)`)

// shorten finds the smallest number of repetitions that a value needs, if it is made of them.
func (k *shrinker) shorten(i int, t *tree, at int) *tree {
	text := t.spots()[at].node.text
	m := count.FindStringSubmatchIndex(text)
	if m == nil {
		return t
	}
	with := func(n int) *tree {
		c := t.clone()
		c.spots()[at].node.text = text[:m[4]] + strconv.Itoa(n) + text[m[5]:]
		return c
	}
	high, _ := strconv.Atoi(text[m[4]:m[5]])
	for low := 0; high-low > max(1, high/500); {
		if middle := (low + high) / 2; k.keeps(k.with(i, with(middle).String())) {
			high = middle
		} else {
			low = middle
		}
	}
	return with(high)
}
