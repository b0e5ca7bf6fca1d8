package rules

import (
	"encoding/json"
	"time"

	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/wire"
)

// statusKind is what an answer to session/status says.
type statusKind int

const (
	saysNothing statusKind = iota
	saysActive
	saysInactive
	saysOther     // a string that this client cannot know
	saysMalformed // a result without a status
	saysUnknown   // there is no such session
	saysError
)

// stateKind is what a status says of the foreground.
type stateKind int

const (
	stateNone stateKind = iota // absent, null or malformed: nothing is reported
	stateOdd                   // a string that this client cannot know
	stateIdle
	stateBusy // running or requires_action
)

// statusAnswer is an answer to session/status.
type statusAnswer struct {
	kind  statusKind
	state stateKind
	raw   json.RawMessage // of the state
	own   bool            // the connection had opened the session, or was about to
	cite  []wire.Frame
	acts  int // what the client had done by then
	steps int // and what it had printed
	at    time.Time
}

func (v *clientView) kindOf(r *rule.Reading) statusKind {
	if r.Result == nil {
		if string(wire.Member(r.Error, "code")) == "-32002" {
			return saysUnknown
		}
		return saysError
	}
	raw := wire.Member(r.Result, "status")
	if len(raw) == 0 || raw[0] != '"' {
		return saysMalformed
	}
	switch word := wordOf(raw); {
	case word == v.script.Active && word != "":
		return saysActive
	case word == v.script.Inactive && word != "":
		return saysInactive
	case v.script.Active == "" && (word == "active" || word == "open"):
		return saysActive
	case v.script.Active == "" && (word == "inactive" || word == "saved"):
		return saysInactive
	}
	return saysOther
}

func stateOf(raw json.RawMessage) stateKind {
	tag := wire.Member(raw, "state")
	if len(tag) == 0 || tag[0] != '"' {
		return stateNone
	}
	switch wordOf(tag) {
	case "idle":
		return stateIdle
	case "running", "requires_action":
		return stateBusy
	}
	return stateOdd
}

// gotAnswer tells whether the client has got such an answer, about any session, and gives the first.
func (v *clientView) gotAnswer(is func(statusAnswer) bool) (statusAnswer, bool) {
	var first statusAnswer
	for _, s := range v.sessions {
		for _, a := range s.told {
			if is(a) && (first.at.IsZero() || a.at.Before(first.at)) {
				first = a
			}
		}
	}
	return first, !first.at.IsZero()
}

// broke tells whether the client came to a bad end right after an answer, which it does not where nothing is odd: what is odd
// about the answer is the cause.
func (v *clientView) broke(a statusAnswer) bool { return v.script.Control.Well && v.fell(a) }

// fell tells whether the client came to a bad end right after an answer: it did nothing any more but ask for the status.
func (v *clientView) fell(a statusAnswer) bool { return v.died() && v.acts == a.acts }

// died tells whether the client came to a bad end, which is not how it always ends.
func (v *clientView) died() bool {
	return v.exit != nil && !v.exit.Well() && v.script.Control.Ends && v.script.Last
}

// wentOn tells whether the client did or said something after an answer, or came to a good end.
func (v *clientView) wentOn(a statusAnswer) bool {
	return v.acts > a.acts || v.steps > a.steps || v.exit == nil || v.exit.Well()
}

// ending says how the client ended, for a person.
func (v *clientView) ending() string {
	if v.exit == nil {
		return "nothing is known of its end"
	}
	how := v.exit.How()
	if !v.script.Control.Well {
		how += ", and it comes to a bad end where nothing is odd, too"
	}
	return how + tail(v.exit.Stderr)
}

func tail(stderr string) string {
	if stderr == "" {
		return ""
	}
	return "; the end of its stderr: " + stderr
}

// wordOf reads a JSON string: "" where it is none.
func wordOf(raw json.RawMessage) string {
	s, _ := text(raw)
	return s
}
