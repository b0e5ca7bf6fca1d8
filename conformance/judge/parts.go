package judge

import (
	"context"
	"slices"

	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/rules"
)

// part is a script in a version.
type part struct {
	script   Script
	protocol int
}

// play has the client play the plain script in each version, and in the versions in which it does something then all others that
// the rules need. One that comes to a bad end in the plain script plays the one in which it cannot ask for a status next: so it is
// known whether it always ends like that.
func (j *judgement) play(ctx context.Context) error {
	var plain []part
	for _, p := range j.Protocols {
		plain = append(plain, part{j.Scripts[0], p})
	}
	if err := j.perform(ctx, plain); err != nil {
		return err
	}
	for _, t := range j.takes {
		if t.habits.Agreed || t.habits.Shook {
			j.spoken = append(j.spoken, t.Protocol)
		}
	}
	unasked := j.parts(func(s Script, p int) bool {
		return s.Name == rules.ClientUnasked && j.did(p, func(h rules.ClientHabits) bool { return h.Sends("session/status") && !h.Well })
	})
	if err := j.perform(ctx, unasked); err != nil {
		return err
	}
	return j.perform(ctx, j.parts(func(s Script, p int) bool { return j.goesOn(p) && j.wanted(s, p) && !j.played(s.Name, p) }))
}

// parts are scripts without the plain one, in the versions that the client speaks.
func (j *judgement) parts(is func(Script, int) bool) (parts []part) {
	for _, s := range j.Scripts[1:] {
		for _, p := range j.spoken {
			if slices.Contains(s.Protocols, p) && is(s, p) {
				parts = append(parts, part{s, p})
			}
		}
	}
	return parts
}

// did tells whether the client has done something in a version.
func (j *judgement) did(protocol int, is func(rules.ClientHabits) bool) bool {
	return slices.ContainsFunc(j.takes, func(t Take) bool { return t.Protocol == protocol && is(t.habits) })
}

// goesOn tells whether the client does something after the handshake: one that hangs there would hang in every script.
func (j *judgement) goesOn(protocol int) bool {
	return j.did(protocol, func(h rules.ClientHabits) bool { return h.Agreed })
}

func (j *judgement) played(script string, protocol int) bool {
	return slices.ContainsFunc(j.takes, func(t Take) bool { return t.Protocol == protocol && t.Script.Name == script })
}

// wanted tells whether a script is part of the run: it was asked for, or none was and one of the rules looks at what it shows.
func (j *judgement) wanted(s Script, protocol int) bool {
	if j.Only != nil {
		return slices.Contains(j.Only, s.Name)
	}
	return slices.ContainsFunc(j.Rules, func(r rule.Rule) bool { return r.For(protocol) && rules.ClientWants(r.ID, s.Name) })
}

// selected tells whether one of the scripts that can show a rule is part of the run, and shown whether one has been played.
func (j *judgement) selected(r *rule.Rule, protocol int) (selected, shown bool) {
	for _, s := range j.Scripts[1:] {
		if slices.Contains(s.Protocols, protocol) && rules.ClientWants(r.ID, s.Name) {
			played := j.played(s.Name, protocol)
			selected, shown = selected || played || j.wanted(s, protocol), shown || played
		}
	}
	return selected, shown
}

// owed tells whether the run owed a rule an occasion: in a version that the client speaks a script of the rule is part of the run, and
// nothing that the client may do keeps the rule from being seen there.
func (j *judgement) owed(r *rule.Rule) bool {
	return rules.ClientOwed(*r) && slices.ContainsFunc(r.Versions, func(p int) bool {
		selected, _ := j.selected(r, p)
		return selected && slices.Contains(j.spoken, p) && !rules.ClientSpares(r.ID, j.habits[p])
	})
}

// unshown says why a rule met no occasion in a version.
func (j *judgement) unshown(r *rule.Rule, protocol int) string {
	switch selected, shown := j.selected(r, protocol); {
	case !selected:
		return "the scripts that can show it were not selected"
	case !shown && j.goesOn(protocol):
		return "the run ended before the scripts that can show it were played"
	}
	return rules.ClientUnseen(r.ID, j.habits[protocol])
}
