package schemas

import (
	"encoding/json"
	"strconv"
	"unicode/utf8"
)

// A node accepts valid values at a fraction of the validator's cost, because it neither builds paths and errors nor
// converts numbers, and nearly every part that an agent sends is valid. It never has the last word: what it does not
// accept goes to the validator, so that it may be ignorant, and an unknown keyword only makes it slower. That what it
// does accept is valid is compared with the validator in the tests.

const (
	isNull = 1 << iota
	isBoolean
	isString
	isArray
	isObject
	isInteger
	isNumber
)

var typeBits = map[string]int{
	"null": isNull, "boolean": isBoolean, "string": isString, "array": isArray, "object": isObject,
	"integer": isInteger, "number": isNumber | isInteger,
}

func bitsOf(types []string) int {
	if types == nil {
		return isNull | isBoolean | isString | isArray | isObject | isInteger | isNumber
	}
	bits := 0
	for _, t := range types {
		bits |= typeBits[t]
	}
	return bits
}

// accepts reports true only for a value that is valid.
func (n *node) accepts(v any) bool {
	if n.unsure || !n.acceptsAlone(v) || n.ref != nil && !n.ref.accepts(v) {
		return false
	}
	for _, sub := range n.allOf {
		if !sub.accepts(v) {
			return false
		}
	}
	if len(n.anyOf) == 0 {
		return true
	}
	if object, ok := v.(map[string]any); ok && n.tag != "" {
		value, _ := object[n.tag].(string)
		if branch := n.tagged[value]; branch != nil {
			return branch.accepts(v)
		}
	}
	for _, sub := range n.anyOf {
		if sub.accepts(v) {
			return true
		}
	}
	return false
}

// acceptsAlone leaves out what other schemas say of the value.
func (n *node) acceptsAlone(v any) bool {
	switch v := v.(type) {
	case nil:
		return n.bits&isNull != 0 && len(n.listed) == 0
	case bool:
		return n.bits&isBoolean != 0 && len(n.listed) == 0
	case string:
		return n.bits&isString != 0 && n.acceptsText(v)
	case json.Number:
		return len(n.listed) == 0 && n.acceptsNumber(string(v))
	case []any:
		return n.bits&isArray != 0 && len(n.listed) == 0 && n.acceptsList(v)
	case map[string]any:
		return n.bits&isObject != 0 && len(n.listed) == 0 && n.acceptsObject(v)
	}
	return false
}

func (n *node) acceptsText(s string) bool {
	if n.minLength > len(s) || n.minLength > 1 && n.minLength > utf8.RuneCountInString(s) {
		return false
	}
	for _, v := range n.listed {
		if v == s {
			return true
		}
	}
	return len(n.listed) == 0
}

// acceptsNumber knows integers that fit into 64 bits and are written with digits alone, and numbers without a range; the
// rest is the validator's.
func (n *node) acceptsNumber(token string) bool {
	if n.minimum != nil || n.maximum != nil {
		return false
	}
	if n.integers == "" && n.bits&isNumber != 0 {
		return true
	}
	if n.bits&isInteger == 0 || !plainInteger(json.Number(token)) {
		return false
	}
	switch n.integers {
	case "":
		return true
	case "int64", "int32", "int16", "int8":
		_, err := strconv.ParseInt(token, 10, integerBits[n.integers])
		return err == nil
	}
	_, err := strconv.ParseUint(token, 10, integerBits[n.integers])
	return err == nil
}

var integerBits = map[string]int{"uint8": 8, "int8": 8, "int16": 16, "uint16": 16, "uint32": 32, "uint64": 64, "int32": 32, "int64": 64}

func (n *node) acceptsList(list []any) bool {
	if n.minItems > len(list) {
		return false
	}
	if n.items != nil {
		for _, item := range list {
			if !n.items.accepts(item) {
				return false
			}
		}
	}
	return true
}

func (n *node) acceptsObject(object map[string]any) bool {
	for _, key := range n.required {
		if _, ok := object[key]; !ok {
			return false
		}
	}
	for key, v := range object {
		sub, listed := n.properties[key]
		if !listed {
			sub = n.extra
		}
		if sub != nil && !sub.accepts(v) {
			return false
		}
	}
	if n.sw == nil {
		return true
	}
	branch := n.sw.branch(object)
	return branch != nil && branch.accepts(object)
}
