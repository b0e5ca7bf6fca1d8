package schemas

import (
	"fmt"
)

// The keywords of our own.
const (
	// switchKeyword holds on (a member), cases (value of the member: schema) and else (a schema for any other value,
	// or for none). Without else, another value is invalid.
	switchKeyword = "x-acp-switch"
	// readerKeyword is default (a reader takes the default of the schema, or absence, for a value that is not valid),
	// valid-items (a reader drops items that are not valid), skip-items (both) or null-is-empty (a reader takes null
	// for an empty list or map, and refuses anything else).
	readerKeyword = "x-reader"
	// textKeyword says what a string is, beyond its type; namesKeyword lists the protocol's own values of an open
	// string. Neither makes a part invalid: see Texts.
	textKeyword  = "x-text"
	namesKeyword = "x-names"
)

// The keywords with which the published files say what x-reader says in ours.
const (
	defaultOnError = "x-deserialize-default-on-error"
	skipItems      = "x-deserialize-skip-invalid-items"
	defaultOnNull  = "x-deserialize-default-on-null"
)

// switchOn picks the branch of a union by the value of one member, so that a message fails for what is wrong in the
// branch it chose, and not once for each branch it did not choose.
type switchOn struct {
	member    string
	cases     map[string]*node
	names     []string // of the cases, sorted
	otherwise *node
}

// branch returns the schema for an object, or nil if its discriminator chooses none.
func (s *switchOn) branch(object map[string]any) *node {
	tag, _ := object[s.member].(string)
	if sub := s.cases[tag]; sub != nil {
		return sub
	}
	return s.otherwise
}

// reader says what the receiver does with a value that is not valid here. It never makes a value valid.
type reader struct {
	wrong string // any invalid value
	null  string // null only
	item  string // an invalid item of the list
}

func readerOf(schema map[string]any) (*reader, error) {
	onError, items, onNull := schema[defaultOnError] == true, schema[skipItems] == true, schema[defaultOnNull] == true
	switch mode := schema[readerKeyword]; mode {
	case nil:
	case "default":
		onError = true
	case "valid-items":
		items = true
	case "skip-items":
		onError, items = true, true
	case "null-is-empty":
		onNull = true
	default:
		return nil, fmt.Errorf("unknown value %v", mode)
	}
	if !onError && !items && !onNull {
		return nil, nil
	}
	r := &reader{}
	if onError {
		r.wrong = "read as absent"
		if def, ok := schema["default"]; ok {
			r.wrong = "read as " + jsonText(def)
		}
	}
	if items {
		r.item = "item dropped"
	}
	if onNull {
		r.null = "null read as []"
		if schema["type"] == "object" {
			r.null = "null read as {}"
		}
	}
	return r, nil
}

// meaning is what a string is beyond its type.
type meaning struct {
	text  string   // a key of textChecks
	names []string // the protocol's own values of an open string
}

// meaningOf reads what a schema says of a string. The published files say it with format and contentEncoding.
func meaningOf(schema map[string]any) (meaning, error) {
	meant := meaning{names: stringsOf(schema[namesKeyword])}
	for _, key := range []string{textKeyword, "format", "contentEncoding"} {
		text, _ := schema[key].(string)
		if _, known := textChecks[text]; known {
			meant.text = text
		} else if key == textKeyword && schema[key] != nil {
			return meant, fmt.Errorf("%s has the unknown value %v", key, schema[key])
		}
	}
	return meant, nil
}
