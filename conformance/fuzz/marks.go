package fuzz

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/acp-conform/acp-conform/schemas"
)

// marks are what there is about a line, in words that are compared. Those that begin with special are what is unusual about it.
type marks map[string]bool

const special = "!"

// unusual tells whether one of them is about something unusual.
func (m marks) unusual() bool {
	for name := range m {
		if strings.HasPrefix(name, special) {
			return true
		}
	}
	return false
}

// features are the marks that can be seen on a step alone.
func features(step Step) marks {
	all := marks{}
	all[special+"reply"] = step.Reply
	all[special+"join"] = step.Then == Join
	t, err := read(step.Send)
	if err != nil {
		all[special+"raw "+masked(head(step.Send, 30))] = true
		return all
	}
	all[special+"a member stands twice"] = t.twins()
	for _, s := range t.spots() {
		if s.path == "/method" {
			all["method "+masked(s.node.text)] = true
			continue
		}
		all["has "+s.path] = true
		all[special+classOf(s)] = true
		if s.path == "/id" {
			all[special+"the id is a string"] = typeOf(s.node) == '"'
		}
		if s.member >= 0 && strings.Contains(s.parent.members[s.member].name, `\`) {
			all[special+s.path+" is written with escapes"] = true
		}
	}
	return all
}

var control = regexp.MustCompile(`[\x00-\x1f\x7f]`)

// classOf says what is unusual about a value, "" if nothing is. Where it stands matters only for some.
func classOf(s spot) (class string) {
	at := s.path[strings.LastIndexByte(s.path, '/')+1:]
	switch typeOf(s.node) {
	case '{', '[', 't', 'f':
		return ""
	case '"':
		return classOfText(s.node.text, at)
	case '0':
		return classOfNumber(s.node.text)
	case 'n':
		return at + " is null"
	}
	return "something is nested deep"
}

func classOfNumber(text string) string {
	switch n, err := strconv.Atoi(text); {
	case err != nil:
		return "a number is odd"
	case n < 0:
		return "a number is negative"
	case n == 0:
		return "a number is 0"
	case n >= 1<<31:
		return "a number is large"
	}
	return ""
}

func classOfText(text, at string) string {
	plain, ok := unquote(text)
	has := func(is func(rune) bool) bool { return strings.ContainsFunc(plain, is) }
	switch {
	case strings.Contains(text, "${repeat"):
		return "a text is long"
	case strings.HasSuffix(text, `.sessionId}"`) || strings.HasPrefix(text, `"${dir}`):
		return ""
	case strings.Contains(text, "${"):
		return at + " is " + text[strings.IndexAny(text, "|.")+1:]
	case !ok:
		return "a text is none"
	case plain == "":
		return at + " is empty"
	case control.MatchString(plain):
		return "a text has control characters"
	case strings.Contains(text, `\u`):
		return at + " is written with escapes"
	case has(func(c rune) bool { return c > 0xffff }):
		return "a text has characters beyond the basic plane"
	case has(func(c rune) bool { return c > 0x7f }):
		return "a text is not ASCII"
	}
	return ""
}

// marksOf are the marks of each step but the handshake and those that open a session as any client would; only steps from an index on
// are looked at.
func (r *run) marksOf(steps []Step, from int) []marks {
	var all []marks
	for i, s := range steps {
		if i < max(from, 1) || isSession(s) {
			continue
		}
		m := features(s)
		for _, what := range r.oddities(s) {
			m[special+what] = true
		}
		for name, is := range m {
			if !is || name == special {
				delete(m, name)
			}
		}
		all = append(all, m)
	}
	return all
}

// oddities are what the schemas say against a line.
func (r *run) oddities(s Step) []string {
	l := r.read(s)
	if l.Kind == "" || l.Name == "" {
		return nil
	}
	for _, kind := range []schemas.Kind{schemas.Request, schemas.Notification} {
		def, ok := r.edition.Lookup(l.Name, schemas.Client, kind)
		if !ok {
			continue
		}
		var all []string
		for _, f := range schemas.Check(def, l.Params) {
			if f.Problem == schemas.Duplicate {
				continue // which features knows
			}
			all = append(all, fmt.Sprintf("invalid %s %s", masked(f.Path), f.Problem))
		}
		for _, u := range schemas.UnknownMembers(def, l.Params) {
			all = append(all, fmt.Sprintf("unknown %s/%s", masked(u.Path), masked(u.Key)))
		}
		return all
	}
	return []string{"unknown method " + masked(head(l.Name, 60))}
}

// invalid tells whether the params of a step are not valid.
func (r *run) invalid(s Step) bool {
	return slices.ContainsFunc(r.oddities(s), func(what string) bool { return strings.HasPrefix(what, "invalid") })
}

// methods leaves nothing but the methods.
func methods(all []marks) []marks {
	var kept []marks
	for _, m := range all {
		only := marks{}
		for name := range m {
			if strings.HasPrefix(name, "method ") {
				only[name] = true
			}
		}
		kept = append(kept, only)
	}
	return kept
}

// essence is what a conversation has that is unusual. Where nothing is, it is all that there is.
func essence(all []marks) []marks {
	var kept []marks
	for _, m := range all {
		odd := marks{}
		for name := range m {
			odd[name] = strings.HasPrefix(name, special)
			if !odd[name] {
				delete(odd, name)
			}
		}
		if len(odd) > 0 {
			kept = append(kept, odd)
		}
	}
	if len(kept) == 0 {
		return all
	}
	return kept
}

// holds tells whether a conversation has steps with all the marks of another one, in their order.
func holds(all, wanted []marks) bool {
	at := 0
	for _, m := range wanted {
		for ; at < len(all) && !within(m, all[at]); at++ {
		}
		if at == len(all) {
			return false
		}
		at++
	}
	return true
}

func within(some, all marks) bool {
	for name := range some {
		if !all[name] {
			return false
		}
	}
	return true
}
