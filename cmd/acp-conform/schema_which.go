package main

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/acp-conform/acp-conform/schemas"
)

// What --kind and --sender may be.
var (
	kinds = []schemas.Kind{schemas.Request, schemas.Notification, schemas.Result}
	sides = []schemas.Side{schemas.Client, schemas.Agent, schemas.Proxy}
)

func words[T ~string](list []T) []string {
	var all []string
	for _, w := range list {
		all = append(all, string(w))
	}
	return all
}

// judgedBy finds what --method with --kind and --sender, or --definition, means. Of a definition that was asked for by its
// name the Method is empty.
func (o schemaOptions) judgedBy(book *schemas.Book, e *schemas.Edition) (schemas.Definition, error) {
	switch {
	case o.definition != "":
		d := schemas.Definition{Edition: e, Name: o.definition}
		if !slices.Contains(e.Definitions(), d.Name) {
			return d, o.unknownName(book, e, d.Name, "definition")
		}
		return d, nil
	case o.method == "":
		return schemas.Definition{}, fmt.Errorf("--check: add what it is judged by, such as --method session/prompt --kind result, or --definition ToolCall; `%s` lists the methods", o.command())
	}
	meant, err := o.parts(book, e, o.method, "params")
	if err != nil {
		return schemas.Definition{}, err
	}
	return meant[0], nil
}

// parts are the definitions of a method that --kind and --sender mean. They all have one name. Without a kind, any is
// a "part"; otherwise "params" are meant, those of a request or of a notification.
func (o schemaOptions) parts(book *schemas.Book, e *schemas.Edition, method, without string) ([]schemas.Definition, error) {
	if err := cmp.Or(checkWord("kind", o.kind, words(kinds)), checkWord("sender", o.sender, words(sides))); err != nil {
		return nil, err
	}
	var all, meant []schemas.Definition
	for _, d := range e.Methods() {
		if d.Method != method {
			continue
		}
		all = append(all, d)
		if (o.sender == "" || o.sender == string(d.Sender)) &&
			(o.kind == string(d.Kind) || o.kind == "" && (d.Kind != schemas.Result || without == "part")) {
			meant = append(meant, d)
		}
	}
	switch {
	case len(all) == 0:
		return nil, o.unknownName(book, e, method, "method")
	case len(meant) == 0:
		what := cmp.Or(o.kind, without)
		if o.sender != "" {
			what += " of the " + o.sender
		}
		return nil, fmt.Errorf("%s has no %s in edition %s; it has: %s (choose with --kind and --sender)", method, what, o.called(e), partWords(all))
	}
	for _, d := range meant {
		if d.Name != meant[0].Name {
			return nil, fmt.Errorf("%s is sent in more ways than one: %s; say which with --kind or --sender", method, partWords(meant))
		}
	}
	return meant, nil
}

func checkWord(flag, value string, known []string) error {
	if value == "" || slices.Contains(known, value) {
		return nil
	}
	hint := ""
	if near, ok := nearest(value, known); ok {
		hint = fmt.Sprintf(" (did you mean %q?)", near)
	}
	return fmt.Errorf("--%s %s: there are %s%s", flag, value, strings.Join(known, ", "), hint)
}

// partWords lists definitions as "request of the client".
func partWords(list []schemas.Definition) string {
	var all []string
	for _, d := range list {
		all = append(all, fmt.Sprintf("%s of the %s", d.Kind, d.Sender))
	}
	return strings.Join(all, ", ")
}

// misplaced finds the name of a method or a definition where a FILE is expected.
func (o schemaOptions) misplaced(e *schemas.Edition, files []string) error {
	for _, name := range files {
		switch {
		case exists(name):
		case slices.Contains(namesIn(e, false), name):
			return fmt.Errorf("--check judges files, and there is none called %s; the method of what is checked is written --method %[1]s", name)
		case slices.Contains(e.Definitions(), name):
			return fmt.Errorf("--check judges files, and there is none called %s; the definition of what is checked is written --definition %[1]s", name)
		}
	}
	return nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
