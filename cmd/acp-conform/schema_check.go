package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/acp-conform/acp-conform/conformance/result"
	"github.com/acp-conform/acp-conform/schemas"
)

// mostFindings is how many findings schemas.Check returns at most.
const mostFindings = 5

// verdict is what is said of one file, as --format json writes it.
type verdict struct {
	File       string          `json:"file"`
	Valid      bool            `json:"valid"`
	Edition    string          `json:"edition"`
	Source     string          `json:"source,omitempty"` // the directory of --schema
	Definition string          `json:"definition"`
	Method     string          `json:"method,omitempty"`
	Kind       string          `json:"kind,omitempty"`
	Sender     string          `json:"sender,omitempty"`
	Findings   []listedFinding `json:"findings"`
	Notes      []note          `json:"notes"`
	more       bool            // there may be more notes than were looked for
}

// listedFinding is a finding as --format json writes it.
type listedFinding struct {
	Path       string          `json:"path"`
	Problem    schemas.Problem `json:"problem"`
	Expected   string          `json:"expected"`
	Actual     string          `json:"actual"`
	Tolerated  string          `json:"tolerated"`
	Definition string          `json:"definition"`
}

// checkFiles judges what is in each file.
func (p *program) checkFiles(o schemaOptions, book *schemas.Book, e *schemas.Edition, more []string) error {
	if err := o.misplaced(e, more); err != nil {
		return err
	}
	d, err := o.judgedBy(book, e)
	if err != nil {
		return err
	}
	// Everything is read once before anything is judged, so that a file that cannot be is known at once.
	files, err := p.readFiles(o, d, slices.Concat(o.check, more))
	if err != nil {
		return err
	}
	worst, apart := result.ExitOK, false
	for i := range files {
		v, err := p.judgeFile(o, book, d, &files[i])
		if err != nil {
			return err
		}
		if !v.Valid {
			worst = result.ExitFailed
		}
		if o.format == "json" {
			if err := p.printLine(v); err != nil {
				return err
			}
			continue
		}
		details := len(v.Findings)+len(v.Notes) > 0
		if i > 0 && (details || apart) {
			p.printf("\n")
		}
		apart = details
		p.printVerdict(o, d, v, len(files) > 1)
	}
	return exit(worst)
}

// judgeFile judges what is in a file, and forgets it.
func (p *program) judgeFile(o schemaOptions, book *schemas.Book, d schemas.Definition, f *checkedFile) (verdict, error) {
	part := f.text
	if f.dropped {
		var err error
		if part, _, err = p.readFile(o, d, f.name); err != nil {
			return verdict{}, err
		}
	}
	f.text = nil
	found := judgePart(d, part)
	if at := slices.IndexFunc(found, func(f schemas.Finding) bool { return f.Problem == schemas.Internal }); at >= 0 {
		_, _ = fmt.Fprintf(p.stderr, "%s: --check %s: this program failed, and nothing was judged: %s\n", programName, f.name, found[at].Expected)
		return verdict{}, exit(result.ExitInconclusive)
	}
	return o.verdict(book, d, f.name, part, found), nil
}

// printLine writes a value for programs, on one line.
func (p *program) printLine(v any) error {
	e := json.NewEncoder(p.stdout)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// judgePart reads strictly. An empty file is not the absence of optional params.
func judgePart(d schemas.Definition, part []byte) []schemas.Finding {
	check := func(part json.RawMessage) []schemas.Finding {
		if d.Method == "" {
			return d.Edition.CheckName(d.Name, part)
		}
		return schemas.Check(d, part)
	}
	var found []schemas.Finding
	switch {
	case len(bytes.TrimSpace(part)) == 0:
		found = check(json.RawMessage(" "))
		for i := range found {
			found[i].Actual = "nothing"
		}
	case len(part) > schemas.MaxPart: // and was read no further
		found = check(part)
		for i := range found {
			found[i].Actual = "more than that"
		}
	default:
		found = check(part)
	}
	return found
}

func (o schemaOptions) verdict(book *schemas.Book, d schemas.Definition, file string, part []byte, found []schemas.Finding) verdict {
	v := verdict{File: file, Valid: len(found) == 0, Edition: d.Edition.Name(), Source: o.schemaDir, Definition: d.Name,
		Method: d.Method, Kind: string(d.Kind), Sender: string(d.Sender), Findings: []listedFinding{}}
	for _, f := range found {
		v.Findings = append(v.Findings, listedFinding{f.Path, f.Problem, f.Expected, f.Actual, f.Tolerated, f.Def})
	}
	v.Notes, v.more = o.notes(book, d, part)
	return v
}
