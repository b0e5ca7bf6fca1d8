package fuzz

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/acp-conform/acp-conform/conformance/client"
	"github.com/acp-conform/acp-conform/conformance/wire"
	"github.com/acp-conform/acp-conform/schemas"
)

// judging looks at lines of the agent, in their order.
type judging struct {
	*player
	found []suspect
	notes []string
}

func (j *judging) suspect(kind Kind, cause string, weight Severity, s *sent, why string, args ...any) {
	j.found = append(j.found, suspect{kind: kind, cause: cause, severity: weight, why: fmt.Sprintf(why, args...), sent: s})
}

// line judges a line of the agent.
func (j *judging) line(l line) {
	if l.unread {
		return
	}
	if l.Kind == wire.Response {
		if s, ours := j.match(l); ours {
			j.response(l, s)
		}
		return
	}
	if l.Broken != wire.Whole {
		j.suspect(Invalid, "form: "+masked(l.Why), Failure, j.lastSent(), "a line of the agent is no valid message: %s", l.Why)
		return
	}
	kind := schemas.Request
	if l.Kind == wire.Notification {
		kind = schemas.Notification
	}
	if def, ok := j.edition.Lookup(l.Name, schemas.Agent, kind); ok {
		j.shape(def, l.Params, j.lastSent(), fmt.Sprintf("%s %s", l.Kind, l.Name))
	}
}

func (p *player) lastSent() *sent {
	if len(p.sent) == 0 {
		return nil
	}
	return p.sent[len(p.sent)-1]
}

// match finds the line of ours that a response answers. It returns false where there is no more to say about the response.
func (j *judging) match(l line) (*sent, bool) {
	if j.own[l.key] {
		return nil, j.again(l)
	}
	for _, s := range j.asked[l.key] {
		if s.answers == 0 {
			s.answers++
			return s, true
		}
	}
	if before := j.asked[l.key]; len(before) > 0 {
		s := before[len(before)-1]
		if !j.hidden(l) {
			j.suspect(Duplicate, "", Failure, s, "%s with the id %s is answered more than once", s.what(), head(string(s.ID), 40))
		}
		return s, false
	}
	if l.key == "" || l.key == nullKey {
		return nil, j.nobodys(l)
	}
	for key, all := range j.asked {
		if s := all[len(all)-1]; s.answers == 0 && sameButRounded(key, l.key) {
			s.answers++
			return s, true
		}
	}
	if j.hidden(l) {
		return nil, false
	}
	j.foreign(l)
	return nil, false
}

// foreign is a response with an id that no request has.
func (j *judging) foreign(l line) {
	s, what, weight := j.oldest(), "nothing that is open", Failure
	if s != nil {
		what = "perhaps " + s.what() + " with the id " + head(string(s.ID), 40)
	}
	if l.Error != nil && len(j.garbage) > 0 {
		weight = Warning // it may be the answer to what could not be read, under an id that was made up
	}
	j.suspect(Invalid, noOne, weight, s, "a response has the id %s, which no request has (it answers %s)", head(string(l.ID), 40), what)
}

const nullKey = "other null"

// noOne is the cause of responses that answer nothing that was asked: what led to them is told apart by what was sent.
const noOne = "answers no request"

// again notes the answer to a request that is not in the script.
func (j *judging) again(l line) bool {
	if j.ownAnswers[l.key]++; j.ownAnswers[l.key] == 2 {
		j.suspect(Duplicate, "", Failure, j.lastSent(), "a harmless request that was sent behind the others is answered twice")
	}
	return l.Broken != wire.Whole
}

// nobodys judges a response without an id. It is right for what has none that could be read, and nobody is to blame who takes more for
// unreadable than others.
func (j *judging) nobodys(l line) bool {
	if l.Error != nil {
		for _, s := range j.unanswered() {
			if s.clarity == odd || !s.known || !s.valid {
				s.excused = true
				return false
			}
		}
	}
	if len(j.garbage) > 0 {
		return false
	}
	s := j.lastSent()
	j.suspect(Invalid, noOne, Failure, s, "a response has no id, though all that was sent is readable: is it the answer to a notification?")
	return false
}

