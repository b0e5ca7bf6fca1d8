package rules

import (
	"encoding/json"
	"strings"

	"github.com/acp-conform/acp-conform/conformance/client"
	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/wire"
)

// The words of session/status: https://agentclientprotocol.com/rfds/session-status#status-values.

var statusStatusRequired = rule.Rule{
	ID:    "status.response.status-required",
	Title: "the result of session/status is an object with a status that is a string",
	Level: rule.Must, Basis: rule.Stated, Stability: rule.Unstable, Versions: both,
	Ref:      statusPage("schema"),
	Advice:   `Answer {"status": "active"}, or the word for a session that is not in memory: neither null nor the bare word.`,
	Occasion: rule.AgentsChoice,
	Watch:    func() rule.Watcher { return &statusShapes{} },
}

// isStatus tells whether the frame answers a session/status with a result that can be read.
func isStatus(r *rule.Reading) bool { return r.IsResult("session/status") && r.Broken == wire.Whole }

// issuedHere tells whether the agent has given out the session on this connection, or has started it: whether anybody knows more
// about it than the question says.
func issuedHere(c *rule.Conversation, id string) bool {
	s := c.Sessions[id]
	return s != nil && s.Issued && !s.Deleted
}

// statusShapes keeps what is wrong with answers about sessions that may not exist: what is said of those is another rule's
// business, but it shows only later which of them there are.
type statusShapes struct{ later []statusMalformed }

type statusMalformed struct {
	session string
	finding rule.Finding
}

const keptMalformed = 20

func (w *statusShapes) See(l *rule.Log, r *rule.Reading) {
	if !isStatus(r) {
		return
	}
	_, ok := text(wire.Member(r.Result, "status"))
	f := rule.Finding{Why: "the result of session/status is no object with a status that is a string", Expected: `{"status": …}`, Found: r.Result, Cite: r.Cite()}
	switch {
	case ok:
		l.Occasion()
	case issuedHere(r.Conversation, r.Session):
		l.Occasion()
		l.Broken(f)
	case len(w.later) < keptMalformed:
		w.later = append(w.later, statusMalformed{r.Session, f})
	}
}

func (w *statusShapes) End(l *rule.Log, c *rule.Conversation) {
	for _, m := range w.later {
		if issuedHere(c, m.session) {
			l.Occasion()
			l.Broken(m.finding)
		}
	}
}

var statusValueVocabulary = rule.Rule{
	ID:    "status.response.value-vocabulary",
	Title: "the status of a session is one of the two words of one vocabulary, or one of the agent's own that begins with an underscore",
	Level: rule.Must, Basis: rule.Stated, Stability: rule.Unstable, Versions: both,
	Ref:      statusPage("status-values"),
	Advice:   "Say active and inactive, or open and saved, and do not mix them: clients take every other word for inactive.",
	Mild:     "the proposal is open to further words, and clients take one that they do not know for inactive",
	Occasion: rule.AgentsChoice,
	Watch: rule.EachFrame(func(l *rule.Log, r *rule.Reading) {
		if !isStatus(r) {
			return
		}
		word, ok := text(wire.Member(r.Result, "status"))
		v, known := client.VocabularyOf(word)
		held := r.Conversation.Vocabulary
		switch {
		case !ok || !known && !issuedHere(r.Conversation, r.Session):
			return
		case !known && strings.HasPrefix(word, "_"):
			l.Note(rule.Finding{Why: "the agent calls a session by a word of its own, which clients take for inactive", Found: word, Cite: r.Cite()})
		case !known:
			l.Soft(rule.Finding{Why: "the status of a session is a word that the protocol does not have", Expected: wordsOf(held), Found: word, Cite: r.Cite()})
		case held != "" && v.Name != held:
			l.Broken(rule.Finding{Why: "the agent mixes the words of two vocabularies", Expected: wordsOf(held), Found: word, Cite: r.Cite()})
		}
		l.Occasion()
	}),
}

// wordsOf are the words of a vocabulary, or of all of them where none is settled.
func wordsOf(name string) string {
	var words []string
	for _, v := range client.Vocabularies() {
		if name == "" || v.Name == name {
			words = append(words, v.Active+" or "+v.Inactive)
		}
	}
	return strings.Join(words, ", ")
}

// snapshotOf is the foreground state in an answer to session/status; false where there is none, null being none.
func snapshotOf(r *rule.Reading) (json.RawMessage, bool) {
	state := wire.Member(r.Result, "state")
	return state, state != nil && string(state) != "null"
}

// standingOf is what an answer to session/status says of the session.
func standingOf(r *rule.Reading) client.Standing {
	word, _ := text(wire.Member(r.Result, "status"))
	v, ok := client.VocabularyOf(word)
	switch {
	case !ok:
		return client.Other
	case v.Active == word:
		return client.Active
	}
	return client.Inactive
}
