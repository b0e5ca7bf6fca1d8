package rule

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/onsi/gomega/matchers"
	"github.com/onsi/gomega/types"

	"github.com/acp-conform/acp-conform/conformance/wire"
)

// Assertion is a value that waits for its matcher.
type Assertion struct {
	c    *Case
	of   any
	cite []wire.Frame
	add  func(Finding)
}

// cited is a value that knows the lines it came from.
type cited interface{ Cited() (any, []wire.Frame) }

// Expect judges a value with the rule's own severity. Lines beside those that the value carries may be added as evidence.
func (c *Case) Expect(v any, cite ...wire.Frame) Assertion { return c.assert(c.Log.Broken, v, cite) }

// ExpectSoft judges a value; a breach warns.
func (c *Case) ExpectSoft(v any, cite ...wire.Frame) Assertion { return c.assert(c.Log.Soft, v, cite) }

// ExpectIf judges a value with the rule's own severity if certain; else a breach warns.
func (c *Case) ExpectIf(certain bool, v any, cite ...wire.Frame) Assertion {
	return c.assert(func(f Finding) { c.Log.BrokenIf(certain, f) }, v, cite)
}

// Note records something worth knowing that is no breach.
func (c *Case) Note(found any, why string, args ...any) {
	a := c.assert(nil, found, nil)
	c.Log.Note(Finding{Why: fmt.Sprintf(why, args...), Found: a.of, Cite: a.cite})
}

func (c *Case) assert(add func(Finding), v any, cite []wire.Frame) Assertion {
	a := Assertion{c: c, of: v, cite: append(c.circumstances(), cite...), add: add}
	if cv, ok := v.(cited); ok {
		var own []wire.Frame
		a.of, own = cv.Cited()
		a.cite = append(own[:len(own):len(own)], a.cite...)
	}
	return a
}

// To counts an occasion and records a breach unless the value matches; it tells whether it did. The explanation says, as a
// sentence for a stranger, what is wrong when it does not.
func (a Assertion) To(m types.GomegaMatcher, explanation ...any) bool {
	return a.judge(m, true, explanation)
}

// NotTo is To with the matcher turned round.
func (a Assertion) NotTo(m types.GomegaMatcher, explanation ...any) bool {
	return a.judge(m, false, explanation)
}

func (a Assertion) judge(m types.GomegaMatcher, want bool, explanation []any) bool {
	a.c.Log.Occasion()
	got, err := m.Match(a.of)
	if err != nil { // a matcher that cannot be asked about the value is a mistake of the rule, not of the agent
		a.c.Log.Fault("%s: %v", a.c.rule.ID, err)
		return false
	}
	if got == want {
		return true
	}
	f := Finding{Why: "it is not so that " + a.c.rule.Title, Found: a.of, Cite: a.cite}
	if len(explanation) > 0 {
		f.Why = fmt.Sprintf(explanation[0].(string), explanation[1:]...)
	}
	f.Expected = expected(m, a.of, want)
	if a.of == nil {
		f.Found = "nothing"
	}
	if _, is := a.of.(bool); is { // what would be true or false stands in the explanation
		f.Expected, f.Found = nil, nil
	}
	a.add(f)
	return false
}

// expected is what a matcher wanted in place of a value.
func expected(m types.GomegaMatcher, of any, want bool) any {
	if eq, ok := m.(*matchers.EqualMatcher); ok && want {
		return eq.Expected
	}
	if want {
		return wanted(m.FailureMessage(of))
	}
	return wanted(m.NegatedFailureMessage(of))
}

// wanted takes from a matcher's message what was expected: what stands behind the actual value.
func wanted(message string) string {
	lines := strings.Split(message, "\n")
	var rest []string
	for i, l := range lines {
		if i > 0 && (strings.HasPrefix(l, "to ") || strings.HasPrefix(l, "not to ")) {
			rest = lines[i:]
			break
		}
	}
	if rest == nil {
		return message
	}
	s := strings.Join(strings.Fields(strings.Join(rest, " ")), " ")
	for _, verb := range []string{"to ", "equal ", "be "} {
		s = strings.TrimPrefix(s, verb)
	}
	return typeNote.ReplaceAllString(s, "")
}

// typeNote is how a matcher's message names the Go type of a value.
var typeNote = regexp.MustCompile(`<[^<>]*>: `)
