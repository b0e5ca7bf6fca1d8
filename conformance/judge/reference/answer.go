package reference

import (
	"encoding/json"

	"github.com/acp-conform/acp-conform/conformance/client"
	"github.com/acp-conform/acp-conform/conformance/wire"
)

// kind is what an answer to session/status says.
type kind int

const (
	untold kind = iota
	active
	inactive
	other     // a word that the client does not know
	malformed // a result without a word
	unknown   // there is no such session
	failed    // another error, or no answer
)

// answer is an answer to session/status.
type answer struct {
	client.Answer
	kind  kind
	state json.RawMessage // nil where there is none
	data  json.RawMessage // of the error
	id    string          // of the session that was asked about
}

func (r *run) read(a client.Answer) answer {
	got := answer{Answer: a, id: textOf(wire.Member(wire.Inspect(a.Request.Line).Params, "sessionId"))}
	word := wire.Member(a.Result, "status")
	switch {
	case a.Err != nil && a.Err.Code == client.CodeNotFound:
		got.kind, got.data = unknown, a.Err.Data
	case !a.OK():
		got.kind = failed
	case len(word) == 0 || word[0] != '"':
		got.kind = malformed
	case textOf(word) == r.Words[0]:
		got.kind, got.state = active, wire.Member(a.Result, "state")
	case textOf(word) == r.Words[1]:
		got.kind = inactive
	default:
		got.kind = other
	}
	return got
}

// said is the answer in a word, for the user.
func (a answer) said() string {
	switch a.kind {
	case active:
		return "active"
	case inactive, other:
		return "inactive" // a word that the client does not know counts as that
	case unknown:
		return "unknown"
	}
	return ""
}

// named tells whether an error names the session that was asked about.
func (a answer) named() bool { return textOf(wire.Member(a.data, "sessionId")) == a.id }

// tag is the state of an answer, "" where none is reported.
func (a answer) tag() string { return textOf(wire.Member(a.state, "state")) }

// knownState is a state that the client knows, else unknown.
func knownState(raw json.RawMessage) string {
	switch s := textOf(raw); s {
	case "idle", "running", "requires_action":
		return s
	}
	return "unknown"
}

func textOf(raw json.RawMessage) string {
	var s string
	_ = json.Unmarshal(raw, &s)
	return s
}
