// Package reports writes a run down: one function for each format, each a function of a result.Run and of nothing else.
package reports

import (
	"fmt"
	"io"
	"strings"

	"github.com/acp-conform/acp-conform/conformance/result"
)

// Format is one way to write a run down.
type Format struct {
	Name        string
	Description string // half a sentence
	Write       func(io.Writer, result.Run) error
}

// Formats lists the formats in the order in which help shows them.
func Formats() []Format {
	return []Format{
		{Name: "text", Description: "for a person", Write: func(w io.Writer, r result.Run) error { return Text(w, r, TextOptions{}) }},
		{Name: "json", Description: "everything, for programs", Write: JSON},
		{Name: "jsonl", Description: "events while the run goes on, then everything, a line each", Write: JSONLines},
		{Name: "html", Description: "one page for people, that needs no network", Write: HTML},
		{Name: "junit", Description: "JUnit XML, for CI systems", Write: JUnit},
		{Name: "markdown", Description: "for the summary of a CI step, or a comment", Write: Markdown},
		{Name: "github", Description: "annotations of a GitHub step", Write: GitHub},
		{Name: "badge", Description: "for shields.io", Write: BadgeJSON},
	}
}

// Names lists the names of the formats.
func Names() []string {
	var names []string
	for _, f := range Formats() {
		names = append(names, f.Name)
	}
	return names
}

// Lookup finds a format by its name. The error names the formats that there are.
func Lookup(name string) (Format, error) {
	for _, f := range Formats() {
		if f.Name == name {
			return f, nil
		}
	}
	return Format{}, fmt.Errorf("unknown report format %q; there are: %s", name, strings.Join(Names(), ", "))
}
