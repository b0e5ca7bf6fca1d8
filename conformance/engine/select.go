package engine

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"

	"github.com/acp-conform/acp-conform/conformance/rule"
)

// Select gives the rules that the patterns choose, in their order. A pattern is an id, an area or a glob whose * matches dots
// as well; a leading ! leaves out; only negations mean all but these. The error names a pattern that matches nothing, and
// the nearest id.
func Select(all []rule.Rule, patterns []string) ([]rule.Rule, error) {
	var want, not []*regexp.Regexp
	for _, p := range patterns {
		for _, one := range strings.Split(p, ",") {
			text, negated := strings.CutPrefix(strings.TrimSpace(one), "!")
			re := glob(text)
			if !slices.ContainsFunc(all, func(r rule.Rule) bool { return matches(re, r) }) {
				return nil, fmt.Errorf("no rule matches %q%s; `acp-conform rules` lists them", text, suggest(all, text))
			}
			if negated {
				not = append(not, re)
			} else {
				want = append(want, re)
			}
		}
	}
	var chosen []rule.Rule
	for _, r := range all {
		if (len(want) == 0 || anyOf(want, r)) && !anyOf(not, r) {
			chosen = append(chosen, r)
		}
	}
	if len(chosen) == 0 {
		return nil, fmt.Errorf("the patterns %s leave no rule", strings.Join(patterns, " "))
	}
	return chosen, nil
}

func anyOf(res []*regexp.Regexp, r rule.Rule) bool {
	return slices.ContainsFunc(res, func(re *regexp.Regexp) bool { return matches(re, r) })
}

func matches(re *regexp.Regexp, r rule.Rule) bool {
	return re.MatchString(r.ID) || re.MatchString(r.Area())
}

func glob(p string) *regexp.Regexp {
	q := regexp.QuoteMeta(p)
	q = strings.ReplaceAll(strings.ReplaceAll(q, `\*`, `.*`), `\?`, `.`)
	return regexp.MustCompile("^" + q + "$")
}

func suggest(all []rule.Rule, text string) string {
	best, dist := "", 1000
	for _, r := range all {
		for _, name := range []string{r.ID, r.Area()} {
			if d := levenshtein.ComputeDistance(name, text); d < dist {
				best, dist = name, d
			}
		}
	}
	if dist > max(1, len(text)/3) {
		return ""
	}
	return fmt.Sprintf(" (did you mean %q?)", best)
}
