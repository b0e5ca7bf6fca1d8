package fuzz

import (
	"fmt"
	"slices"
	"time"

	"github.com/acp-conform/acp-conform/conformance/wire"
)

// Kind is what an agent did wrong.
type Kind string

// The kinds of findings.
const (
	Crash     Kind = "crash"            // it ended, or closed its output
	Hang      Kind = "hang"             // it lives and answers nothing any more
	Missing   Kind = "missing answer"   // one request is not answered, though the agent still answers others
	Invalid   Kind = "invalid answer"   // a line of the agent is no valid message, or answers what nobody asked
	Duplicate Kind = "duplicate answer" // one request is answered more than once
	Flood     Kind = "flood"            // it crossed a limit of what an agent may cost
)

// Severity is how much a finding weighs: a failure, or a warning about what an agent may do, though a better one would not.
type Severity string

// The severities.
const (
	Failure Severity = "failure"
	Warning Severity = "warning"
)

// provesItself tells of which kinds it is certain that the agent is to blame, though it happens once and not again: what proves them is
// a line that it wrote. What does not come in time may be the machine's affair, which does other things as well; and an end has its own
// ways, see crashed.
var provesItself = map[Kind]bool{Invalid: true, Duplicate: true, Flood: true, Missing: false, Hang: false}

// suspect is something that an agent did wrong as far as one conversation shows.
type suspect struct {
	kind     Kind
	cause    string // what is the same when it happens again
	severity Severity
	why      string        // a sentence for a person
	sent     *sent         // the line of ours that led to it, nil if none is known
	how      string        // the agent ended
	together int           // how many lines were written in one piece with that line
	watch    time.Duration // how long its end is waited for behind the last line when it is looked for again
	// echo: it may be what the agent made of something invalid that it was given and did not refuse. That is lenient and no fault.
	echo bool
	// partial: it is about a line that the agent did not end, which whatever ended the agent may have cut off.
	partial bool
}

// same tells whether two suspects are about the same thing.
func (s suspect) same(o suspect) bool { return s.kind == o.kind && s.cause == o.cause }

// milder tells whether a crash is one of less weight than another one, which it cannot stand for then.
func (s suspect) milder(o suspect) bool {
	return s.kind == Crash && s.severity == Warning && o.severity == Failure
}

// judge gives what is wrong with what the agent said since the last time, and with how it stands now.
func (p *player) judge(how state) (found []suspect, notes []string) {
	p.mu.Lock()
	lines, forgot := p.got.take()
	p.mu.Unlock()
	j := &judging{player: p}
	for _, l := range lines {
		before := len(j.found)
		j.line(l)
		for i := range j.found[before:] {
			j.found[before+i].partial = l.unended
		}
	}
	found, notes = append(j.found, p.floods()...), j.notes
	switch {
	case p.stopped() != nil: // we have ended it
		return found, notes
	case how == gone:
		return append(found, p.crash()), notes
	case forgot: // what is missing may be what was not read
		return found, notes
	case how == silent:
		return append(found, p.hang()), notes
	}
	if p.lost {
		found = append(found, suspect{kind: Missing, cause: "fence", severity: p.weight(), sent: p.lastSent(),
			why: "a harmless request that was sent behind the others is never answered, though the next one is"})
	}
	for _, s := range p.unanswered() {
		if !answeredOtherwise(found, s) {
			found = append(found, p.missing(s))
		}
	}
	return found, notes
}

// answeredOtherwise tells whether the answer to a line has come with something wrong that is reported already.
func answeredOtherwise(found []suspect, s *sent) bool {
	return slices.ContainsFunc(found, func(f suspect) bool { return f.kind == Invalid && f.sent == s })
}

// weight is how much it weighs when the agent does not survive what was sent: with a line among it that is no message of the protocol
// it is a warning.
func (p *player) weight() Severity {
	if p.garbled {
		return Warning
	}
	return Failure
}

func (p *player) crash() suspect {
	how := "it closed its output"
	if ending := p.ending(); ending != "" {
		how = "it " + ending
	}
	return suspect{kind: Crash, severity: p.weight(), why: "the agent does not survive " + p.what() + ": " + how, sent: p.after, how: how, together: p.together}
}

func (p *player) hang() suspect {
	why := "the agent answers nothing any more after " + p.what()
	if p.refused != "" {
		why += ": " + p.refused
	}
	return suspect{kind: Hang, severity: p.weight(), why: why, sent: p.after}
}

func (p *player) what() string {
	if p.after == nil {
		return "what it was sent"
	}
	if p.together > 1 {
		return fmt.Sprintf("%d lines in one piece, the last of them %s", p.together, p.after.what())
	}
	return p.after.what()
}

// what names a line of ours, for a person.
func (s *sent) what() string {
	switch {
	case s.clarity == broken:
		return "a line that is no message (" + s.Why + ")"
	case s.Kind == wire.Response:
		return "a response that nobody waits for"
	}
	return fmt.Sprintf("a %s %q", s.Kind, head(s.Name, 60))
}

// missing is a request that has no answer although the agent lives.
func (p *player) missing(s *sent) suspect {
	why := fmt.Sprintf("%s with the id %s is never answered", s.what(), head(string(s.ID), 40))
	if p.goesOn(s) {
		why += ", though later requests are"
	}
	return suspect{kind: Missing, cause: s.Name, severity: p.weightOf(s), why: why, sent: s}
}

// goesOn tells whether the agent has answered something that was sent behind a line: a fence is sent behind all of them.
func (p *player) goesOn(s *sent) bool {
	return p.facts.Fence.Method != "" || slices.ContainsFunc(p.sent, func(o *sent) bool { return o.step > s.step && o.answers > 0 })
}

// weightOf is how much it weighs when a line is not answered. Who cannot read a line as a whole has no id to answer to, and there are
// agents that ignore methods that they do not have.
func (p *player) weightOf(s *sent) Severity {
	if s.clarity == odd || !s.known || p.garbled {
		return Warning
	}
	return Failure
}
