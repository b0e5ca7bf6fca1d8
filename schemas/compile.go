package schemas

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"math/big"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// base is the address of the embedded files while they refer to each other; nothing is ever fetched.
const base = "acp://schemas/"

// compiled holds the definitions of one edition, ready for use by any number of goroutines.
type compiled struct {
	byName map[string]*jsonschema.Schema
}

func newEdition(name string, protocol int, c *catalog, folders ...string) *edition {
	e := &edition{name: name, protocol: protocol, folders: folders, catalog: c}
	e.load = sync.OnceValues(e.compile)
	return e
}

// compile reads every file of the edition; the names in all $defs share one name space.
func (e *edition) compile() (*compiled, error) {
	c := newCompiler()
	where := map[string]string{}
	for _, folder := range e.folders {
		names, err := fs.Glob(files, path.Join(folder, "*.json"))
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			if err := addFile(c, name, where); err != nil {
				return nil, err
			}
		}
	}
	set := &compiled{byName: make(map[string]*jsonschema.Schema, len(where))}
	for def, url := range where {
		s, err := c.Compile(url)
		if err != nil {
			return nil, fmt.Errorf("schemas: compile %s: %w", def, err)
		}
		set.byName[def] = s
	}
	return set, nil
}

func newCompiler() *jsonschema.Compiler {
	c := jsonschema.NewCompiler()
	c.AssertFormat = true
	for name, r := range integerRanges {
		c.Formats[name] = func(v any) bool {
			n, ok := v.(json.Number)
			return !ok || (r.contains(n) && plainInteger(n))
		}
	}
	c.RegisterExtension(switchKeyword, nil, switchCompiler{})
	c.RegisterExtension(readerKeyword, nil, readerCompiler{})
	return c
}

func addFile(c *jsonschema.Compiler, name string, where map[string]string) error {
	text, err := files.ReadFile(name)
	if err != nil {
		return err
	}
	var doc struct {
		Defs map[string]json.RawMessage `json:"$defs"`
	}
	if err := json.Unmarshal(text, &doc); err != nil {
		return fmt.Errorf("schemas: %s: %w", name, err)
	}
	for def := range doc.Defs {
		if strings.HasPrefix(def, "_") {
			continue
		}
		if first, ok := where[def]; ok {
			return fmt.Errorf("schemas: %s defines %s, as does %s", name, def, first)
		}
		where[def] = base + name + "#/$defs/" + def
	}
	return c.AddResource(base+name, bytes.NewReader(text))
}

// definitionName returns the protocol's name of a schema, or "" for one that has none.
func definitionName(s *jsonschema.Schema) string {
	_, name, ok := strings.Cut(s.Location, "#/$defs/")
	if !ok || strings.Contains(name, "/") || strings.HasPrefix(name, "_") {
		return ""
	}
	return name
}

// The two keywords of our own.
const (
	// switchKeyword holds on (a member), cases (value of the member: schema) and else (a schema for any other value,
	// or for none). Without else, another value is invalid.
	switchKeyword = "x-acp-switch"
	// readerKeyword is default (a reader takes the default of the schema, or absence, for a value that is not valid),
	// skip-items (the same for the list, and a reader drops items that are not valid) or null-is-empty (a reader
	// takes null for an empty list or map, and refuses anything else).
	readerKeyword = "x-reader"
)

// switchOn picks the branch of a union by the value of one member, so that a message fails for what is wrong in the
// branch it chose, and not once for each branch it did not choose.
type switchOn struct {
	member    string
	cases     map[string]*jsonschema.Schema
	names     []string // of the cases, sorted
	otherwise *jsonschema.Schema
}

// branch returns the schema for an object, or nil if its discriminator chooses none.
func (s *switchOn) branch(object map[string]any) (sch *jsonschema.Schema, keyword string) {
	tag, _ := object[s.member].(string)
	if sch := s.cases[tag]; sch != nil {
		return sch, "cases/" + tag
	}
	return s.otherwise, "else"
}

// Validate implements jsonschema.ExtSchema.
func (s *switchOn) Validate(ctx jsonschema.ValidationContext, v any) error {
	object, ok := v.(map[string]any)
	if !ok {
		return nil
	}
	sch, keyword := s.branch(object)
	if sch == nil {
		return ctx.Error(switchKeyword, "%q chooses no branch", s.member)
	}
	return ctx.Validate(sch, switchKeyword+"/"+keyword, v, "")
}

