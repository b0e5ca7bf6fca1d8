package client

import (
	"encoding/json"
	"slices"

	"github.com/acp-conform/acp-conform/conformance/wire"
)

// Standing is what an answer to session/status says about a session, whatever words it uses.
// See https://agentclientprotocol.com/rfds/session-status#status-values.
type Standing int

// The standings.
const (
	Unsaid   Standing = iota // no answer, or one that says nothing about the session: another error, a result without a word
	Active                   // in memory
	Inactive                 // known, and not in memory
	Unknown                  // error -32002: the agent does not know it
	Other                    // a word of neither vocabulary
)

func (s Standing) String() string {
	return [...]string{"nothing that can be read", "active", "inactive", "unknown (error -32002)", "another word"}[s]
}

// Vocabulary is a pair of words of session/status: for a session in memory, and for one that is only known.
type Vocabulary struct{ Name, Active, Inactive string }

// Vocabularies are the words of the proposal, which are ours, and those of the schema that was published after it.
func Vocabularies() []Vocabulary {
	return []Vocabulary{{"active", "active", "inactive"}, {"open", "open", "saved"}}
}

// VocabularyOf is the vocabulary that a word belongs to; ok is false where it belongs to none.
func VocabularyOf(word string) (v Vocabulary, ok bool) {
	all := Vocabularies()
	i := slices.IndexFunc(all, func(v Vocabulary) bool { return v.Active == word || v.Inactive == word })
	if i < 0 {
		return v, false
	}
	return all[i], true
}

// Status is an answer to session/status.
type Status struct {
	Answer
	ID   string // the session that was asked for
	Word string // the status, "" where there is none
	Standing
}

// Status asks for the status of a session. See https://agentclientprotocol.com/rfds/session-status.
func (c *Client) Status(id string) Status {
	return ReadStatus(id, c.Checked("session/status", StatusParams(id)))
}

// StatusParams are the params of session/status.
func StatusParams(id string) map[string]any { return map[string]any{"sessionId": id} }

// Status asks for the status of the session.
func (s *Session) Status() Status { return s.c.Status(s.ID) }

// ReadStatus reads an answer to session/status.
func ReadStatus(id string, a Answer) Status {
	s := Status{Answer: a, ID: id}
	s.Word, s.Standing = ReadStanding(a)
	return s
}

// ReadStanding reads the word of an answer to session/status, and what it says.
func ReadStanding(a Answer) (string, Standing) {
	switch {
	case a.State != Met:
		return "", Unsaid
	case a.Err != nil && a.Err.Code == CodeNotFound:
		return "", Unknown
	case a.Err != nil || a.Result == nil:
		return "", Unsaid
	}
	var word string
	if raw := wire.Member(a.Result, "status"); raw == nil || json.Unmarshal(raw, &word) != nil || string(raw) == "null" {
		return "", Unsaid
	}
	v, ok := VocabularyOf(word)
	switch {
	case !ok:
		return word, Other
	case v.Active == word:
		return word, Active
	}
	return word, Inactive
}

// Said is what the answer says, for a person, with the lines that carry it.
func (s Status) Said() Value {
	if s.Word != "" {
		return s.Is(s.Word)
	}
	return s.Is(s.String())
}

// String says how the request was answered, for a person.
func (s Status) String() string {
	if s.Word != "" {
		return s.Word
	}
	return s.Answer.String()
}
