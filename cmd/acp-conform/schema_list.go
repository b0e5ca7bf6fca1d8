package main

import (
	"encoding/json"
	"slices"

	"github.com/acp-conform/acp-conform/schemas"
)

// listedPart is a definition that belongs to a method as `schema --format json` writes it.
type listedPart struct {
	Method     string `json:"method"`
	Sender     string `json:"sender"`
	Kind       string `json:"kind"`
	Definition string `json:"definition"`
	Stability  string `json:"stability"`
}

func listed(d schemas.Definition) listedPart {
	l := listedPart{d.Method, string(d.Sender), string(d.Kind), d.Name, "stable"}
	if !d.Stable {
		l.Stability = "unstable"
	}
	return l
}

func (p *program) listMethods(e *schemas.Edition, format string) error {
	all := e.Methods()
	list := []listedPart{}
	for _, d := range all {
		list = append(list, listed(d))
	}
	if format == "json" {
		return p.printJSON(list)
	}
	for _, l := range list {
		p.printf("  %-26s  %-6s  %-12s  %-8s  %s\n", l.Method, l.Sender, l.Kind, l.Stability, l.Definition)
	}
	p.printf("\n%s of edition %s; `%s schema METHOD` prints the schemas of one\n", counted(len(namesIn(e, false)), "method"), e.Name(), programName)
	return nil
}

// printedSchema is the document that `schema METHOD` prints.
type printedSchema struct {
	Dialect string          `json:"$schema"`
	Comment string          `json:"$comment"`
	Edition string          `json:"x-acp-edition"`
	Parts   []listedPart    `json:"x-acp-parts,omitempty"` // which definition is what
	Ref     string          `json:"$ref,omitempty"`
	Defs    json.RawMessage `json:"$defs"`
}

func (p *program) printSchema(o schemaOptions, book *schemas.Book, e *schemas.Edition, name string) error {
	doc := printedSchema{Edition: e.Name(), Comment: "x-reader, x-text and x-names are remarks that change no verdict."}
	var defs []string
	for _, d := range e.Methods() {
		if d.Method == name || d.Name == name {
			doc.Parts = append(doc.Parts, listed(d))
			defs = append(defs, d.Name)
		}
	}
	if len(defs) == 0 {
		defs = []string{name}
	}
	slices.Sort(defs)
	text, ok := e.Bundle(slices.Compact(defs)...)
	if !ok {
		return o.unknownName(book, e, name, true)
	}
	if err := json.Unmarshal(text, &doc); err != nil {
		return err
	}
	return p.printJSON(doc)
}
