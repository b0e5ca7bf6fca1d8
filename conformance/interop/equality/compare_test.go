package equality

import (
	"encoding/json"
	"fmt"

	"github.com/acp-conform/acp-conform/schemas"
)

// class is what becomes of an instance. They are in order: a later one is worse for the sender.
type class int

const (
	good     class = iota // valid
	repaired              // not valid, and a tolerant reader copes
	refused               // not valid for any reader
)

func (c class) String() string {
	return [...]string{"valid", "tolerated", "invalid"}[c]
}

// comparison is one instance with both verdicts.
type comparison struct {
	official *official
	ours     *schemas.Edition
	def      string
	in       instance

	theirs class
	mine   class
	found  []schemas.Finding
}

// String writes a difference so that it can be looked into.
func (c *comparison) String() string {
	s := fmt.Sprintf("%s %s\n  official: %s, ours: %s\n  %s", c.official.name, c.def, c.theirs, c.mine, c.in.text)
	for _, f := range c.found {
		s += fmt.Sprintf("\n    %s %s", f.Problem, f)
	}
	return s
}

// judge asks the official side. It panics if the evaluator and the validator disagree, because then neither the marks for
// readers nor anything else that rests on it can be believed.
func (o *official) judge(def string, in instance) class {
	n := o.defs[def]
	valid := o.plain[def].Validate(in.value) == nil
	if strict := (evaluator{}); strict.accepts(n, in.value, "") != valid {
		panic(fmt.Sprintf("%s %s: the validator says %v, the evaluator does not\n%s", o.name, def, valid, in.text))
	}
	return o.read(n, in.value, nil)
}

// read gives the class by the evaluator, with some unions decided by their tag.
func (o *official) read(n *node, v any, dispatch map[*node]string) class {
	strict := evaluator{dispatch: dispatch}
	tolerant := evaluator{dispatch: dispatch, tolerant: true}
	switch {
	case strict.accepts(n, v, ""):
		return good
	case tolerant.accepts(n, v, ""):
		return repaired
	}
	return refused
}

func classOf(found []schemas.Finding) class {
	c := good
	for _, f := range found {
		if f.Tolerated == "" {
			return refused
		}
		c = repaired
	}
	return c
}

// compare asks both sides about an instance.
func compare(o *official, ours *schemas.Edition, def string, in instance) *comparison {
	return compareWith(o, ours, def, in, o.judge(def, in))
}

// compareWith asks only our side; the official verdict is known.
func compareWith(o *official, ours *schemas.Edition, def string, in instance, theirs class) *comparison {
	c := &comparison{official: o, ours: ours, def: def, in: in, theirs: theirs}
	c.found = ours.CheckName(def, json.RawMessage(in.text))
	c.mine = classOf(c.found)
	return c
}

// equal reports whether both sides say the same.
func (c *comparison) equal() bool {
	return c.mine == c.theirs
}
