package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf8"
)

// Rung is a step of the ladder that every frame climbs. The first rung that breaks owns the finding.
type Rung int

// The rungs, lowest first. Whole means that none of them broke; the rungs above it (method, shape) need to know the protocol.
const (
	Whole       Rung = iota
	RungUTF8         // the bytes are UTF-8
	RungLine         // the line is one JSON value
	RungObject       // the value is an object
	RungShape        // the object is a request, a notification or a response, and no two of them
	RungVersion      // the member jsonrpc is the string "2.0"
	RungID           // the id is a string or an integer (or null in an error that answers something unreadable)
)

// Kind is what an envelope is.
type Kind string

// The kinds of a message; None where the line is no envelope at all.
const (
	None         Kind = ""
	Request      Kind = "request"
	Notification Kind = "notification"
	Response     Kind = "response"
)

// Envelope is a line taken apart as far as it goes, without losing what the line said: nil means that a member is absent.
type Envelope struct {
	Broken Rung   // the first rung that breaks
	Why    string // what is wrong there, for a person
	Kind   Kind   // as well as can be told, also where a rung broke

	ID, Method, Params, Result, Error, version json.RawMessage
	Name                                       string   // Method, if it is a string
	Extra                                      []string // members that JSON-RPC does not define, in their order

	Array  bool // the line is a JSON array
	Scalar bool // the line is a JSON value, but neither object nor array
	Blank  bool // the line is empty but for white space
	Blob   bool // the line begins like a JSON object or array but is not one whole value
	Inner  bool // junk on the line hides a JSON object
	Deep   bool // the line is nested deeper than anybody reads: whether it is JSON is not known
}

// Key is the id in a form that tells 1 from "1", or "" where there is no usable id.
func (e Envelope) Key() string { return string(e.ID) }

const maxID = 1 << 20 // bytes of an id token that are handed on; whoever has a longer one is not answered

// Inspect takes a line apart. It never fails: what is wrong stands in the envelope.
func Inspect(line []byte) Envelope {
	if !utf8.Valid(line) {
		e := inspect(bytes.ToValidUTF8(line, []byte("\uFFFD")))
		e.Broken, e.Why = RungUTF8, fmt.Sprintf("byte %d of the line does not belong to a UTF-8 character", badByte(line))
		return e
	}
	return inspect(line)
}

func badByte(line []byte) int {
	for i := 0; i < len(line); {
		r, n := utf8.DecodeRune(line[i:])
		if r == utf8.RuneError && n <= 1 {
			return i
		}
		i += n
	}
	return len(line)
}

func inspect(line []byte) Envelope {
	var e Envelope
	text := bytes.TrimSpace(line)
	switch {
	case len(text) == 0:
		e.Blank = true
		e.Broken, e.Why = RungLine, "the line is blank"
		return e
	case !json.Valid(text):
		e.Blob = text[0] == '{' || text[0] == '['
		e.Deep = e.Blob && deeper(text, deepest)
		e.Inner = hidesObject(text)
		e.Broken, e.Why = RungLine, "the line is not one JSON value"
		return e
	case text[0] == '[':
		e.Array = true
		e.Broken, e.Why = RungObject, "the line is a JSON array"
		return e
	case text[0] != '{':
		e.Scalar = true
		e.Broken, e.Why = RungObject, "the line is JSON but not an object"
		return e
	}
	twice := e.members(text)
	e.Kind, e.Broken, e.Why = e.classify(twice)
	return e
}

// deepest is how deep encoding/json reads.
const deepest = 10_000

// deeper tells whether a text that begins like JSON is nested deeper than so many levels.
func deeper(text []byte, most int) bool {
	depth := 0
	for i := 0; i < len(text); {
		switch text[i] {
		case '"':
			i = quoted(text, i)
			continue
		case '{', '[':
			if depth++; depth > most {
				return true
			}
		case '}', ']':
			depth--
		}
		i++
	}
	return false
}

// hidesObject tells whether a message stands behind or before junk on the same line.
func hidesObject(text []byte) bool {
	i := bytes.IndexByte(text, '{')
	if i < 0 {
		return false
	}
	var v map[string]json.RawMessage
	return json.NewDecoder(bytes.NewReader(text[i:])).Decode(&v) == nil && (v["jsonrpc"] != nil || v["method"] != nil)
}

