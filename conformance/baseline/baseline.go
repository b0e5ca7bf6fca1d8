// Package baseline is about known failures: a file that lists them, with the reason for each, so that CI fails for what is new and for
// what is no longer so, and not for what is known.
package baseline

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// Entry is one known failure.
type Entry struct {
	Rule    string    // the id of the rule
	Reason  string    // why it is known and not mended
	Link    string    // where it is tracked, "" = nowhere
	Owner   string    // who takes care of it, "" = nobody
	Expires time.Time // the day after which it is no excuse any more, zero = never
	line    int
}

// File is a baseline. It keeps the text that it was read from.
type File struct {
	Name    string
	Entries []Entry

	source    string     // what it was read from, "" for one that is new
	mark      string     // the mark of the order of bytes that stood before that
	key, list *yaml.Node // the name of the list in it, and the list; nil = there is none
}

const (
	listKey   = "known" // the only member of the file
	dayForm   = time.DateOnly
	byteOrder = "\ufeff" // some editors begin a file in UTF-8 with it
)

// Rules tells whether a rule exists, and of one that does not which was probably meant; "" = none is near.
type Rules func(rule string) (exists bool, near string)

// Read reads a baseline from YAML. Every error has the file, the line where one is known, and what is right.
func Read(name string, text []byte, rules Rules) (*File, error) {
	f := &File{Name: name}
	if !utf8.Valid(text) { // YAML would be read from UTF-16 as well, but not be written back as such
		return nil, fmt.Errorf("%s:%d: there are bytes that are no UTF-8; save the file as UTF-8", name, 1+bytes.Count(text[:validLength(text)], []byte("\n")))
	}
	var marked bool
	if f.source, marked = strings.CutPrefix(string(text), byteOrder); marked {
		f.mark = byteOrder
	}
	doc, err := f.document()
	if err != nil || doc == nil {
		return f, err
	}
	if err := f.findList(doc); err != nil || f.list == nil {
		return f, err
	}
	seen := map[string]int{}
	for _, node := range f.list.Content {
		e, err := f.entry(node)
		if err != nil {
			return nil, err
		}
		if exists, near := rules(e.Rule); !exists {
			hint := ""
			if near != "" {
				hint = fmt.Sprintf(" (did you mean %q?)", near)
			}
			return nil, f.wrong(node, "there is no rule %q%s; `acp-conform rules` lists them", e.Rule, hint)
		}
		if before := seen[e.Rule]; before > 0 {
			return nil, f.wrong(node, "the rule %s stands in line %d already; keep one entry for each rule", e.Rule, before)
		}
		seen[e.Rule] = e.line
		f.Entries = append(f.Entries, e)
	}
	return f, nil
}

// document is what the file holds; nil = nothing but comments.
func (f *File) document() (*yaml.Node, error) {
	var doc, second yaml.Node
	d := yaml.NewDecoder(strings.NewReader(f.source))
	switch err := d.Decode(&doc); {
	case errors.Is(err, io.EOF):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("%s: %s", f.Name, strings.TrimPrefix(err.Error(), "yaml: "))
	}
	switch err := d.Decode(&second); {
	case err == nil:
		return nil, f.wrong(&second, "a second document begins here; write all entries into one")
	case !errors.Is(err, io.EOF):
		return nil, fmt.Errorf("%s: %s", f.Name, strings.TrimPrefix(err.Error(), "yaml: "))
	}
	return &doc, nil
}

// validLength is how many bytes are UTF-8, from the first one on.
func validLength(text []byte) int {
	n := 0
	for n < len(text) {
		c, size := utf8.DecodeRune(text[n:])
		if c == utf8.RuneError && size == 1 {
			break
		}
		n += size
	}
	return n
}

func (f *File) wrong(at *yaml.Node, format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", f.Name, at.Line, fmt.Sprintf(format, args...))
}

// findList finds the list of entries.
func (f *File) findList(doc *yaml.Node) error {
	root := doc.Content[0]
	if root.Kind == yaml.ScalarNode && root.Tag == "!!null" {
		return nil
	}
	if root.Kind != yaml.MappingNode {
		return f.wrong(root, "a baseline is a mapping with the member %s", listKey)
	}
	once := members{}
	for i := 0; i+1 < len(root.Content); i += 2 {
		key, value := root.Content[i], root.Content[i+1]
		switch {
		case key.Value != listKey:
			return f.wrong(key, "there is no member %q; a baseline has only %s", key.Value, listKey)
		case once.before(key) > 0: // as a merge may leave it
			return f.wrong(key, "%s stands in line %d already; move all entries into one list", listKey, once[listKey])
		case value.Kind != yaml.SequenceNode && !(value.Kind == yaml.ScalarNode && value.Tag == "!!null"):
			return f.wrong(value, "%s is a list of entries, each with rule and reason", listKey)
		}
		f.key, f.list = key, value
	}
	return nil
}

// members are the lines of the members of a mapping. YAML has each of them once, which its reader does not insist on.
type members map[string]int

// before is the line in which a member stands already, 0 = in none.
func (m members) before(key *yaml.Node) int {
	line := m[key.Value]
	if line == 0 {
		m[key.Value] = key.Line
	}
	return line
}

func (f *File) entry(node *yaml.Node) (e Entry, err error) {
	if node.Kind != yaml.MappingNode {
		return e, f.wrong(node, "an entry is a mapping with rule and reason, and optionally link, owner and expires")
	}
	e.line = node.Line
	once := members{}
	for i := 0; i+1 < len(node.Content); i += 2 {
		key, value := node.Content[i], node.Content[i+1]
		if value.Kind != yaml.ScalarNode {
			return e, f.wrong(value, "%s is a text", key.Value)
		}
		if line := once.before(key); line > 0 {
			return e, f.wrong(key, "%s stands in line %d already; leave one of them", key.Value, line)
		}
		switch key.Value {
		case "rule":
			e.Rule = value.Value
		case "reason":
			e.Reason = value.Value
		case "link":
			e.Link = value.Value
		case "owner":
			e.Owner = value.Value
		case "expires":
			if e.Expires, err = time.Parse(dayForm, value.Value); err != nil {
				return e, f.wrong(value, "%q is no day; write it like 2026-12-31", value.Value)
			}
		default:
			return e, f.wrong(key, "there is no member %q; an entry has rule, reason, link, owner and expires", key.Value)
		}
	}
	switch {
	case e.Rule == "":
		return e, f.wrong(node, "the entry names no rule")
	case strings.TrimSpace(e.Reason) == "":
		return e, f.wrong(node, "the entry for %s gives no reason", e.Rule)
	}
	return e, nil
}

// ErrNew says that a baseline that may only shrink would have to grow.
var ErrNew = errors.New("the baseline may only shrink")
