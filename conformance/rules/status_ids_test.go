package rules

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/acp-conform/acp-conform/conformance/result"
	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/fakeagent"
)

// differ is in how many characters two ids differ.
func differ(a, b string) int {
	x, y := []rune(a), []rune(b)
	n := max(len(x), len(y)) - min(len(x), len(y))
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] {
			n++
		}
	}
	return n
}

// An id of any length has a stranger beside it where nobody else is there, and that is never one of those that are known.
func TestAStrangerIsNobodyWhoIsKnown(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		id := rapid.StringMatching(`[A-Za-z0-9_/ é-]{0,12}[A-Za-z0-9]`).Draw(t, "id")
		n := neighbours{known: []string{id}, alone: rapid.Bool().Draw(t, "alone")}
		for range rapid.IntRange(0, 3).Draw(t, "others") {
			if s, ok := n.stranger(id); ok {
				n.known = append(n.known, s)
			}
		}
		s, ok := n.stranger(id)
		switch {
		case !ok && n.alone:
			t.Fatalf("%q has no stranger beside it", id)
		case ok && (differ(id, s) != 1 || slices.Contains(n.known, s)):
			t.Fatalf("%q beside %q, known %q", s, id, n.known)
		}
		if m := mutant(anyCase(), id); m == id {
			t.Fatalf("%q is the mutant of itself", id)
		}
	})
}

// Where ids are counted, what stands beside the newest is far ahead of it, or not asked about.
func TestAStrangerIsNotOneOfThoseThatAreCounted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base := rapid.SampledFrom([]int{10, 16, 36}).Draw(t, "base")
		newest := rapid.Int64Range(0, 1<<40).Draw(t, "newest")
		prefix := rapid.SampledFrom([]string{"", "s-", "session_", "会話-"}).Draw(t, "prefix")
		width := rapid.IntRange(0, 8).Draw(t, "width")
		written := strconv.FormatInt(newest, base)
		id := prefix + strings.Repeat("0", max(0, width-len(written))) + written
		s, ok := neighbours{known: []string{id}}.stranger(id)
		if !ok {
			return
		}
		n, err := strconv.ParseInt(strings.TrimPrefix(s, prefix), base, 64)
		if err != nil || n < newest+1000 {
			t.Fatalf("%s beside %s: %v", s, id, err)
		}
	})
	for _, short := range []string{"7", "42", "s-3", "999", "zzz", "a"} {
		if s, ok := (neighbours{known: []string{short}}).stranger(short); ok {
			t.Errorf("%s beside %s, where others may be", s, short)
		}
		if m := mutant(anyCase(), short); differ(m, short) == 1 {
			t.Errorf("%s is a mutant of %s", m, short)
		}
	}
}

// countedIDs are the ids of an agent that counts its sessions.
func countedIDs(b *fakeagent.Behaviour) {
	b.SessionID = func(_ *fakeagent.Agent, n int) string { return strconv.Itoa(n) }
}

// asksAbout tells whether a rule asks about an id that differs from the real one in one character, by an agent that calls all of
// these active.
func TestShortIDsAreAskedAboutOnlyWhereTheyAreNobodys(t *testing.T) {
	const noted = "no id was asked about that differs from a real one in one character"
	for _, alone := range []bool{true, false} {
		t.Run(fmt.Sprint(alone), func(t *testing.T) {
			t.Parallel()
			a := tried{change: func(b *fakeagent.Behaviour) {
				countedIDs(b)
				status := b.Status
				b.Status = func(c *fakeagent.Conn, r *fakeagent.Request) (any, *fakeagent.Error) {
					if id, _ := r.Params["sessionId"].(string); len(id) == 1 {
						return fakeagent.Object{"status": "active"}, nil
					}
					return status(c, r)
				}
			}}
			if !alone { // an agent like any other: nobody knows where it has its sessions
				a.garble = func(line []byte) []byte {
					return bytes.Replace(line, []byte("acp-conform/directives"), []byte("directives"), 1)
				}
			}
			o := a.judged(t, statusUnknownCode)
			says := slices.ContainsFunc(o.Evidence, func(e result.Observation) bool { return strings.HasPrefix(e.Explanation, noted) })
			if alone != (o.Verdict == result.Fail) || says == alone {
				t.Errorf("%s %s %v", o.Verdict, o.Reason, o.Evidence)
			}
		})
	}
}

// anyCase is a case that only makes up ids.
func anyCase() *rule.Case { return &rule.Case{Env: &rule.Env{Remembered: true}} }
