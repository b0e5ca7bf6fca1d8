package rules

import (
	"path"
	"strings"

	"github.com/acp-conform/acp-conform/conformance/rule"
)

// ClientUnasked is the script in which a client cannot ask for a status: how a client ends there tells whether a bad end elsewhere
// is due to an answer.
const ClientUnasked = "no-marker"

// clientOccasions say, for each rule about clients, in which scripts of the fake agent it can be judged, and what a client has to do
// there.
var clientOccasions = map[string]struct {
	scripts                             string // patterns of their names
	asks, prints, shows, counts, closed bool   // it asks for a status, prints its steps, shows idle where it is so, counts turns, asks before it opens
	without                             string
}{
	"status.client.gate":                               {scripts: "no-marker", asks: true, without: "the client did nothing where the agent does not advertise session/status"},
	"status.client.invalid-marker":                     {scripts: "marker-*", asks: true, without: "the client did nothing where the capability is odd"},
	"status.client.marker-sibling-isolation":           {scripts: "marker-*", without: "the client uses none of the capabilities beside that of session/status, or came to no good end"},
	"status.client.unknown-value":                      {scripts: "value-*", asks: true, closed: true, without: "the client did not go on to use a session whose status it cannot know"},
	"status.client.unknown-value-no-crash":             {scripts: "value-*", asks: true, without: "the client did nothing after a status that it cannot know"},
	"status.client.non-string-status":                  {scripts: "result-*", asks: true, without: "the client did nothing after an answer without a status"},
	"status.client.resume-before-prompt":               {scripts: "active", asks: true, closed: true, without: "the client did not prompt a session that was active before it had opened it"},
	"status.client.no-update-expectation":              {scripts: "active running", asks: true, closed: true, without: "the client met no session that was active and not its own, or did nothing after that"},
	"status.client.omitted-state-not-idle":             {scripts: "state-* active", asks: true, prints: true, shows: true, without: "the client showed nothing of a session without a state"},
	"status.client.unrecognised-state":                 {scripts: "state-* active", asks: true, prints: true, shows: true, without: "the client showed nothing of a session whose state it cannot know"},
	"status.client.idle-not-completion":                {scripts: "idle-snapshot", asks: true, prints: true, counts: true, without: "the client said nothing after an idle state"},
	"status.client.idle-snapshot-does-not-end-running": {scripts: "idle-in-turn", asks: true, without: "the client did not ask for the status while its turn ran, or did nothing after the end of the turn"},
	"status.client.snapshot-errors":                    {scripts: "resume-* prompt-gone", asks: true, closed: true, without: "the client did not use a session that was gone, or did nothing after the error"},
	"status.client.lazy-agent":                         {scripts: "lazy", asks: true, closed: true, without: "the client did not resume a session that was inactive and gone, or did nothing after the error"},
	"status.client.unknown-error":                      {scripts: "unknown", asks: true, without: "the client did not ask about a session that the agent does not know, or did nothing after the answer"},
	"status.client.v1-ignores-state":                   {scripts: "stray-state", asks: true, prints: true, without: "the client said nothing after a state that version 1 does not have"},
	"status.client.data-missing-tolerated":             {scripts: "unknown-*", asks: true, without: "the client did not ask about a session that the agent does not know, or did nothing after the answer"},
	"status.client.result-by-id":                       {scripts: "late-answers", asks: true, prints: true, without: "the client did not have two requests for a status open at the same time, or does not print what it shows of each session"},
	"status.client.no-probe-storm":                     {scripts: "always-inactive", asks: true, without: "the client did not ask for the status of a session"},
}

// ClientUnseen says why a rule about clients met no occasion with a client of these habits.
func ClientUnseen(id string, h ClientHabits) string {
	o := clientOccasions[id]
	switch {
	case !h.Agreed:
		return "the client did nothing after the handshake"
	case o.asks && !h.Sends("session/status"):
		return "the client does not ask for the status of a session, though the agent advertises session/status"
	case o.prints && !h.Prints:
		return "the client prints no line of JSON for its steps, so that nothing tells what it makes of the answer"
	case o.shows && !h.Shows:
		return "the client shows no session as idle, not even one that is, so that a wrong idle could not be told"
	case o.counts && !h.Counts:
		return "the client counts no ended turn, not even one that has ended, so that a wrong count could not be told"
	case o.closed && h.Before:
		return "the client opens a session before it asks for its status, and the rule is about sessions that are not open"
	case o.without == "":
		return "no occasion arose"
	}
	return o.without
}

// ClientOwed tells whether a client that does what the user of the scripts does always offers an occasion for a rule: a run without
// one is incomplete. What only its printed lines can show is not owed.
func ClientOwed(r rule.Rule) bool { return r.Level == rule.Must && !clientOccasions[r.ID].prints }

// ClientSpares tells whether a client of these habits legally offers no occasion.
func ClientSpares(id string, h ClientHabits) bool { return clientOccasions[id].closed && h.Before }

// ClientWants tells whether a rule about clients can be judged in a script of this name.
func ClientWants(id, script string) bool {
	for pattern := range strings.FieldsSeq(clientOccasions[id].scripts) {
		if ok, _ := path.Match(pattern, script); ok {
			return true
		}
	}
	return false
}
