package result

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// A cited line may hold a whole page of a file, and one member of it is what matters. So a report for a person shows its beginning
// and what the observation speaks of.

const (
	around   = 16 // characters beside what matters
	shortest = 3  // what is shorter than that is found anywhere
	nearly   = 8  // gaps that are no longer are not worth a cut
)

// Excerpt is a cited line cut to about n characters around what the observation speaks of, and how many bytes of the whole line are
// not in it. What is left out in its middle is an ellipsis there.
func (o Observation) Excerpt(f Frame, n int) (line string, left int) {
	if f.Base64 != "" {
		head := firstRunes(f.Base64, n)
		return head, f.Cut + (len(f.Base64)-len(head))*3/4
	}
	spans := []span{{0, len(f.Line)}}
	if utf8.RuneCountInString(f.Line) > n+n/5 { // a cut that saves less is not worth it
		spans = o.spans(f.Line, n)
	}
	shown := make([]string, len(spans))
	left = f.Cut + len(f.Line)
	for i, s := range spans {
		shown[i] = f.Line[s.start:s.end]
		left -= len(shown[i])
	}
	return strings.Join(shown, " … "), left
}

// span is a part of a line, in bytes.
type span struct{ start, end int }

// spans are the parts to show of a line that is too long, in their order.
func (o Observation) spans(line string, n int) []span {
	head := span{0, len(firstRunes(line, n/4))}
	budget := n - n/4
	spans := []span{head}
	for _, what := range o.matters(line) {
		at := strings.Index(line, what)
		s := span{at, at + len(firstRunes(what, n/3))}
		s = span{back(line, s.start), s.end + len(firstRunes(line[s.end:], around))}
		cost := utf8.RuneCountInString(line[s.start:s.end])
		known := slices.ContainsFunc(spans, func(o span) bool { return o.start <= at && at+len(what) <= o.end })
		if known || cost > budget {
			continue
		}
		spans, budget = append(spans, s), budget-cost
	}
	spans[0].end += len(firstRunes(line[head.end:], budget)) // what nothing else needs belongs to the beginning
	return merged(spans)
}

// matters are the texts in a line that the observation speaks of, the weightiest first.
func (o Observation) matters(line string) []string {
	var all []string
	for _, value := range []string{o.Actual, o.Expected} {
		for _, form := range []string{value, strings.Trim(value, `"`)} {
			if len(form) >= shortest && strings.Contains(line, form) {
				all = append(all, form)
				break
			}
		}
	}
	if m := methodMember.FindString(line); m != "" {
		all = append(all, m)
	}
	for _, word := range named.FindAllString(o.Explanation, -1) {
		if quoted := `"` + word + `"`; strings.Contains(line, quoted) {
			all = append(all, quoted)
		}
	}
	return all
}

var (
	methodMember = regexp.MustCompile(`"method":"[^"]{1,60}"`)
	// named is what in an explanation may be the name of a member, a method or an id.
	named = regexp.MustCompile(`[A-Za-z0-9_$-][A-Za-z0-9_$/.-]*[A-Za-z0-9_]`)
)

// merged sorts the parts and joins those that overlap or nearly do.
func merged(spans []span) []span {
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.start, b.start) })
	all := spans[:1]
	for _, s := range spans[1:] {
		last := &all[len(all)-1]
		if s.start <= last.end+nearly {
			last.end = max(last.end, s.end)
			continue
		}
		all = append(all, s)
	}
	return all
}

// back goes some characters back from a place in a line.
func back(line string, at int) int {
	for range around {
		_, size := utf8.DecodeLastRuneInString(line[:at])
		at -= size
	}
	return at
}

// firstRunes is the beginning of a text, at most n characters of it.
func firstRunes(s string, n int) string {
	for i := range s {
		if n--; n < 0 {
			return s[:i]
		}
	}
	return s
}

// Excerpts are what was expected and what was found, each cut to about n characters around the first place where they differ.
func (o Observation) Excerpts(n int) (expected, actual string) {
	differ := 0
	for differ < min(len(o.Expected), len(o.Actual)) && o.Expected[differ] == o.Actual[differ] {
		differ++
	}
	return cutAround(o.Expected, differ, n), cutAround(o.Actual, differ, n)
}

// cutAround cuts a text to n characters, of which a quarter stands before the place.
func cutAround(s string, at, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	start := min(at, len(s)-1)
	for !utf8.RuneStart(s[start]) {
		start--
	}
	for range n / 4 {
		_, size := utf8.DecodeLastRuneInString(s[:start])
		start -= size
	}
	shown := firstRunes(s[start:], n)
	end := start + len(shown)
	if start > 0 {
		shown = "… " + shown
	}
	if end < len(s) {
		shown += " …"
	}
	return shown
}
