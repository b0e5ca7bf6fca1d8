package rules

import (
	"fmt"
	"time"

	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/wire"
)

// clientStatusState is what binds a client that reads the foreground state in the answer to session/status.
// See https://agentclientprotocol.com/rfds/session-status#foreground-state-v2.
func clientStatusState() []rule.Rule {
	return clientRules(rule.Only(2),
		rule.Rule{
			ID: "status.client.no-update-expectation", Level: rule.Must, Ref: clientStatusPage("status-values"), Versions: both,
			Title:  "a client does not wait for updates of a session because it asked for its status",
			Advice: "Wait for updates only of sessions that the connection has made, loaded or resumed.",
			Watch:  watchClient(nil, waitingEnd),
		},
		rule.Rule{
			ID: "status.client.omitted-state-not-idle", Level: rule.Must, Ref: clientStatusPage("foreground-state-v2"),
			Title:  "a client does not show a session as idle whose state is omitted, null or malformed",
			Advice: "Read a state that is missing, null or no object with a text under state as not reported, and show it as unknown.",
			Watch:  watchClient(notIdle(stateNone, "reports no state"), malformedEnd(stateNone, "a state that is malformed")),
		},
		rule.Rule{
			ID: "status.client.unrecognised-state", Level: rule.Must, Ref: rule.Ref{Page: "schema", Anchor: "StateUpdate"},
			Title:  "a client does not show a session as idle whose state it does not know",
			Advice: "Show a state that you do not know as unknown or busy; only idle is idle.",
			Watch:  watchClient(notIdle(stateOdd, "has a state that the client cannot know"), malformedEnd(stateOdd, "a state that it does not know")),
		},
		rule.Rule{
			ID: "status.client.idle-not-completion", Level: rule.Must, Ref: clientStatusPage("foreground-state-v2"),
			Title:  "a client counts an idle state in the answer to session/status neither as the end of a turn nor as a report of usage",
			Advice: "Feed the state of an answer to what you show, never to what counts turns, notifies the user or adds up usage.",
			Watch:  watchClient(countsSee, nil),
		},
		rule.Rule{
			ID: "status.client.idle-snapshot-does-not-end-running", Level: rule.Must, Ref: clientStatusPage("foreground-state-v2"),
			Title:  "a client does not take an idle state in the answer to session/status for the end of its own turn",
			Advice: "End a prompt at the idle state of a state_update behind it, not at that of an answer, which may be older.",
			Watch:  watchClient(endsEarlySee, endsEarlyEnd),
		},
		rule.Rule{
			ID: "status.client.v1-ignores-state", Level: rule.Should, Ref: clientStatusPage("foreground-state-v2"), Versions: rule.Only(1),
			Title:  "a client of version 1 gives no meaning to a state in the answer to session/status",
			Advice: "Read the state only where version 2 was agreed on.",
			Watch:  watchClient(strayStateSee, nil),
		},
	)
}

// clientPatience is how long a client has been silent behind an answer whose bad end is one of waiting.
const clientPatience = time.Second

// waitingEnd finds a client that does nothing any more once a session is in memory that it has not opened.
func waitingEnd(l *rule.Log, v *clientView) {
	a, ok := v.gotAnswer(func(a statusAnswer) bool { return a.kind == saysActive && !a.own })
	if !ok {
		return
	}
	s, polls := v.latest(saysActive)
	waited := v.exit != nil && !v.exit.Flooded && (v.exit.TimeLimit || v.exitAt.Sub(s.at) > clientPatience)
	switch {
	case !s.own && v.broke(s) && waited && polls <= politePolls:
		l.Occasion()
		l.Broken(rule.Finding{Why: "the session was in memory, its status was asked for, and the client did nothing any more: it waited for updates, which nobody owed it; " + v.ending(),
			Expected: "it resumes the session, or goes on without", Cite: append(s.cite, v.last)})
	case v.wentOn(a):
		l.Occasion()
	}
}

// politePolls is how many requests for the status a client may have sent that then waits: one that asks again and again waits
// for an answer and not for an update.
const politePolls = 10

// latest is the last answer of a kind, and how many of them there were.
func (v *clientView) latest(kind statusKind) (last statusAnswer, n int) {
	for _, s := range v.sessions {
		n += s.answers[kind]
		if s.answer.kind == kind && s.answer.at.After(last.at) {
			last = s.answer
		}
	}
	return last, n
}

// claims tells whether a step counts more ended turns than have ended; a turn that still runs is the affair of another rule.
func (v *clientView) claims() bool { return !v.running() && v.step.Completions > v.completed }

