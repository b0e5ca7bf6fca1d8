package equality

import (
	"bytes"
	"encoding/json"
	"math/big"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/acp-conform/acp-conform/schemas"
)

// difference is a difference that is meant, with the reason. It covers exactly the instances that explains accepts, and at
// least one such instance has to come up.
type difference struct {
	name     string
	reason   string
	explains func(c *comparison) bool
	met      atomic.Int64
}

// unions are the listed differences that are about one union each.
var unions = []*difference{
	untagged("AuthMethod", "type"),
	untagged("McpServer", "type"),
	untagged("SetSessionConfigOptionRequest", "type"),
}

var listed = append([]*difference{
	{
		name: "integers written as 1.0, 1e3 or -0",
		reason: "JSON Schema takes 1.0 for an integer. The typed readers of the protocol do not: they read digits, and refuse " +
			"the rest. In version 2 that can also make an elicitation valid, whose second scope has no id that can be read.",
		explains: writtenOtherwise,
	},
	{
		name:     "numbers beyond reason",
		reason:   "A number with an exponent of hundreds takes a validator seconds, so we stop before the value is looked at.",
		explains: beyondLimits,
	},
}, unions...)

// untagged is a union of version 1 whose last branch has no tag: officially an object that names a branch and does not follow
// it is valid as soon as the last branch accepts it, where additional members may be anything.
func untagged(def, tag string) *difference {
	return &difference{
		name: def,
		reason: "An object with the " + tag + " of a branch was meant as that branch. A reader that chooses by " + tag +
			" refuses it, so what is wrong with it is told, although the branch without " + tag + " would accept it.",
		explains: func(c *comparison) bool { return c.official.protocol == 1 && decidedByTag(c, def, tag) },
	}
}

// reasonFor gives the one of these differences that covers a comparison, or nil.
func reasonFor(c *comparison, from []*difference) *difference {
	for _, d := range from {
		if d.explains(c) {
			return d
		}
	}
	return nil
}

// decidedByTag reports whether our verdict is the official one with this union decided by its tag, and is about nothing else.
func decidedByTag(c *comparison, def, tag string) bool {
	n := c.official.defs[def]
	dispatch := map[*node]string{n: tag}
	if c.mine <= c.theirs || n == nil || c.official.read(c.official.defs[c.def], c.in.value, dispatch) != c.mine {
		return false
	}
	e := evaluator{tolerant: c.theirs == repaired, dispatch: dispatch, trace: true}
	if e.accepts(c.official.defs[c.def], c.in.value, ""); len(e.decided) == 0 {
		return false
	}
	for _, f := range c.found {
		if e.tolerant && f.Tolerated != "" {
			continue // what both sides tolerate, elsewhere
		}
		if !slices.ContainsFunc(e.decided, func(at string) bool { return f.Path == at || strings.HasPrefix(f.Path, at+"/") }) {
			return false
		}
	}
	return true
}

// writtenOtherwise reports whether there is no difference once the integers of the instance are written with digits alone.
func writtenOtherwise(c *comparison) bool {
	plain := c.in
	plain.value = plainIntegers(c.in.value)
	if plain.text = encode(plain.value); bytes.Equal(plain.text, c.in.text) {
		return false
	}
	again := compareWith(c.official, c.ours, c.def, plain, c.theirs)
	return again.equal() || reasonFor(again, unions) != nil
}

func plainIntegers(v any) any {
	switch v := v.(type) {
	case map[string]any:
		object := map[string]any{}
		for key, sub := range v {
			object[key] = plainIntegers(sub)
		}
		return object
	case []any:
		list := []any{}
		for _, item := range v {
			list = append(list, plainIntegers(item))
		}
		return list
	case json.Number:
		if x, ok := new(big.Rat).SetString(string(v)); ok && v != huge && x.IsInt() {
			return json.Number(x.Num().String())
		}
	}
	return v
}

func beyondLimits(c *comparison) bool {
	return len(c.found) == 1 && c.found[0].Problem == schemas.Limits && strings.Contains(string(c.in.text), string(huge))
}