// unanswered are the lines of ours that are owed an answer and have none.
func (p *player) unanswered() []*sent {
	var all []*sent
	for _, s := range p.sent {
		if s.owed && s.answers == 0 && !s.excused {
			all = append(all, s)
		}
	}
	return all
}

func (p *player) oldest() *sent {
	if all := p.unanswered(); len(all) > 0 {
		return all[0]
	}
	return nil
}

// hidden tells whether the id of a response stands anywhere in a line of ours that is no message: who reads such a line
// nevertheless may answer it.
func (j *judging) hidden(l line) bool {
	id := []byte(l.ID)
	if s, ok := unquote(string(l.ID)); ok {
		id = []byte(s)
	}
	for _, s := range j.garbage {
		if s.key == l.key || bytes.Contains(s.text, id) {
			return true
		}
	}
	return false
}

// response judges the answer to a line of ours, or to a request that is not in the script.
func (j *judging) response(l line, s *sent) {
	switch {
	case l.Broken != wire.Whole:
		j.suspect(Invalid, "form: "+masked(l.Why), Failure, s, "an answer is no valid message: %s", l.Why)
	case s == nil:
	case l.stub:
		s.ok, s.refused = l.Error == nil, l.Error != nil
	case l.Error != nil:
		s.refused = true
		if f, bad := worst(j.edition.CheckName("Error", l.Error)); bad && !strings.HasPrefix(f.Path, "/data") && f.Tolerated == "" {
			j.suspect(Invalid, "error "+place(f), Failure, s, "the error that answers %s is none: %s", s.what(), f)
		}
	default:
		j.result(l, s)
	}
}

func (j *judging) result(l line, s *sent) {
	s.ok = true
	edition := j.edition
	if s.Name == "initialize" {
		edition = schemas.Ours().Edition(client.WholeNumber(wire.Member(l.Result, "protocolVersion")), false)
		if edition == nil {
			return
		}
	}
	def, known := edition.Lookup(s.Name, schemas.Agent, schemas.Result)
	if !known || s.Kind != wire.Request {
		return
	}
	if !s.valid {
		j.note(s)
	}
	if string(l.Result) == "null" && len(schemas.Check(def, []byte("{}"))) == 0 {
		return // a page of the specification shows it; the rules of the suite judge it
	}
	j.shape(def, l.Result, s, "result of "+s.Name)
}

// note notes that something invalid was accepted, which is lenient and no fault.
func (j *judging) note(s *sent) {
	def, known := j.edition.Lookup(s.Name, schemas.Client, schemas.Request)
	if !known {
		return
	}
	if found := schemas.Check(def, s.Params); len(found) > 0 {
		j.notes = append(j.notes, fmt.Sprintf("%s is answered with a result although %s", s.Name, what(found[0])))
	}
}

func what(f schemas.Finding) string {
	at := masked(f.Path)
	if at == "" {
		at = "its params"
	}
	switch f.Problem {
	case schemas.Missing:
		return at + " is missing"
	case schemas.Duplicate:
		return at + " is there twice"
	}
	return fmt.Sprintf("%s is not %s", at, f.Expected)
}

// shape compares a part of a message with its definition.
func (j *judging) shape(def schemas.Definition, part json.RawMessage, s *sent, name string) {
	f, bad := worst(schemas.Check(def, part))
	if !bad {
		return
	}
	weight := Failure
	if f.Tolerated != "" || f.Def == "StringFormat" {
		weight = Warning
	}
	j.suspect(Invalid, name+" "+place(f), weight, s, "the %s is not valid: %s", name, f)
	j.found[len(j.found)-1].echo = slices.ContainsFunc(j.doubts, func(s *sent) bool { return !s.refused })
}

// worst is the finding that weighs most, if there is any that is about the agent.
func worst(found []schemas.Finding) (schemas.Finding, bool) {
	for _, f := range found {
		if f.Problem != schemas.Internal {
			return f, true
		}
	}
	return schemas.Finding{}, false
}

func place(f schemas.Finding) string {
	return fmt.Sprintf("%s %s %s", masked(f.Path), f.Problem, f.Def)
}

var numbers = regexp.MustCompile(`[0-9]+`)

// masked leaves out what differs from one time to the next.
func masked(s string) string { return numbers.ReplaceAllString(s, "*") }

// head is the beginning of a text.
func head(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}
