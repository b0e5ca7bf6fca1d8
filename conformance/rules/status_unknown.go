package rules

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode"

	. "github.com/onsi/gomega"

	"github.com/acp-conform/acp-conform/conformance/client"
	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/wire"
)

// statusUnknown is https://agentclientprotocol.com/rfds/session-status#errors, and what an agent owes that does not look.
func statusUnknown() []rule.Rule {
	return []rule.Rule{statusUnknownCode, statusUnknownData, statusUnknownNotAResult, statusEmptyID, statusPathSafe, statusLazyResume, statusLazyConsistent}
}

// randomIDs are how many ids are asked about that nobody has given out: an agent may answer by the look of an id.
const (
	randomIDs    = 20
	randomFewest = 8
)

// unheardOf are ids that the agent does not know and may well believe to be its own: random ones, and one that differs from a real id
// in one character. What else is not known may be refused for how it looks, so only these decide.
func unheardOf(c *rule.Case, real string, n neighbours) []string {
	var ids []string
	if stranger, ok := n.stranger(real); ok {
		ids = append(ids, stranger)
	} else {
		c.Note(real, "no id was asked about that differs from a real one in one character: here that might be the id of another session")
	}
	for range c.Env.Times(randomIDs, randomFewest) {
		ids = append(ids, c.UnknownID())
	}
	return ids
}

// askUnheardOf asks about ids that nobody has given out, on a connection that has answered about a session that is there.
func askUnheardOf(c *rule.Case, real *client.Session, n neighbours) []client.Status {
	c.Require(ask(c, real.Client(), real.ID).OK(), "the agent does not answer about a session that is there")
	var all []client.Status
	for _, id := range unheardOf(c, real.ID, n) {
		st := real.Client().Status(id)
		c.Require(st.State == client.Met, "session/status: %s", st.Answer)
		all = append(all, st)
	}
	return all
}

var statusUnknownCode = rule.Rule{
	ID:    "status.unknown.error-code",
	Title: "session/status refuses a session that does not exist with the error -32002",
	Level: rule.Must, Basis: rule.Stated, Stability: rule.Unstable, Versions: both,
	Ref:    statusPage("errors"),
	Advice: "Answer -32002 for an id that you do not know; where you cannot look cheaply, call it inactive, and never active.",
	Mild:   "an agent may read ids generously, or refuse by another code what cannot be one of its own",
	Needs:  statusNeeds(),
	Act: func(c *rule.Case) {
		s, n := inCompany(c)
		all, lazy := askUnheardOf(c, s, n), 0
		for _, st := range all {
			switch st.Standing {
			case client.Unknown:
				c.Log.Occasion()
			case client.Inactive:
				c.Log.Occasion()
				lazy++
			case client.Active:
				c.Expect(st.Said()).To(Equal("error -32002"), "a session that does not exist was called %s", st.Word)
			case client.Unsaid:
				if st.Err != nil {
					c.Expect(st.Is(st.Code())).To(Equal(client.CodeNotFound), "session/status was answered by %s for a session that does not exist", st.Answer)
				}
			}
		}
		if lazy > 0 {
			c.Note(fmt.Sprintf("%d of %d", lazy, len(all)), "the agent calls sessions inactive that do not exist, as one may that does not look")
		}
		statusOtherSpellings(c, s, n)
	},
}

// statusOtherSpellings asks about ids that differ from a real one in how it is written, and about a long one. An agent may read ids
// generously, or refuse what cannot be one of its own, so nothing here fails.
func statusOtherSpellings(c *rule.Case, s *client.Session, n neighbours) {
	for _, odd := range []struct{ what, id string }{
		{"the beginning of another's", string([]rune(s.ID)[:(len([]rune(s.ID))+1)/2])},
		{"another's in other letters, capital or small", otherCase(s.ID)},
		{"another's with blanks around it", " " + s.ID + " "},
		{"300 characters long", strings.Repeat("longid", 50)},
	} {
		switch {
		case odd.id == s.ID:
			continue
		case n.maybe(odd.id):
			c.Note(odd.id, "no id was asked about that is %s: here that might be the id of another session", odd.what)
			continue
		}
		st := s.Client().Status(odd.id)
		switch {
		case st.Standing == client.Active:
			c.ExpectSoft(st.Said()).To(Equal("error -32002"), "a session whose id is %s was called %s", odd.what, st.Word)
		case st.Err != nil && st.Standing == client.Unsaid && !st.Auth():
			c.ExpectSoft(st.Is(st.Code())).To(Equal(client.CodeNotFound), "session/status was answered by %s for an id that is %s", st.Answer, odd.what)
		}
	}
}

// otherCase turns capital letters small and small ones capital.
func otherCase(id string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsUpper(r) {
			return unicode.ToLower(r)
		}
		return unicode.ToUpper(r)
	}, id)
}