// notIdle finds a client that shows as idle, or as having ended a turn, what an answer does not say to be idle.
func notIdle(state stateKind, what string) func(*rule.Log, *clientView, *rule.Reading) {
	return func(l *rule.Log, v *clientView, r *rule.Reading) {
		if v.step == nil {
			return
		}
		s := v.shownSession(v.step)
		if s == nil || s.answer.kind != saysActive || s.answer.state != state || s.idle || v.running() {
			return
		}
		if v.step.Step == "status" && v.script.Control.Shows {
			l.Occasion()
		}
		switch {
		case v.step.Step == "status" && v.step.Shown == "idle":
			l.Broken(rule.Finding{Why: "the answer to session/status " + what + ", and the client shows the session as idle", Expected: "unknown",
				Found: "idle", Cite: append(s.answer.cite, r.Frame)})
		case v.claims():
			l.Broken(rule.Finding{Why: "the answer to session/status " + what + ", and the client took it for the end of a turn", Expected: v.completed,
				Found: v.step.Completions, Cite: append(s.answer.cite, r.Frame)})
		}
	}
}

// malformedEnd finds a client that comes to a bad end at such a state. A state that is absent or null is no chance for that.
func malformedEnd(state stateKind, what string) func(*rule.Log, *clientView) {
	return func(l *rule.Log, v *clientView) {
		a, ok := v.gotAnswer(func(a statusAnswer) bool {
			return a.kind == saysActive && a.state == state && a.raw != nil && string(a.raw) != "null"
		})
		waited := v.exit != nil && (v.exit.TimeLimit || v.exitAt.Sub(a.at) > clientPatience)
		if ok && v.broke(a) && !waited {
			l.Occasion()
			l.Broken(rule.Finding{Why: "the client came to a bad end at " + what + ": " + v.ending(), Expected: "it goes on", Cite: append(a.cite, v.last)})
		}
	}
}

func countsSee(l *rule.Log, v *clientView, r *rule.Reading) {
	if v.step == nil || v.running() {
		return
	}
	a, ok := v.gotAnswer(func(a statusAnswer) bool { return a.state == stateIdle })
	if !ok {
		return
	}
	if v.script.Control.Counts {
		l.Occasion()
	}
	if v.claims() {
		l.Broken(rule.Finding{Why: "the client counted the end of a turn where it had only asked for the status of an idle session", Expected: v.completed,
			Found: v.step.Completions, Cite: append(a.cite, r.Frame)})
	}
	if v.step.Usage > 0 && !v.usage && v.prompts == 0 { // after a prompt the client may estimate
		l.Broken(rule.Finding{Why: "the client counted the usage in the answer to session/status, which is that of an earlier turn", Expected: 0,
			Found: v.step.Usage, Cite: append(a.cite, r.Frame)})
	}
}

// endsEarlySee finds that the client takes its turn for ended while it runs.
func endsEarlySee(l *rule.Log, v *clientView, r *rule.Reading) {
	early := func(certain bool, s *clientSession, how string) {
		l.Occasion()
		l.BrokenIf(certain, rule.Finding{Why: "the turn of the client ran on, an answer to session/status said idle, and the client took that for the end of the turn: " + how,
			Expected: "it waits for the idle state of a state_update", Cite: append(s.answer.cite, s.prompt, r.Frame),
			Mild: "its user may have gone on, who did not wait"})
	}
	if v.step != nil {
		s := v.shownSession(v.step)
		if s == nil || !s.stale() {
			return
		}
		if v.step.Step == "prompt" && !v.step.Failed() {
			early(true, s, "it said that the prompt had ended")
		} else if v.step.Completions > v.completed {
			early(true, s, fmt.Sprintf("it counted %d ended turns", v.step.Completions))
		}
		return
	}
	s := v.sessions[r.Session]
	if s == nil || v.script.Actions != "peek" {
		return
	}
	if r.From == wire.Client && s.stale() && (r.Method == "session/delete" || r.Method == "session/close") {
		early(false, s, "it went on to "+r.Method) // or its user did, who did not wait
	}
}

// stale tells whether a turn runs of which the last answer says that it does not.
func (s *clientSession) stale() bool {
	return s.running && s.inserted && s.answer.state == stateIdle && s.answer.at.After(s.prompt.At)
}

// endsEarlyEnd counts a chance where the turn outlived the stale answer and the client outlived the turn.
func endsEarlyEnd(l *rule.Log, v *clientView) {
	for _, s := range v.sessions {
		if s.lived || s.outlived && (v.exit == nil || v.exit.Well()) {
			l.Occasion()
		}
	}
}

func strayStateSee(l *rule.Log, v *clientView, r *rule.Reading) {
	if v.step == nil || v.running() {
		return
	}
	s := v.shownSession(v.step)
	if s == nil || s.answer.kind != saysActive || s.answer.raw == nil {
		return
	}
	if v.script.Control.Counts || v.step.Step == "status" {
		l.Occasion()
	}
	switch {
	case v.claims():
		l.Broken(rule.Finding{Why: "the client took a state in the answer to session/status, which version 1 does not have, for the end of a turn",
			Expected: v.completed, Found: v.step.Completions, Cite: append(s.answer.cite, r.Frame)})
	case v.step.Step == "status" && v.step.Shown == "idle" && !v.script.Control.Idle:
		l.Broken(rule.Finding{Why: "the client shows a session as idle because of a state in the answer to session/status, which version 1 does not have",
			Expected: "unknown", Found: "idle", Cite: append(s.answer.cite, r.Frame)})
	}
}
