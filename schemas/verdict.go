package schemas

import (
	"bytes"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// base is the address of the definitions while they refer to each other; nothing is ever fetched.
const base = "acp://schemas/"

// validator gives the verdict on values that are not accepted at first sight. It compiles a definition, and what that
// refers to, when it is first asked for.
type validator struct {
	defs     map[string]any
	plain    bool // the files are our own, and use nothing that draft 7 does not know
	mu       sync.Mutex
	compiler *jsonschema.Compiler
	done     map[string]*jsonschema.Schema
	broken   error // the compiler takes what it refused once for good afterwards, so the first error stands
}

// newValidator prepares nothing yet: a run in which everything is valid never needs the compiler.
func newValidator(defs map[string]any, plain bool) *validator {
	return &validator{defs: defs, plain: plain, done: map[string]*jsonschema.Schema{}}
}

// prepare makes every definition a document of its own, so that only what is used is ever compiled.
func (v *validator) prepare() error {
	if v.compiler != nil {
		return nil
	}
	v.compiler = newCompiler()
	if v.plain {
		v.compiler.Draft = jsonschema.Draft7
	}
	for _, name := range sortedKeys(v.defs) {
		def := v.defs[name]
		if v.plain {
			def = seventh(def)
		}
		text, err := json.Marshal(def)
		if err != nil {
			return err
		}
		if err := v.compiler.AddResource(base+name, bytes.NewReader(text)); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// seventh writes a schema so that it means the same in draft 7, whose schema of schemas is checked in half the time. There a
// reference stands alone; our files use nothing else that came later.
func seventh(v any) any {
	switch v := v.(type) {
	case []any:
		list := make([]any, len(v))
		for i, item := range v {
			list[i] = seventh(item)
		}
		return list
	case map[string]any:
		object := make(map[string]any, len(v))
		for key, sub := range v {
			object[key] = seventh(sub)
		}
		if ref, ok := object["$ref"].(string); ok && len(object) > 1 {
			delete(object, "$ref")
			return map[string]any{"allOf": []any{map[string]any{"$ref": ref}, object}}
		}
		return object
	}
	return v
}

func newCompiler() *jsonschema.Compiler {
	c := jsonschema.NewCompiler()
	c.AssertFormat = true
	// What a string means beyond its type is told by Texts, and never makes a part invalid.
	for text := range jsonschema.Formats {
		c.Formats[text] = func(any) bool { return true }
	}
	for text := range textChecks {
		c.Formats[text] = func(any) bool { return true }
	}
	for name, r := range integerRanges {
		c.Formats[name] = func(v any) bool {
			n, ok := v.(json.Number)
			return !ok || (r.contains(n) && plainInteger(n))
		}
	}
	c.RegisterExtension(switchKeyword, nil, switchCompiler{})
	return c
}

// A file of somebody else's may make the compiler panic; that is an error like any other.
func (v *validator) compile(name string) (s *jsonschema.Schema, err error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if s := v.done[name]; s != nil || v.broken != nil {
		return s, v.broken
	}
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%s cannot be compiled: %v", name, r)
		}
		v.broken = err
	}()
	if err := v.prepare(); err != nil {
		return nil, err
	}
	if s, err = v.compiler.Compile(base + name); err != nil {
		// The text alone: inside is an error of validation, which must not pass for one of a message.
		return nil, fmt.Errorf("%s cannot be compiled: %v", name, err)
	}
	v.done[name] = s
	return s, nil
}

// validate tells what a definition says of a value.
func (v *validator) validate(name string, value any) error {
	s, err := v.compile(name)
	if err != nil {
		return err
	}
	return validate(s, value)
}

// validate turns a panic of the validator into an error: a message must never end the run that judges it.
func validate(s *jsonschema.Schema, v any) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the validator panicked: %v", r)
		}
	}()
	return s.Validate(v)
}

// switchSchema is x-acp-switch for the validator.
type switchSchema struct {
	member    string
	cases     map[string]*jsonschema.Schema
	otherwise *jsonschema.Schema
}

// Validate implements jsonschema.ExtSchema.
func (s *switchSchema) Validate(ctx jsonschema.ValidationContext, v any) error {
	object, ok := v.(map[string]any)
	if !ok {
		return nil
	}
	tag, _ := object[s.member].(string)
	sub, at := s.cases[tag], "cases/"+tag
	if sub == nil {
		sub, at = s.otherwise, "else"
	}
	if sub == nil {
		return ctx.Error(switchKeyword, "%q chooses no branch", s.member)
	}
	return ctx.Validate(sub, switchKeyword+"/"+at, v, "")
}

type switchCompiler struct{}

// Compile implements jsonschema.ExtCompiler.
func (switchCompiler) Compile(ctx jsonschema.CompilerContext, m map[string]any) (jsonschema.ExtSchema, error) {
	raw, ok := m[switchKeyword].(map[string]any)
	if !ok {
		return nil, nil
	}
	s := &switchSchema{cases: map[string]*jsonschema.Schema{}}
	s.member, _ = raw["on"].(string)
	cases, _ := raw["cases"].(map[string]any)
	for _, tag := range sortedKeys(cases) {
		sub, err := ctx.Compile(switchKeyword+"/cases/"+tag, true)
		if err != nil {
			return nil, err
		}
		s.cases[tag] = sub
	}
	if _, ok := raw["else"]; ok {
		sub, err := ctx.Compile(switchKeyword+"/else", true)
		if err != nil {
			return nil, err
		}
		s.otherwise = sub
	}
	return s, nil
}
