package rules

import (
	"fmt"
	"slices"
	"time"

	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/wire"
)

// clientStatus is what binds a client that asks for the status of sessions, apart from errors and foreground states.
// See https://agentclientprotocol.com/rfds/session-status.
func clientStatus() []rule.Rule {
	return clientRules(both,
		rule.Rule{
			ID: "status.client.gate", Level: rule.Must, Ref: clientStatusPage("capability"),
			Title:  "a client asks for the status of a session only where the agent advertises session/status",
			Advice: "Look for the capability in the answer to initialize before session/status is called, and use the list or a resume where it is missing.",
			Watch:  watchClient(gateSee, gateEnd),
		},
		rule.Rule{
			ID: "status.client.invalid-marker", Level: rule.Must, Ref: clientStatusPage("capability"),
			Title:  "a client takes a capability for session/status that is not an object for no support, and any object for support",
			Advice: "Test whether the capability is a JSON object: true, a string, a number, null and an array mean that the method is not supported.",
			Watch:  watchClient(markerSee, markerEnd),
		},
		rule.Rule{
			ID: "status.client.marker-sibling-isolation", Level: rule.Should, Ref: rule.Ref{Page: "schema", Anchor: "SessionCapabilities"},
			Title:  "a client goes on using the other capabilities of sessions when that of session/status is invalid",
			Advice: "Read each capability for itself, so that one that is invalid counts as absent and the others stay.",
			Watch:  watchClient(nil, siblingsEnd),
		},
		rule.Rule{
			ID: "status.client.unknown-value", Level: rule.Must, Ref: clientStatusPage("status-values"),
			Title:  "a client treats a status that it does not know as inactive: it resumes the session before it uses it",
			Advice: "Let every status but the one for a session in memory take the path of inactive: resume or load first.",
			Watch:  watchClient(unknownValueSee, nil),
		},
		rule.Rule{
			ID: "status.client.unknown-value-no-crash", Level: rule.Must, Ref: rule.Ref{Page: "schema", Anchor: "SessionStatus"},
			Title:  "a client can read an answer whose status it does not know, and goes on",
			Advice: "Decode the status as an open string, not as a closed list of words.",
			Watch:  watchClient(unknownCrashSee, crashEnd(saysOther, "a status that it does not know")),
		},
		rule.Rule{
			ID: "status.client.non-string-status", Level: rule.Should, Ref: rule.Ref{Page: "schema", Anchor: "SessionStatusResponse"},
			Title:  "a client does not take an answer without a status for a session in memory, and goes on",
			Advice: "Report an answer whose status is missing or no string as an error, and resume the session before it is used.",
			Watch:  watchClient(usedUnopened(saysMalformed, "the answer to session/status had no status, and the client used the session without a resume"), crashEnd(saysMalformed, "an answer without a status")),
		},
		rule.Rule{
			ID: "status.client.resume-before-prompt", Level: rule.Must, Ref: clientStatusPage("status-values"),
			Title:  "a client loads or resumes a session that its connection has not opened before it sends a prompt",
			Advice: "Keep, for each connection, the sessions that it has made, loaded or resumed; active in an answer says nothing of your connection.",
			Watch:  watchClient(resumeFirstSee, nil),
		},
		rule.Rule{
			ID: "status.client.result-by-id", Level: rule.Must, Ref: rule.Ref{Page: "overview", Anchor: "error-handling"},
			Title:  "a client gives each answer to the request whose id it has, in whatever order the answers come",
			Advice: "Look up the pending request by the id of the response; never assume that answers come in the order of the requests.",
			Watch:  watchClient(byIDSee, nil),
		},
		rule.Rule{
			ID: "status.client.no-probe-storm", Level: rule.Should, Ref: clientStatusPage("contract"),
			Title:  "a client does not ask for the status of a session without a pause",
			Advice: "Ask when somebody needs to know, or at intervals of a second and more.",
			Watch:  func() rule.Watcher { s := storm{}; return watchClient(s.see, nil)() },
		},
	)
}

// clientRules fills in what all rules about clients have in common.
func clientRules(versions []int, all ...rule.Rule) []rule.Rule {
	for i := range all {
		r := &all[i]
		r.Subject, r.Basis, r.Stability, r.Occasion = rule.Client, rule.Stated, rule.Unstable, rule.ClientsChoice
		if r.Versions == nil {
			r.Versions = versions
		}
	}
	return all
}

func clientStatusPage(anchor string) rule.Ref {
	return rule.Ref{Page: "rfds/session-status", Anchor: anchor}
}

