package rules

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/wire"
)

// clientStatusError is what binds a client whose session is gone or was never there.
// See https://agentclientprotocol.com/rfds/session-status#errors.
func clientStatusError() []rule.Rule {
	const bear = "Report the error and stop there, or try again a few times with a pause; never use a session whose resume has failed."
	return clientRules(both,
		rule.Rule{
			ID: "status.client.snapshot-errors", Level: rule.Must, Ref: clientStatusPage("contract"),
			Title:  "a client bears that a session is gone which was active a moment ago",
			Advice: bear,
			Watch:  watchErrors(saysActive, "active"),
		},
		rule.Rule{
			ID: "status.client.lazy-agent", Level: rule.Must, Ref: clientStatusPage("contract"),
			Title:  "a client bears that a session cannot be resumed which was inactive",
			Advice: bear,
			Watch:  watchErrors(saysInactive, "inactive"),
		},
		rule.Rule{
			ID: "status.client.unknown-error", Level: rule.Must, Ref: clientStatusPage("errors"),
			Title:  "a client does not resume a session of its own accord that the agent does not know",
			Advice: "Take -32002 for a session that does not exist: tell the user, and do not resume it.",
			Watch:  watchClient(resumesUnknown(true), unknownEnd(true)),
		},
		rule.Rule{
			ID: "status.client.data-missing-tolerated", Level: rule.Should, Ref: rule.Ref{Page: "schema", Anchor: "Error"},
			Title:  "a client understands -32002 without the data that should be with it",
			Advice: "Decide by the code alone; the data of an error may be missing or be anything.",
			Watch:  watchClient(resumesUnknown(false), unknownEnd(false)),
		},
	)
}

// errorWatch follows the errors that later methods give after an answer of a kind.
type errorWatch struct {
	kind    statusKind
	word    string
	failure *failure
	sent    map[string][]time.Time // of identical requests since the first failure
	told    bool
}

// failure is the last error that the client got.
type failure struct {
	cite []wire.Frame
	acts int
}

// watchErrors makes a watcher for sessions whose status was of a kind.
func watchErrors(kind statusKind, word string) func() rule.Watcher {
	return func() rule.Watcher {
		w := &errorWatch{kind: kind, word: word, sent: map[string][]time.Time{}}
		return watchClient(w.see, w.end)()
	}
}

// What is no patient retry any more.
const (
	retryLimit   = 10 // identical requests within retryWindow
	retryWindow  = 5 * time.Second
	endlessLimit = 3 // identical requests of a client that does not end
)

func (w *errorWatch) see(l *rule.Log, v *clientView, r *rule.Reading) {
	s := v.sessions[r.Session]
	if s == nil {
		return
	}
	switch {
	case r.From == wire.Agent && r.Kind == wire.Response && r.Nth == 1 && r.Error != nil:
		if w.concerns(s, r.Method) {
			w.failure = &failure{r.Cite(), v.acts}
		}
	case r.From == wire.Client && r.Kind == wire.Request && w.failure != nil && r.Method != "session/status":
		w.again(l, r)
		if r.Method == "session/prompt" && s.refused != nil && !s.opening && !s.opened {
			l.Occasion()
			l.Broken(rule.Finding{Why: "the session was " + w.word + ", its resume failed, and the client prompted it all the same",
				Expected: "no prompt", Found: r.Method, Cite: append(s.refused, r.Frame)})
		}
	}
}

// concerns tells whether the error of a method is one that the status did not let the client expect.
func (w *errorWatch) concerns(s *clientSession, method string) bool {
	switch method {
	case "session/load", "session/resume":
		return s.before.kind == w.kind
	case "session/prompt":
		return s.opened && s.before.kind == w.kind && w.kind == saysActive
	}
	return false
}

func (w *errorWatch) again(l *rule.Log, r *rule.Reading) {
	key := r.Method + string(bytes.TrimSpace(r.Params))
	recent := append(w.sent[key], r.At)
	w.sent[key] = recent
	if n := len(recent) - retryLimit; n > 0 && !w.told && r.At.Sub(recent[n-1]) < retryWindow {
		w.told = true
		l.Occasion()
		l.Broken(rule.Finding{Why: fmt.Sprintf("the session was %s, %s failed, and the client sent it more than %d times within %v", w.word, r.Method, retryLimit, retryWindow),
			Expected: "it gives up", Cite: append(w.failure.cite, r.Frame)})
	}
}

func (w *errorWatch) end(l *rule.Log, v *clientView) {
	f := w.failure
	if f == nil {
		return
	}
	endless := false
	for _, sent := range w.sent {
		endless = endless || len(sent) > endlessLimit
	}
	switch {
	case v.died() && v.acts == f.acts:
		l.Occasion()
		l.Broken(rule.Finding{Why: "the session was " + w.word + ", an error followed, and the client came to a bad end at it: " + v.ending(), Expected: "it goes on",
			Cite: append(f.cite, v.last)})
	case v.died() && v.exit.TimeLimit && endless && !w.told:
		l.Occasion()
		l.Broken(rule.Finding{Why: "the session was " + w.word + ", an error followed, and the client sent the same request again and again until its time was over",
			Expected: "it gives up", Cite: append(f.cite, v.last)})
	case v.acts > f.acts || v.exit == nil || v.exit.Well():
		l.Occasion()
	}
}

// named tells whether the error of an answer names its session.
func (a statusAnswer) named(session string) bool {
	e := wire.Inspect(a.cite[len(a.cite)-1].Line).Error
	return wordOf(wire.Member(wire.Member(e, "data"), "sessionId")) == session
}

// resumesUnknown finds a resume of a session that the agent does not know, in a script in which the user does not ask for it.
func resumesUnknown(named bool) func(*rule.Log, *clientView, *rule.Reading) {
	return func(l *rule.Log, v *clientView, r *rule.Reading) {
		s := v.sessions[r.Session]
		if v.script.Actions != "look" || r.From != wire.Client || r.Kind != wire.Request || s == nil || s.answer.kind != saysUnknown || s.answer.named(r.Session) != named {
			return
		}
		if r.Method == "session/resume" || r.Method == "session/load" {
			l.Occasion()
			l.Broken(rule.Finding{Why: "the agent said -32002 about the session, and the client went on to " + r.Method + " without being asked to", Expected: "no resume",
				Found: r.Method, Cite: append(s.answer.cite, r.Frame)})
		}
	}
}

func unknownEnd(named bool) func(*rule.Log, *clientView) {
	return func(l *rule.Log, v *clientView) {
		for _, id := range slices.Sorted(maps.Keys(v.sessions)) {
			s := v.sessions[id]
			if s.answer.kind != saysUnknown || s.answer.named(id) != named || v.script.Actions != "look" {
				continue
			}
			switch {
			case v.fell(s.answer):
				l.Occasion()
				l.Broken(rule.Finding{Why: "the agent said -32002 about the session, and the client came to a bad end at it: " + v.ending(), Expected: "it goes on",
					Cite: append(s.answer.cite, v.last)})
			case v.wentOn(s.answer):
				l.Occasion()
			}
		}
	}
}
