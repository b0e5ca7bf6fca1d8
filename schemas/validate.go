package schemas

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// Problem classifies a Finding: https://agentclientprotocol.com/protocol/v1/schema
type Problem string

// The problems that a part can have.
const (
	Missing  Problem = "missing"  // a required member, or the part itself, is not there
	Type     Problem = "type"     // another JSON type than the definition allows
	Value    Problem = "value"    // not one of the listed values
	Range    Problem = "range"    // an integer outside of its format, such as a negative uint32
	Token    Problem = "token"    // an integer that is written as 1.0, 1e3 or -0, which typed readers refuse
	Limits   Problem = "limits"   // a number or a nesting that is beyond reason; the part was not looked at further
	Length   Problem = "length"   // a text or list that is shorter than it may be
	Encoding Problem = "encoding" // not UTF-8, or half of a surrogate pair
	// Duplicate is a member that is there more than once in one object.
	Duplicate Problem = "duplicate"
	Shape     Problem = "shape"    // anything else, such as text that is not JSON
	Internal  Problem = "internal" // a fault of this package, not of the message; Expected holds what happened
)

// Finding is one reason why a part does not follow its definition.
// https://agentclientprotocol.com/protocol/v1/schema
type Finding struct {
	Path      string  // JSON pointer inside the part, "" = the part itself; also for a missing member where it should be
	Problem   Problem // what is wrong
	Expected  string  // for a person: "a string", "one of \"a\", \"b\"", "member \"sessionId\"", "an integer from 0 to 65535"
	Actual    string  // JSON text of what was there, at most 200 bytes; "absent" when it is missing, with the name in its place
	Tolerated string  // "" = invalid for any reader; else what a tolerant reader does: "read as absent", "item dropped", …
	Def       string  // the innermost named definition, such as "ToolCall"
}

// String writes the finding as one line.
func (f Finding) String() string {
	at := f.Path
	if at == "" {
		at = "the value"
	}
	s := fmt.Sprintf("%s: expected %s, got %s", at, f.Expected, f.Actual)
	if f.Tolerated != "" {
		s += " (" + f.Tolerated + ")"
	}
	return s
}

// Check reads a part strictly against a definition. It returns nil if the part is valid, and otherwise at most five
// findings, one for each cause; those that no reader tolerates come first. A nil part stands for params or a result
// that are absent. Members that no definition names never fail: see UnknownMembers.
// https://agentclientprotocol.com/protocol/v1/schema
func Check(d Definition, part json.RawMessage) []Finding { return firstFive(CheckAll(d, part)) }

// CheckAll is Check with up to fifty findings, for those who look for findings of one kind.
// https://agentclientprotocol.com/protocol/v1/schema
func CheckAll(d Definition, part json.RawMessage) []Finding {
	if d.Edition == nil {
		return []Finding{*internal(d.Name, errors.New("no edition was given"))}
	}
	if d.Edition.valid.has(d.Name, part) {
		return nil
	}
	found := checkAgain(d, part)
	if len(found) == 0 {
		d.Edition.valid.add(d.Name, part)
	}
	return found
}

func firstFive(found []Finding) []Finding { return found[:min(len(found), 5)] }

func checkAgain(d Definition, part json.RawMessage) []Finding {
	def, f := d.Edition.find(d.Name)
	if f != nil {
		return []Finding{*f}
	}
	if len(part) == 0 && d.Kind != Result && len(required(def)) == 0 {
		return nil
	}
	return d.Edition.check(def, d.Name, part)
}

// CheckName reads a value strictly against a definition by its name, such as "ContentBlock", "Error" or "ToolCall".
// https://agentclientprotocol.com/protocol/v1/schema
func (e *Edition) CheckName(name string, part json.RawMessage) []Finding {
	def, f := e.find(name)
	if f != nil {
		return []Finding{*f}
	}
	return firstFive(e.check(def, name, part))
}

func (e *Edition) find(name string) (*node, *Finding) {
	if e == nil {
		return nil, internal(name, errors.New("no such edition"))
	}
	src, err := e.source()
	if err != nil {
		return nil, internal(name, err)
	}
	def := src.nodes[name]
	if def == nil || def.def == "" {
		return nil, internal(name, errors.New("edition "+e.name+" has no such definition"))
	}
	return def, nil
}

func internal(def string, err error) *Finding {
	return &Finding{Problem: Internal, Expected: err.Error(), Actual: "nothing was checked", Def: def}
}

func (e *Edition) check(def *node, name string, part json.RawMessage) (found []Finding) {
	defer func() {
		if r := recover(); r != nil {
			found = []Finding{*internal(name, fmt.Errorf("the check panicked: %v", r))}
		}
	}()
	if len(part) == 0 {
		return []Finding{{Problem: Missing, Expected: whole(def), Actual: "absent", Def: name}}
	}
	v, hides, f := decodeAll(part)
	if f != nil {
		f.Def = name
		return []Finding{*f}
	}
	found = e.judge(def, v, name, len(part))
	if hides {
		found = append(found, hidden(def, v, part)...)
	}
	return found[:min(len(found), maxFindings)]
}

// judge gives the reasons why a value is not valid.
func (e *Edition) judge(def *node, v any, name string, size int) []Finding {
	if def.accepts(v) {
		return nil
	}
	src, err := e.source()
	if err != nil {
		return []Finding{*internal(name, err)}
	}
	if size > largePart {
		// The validator collects every error, of which there may be a million here. It is shown the places that matter.
		found := explained(def, v, name)
		var invalid *jsonschema.ValidationError
		if errors.As(src.validator.validate(name, excerpt(v, found)), &invalid) {
			return found
		}
	}
	err = src.validator.validate(name, v)
	if err == nil {
		return nil
	}
	var invalid *jsonschema.ValidationError
	if !errors.As(err, &invalid) {
		return []Finding{*internal(name, err)}
	}
	return explained(def, v, name)
}

const largePart = 64 << 10 // bytes

// excerpt is a value in which lists keep only the items that findings are about, and their first ones.
func excerpt(v any, found []Finding) any {
	var paths [][]string
	for _, f := range found {
		paths = append(paths, strings.Split(f.Path, "/"))
	}
	return excerptAt(v, paths, 1)
}

const keptItems = 3

func excerptAt(v any, paths [][]string, depth int) any {
	switch v := v.(type) {
	case map[string]any:
		kept := make(map[string]any, len(v))
		for key, sub := range v {
			kept[key] = excerptAt(sub, through(paths, depth, pointer([]string{key})[1:]), depth+1)
		}
		return kept
	case []any:
		var kept []any
		for i, item := range v {
			sub := through(paths, depth, strconv.Itoa(i))
			if i < keptItems || len(sub) > 0 {
				kept = append(kept, excerptAt(item, sub, depth+1))
			}
		}
		return kept
	}
	return v
}

// through are the paths that lead through a member.
func through(paths [][]string, depth int, member string) [][]string {
	var all [][]string
	for _, path := range paths {
		if len(path) > depth && path[depth] == member {
			all = append(all, path)
		}
	}
	return all
}

// explained says in words why a value is not valid.
func explained(def *node, v any, name string) []Finding {
	x := explainer{}
	x.explain(def, v, place{def: name})
	if found := x.findings(); len(found) > 0 {
		return found
	}
	// The explanation must not be weaker than the verdict, whatever keyword a file may use one day.
	return []Finding{{Problem: Shape, Expected: "a valid " + name, Actual: cut(jsonText(v)), Def: name}}
}