// clientAsks tells whether the client asks for the status of a session.
func clientAsks(r *rule.Reading) bool {
	return r.From == wire.Client && r.Kind == wire.Request && r.Method == "session/status"
}

func gateSee(l *rule.Log, v *clientView, r *rule.Reading) {
	switch {
	case !clientAsks(r):
	case !v.initialized:
		l.Broken(rule.Finding{Why: "the client asked for the status of a session before it knew the capabilities of the agent", Cite: []wire.Frame{r.Frame}})
	case v.absent():
		l.Broken(rule.Finding{Why: "the client asked for the status of a session, and the agent does not advertise session/status", Expected: "no session/status",
			Found: "session/status", Cite: append(v.handshake, r.Frame)})
	}
}

// gateEnd counts a chance only for a client that would have asked.
func gateEnd(l *rule.Log, v *clientView) {
	if v.initialized && v.absent() && v.acted && v.script.Control.Sends("session/status") {
		l.Occasion()
	}
}

func markerSee(l *rule.Log, v *clientView, r *rule.Reading) {
	if clientAsks(r) && v.initialized && !v.absent() && !v.supported() {
		l.Broken(rule.Finding{Why: "the client asked for the status of a session, and the capability of the agent for that is not an object, which means that it is not supported",
			Expected: "no session/status", Found: "session/status with the capability " + string(v.marker), Cite: append(v.handshake, r.Frame)})
	}
}

// markerEnd also looks at odd capabilities that are support. A client need not ask there, but one that asks where the
// capability is plain has read the odd one too strictly.
func markerEnd(l *rule.Log, v *clientView) {
	if !v.initialized || v.absent() || !v.acted || !v.script.Control.Sends("session/status") {
		return
	}
	switch asked := v.script.Here.Sends("session/status"); {
	case string(v.marker) == "{}": // nothing is odd
	case !v.supported() || asked:
		l.Occasion()
	case !v.script.Here.Well:
	case len(wire.Member(v.marker, "_meta")) > 0 && wire.Member(v.marker, "_meta")[0] != '{':
		l.Note(rule.Finding{Why: "the client does not ask where the capability is " + string(v.marker) + ", which counts as support", Cite: v.handshake})
	default:
		l.Soft(rule.Finding{Why: "the client asks for the status of sessions where the capability is {}, and not where it is " + string(v.marker) + ", which is support as well",
			Expected: "session/status", Found: "none", Cite: v.handshake, Mild: "a client need not ask"})
	}
}

// siblings are the requests that depend on a capability beside that of session/status.
func siblings(version int) []string {
	if version == 1 {
		return []string{"session/list", "session/resume", "session/delete"}
	}
	return []string{"session/delete"}
}

func siblingsEnd(l *rule.Log, v *clientView) {
	if !v.initialized || v.absent() || v.supported() || !v.script.Last || !v.script.Here.Well {
		return
	}
	for _, method := range siblings(v.version) {
		marker := wire.Member(v.caps, method[len("session/"):])
		if len(marker) == 0 || marker[0] != '{' || !v.script.Control.Sends(method) {
			continue
		}
		l.Occasion()
		if !v.script.Here.Sends(method) {
			l.Broken(rule.Finding{Why: fmt.Sprintf("the client uses %s elsewhere, and not where the capability for session/status is %s, although the one for %[1]s is as ever", method, v.marker),
				Expected: method, Found: "none", Cite: v.handshake})
		}
	}
}

// sessionUses are the messages about a session that only a connection may send that has opened it.
var sessionUses = []string{"session/prompt", "session/set_mode", "session/set_config_option", "session/cancel"}

// usedUnopened finds the use of a session that is not open here, after an answer of a kind.
func usedUnopened(kind statusKind, why string) func(*rule.Log, *clientView, *rule.Reading) {
	return func(l *rule.Log, v *clientView, r *rule.Reading) {
		s := v.sessions[r.Session]
		if r.From != wire.Client || s == nil || s.answer.kind != kind || s.opened || r.Kind == wire.Response {
			return
		}
		switch {
		case r.Method == "session/resume" || r.Method == "session/load":
			l.Occasion()
		case slices.Contains(sessionUses, r.Method) && !s.opening && s.refused == nil:
			l.Occasion()
			l.Broken(rule.Finding{Why: why, Expected: "session/resume or session/load first", Found: r.Method, Cite: append(s.answer.cite, r.Frame)})
		}
	}
}

func unknownValueSee(l *rule.Log, v *clientView, r *rule.Reading) {
	usedUnopened(saysOther, "the status of the session was one that no client knows, and the client used it without a resume")(l, v, r)
}