type switchCompiler struct{}

// Compile implements jsonschema.ExtCompiler.
func (switchCompiler) Compile(ctx jsonschema.CompilerContext, m map[string]any) (jsonschema.ExtSchema, error) {
	raw, ok := m[switchKeyword].(map[string]any)
	if !ok {
		return nil, nil
	}
	s := &switchOn{cases: map[string]*jsonschema.Schema{}}
	s.member, _ = raw["on"].(string)
	cases, _ := raw["cases"].(map[string]any)
	if s.member == "" || len(cases) == 0 {
		return nil, fmt.Errorf("%s needs on and cases", switchKeyword)
	}
	for tag := range cases {
		sch, err := ctx.Compile(switchKeyword+"/cases/"+tag, true)
		if err != nil {
			return nil, err
		}
		s.cases[tag] = sch
		s.names = append(s.names, tag)
	}
	slices.Sort(s.names)
	if _, ok := raw["else"]; ok {
		sch, err := ctx.Compile(switchKeyword+"/else", true)
		if err != nil {
			return nil, err
		}
		s.otherwise = sch
	}
	return s, nil
}

func switchOf(s *jsonschema.Schema) *switchOn {
	if s == nil {
		return nil
	}
	sw, _ := s.Extensions[switchKeyword].(*switchOn)
	return sw
}

// reader says what the receiver does with a value that is not valid here. It never makes a value valid.
type reader struct {
	wrong string // any invalid value
	null  string // null only
	item  string // an invalid item of the list
}

// Validate implements jsonschema.ExtSchema.
func (*reader) Validate(jsonschema.ValidationContext, any) error { return nil }

type readerCompiler struct{}

// Compile implements jsonschema.ExtCompiler.
func (readerCompiler) Compile(_ jsonschema.CompilerContext, m map[string]any) (jsonschema.ExtSchema, error) {
	mode, ok := m[readerKeyword]
	if !ok {
		return nil, nil
	}
	wrong := "read as absent"
	if def, ok := m["default"]; ok {
		wrong = "read as " + jsonText(def)
	}
	switch mode {
	case "default":
		return &reader{wrong: wrong}, nil
	case "skip-items":
		return &reader{wrong: wrong, item: "item dropped"}, nil
	case "null-is-empty":
		if m["type"] == "object" {
			return &reader{null: "null read as {}"}, nil
		}
		return &reader{null: "null read as []"}, nil
	}
	return nil, fmt.Errorf("%s: unknown value %v", readerKeyword, mode)
}

func readerOf(s *jsonschema.Schema) *reader {
	r, _ := s.Extensions[readerKeyword].(*reader)
	return r
}

// integerRange is a numeric format of the protocol, compared with arbitrary precision.
type integerRange struct{ min, max *big.Int }

var integerRanges = map[string]integerRange{
	"uint16": unsigned(16), "uint32": unsigned(32), "uint64": unsigned(64), "int32": signed(32), "int64": signed(64),
}

func unsigned(bits uint) integerRange {
	max := new(big.Int).Lsh(big.NewInt(1), bits)
	return integerRange{new(big.Int), max.Sub(max, big.NewInt(1))}
}

func signed(bits uint) integerRange {
	half := new(big.Int).Lsh(big.NewInt(1), bits-1)
	return integerRange{new(big.Int).Neg(half), new(big.Int).Sub(half, big.NewInt(1))}
}

// contains reports whether n lies in the range; a number with a fraction does not break a range.
func (r integerRange) contains(n json.Number) bool {
	x, ok := new(big.Rat).SetString(string(n))
	return ok && x.Cmp(new(big.Rat).SetInt(r.min)) >= 0 && x.Cmp(new(big.Rat).SetInt(r.max)) <= 0
}

// plainInteger reports whether n is written with digits alone. Typed readers refuse 1.0, 1e3 and -0 where they expect
// an integer, although their value is one.
func plainInteger(n json.Number) bool {
	return !strings.ContainsAny(string(n), ".eE") && n != "-0"
}
