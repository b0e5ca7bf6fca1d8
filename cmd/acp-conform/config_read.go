package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// configReader reads the file of --config and collects the mistakes in it, so that nobody has to find them one run after the other.
type configReader struct {
	file     string
	mistakes configMistakes
}

// configMistakes are what is wrong with a configuration file, each as "file:line: what is wrong; what is right".
type configMistakes []string

func (m configMistakes) Error() string { return strings.Join(m, "\n"+programName+": ") }

// readConfig reads a configuration file. Its error names all mistakes.
func readConfig(file string, data []byte) (configFile, error) {
	var f configFile
	r := &configReader{file: file}
	if root := r.document(data); root != nil {
		r.members(root, "", configMembers(&f))
	}
	if r.mistakes != nil {
		return f, r.mistakes
	}
	return f, nil
}

func (r *configReader) wrong(line int, format string, args ...any) {
	r.mistakes = append(r.mistakes, fmt.Sprintf("%s:%d: %s", r.file, max(line, 1), fmt.Sprintf(format, args...)))
}

// document gives what the file holds, nil where that is nothing, or nothing that can be read.
func (r *configReader) document(data []byte) *yaml.Node {
	if !utf8.Valid(data) {
		good := len(data) - len(bytes.TrimLeftFunc(data, func(c rune) bool { return c != utf8.RuneError }))
		r.wrong(1+bytes.Count(data[:good], []byte("\n")), "there are bytes that are no UTF-8; save the file as UTF-8")
		return nil
	}
	dec := yaml.NewDecoder(bytes.NewReader(data))
	var doc, second yaml.Node
	if err := dec.Decode(&doc); err != nil {
		r.syntax(err)
		return nil
	}
	switch err := dec.Decode(&second); {
	case err == nil:
		r.wrong(second.Line, "a second document begins here; write all members into one")
	default:
		r.syntax(err)
	}
	root := plainNode(doc.Content[0])
	if isNull(root) {
		return nil
	}
	return root
}

var yamlError = regexp.MustCompile(`^yaml: (?:line (\d+): )?(.*)$`)

// syntax reports what the YAML package makes of a file that is no YAML. That the file has ended is no mistake.
func (r *configReader) syntax(err error) {
	if errors.Is(err, io.EOF) {
		return
	}
	line, text := 1, err.Error()
	if m := yamlError.FindStringSubmatch(text); m != nil {
		line, _ = strconv.Atoi(m[1])
		text = m[2]
	}
	r.wrong(line, "this is no YAML: %s; write each member as name: value, on a line of its own", text)
}

// member is a member of a mapping and how its value is read. The path names it from the root on.
type member struct {
	name string
	read func(r *configReader, path string, n *yaml.Node)
}

// members reads a mapping.
func (r *configReader) members(n *yaml.Node, path string, known []member) {
	if n.Kind != yaml.MappingNode {
		r.wrong(n.Line, "%s; write members there, such as %s: …", isInstead(path, n), known[0].name)
		return
	}
	seen := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], plainNode(n.Content[i+1])
		full := strings.TrimPrefix(path+"."+key.Value, ".")
		if key.Value == "" {
			r.wrong(key.Line, "there is no name before the colon; write one of %s", memberNames(known))
			continue
		}
		if line, twice := seen[key.Value]; twice {
			r.wrong(key.Line, "%s stands here a second time, after line %d; leave one of them", full, line)
			continue
		}
		seen[key.Value] = key.Line
		if m, ok := memberOf(known, key.Value); !ok {
			r.wrong(key.Line, "%s", noMember(full, path, key.Value, known))
		} else if isNull(value) {
			r.wrong(key.Line, "%s has no value; give it one, or leave it out", full)
		} else {
			m.read(r, full, value)
		}
	}
}

func memberOf(known []member, name string) (member, bool) {
	for _, m := range known {
		if m.name == name {
			return m, true
		}
	}
	return member{}, false
}

// noMember says that there is no such member, and which there are.
func noMember(full, path, name string, known []member) string {
	hint, place := "", "in the file"
	if near, ok := nearest(name, strings.Split(memberNames(known), ", ")); ok {
		hint = fmt.Sprintf(" (did you mean %s?)", near)
	}
	if path != "" {
		place = "in " + path
	}
	return fmt.Sprintf("there is no %s%s; what may stand %s is %s", full, hint, place, memberNames(known))
}

func memberNames(known []member) string {
	var names []string
	for _, m := range known {
		names = append(names, m.name)
	}
	return strings.Join(names, ", ")
}

// isInstead says what stands in a place where something else belongs.
func isInstead(path string, n *yaml.Node) string {
	if path == "" {
		path = "the file"
	}
	switch n.Kind {
	case yaml.MappingNode:
		return path + " has members"
	case yaml.SequenceNode:
		return path + " is a list"
	}
	return fmt.Sprintf("%s is %q", path, n.Value)
}

// plainNode is what a node stands for that may be the alias of another.
func plainNode(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

func isNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.Tag == "!!null" }