func unknownCrashSee(l *rule.Log, v *clientView, r *rule.Reading) {
	if v.step == nil || v.step.Step != "status" {
		return
	}
	if s := v.shownSession(v.step); s != nil && s.answer.kind == saysOther && s.asking == 0 && len(s.answers) == 1 && v.step.Failed() {
		l.Soft(rule.Finding{Why: "the client told its user of an error where the answer was good and had a status that it does not know",
			Expected: "no error", Found: v.step.Error, Cite: append(s.answer.cite, r.Frame), Mild: "it went on, and may say what it makes of the word"})
	}
}

// crashEnd finds a client that comes to a bad end at an answer of a kind.
func crashEnd(kind statusKind, what string) func(*rule.Log, *clientView) {
	return func(l *rule.Log, v *clientView) {
		a, ok := v.gotAnswer(func(a statusAnswer) bool { return a.kind == kind })
		last, _ := v.latest(kind)
		switch {
		case !ok:
		case !last.at.IsZero() && v.fell(last):
			l.Occasion()
			l.Broken(rule.Finding{Why: "the client came to a bad end at " + what + ": " + v.ending(), Expected: "it goes on", Cite: append(last.cite, v.last)})
		case v.wentOn(a):
			l.Occasion()
		}
	}
}

func resumeFirstSee(l *rule.Log, v *clientView, r *rule.Reading) {
	if r.From != wire.Client || r.Kind != wire.Request || r.Method != "session/prompt" || r.Session == "" {
		return
	}
	s := v.sessions[r.Session]
	switch {
	case s == nil:
		s = &clientSession{}
	case (s.opened || s.opening) && s.tempted:
		l.Occasion()
		return
	case s.opened || s.opening || s.refused != nil:
		return // what comes after a resume that failed is the affair of the rules about errors
	}
	if s.answer.kind == saysOther || s.answer.kind == saysMalformed {
		return // those are judged by rules of their own
	}
	l.Occasion()
	l.Broken(rule.Finding{Why: "the client prompted a session that its connection has neither made nor loaded nor resumed",
		Expected: "session/resume or session/load first", Found: r.Method, Cite: append(s.answer.cite, r.Frame)})
}

// byIDSee compares what the client shows with its answer, where answers came in another order than the requests.
func byIDSee(l *rule.Log, v *clientView, r *rule.Reading) {
	if v.step == nil || v.step.Step != "status" || v.script.Actions != "many" {
		return
	}
	s := v.sessions[v.step.SessionID]
	if s == nil || len(s.told) != 1 || s.asking > 0 || !v.reordered {
		return
	}
	status := meant(v.step.Status)
	if s.answer.kind == saysActive && !v.script.Control.Knows {
		status = saysNothing // to a client that does not know the word it is right to take the session for inactive
	}
	wrong := status != saysNothing && status != s.answer.kind
	if state := wordOf(wire.Member(s.answer.raw, "state")); s.answer.state >= stateIdle && !s.reported && v.step.Shown != "" && v.step.Shown != "unknown" {
		wrong = wrong || v.step.Shown != state
		status = s.answer.kind
	}
	if status == saysNothing {
		return
	}
	l.Occasion()
	if wrong {
		l.Broken(rule.Finding{Why: "what the client shows of the session is not what the answer with the id of its request said",
			Expected: string(s.answer.cite[len(s.answer.cite)-1].Line), Found: string(r.Line), Cite: append(s.answer.cite, r.Frame)})
	}
}

// meant is what a client says that an answer meant.
func meant(status string) statusKind {
	return map[string]statusKind{"active": saysActive, "open": saysActive, "inactive": saysInactive, "saved": saysInactive, "unknown": saysUnknown}[status]
}

// storm counts the requests about a session in the last second.
type storm struct {
	times map[string][]time.Time
	told  bool
}

// stormLimit is how many requests for the status of one session within a second are a storm.
const stormLimit = 100

func (s *storm) see(l *rule.Log, v *clientView, r *rule.Reading) {
	if !clientAsks(r) || !v.supported() {
		return
	}
	if s.times == nil {
		s.times = map[string][]time.Time{}
	}
	l.Occasion()
	recent := append(s.times[r.Session], r.At)
	for len(recent) > 0 && r.At.Sub(recent[0]) > time.Second {
		recent = recent[1:]
	}
	s.times[r.Session] = recent
	if len(recent) > stormLimit && !s.told {
		s.told = true
		l.Broken(rule.Finding{Why: fmt.Sprintf("the client asked more than %d times within a second for the status of one session", stormLimit), Cite: []wire.Frame{r.Frame}})
	}
}
