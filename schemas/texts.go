package schemas

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/url"
	"path"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"time"
)

// The problems that Texts finds. A schema only says that these values are strings.
const (
	Path   Problem = "path"   // not an absolute path
	URI    Problem = "uri"    // not a URI with a scheme
	Base64 Problem = "base64" // not Base64
	Time   Problem = "time"   // not a date and time of RFC 3339
	Media  Problem = "media"  // not a media type
	Regex  Problem = "regex"  // not a regular expression
	Name   Problem = "name"   // neither a name of the protocol nor one that begins with an underscore
)

const maxAlike = 5 // findings of one kind in one definition: many of one kind must not hide another

// textCheck is what a kind of string has to be.
type textCheck struct {
	problem  Problem
	expected string
	holds    func(string) bool
}

var textChecks = map[string]textCheck{
	"absolute-path": {Path, "an absolute path", absolutePath},
	"uri":           {URI, "a URI with a scheme", absoluteURI},
	"base64":        {Base64, "Base64 (RFC 4648, with padding)", strictBase64},
	"date-time":     {Time, "a date and time of RFC 3339", dateTime},
	"media-type":    {Media, "a media type such as text/plain", mediaType},
	"regex":         {Regex, "a regular expression", regularExpression},
}

// Texts reads the strings of a part for what they mean: absolute paths, URIs, Base64, dates, and values of open lists,
// which belong to the protocol unless they begin with an underscore. It returns at most five findings of one kind
// in one definition, none for a value that is no string. Nothing that it finds makes the part invalid.
// https://agentclientprotocol.com/protocol/v1/overview#argument-requirements
func Texts(d Definition, part json.RawMessage) []Finding {
	def, f := d.Edition.find(d.Name)
	if f != nil {
		return nil
	}
	v, f := decode(part)
	if f != nil {
		return nil
	}
	defer func() { _ = recover() }() // Check says what is wrong with schemas that make a walk panic
	r := textReader{}
	r.read(def, v, place{def: d.Name})
	return r.found
}

// textReader walks a value beside its schema.
type textReader struct{ found []Finding }

func (r *textReader) read(s *node, v any, p place) {
	if name := s.def; name != "" {
		p.def = name
	}
	switch v := v.(type) {
	case string:
		r.judge(s.meaning, v, p)
	case map[string]any:
		for _, key := range sortedKeys(v) {
			if sub := s.properties[key]; sub != nil {
				r.read(sub, v[key], p.member(key))
			} else if s.extra != nil {
				r.read(s.extra, v[key], p.member(key))
			}
		}
		if sw := s.sw; sw != nil {
			if branch := sw.branch(v); branch != nil {
				r.judgeTag(sw, v, p)
				r.read(branch, v, p)
			}
		}
	case []any:
		if s.items != nil {
			for i, item := range v {
				r.read(s.items, item, p.item(i))
			}
		}
	}
	for _, sub := range s.allOf {
		r.read(sub, v, p)
	}
	if s.ref != nil {
		r.read(s.ref, v, p)
	}
	if len(s.anyOf) > 0 {
		if best, _ := bestBranch(s.anyOf, v, p); best >= 0 {
			r.read(s.anyOf[best], v, p)
		}
	}
}

// judgeTag judges the value that chooses the branch of an open union: one that is unknown is valid, and is reserved unless it
// begins with an underscore. A union with a branch for objects without the member is not open in this sense.
func (r *textReader) judgeTag(sw *switchOn, object map[string]any, p place) {
	tag, ok := object[sw.member].(string)
	if ok && sw.cases[tag] == nil && slices.Contains(sw.otherwise.required, sw.member) {
		r.judge(meaning{names: sw.names}, tag, p.member(sw.member))
	}
}

func (r *textReader) judge(m meaning, s string, p place) {
	add := func(problem Problem, expected string) {
		f := p.finding(problem, expected, jsonText(s))
		alike := 0
		for _, other := range r.found {
			if other.Problem == f.Problem && other.Def == f.Def {
				alike++
			}
		}
		if alike < maxAlike && !slices.Contains(r.found, f) {
			r.found = append(r.found, f)
		}
	}
	if check, ok := textChecks[m.text]; ok && !check.holds(s) {
		add(check.problem, check.expected)
	}
	if len(m.names) > 0 && !slices.Contains(m.names, s) && !strings.HasPrefix(s, "_") {
		add(Name, oneOf(m.names)+", or a name that begins with _"+perhaps(s, m.names))
	}
}

// absolutePath takes what is absolute on any system, because the agent may run on another one than the reader.
func absolutePath(s string) bool {
	drive := len(s) >= 3 && s[1] == ':' && (s[2] == '\\' || s[2] == '/') && ('a' <= s[0]|0x20 && s[0]|0x20 <= 'z')
	return path.IsAbs(s) || drive || strings.HasPrefix(s, `\\`)
}

// absoluteURI refuses a drive letter that looks like a scheme.
func absoluteURI(s string) bool {
	u, err := url.Parse(s)
	return err == nil && len(u.Scheme) > 1
}

func strictBase64(s string) bool {
	_, err := base64.StdEncoding.Strict().DecodeString(s)
	return err == nil && !strings.ContainsAny(s, "\r\n")
}

var dateTimeShape = regexp.MustCompile(`^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$`)

// dateTime leaves the shape to a pattern and the calendar to Go, which knows no leap second.
func dateTime(s string) bool {
	if !dateTimeShape.MatchString(s) {
		return false
	}
	s = strings.ToUpper(s[:10] + "T" + s[11:])
	if s[17:19] == "60" {
		s = s[:17] + "59" + s[19:]
	}
	_, err := time.Parse(time.RFC3339Nano, s)
	return err == nil
}

func mediaType(s string) bool {
	kind, sub, ok := strings.Cut(s, "/")
	return ok && kind != "" && sub != "" && !strings.ContainsAny(kind, " \t")
}

// regularExpression can only refuse what no flavour takes; look-around and the like are not known to Go.
func regularExpression(s string) bool {
	_, err := syntax.Parse(s, syntax.Perl)
	var wrong *syntax.Error
	return err == nil || !errors.As(err, &wrong) ||
		wrong.Code != syntax.ErrMissingBracket && wrong.Code != syntax.ErrMissingParen && wrong.Code != syntax.ErrTrailingBackslash
}
