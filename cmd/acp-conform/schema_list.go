package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/acp-conform/acp-conform/schemas"
)

// listedPart is a definition that belongs to a method as `schema --format json` writes it.
type listedPart struct {
	Edition    string `json:"edition,omitempty"`
	Source     string `json:"source,omitempty"` // the directory of --schema
	Method     string `json:"method"`
	Sender     string `json:"sender"`
	Kind       string `json:"kind"`
	Definition string `json:"definition"`
	Stability  string `json:"stability"`
}

func listed(d schemas.Definition) listedPart {
	l := listedPart{Method: d.Method, Sender: string(d.Sender), Kind: string(d.Kind), Definition: d.Name, Stability: "stable"}
	if !d.Stable {
		l.Stability = "unstable"
	}
	return l
}

func (p *program) listMethods(o schemaOptions, e *schemas.Edition) error {
	list := []listedPart{}
	for _, d := range e.Methods() {
		list = append(list, listed(d))
	}
	if o.format == "json" {
		for i := range list {
			list[i].Edition, list[i].Source = e.Name(), o.schemaDir
		}
		return p.printJSON(list)
	}
	p.printf("Edition %s%s\n\n", o.called(e), o.release())
	for _, l := range list {
		p.printf("  %-26s  %-6s  %-12s  %-8s  %s\n", l.Method, l.Sender, l.Kind, l.Stability, l.Definition)
	}
	p.printf("\n%s of edition %s; `%s METHOD` prints the schemas of one\n", counted(len(namesIn(e, false)), "method"), e.Name(), o.command())
	return nil
}

// release says which definitions of the protocol our own follow.
func (o schemaOptions) release() string {
	if o.schemaDir != "" {
		return ""
	}
	return ", as published on " + releaseDate + " in " + releaseOf
}

// printedSchema is the document that `schema METHOD` prints.
type printedSchema struct {
	Dialect string          `json:"$schema"`
	Comment string          `json:"$comment"`
	Edition string          `json:"x-acp-edition"`
	Source  string          `json:"x-acp-source"`          // the directory of --schema, or the release that our own definitions follow
	Parts   []listedPart    `json:"x-acp-parts,omitempty"` // which definition is what
	Ref     string          `json:"$ref,omitempty"`
	Defs    json.RawMessage `json:"$defs"`
}

func (p *program) printSchema(o schemaOptions, book *schemas.Book, e *schemas.Edition, name string) error {
	parts, err := o.printed(book, e, name)
	if err != nil {
		return err
	}
	doc := printedSchema{Edition: e.Name(), Source: cmp.Or(o.schemaDir, releaseOf), Comment: "x-reader, x-text and x-names are remarks that change no verdict."}
	defs := []string{name}
	if len(parts) > 0 {
		defs = nil
	}
	for _, d := range parts {
		doc.Parts = append(doc.Parts, listed(d))
		defs = append(defs, d.Name)
	}
	slices.Sort(defs)
	text, ok := e.Bundle(slices.Compact(defs)...)
	if !ok {
		return o.unknownName(book, e, name, "method or definition")
	}
	if err := json.Unmarshal(text, &doc); err != nil {
		return err
	}
	return p.printJSON(doc)
}

// printed are the parts that have the name of a method or of a definition, or those of a method that --kind and --sender mean.
func (o schemaOptions) printed(book *schemas.Book, e *schemas.Edition, name string) ([]schemas.Definition, error) {
	if o.kind != "" || o.sender != "" {
		if slices.Contains(e.Definitions(), name) {
			return nil, fmt.Errorf("--kind and --sender choose a part of a METHOD, but %s is a definition: leave them out", name)
		}
		return o.parts(book, e, name, "part")
	}
	var parts []schemas.Definition
	for _, d := range e.Methods() {
		if d.Method == name || d.Name == name {
			parts = append(parts, d)
		}
	}
	return parts, nil
}
