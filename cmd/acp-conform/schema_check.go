package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/acp-conform/acp-conform/conformance/result"
	"github.com/acp-conform/acp-conform/reports"
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

// mostFindings is how many findings schemas.Check returns at most.
const mostFindings = 5

// checkPart judges the params or the result in a file.
func (p *program) checkPart(o schemaOptions, book *schemas.Book, e *schemas.Edition) error {
	d, err := o.definition(book, e)
	if err != nil {
		return err
	}
	part, err := p.readPart(o.check)
	if err != nil {
		return err
	}
	found := judgePart(d, part)
	if slices.ContainsFunc(found, func(f schemas.Finding) bool { return f.Problem == schemas.Internal }) {
		_, _ = fmt.Fprintf(p.stderr, "%s: nothing could be judged: %v\n", programName, found[0])
		return exit(result.ExitInconclusive)
	}
	p.printVerdict(d, found)
	if isEnvelope(part) {
		p.printf("\n  hint: this looks like a whole JSON-RPC message; give its params or its result alone, such as jq .params prints them\n")
	} else {
		p.printNotes(book, d, part)
	}
	if len(found) > 0 {
		return exit(result.ExitFailed)
	}
	return nil
}

// judgePart reads strictly. An empty file is not the absence of optional params.
func judgePart(d schemas.Definition, part []byte) []schemas.Finding {
	if len(bytes.TrimSpace(part)) > 0 {
		return schemas.Check(d, part)
	}
	found := schemas.Check(d, json.RawMessage(" "))
	for i := range found {
		found[i].Actual = "nothing"
	}
	return found
}

// readPart reads a file, or stdin.
func (p *program) readPart(file string) ([]byte, error) {
	if file != "-" {
		b, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("--check %s: %w; name a file that can be read, or - for stdin", file, cause(err))
		}
		return b, nil
	}
	if p.terminal(p.stdin) {
		_, _ = fmt.Fprintln(p.stderr, programName+": reading from stdin; Ctrl-D ends it")
	}
	b, err := io.ReadAll(p.stdin)
	if err != nil {
		return nil, fmt.Errorf("--check -: stdin cannot be read: %w", cause(err))
	}
	return b, nil
}

// definition finds what --method, --kind and --sender mean. What has one answer only need not be said.
func (o schemaOptions) definition(book *schemas.Book, e *schemas.Edition) (schemas.Definition, error) {
	if err := checkWord("kind", o.kind, words(kinds)); err != nil {
		return schemas.Definition{}, err
	}
	if err := checkWord("sender", o.sender, words(sides)); err != nil {
		return schemas.Definition{}, err
	}
	var all, meant []schemas.Definition
	for _, d := range e.Methods() {
		if d.Method != o.method {
			continue
		}
		all = append(all, d)
		if o.means(d) {
			meant = append(meant, d)
		}
	}
	switch {
	case len(all) == 0:
		return schemas.Definition{}, o.unknownName(book, e, o.method, false)
	case len(meant) == 0:
		return schemas.Definition{}, fmt.Errorf("%s has no such part in edition %s; it has: %s; say which with --kind and --sender", o.method, e.Name(), partWords(all))
	}
	for _, d := range meant[1:] {
		if d.Name != meant[0].Name {
			return schemas.Definition{}, fmt.Errorf("%s is sent in more ways than one: %s; say which with --kind or --sender", o.method, partWords(meant))
		}
	}
	return meant[0], nil
}

// means tells whether the flags fit a definition. Without a kind, params are meant.
func (o schemaOptions) means(d schemas.Definition) bool {
	if o.sender != "" && o.sender != string(d.Sender) {
		return false
	}
	return o.kind == string(d.Kind) || o.kind == "" && d.Kind != schemas.Result
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

// tolerable tells whether every finding is one that tolerant readers cope with.
func tolerable(found []schemas.Finding) bool {
	return !slices.ContainsFunc(found, func(f schemas.Finding) bool { return f.Tolerated == "" })
}

func (p *program) printVerdict(d schemas.Definition, found []schemas.Finding) {
	verdict := "VALID"
	switch {
	case len(found) > 0 && tolerable(found):
		verdict = "INVALID by the strict reading, though tolerant readers cope"
	case len(found) > 0:
		verdict = "INVALID"
	}
	p.printf("%s: %s of edition %s (%s, %s)\n", verdict, d.Name, d.Edition.Name(), d.Method, partWords([]schemas.Definition{d}))
	for _, f := range found {
		p.printf("\n  %s\n    expected  %s\n    found     %s\n", where(f.Path), reports.Printable(f.Expected), reports.Printable(f.Actual))
		if f.Def != d.Name {
			p.printf("    in        %s\n", f.Def)
		}
		if f.Tolerated != "" {
			p.printf("    tolerant  readers cope: %s\n", f.Tolerated)
		}
	}
	if len(found) == mostFindings {
		p.printf("\n  There may be more: no more than %d are shown.\n", mostFindings)
	}
}

func where(path string) string {
	if path == "" {
		return "the value itself"
	}
	return reports.Printable(path)
}

// isEnvelope recognises what somebody may have forgotten to unwrap.
func isEnvelope(part []byte) bool {
	var object map[string]json.RawMessage
	return json.Unmarshal(part, &object) == nil && object["jsonrpc"] != nil
}

// printNotes tells what is odd without being invalid.
func (p *program) printNotes(book *schemas.Book, d schemas.Definition, part []byte) {
	var notes []string
	for _, u := range unknownMembers(book, d, part) {
		note := fmt.Sprintf("%s: no definition names the member %q", where(u.Path), u.Key)
		switch {
		case u.Unstable:
			note = fmt.Sprintf("%s: the member %q is known to the unstable edition only", where(u.Path), u.Key)
		case u.Nearest != "":
			note += fmt.Sprintf("; perhaps %q is meant", u.Nearest)
		}
		notes = append(notes, note)
	}
	for _, f := range schemas.Texts(d, part) {
		notes = append(notes, fmt.Sprintf("%s: this should be %s, but is %s", where(f.Path), f.Expected, f.Actual))
	}
	if len(notes) > 0 {
		p.printf("\n  Notes, which make nothing invalid:\n")
	}
	for _, n := range notes {
		p.printf("    %s\n", reports.Printable(n))
	}
}

// unknownMembers asks the unstable edition about the members that the stable one does not know.
func unknownMembers(book *schemas.Book, d schemas.Definition, part []byte) []schemas.Unknown {
	found := schemas.UnknownMembers(d, part)
	wider := book.Edition(d.Edition.Protocol(), false)
	if !d.Edition.Stable() || wider == nil {
		return found
	}
	also, ok := wider.Lookup(d.Method, d.Sender, d.Kind)
	if !ok {
		return found
	}
	for _, ahead := range schemas.UnknownMembers(also, part) {
		for i, u := range found {
			if ahead.Unstable && u.Path == ahead.Path && u.Key == ahead.Key {
				found[i] = ahead
			}
		}
	}
	return found
}
