package fuzz

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/acp-conform/acp-conform/conformance/wire"
	"github.com/acp-conform/acp-conform/schemas"
)

// clarity is how sure it is that any reader understands a line of ours.
type clarity int

const (
	// broken: it is no message of JSON-RPC. Whatever the agent makes of it, it is not to blame.
	broken clarity = iota
	// odd: a message, but one that strict readers may refuse as a whole: nested very deep, with half of a surrogate pair, a member
	// that stands twice, a number that no type holds, an id that no client uses, params that JSON-RPC does not have. They may have no
	// id to answer to.
	odd
	// plain: a message that every reader can read, whatever is in its params.
	plain
)

// sent is a line of ours.
type sent struct {
	wire.Envelope
	made    Step
	step    int // its index in the script
	text    []byte
	key     string
	clarity clarity
	owed    bool // it has to be answered, once
	known   bool // the method is one that the agent has, for what kind of message the line is
	valid   bool // the params are valid
	prompt  bool
	named   string    // how later steps call its result
	from    int       // how many lines the agent had written before
	at      time.Time // when it was written
	answers int       // how often it was answered
	excused bool      // an error without an id may have been the answer
	ok      bool      // with a result
	refused bool      // with an error
}

// isOddMessage tells whether strict readers may refuse a message for its id or params: negative ids and those that floats cannot hold
// are integers, and params are an object or an array where they are not left out.
func isOddMessage(e wire.Envelope) bool {
	id, err := strconv.ParseInt(string(e.ID), 10, 64)
	params := e.Params == nil || e.Params[0] == '{' || e.Params[0] == '['
	return err == nil && (id < 0 || id > 1<<53) || !params
}

// longestID is how many bytes an id may have that every reader can keep.
const longestID = 200

// look reads a line of ours as an agent would.
func look(text []byte, step int, e *schemas.Edition) *sent {
	s := &sent{Envelope: wire.Inspect(text), step: step, text: text}
	s.key, s.clarity = keyOf(s.ID), plain
	if s.Broken != wire.Whole || !utf8.Valid(text) {
		s.clarity = broken
	} else if isOdd(text) || isOddMessage(s.Envelope) {
		s.clarity = odd
	}
	if s.Kind != wire.Request && s.Kind != wire.Notification {
		return s
	}
	s.owed = s.clarity != broken && s.Kind == wire.Request && usable(s.ID)
	kind := schemas.Request
	if s.Kind == wire.Notification {
		kind = schemas.Notification
	}
	var def schemas.Definition
	def, s.known = e.Lookup(s.Name, schemas.Client, kind)
	s.valid = s.known && len(schemas.Check(def, s.Params)) == 0
	s.prompt = s.Name == "session/prompt"
	return s
}

// usable tells whether an agent has to be able to give an id back.
func usable(id json.RawMessage) bool {
	if len(id) > longestID || len(id) == 0 || string(id) == "null" {
		return false
	}
	if id[0] == '"' {
		return true
	}
	_, err := strconv.ParseInt(string(id), 10, 64)
	return err == nil
}

const (
	longestResult = 64 << 10 // bytes of a result that are kept for the steps that speak of it
	longestMember = 8 << 10  // bytes of a member of one that is longer
)

// inBrief is a result as it is kept: of a long one those of its members that are short, as names and handles are.
func inBrief(result json.RawMessage) json.RawMessage {
	if len(result) <= longestResult {
		return slices.Clone(result)
	}
	var members map[string]json.RawMessage
	_ = json.Unmarshal(result, &members) // one that is no object has none
	brief, left := map[string]json.RawMessage{}, longestResult
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if n := len(name) + len(members[name]); n <= longestMember && n <= left {
			brief[name], left = members[name], left-n
		}
	}
	b, _ := json.Marshal(brief) // what has been read can be written
	return b
}
