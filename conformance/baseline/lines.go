package baseline

import (
	"regexp"
	"slices"
	"strings"
)

// span is where an entry stands: its lines, with those of comments right above it.
type span struct {
	begin, dash, end int // the first line, the one with its dash, and the one behind the last
}

// block is a list of entries that each have lines of their own.
type block struct {
	spans  []span
	indent string // what stands before a dash
	gap    string // and behind it
}

var (
	lineBreak = regexp.MustCompile("\r\n|[\n\r\u0085\u2028\u2029]") // what ends a line in YAML
	dashed    = regexp.MustCompile("^( *)-( +|[\t\r\n]|$)")
	unfilled  = regexp.MustCompile(`^(["']?` + listKey + `["']?[ \t]*:)(?:[ \t]*(?:\[[ \t]*\]|~|null|Null|NULL))?([ \t]*(?:[ \t]#.*)?[\r\n]*)$`) // the list without entries
)

// linesOf are the lines of a text, each with what ends it, as YAML counts them.
func linesOf(text string) []string {
	var all []string
	for text != "" {
		end := len(text)
		if at := lineBreak.FindStringIndex(text); at != nil {
			end = at[1]
		}
		all, text = append(all, text[:end]), text[end:]
	}
	return all
}

func blank(line string) bool { return strings.TrimSpace(line) == "" }

func comment(line string) bool { return strings.HasPrefix(strings.TrimSpace(line), "#") }

func indentOf(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

// edited is the file with lines taken out and put in, and every other one as it was. It is not ok where that cannot be done, as in a
// list in brackets.
func (f *File) edited() (text string, ok bool) {
	lines := linesOf(f.source)
	switch {
	case f.key == nil:
		text, ok = f.ended(f.source)+listKey+":"+f.newline()+f.newEntries("  ", " "), true
	case len(f.list.Content) == 0:
		text, ok = f.begun(lines)
	default:
		text, ok = f.changed(lines)
	}
	if !ok {
		return "", false
	}
	again, err := Read(f.Name, []byte(text), func(string) (bool, string) { return true, "" })
	return text, err == nil && slices.EqualFunc(again.Entries, f.Entries, Entry.same)
}

// same tells whether two entries say the same. Blanks at the end of a reason say nothing.
func (e Entry) same(other Entry) bool {
	e.line, other.line = 0, 0
	e.Reason, other.Reason = strings.TrimSpace(e.Reason), strings.TrimSpace(other.Reason)
	return e == other
}

// begun puts the first entries into a list that has none.
func (f *File) begun(lines []string) (string, bool) {
	at := f.key.Line - 1
	m := unfilled.FindStringSubmatch(lines[at])
	if m == nil {
		return "", false
	}
	return f.ended(strings.Join(lines[:at], "")+m[1]+m[2]) + f.newEntries("  ", " ") + strings.Join(lines[at+1:], ""), true
}

// changed takes entries out of the list and puts others behind its last one.
func (f *File) changed(lines []string) (string, bool) {
	b, ok := f.block(lines)
	if !ok {
		return "", false
	}
	more := f.newEntries(b.indent, b.gap)
	keep := slices.Repeat([]bool{true}, len(lines))
	for i, s := range b.spans {
		if _, stays := f.find(ruleOf(f.list.Content[i])); stays {
			continue
		}
		for k := s.begin; k < s.end; k++ {
			keep[k] = false
		}
		// of two empty lines that meet one goes, too, and so does one that would end the file
		last := s.begin - 1
		for last >= 0 && !keep[last] {
			last--
		}
		if last >= 0 && blank(lines[last]) && (s.end < len(lines) && blank(lines[s.end]) || s.end == len(lines) && more == "") {
			keep[last] = false
		}
	}
	var out strings.Builder
	for i, line := range append(lines, "") {
		if i == b.spans[len(b.spans)-1].end && more != "" {
			text := f.ended(out.String())
			out.Reset()
			out.WriteString(text + more)
		}
		if i < len(lines) && keep[i] {
			out.WriteString(line)
		}
	}
	return out.String(), true
}

// block finds the lines of the entries. It is not ok if one does not begin with a dash on a line of its own.
func (f *File) block(lines []string) (b block, ok bool) {
	from := f.key.Line // the line behind the name of the list
	for _, n := range f.list.Content {
		dash := n.Line - 1
		for dash > from && !dashed.MatchString(lines[dash]) && (dash == n.Line-1 || blank(lines[dash]) || comment(lines[dash])) {
			dash-- // the entry may begin below its dash
		}
		m := dashed.FindStringSubmatch(lines[min(dash, len(lines)-1)])
		if dash < from || m == nil || len(b.spans) > 0 && m[1] != b.indent {
			return b, false
		}
		if len(b.spans) == 0 {
			b.indent, b.gap = m[1], " "
			if strings.TrimLeft(m[2], " ") == "" && m[2] != "" {
				b.gap = m[2]
			}
		} else {
			last := &b.spans[len(b.spans)-1]
			last.end = ending(lines, last.dash, dash)
			from = last.end
		}
		begin := dash
		for begin > from && comment(lines[begin-1]) {
			begin--
		}
		b.spans = append(b.spans, span{begin: begin, dash: dash})
		from = dash + 1
	}
	last := &b.spans[len(b.spans)-1]
	end := len(lines)
	for i := last.dash; i < len(lines); i++ {
		if strings.HasPrefix(lines[i], "...") { // the end of the document
			end = i
			break
		}
	}
	last.end = ending(lines, last.dash, end)
	return b, true
}

// ending is the line behind the last one of an entry; until is where something else begins at the latest. Comments that are not
// indented deeper than the dash are no part of the entry.
func ending(lines []string, dash, until int) int {
	for until > dash+1 {
		line := lines[until-1]
		if !blank(line) && !(comment(line) && indentOf(line) <= indentOf(lines[dash])) {
			break
		}
		until--
	}
	return until
}

// newEntries are the entries that the text does not have yet.
func (f *File) newEntries(indent, gap string) string {
	var b strings.Builder
	for _, e := range f.added() {
		b.WriteString(indent + "-" + gap + "rule: " + e.Rule + f.newline())
		b.WriteString(indent + " " + strings.Repeat(" ", len(gap)) + "reason: " + e.Reason + f.newline())
	}
	return b.String()
}

// newline is what ends the lines of the file.
func (f *File) newline() string {
	if lines := linesOf(f.source); len(lines) > 0 && strings.HasSuffix(lines[0], "\r\n") {
		return "\r\n"
	}
	return "\n"
}

// ended is a text whose last line has an end.
func (f *File) ended(text string) string {
	if at := lineBreak.FindAllStringIndex(text, -1); text == "" || len(at) > 0 && at[len(at)-1][1] == len(text) {
		return text
	}
	return text + f.newline()
}