var statusUnknownData = rule.Rule{
	ID:    "status.unknown.error-data",
	Title: "the error -32002 of session/status names the session in data.sessionId, as it was asked for",
	Level: rule.Must, Basis: rule.Stated, Stability: rule.Unstable, Versions: both,
	Ref:    statusPage("errors"),
	Advice: "Put the sessionId of the request into data.sessionId of the error, byte for byte: not trimmed, not normalised, not cut.",
	Needs:  statusNeeds(),
	// An agent that does not look has no such error.
	Optional: true,
	Act: func(c *rule.Case) {
		s, n := inCompany(c)
		for _, id := range append(oddIDs(c), unheardOf(c, s.ID, n)[:5]...) {
			st := s.Client().Status(id)
			if st.Standing != client.Unknown {
				continue
			}
			named := wire.Member(st.Err.Data, "sessionId")
			found := string(named)
			if id, ok := text(named); ok {
				found = id
			} else if named == nil {
				found = "data " + strings.TrimSpace(string(st.Err.Data))
			}
			c.Expect(st.Is(found)).To(Equal(id), "the error for a session that does not exist does not name it in data.sessionId as it was asked for")
		}
		c.Require(c.Log.Occasions > 0, "session/status was answered by no error -32002")
	},
}

// oddIDs are ids that do not survive trimming, folding, normalising, quoting or cutting.
func oddIDs(c *rule.Case) []string {
	base := c.UnknownID()
	return []string{
		"s\u00e9ance-e\u0301-\u4f1a\u8a71-\U0001F426-" + base,
		"two words " + base,
		`"quoted"\back/slash-` + base,
		"  " + base + "  ",
		"\t" + base + "\n",
		strings.ToUpper(base) + "-ABC",
		strings.Repeat("0123456789", 27) + base[:30],
	}
}

var statusUnknownNotAResult = rule.Rule{
	ID:    "status.unknown.not-a-result",
	Title: "there is no status for a session that does not exist",
	Level: rule.Must, Basis: rule.Stated, Stability: rule.Unstable, Versions: both,
	Ref:    statusPage("why-is-an-unknown-session-an-error-instead-of-a-not_found-status"),
	Advice: "Answer an id that you do not know by the error -32002: a result, be it null or a word such as not_found, reads as a session that can be resumed.",
	Needs:  statusNeeds(),
	// An agent that does not look has no other answer than the one that it may give.
	Optional: true,
	Act: func(c *rule.Case) {
		s, n := inCompany(c)
		for _, st := range askUnheardOf(c, s, n) {
			if st.Err != nil {
				c.Log.Occasion()
			} else if st.Standing == client.Other || st.Standing == client.Unsaid {
				c.Expect(st.Is(json.RawMessage(st.Result))).To(Equal("error -32002"), "a session that does not exist was answered by a result")
			}
		}
		c.Require(c.Log.Occasions > 0, "the agent calls every session inactive that does not exist")
	},
}

var statusEmptyID = rule.Rule{
	ID:    "status.unknown.empty-id",
	Title: "the empty string is the id of no session",
	Level: rule.Should, Basis: rule.Derived, Stability: rule.Unstable, Versions: both,
	Ref:        statusPage("errors"),
	Advice:     "Answer session/status for an empty sessionId with -32002, or with -32602.",
	Robustness: true,
	Needs:      statusNeeds(),
	Act: func(c *rule.Case) {
		usual := usualAnswers(c, c.Client())
		st := ask(c, c.Client(), "")
		switch {
		case usual.has(st): // as any other that nobody has given out
			c.Require(st.Standing == client.Unknown || st.Standing == client.Inactive, "all ids that nobody has given out are answered by %s", st)
			c.Log.Occasion()
		case st.OK():
			c.Expect(st.Said()).To(Equal("error -32002"), "the session with an empty id was answered by a result")
		default:
			c.Expect(st.Is(st.Code())).To(Or(Equal(client.CodeNotFound), Equal(client.CodeInvalidParams)), "an empty sessionId was answered by %s", st.Answer)
		}
	},
}

var statusPathSafe = rule.Rule{
	ID:    "status.unknown.path-safe",
	Title: "a session id is not taken for the path of a file",
	Level: rule.Should, Basis: rule.Derived, Stability: rule.Unstable, Versions: both,
	Ref:        statusPage("errors"),
	Advice:     "Look a session up by its whole id, or check the id before you make the name of a file of it: what finds ../id can read other files.",
	Robustness: true,
	Needs:      statusNeeds(),
	Act: func(c *rule.Case) {
		cl, s := c.Client(), c.NewSession()
		c.Require(ask(c, cl, s.ID).OK(), "the agent does not answer about a session that is there")
		usual := usualAnswers(c, cl)
		for _, id := range []string{"../" + s.ID, "./" + s.ID, s.ID + "/.", s.ID + ".json", s.ID + "\x00", s.ID + "\x00.json", "x/../" + s.ID} {
			st := ask(c, cl, id)
			found := (st.Standing == client.Active || st.Standing == client.Inactive) && !usual.has(st)
			c.Expect(st.Is(found)).To(BeFalse(), "the id %q was answered by %s: as a path it leads to another session", id, st)
		}
	},
}