// members fills in the envelope's members by their exact names (encoding/json would ignore case) and returns the names that
// stand more than once.
func (e *Envelope) members(text []byte) (twice []string) {
	seen := make(map[string]bool, 4)
	eachMember(text, func(quoted, value []byte) {
		var key string
		if json.Unmarshal(quoted, &key) != nil {
			return
		}
		if seen[key] {
			twice = append(twice, key)
		}
		seen[key] = true
		e.set(key, value)
	})
	return twice
}

func (e *Envelope) set(key string, v json.RawMessage) {
	switch key {
	case "jsonrpc":
		e.version = v
	case "id":
		e.ID = v
	case "method":
		e.Method = v
		_ = json.Unmarshal(v, &e.Name)
	case "params":
		e.Params = v
	case "result":
		e.Result = v
	case "error":
		e.Error = v
	default:
		e.Extra = append(e.Extra, key)
	}
}

func (e *Envelope) classify(twice []string) (Kind, Rung, string) {
	kind, why := e.kind()
	switch {
	case why != "":
		return kind, RungShape, why
	case len(twice) > 0:
		return kind, RungShape, fmt.Sprintf("the member %q stands more than once", twice[0])
	case string(e.version) != `"2.0"`:
		if e.version == nil {
			return kind, RungVersion, "there is no member jsonrpc"
		}
		return kind, RungVersion, "the member jsonrpc is not the string \"2.0\""
	}
	if why := e.badID(kind); why != "" {
		return kind, RungID, why
	}
	return kind, Whole, ""
}

func (e *Envelope) kind() (Kind, string) {
	switch {
	case e.Method != nil && (e.Result != nil || e.Error != nil):
		return Response, "the object has a method and a result or error as well"
	case e.Method != nil && e.Method[0] != '"':
		return None, "the member method is not a string"
	case e.Method != nil && e.ID != nil:
		return Request, ""
	case e.Method != nil:
		return Notification, ""
	case e.Result != nil && e.Error != nil:
		return Response, "the response has both a result and an error"
	case e.Result != nil || e.Error != nil:
		if e.ID == nil {
			return Response, "the response has no member id"
		}
		return Response, ""
	case e.ID != nil && e.version != nil:
		return Response, "the response has neither a result nor an error"
	}
	return None, "the object is neither a request nor a notification nor a response"
}

func (e *Envelope) badID(kind Kind) string {
	if kind == Notification {
		return ""
	}
	switch {
	case e.ID[0] == '"', isInteger(e.ID):
		return ""
	case string(e.ID) == "null" && kind == Request:
		return "the id of the request is null"
	case string(e.ID) == "null" && e.Error != nil:
		return "" // the answer to something whose id could not be read
	case string(e.ID) == "null":
		return "the id of a successful response is null"
	}
	return "the id is neither a string nor an integer"
}

// isInteger tells whether the token is written as an integer: 7, but not 7.0 or 7e0.
func isInteger(tok []byte) bool {
	return len(tok) > 0 && (tok[0] == '-' || tok[0] >= '0' && tok[0] <= '9') && !bytes.ContainsAny(tok, ".eE")
}

// Digestible tells whether sourcegraph/jsonrpc2 can decode the line and would understand it as we do. Everything else would
// close its connection or be taken for something that it is not.
func (e Envelope) Digestible() bool {
	if e.Broken == RungUTF8 || e.Broken == RungLine || e.Broken == RungObject {
		return false
	}
	switch e.Kind {
	case Notification:
		return true
	case Request, Response:
		var n int64
		if len(e.ID) == 0 || len(e.ID) > maxID || e.ID[0] != '"' && json.Unmarshal(e.ID, &n) != nil {
			return false
		}
		if e.Kind == Request {
			return true
		}
		var re struct {
			Code    int64
			Message string
		}
		return (e.Result != nil) != (e.Error != nil) && e.Method == nil &&
			(e.Error == nil || e.Error[0] == '{' && json.Unmarshal(e.Error, &re) == nil)
	}
	return false
}
