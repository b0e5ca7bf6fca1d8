package rules

import (
	"strings"
	"time"

	"github.com/acp-conform/acp-conform/conformance/client"
	"github.com/acp-conform/acp-conform/conformance/rule"
)

// That a question changes nothing cannot be seen by looking once before and once after it, because looking changes things as well.
// So each oracle does the same twice, in agents of their own: with questions, and with other requests in their place. An effect
// counts where it shows with questions and not without them, and that twice. An oracle says nothing where its positive control shows
// that it could not have seen the effect.

// oracle is what a comparison with and without questions came to.
type oracle struct {
	name     string
	unusable string // why it says nothing here
	control  string // what its positive control showed
	shown    bool   // there was an effect of the questions
	finding  rule.Finding
	softly   bool          // the effect is no more than a hint
	lasted   time.Duration // how long the questions took
	remark   bool          // it may warn, but that it saw nothing says too little for a pass
}

// probes is how often each session is asked about.
func probes(c *rule.Case) int { return c.Env.Times(25, 2*windows) }

// compare makes a comparison, and a second time where the first one shows an effect. Then the agent that is not asked is given as
// much time as the questions took: what comes with time alone comes there, too.
func compare(name string, once func(pace time.Duration) oracle) oracle {
	o := once(0)
	if o.unusable == "" && o.shown {
		if again := once(o.lasted + o.lasted/4); again.unusable != "" || !again.shown {
			o = oracle{unusable: "what it showed was not there a second time, when who was not asked was given as much time"}
		}
	}
	o.name = name
	return o
}

// judge records what an oracle came to, as a breach or as a note, and tells whether it says anything.
func (o oracle) judge(c *rule.Case) bool {
	if o.unusable != "" {
		c.Log.Note(rule.Finding{Why: "the comparison says nothing here: " + o.unusable, Oracle: o.name, Control: "not used"})
		return false
	}
	c.Log.Occasion()
	f := o.finding
	f.Oracle, f.Control = o.name, o.control
	switch {
	case !o.shown:
		c.Log.Note(rule.Finding{Why: "the same with and without questions", Oracle: o.name, Control: o.control})
	case o.softly:
		c.Log.Soft(f)
	default:
		c.Log.Broken(f)
	}
	return true
}

// judgeAll records what several oracles came to; where none says anything the rule is not observed.
func judgeAll(c *rule.Case, oracles ...oracle) {
	var why []string
	usable := false
	for _, o := range oracles {
		usable = o.judge(c) && !o.remark || usable
		if o.unusable != "" {
			why = append(why, o.name+": "+o.unusable)
		}
	}
	c.Require(usable, "%s", strings.Join(why, "; "))
}

// ofRun is an oracle that is asked once in a run, for all rules that look at it.
func ofRun(c *rule.Case, name string, once func(c *rule.Case, pace time.Duration) oracle) oracle {
	made, reason := c.Env.Fixture("status-"+strings.ToLower(strings.ReplaceAll(name, " ", "-")), func(c *rule.Case) any {
		return compare(name, func(pace time.Duration) oracle { return once(c, pace) })
	})
	if reason != "" {
		return oracle{name: name, unusable: reason}
	}
	return made.(oracle)
}

// questions asks about a session again and again and gives the answers.
func (v shelved) questions(c *rule.Case, s *client.Session, n int) []client.Status {
	var all []client.Status
	for range n {
		all = append(all, ask(c, v.Client, s.ID))
	}
	return all
}

// others makes as many requests that are about nothing, in the place of questions.
func (v shelved) others(n int) {
	for range n {
		if strings.HasPrefix(v.Fence.Method, "_") {
			v.Call(v.Fence.Method, v.Fence.Params)
		}
	}
}

// othersFor makes other requests and waits until the time is over that questions would have taken.
func (v shelved) othersFor(n int, pace time.Duration) {
	began := time.Now()
	v.others(n)
	v.Rest(pace - time.Since(began))
}

// asLong waits until the agent has lived for as long as another one had.
func (v shelved) asLong(lived time.Duration) { v.Rest(lived - time.Since(v.dialled)) }

func (v shelved) lived() time.Duration { return time.Since(v.dialled) }

// reattach starts an inactive session again. It is tried twice: an agent may fail once for reasons of its own.
func reattach(s *client.Session) client.Answer {
	a := s.Reattach()
	if !a.OK() {
		a = s.Reattach()
	}
	return a
}

// stable is oracle O3: the answer about an inactive session stays the same, however often it is asked for.
func stable(c *rule.Case, _ time.Duration) oracle {
	sh := onShelf(c)
	v := sh.open(c, 1)
	defer c.End(v.Client)
	s := v.sessions[0]
	first := ask(c, v.Client, s.ID)
	if first.Standing != client.Inactive {
		return oracle{unusable: "the first answer after " + string(sh.recipe) + " is " + first.String()}
	}
	o := oracle{control: "after " + string(sh.recipe) + " the first answer is " + first.String()}
	answers := v.questions(c, s, probes(c)-1)
	v.Window()
	answers = append(answers, ask(c, v.Client, s.ID))
	for _, st := range answers {
		if st.Standing != client.Active {
			continue
		}
		w := sh.open(c, 1) // it may have come there by itself: then it does so without questions, too
		defer c.End(w.Client)
		w.others(probes(c))
		w.asLong(v.lived())
		if alone := ask(c, w.Client, w.sessions[0].ID); alone.Standing != client.Inactive {
			return oracle{unusable: "a session that nobody asks about becomes " + alone.String() + " by itself"}
		}
		o.shown = true
		o.control += "; a session that nobody asked about was still inactive after as long a time"
		o.finding = rule.Finding{Why: "an inactive session became active while it was only asked about", Expected: first.Word, Found: st.Word,
			Cite: append(first.Frames(), st.Frames()...)}
		break
	}
	return o
}

// gate is oracle O4: a connection that has only asked may prompt an inactive session no more than one that has not.
func gate(c *rule.Case, pace time.Duration) oracle {
	sh := onShelf(c)
	alone := sh.open(c, 1)
	defer c.End(alone.Client)
	alone.othersFor(probes(c), pace)
	before := c.Prompt(alone.sessions[0], rule.ShortTurn).End()
	switch {
	case before.State != client.Met, before.Auth():
		return oracle{unusable: "a prompt without a resume was answered by " + before.String()}
	case before.OK():
		return oracle{unusable: "the agent takes a prompt for an inactive session also from somebody who has not asked"}
	}
	if a := reattach(alone.sessions[0]); !a.OK() {
		return oracle{unusable: "an inactive session cannot be started again: " + a.String()}
	}
	if a, ok, why := c.Prompt(alone.sessions[0], rule.ShortTurn).Ran(); !ok {
		return oracle{unusable: "the session takes no prompt when it was started again: " + why + " " + a.String()}
	}
	o := oracle{control: "without questions the prompt is refused (" + before.String() + "), and after a resume it is taken"}
	v := sh.open(c, 1)
	defer c.End(v.Client)
	began := time.Now()
	asked := v.questions(c, v.sessions[0], probes(c))
	o.lasted = time.Since(began)
	lived := v.lived()
	after := c.Prompt(v.sessions[0], rule.ShortTurn).End()
	if after.OK() { // the session may have come there by itself: then it does so without questions, too
		w := sh.open(c, 1)
		defer c.End(w.Client)
		w.others(probes(c))
		w.asLong(lived)
		if c.Prompt(w.sessions[0], rule.ShortTurn).End().OK() {
			return oracle{unusable: "a session that nobody asks about takes a prompt after a while, too"}
		}
	}
	if after.State == client.Met && after.Code() != before.Code() && !after.Auth() {
		o.shown, o.softly = true, !after.OK()
		o.finding = rule.Finding{Why: "asking for the status of an inactive session changed what becomes of a prompt for it", Expected: before.String(),
			Found: after.String(), Cite: append(asked[len(asked)-1].Frames(), after.Frames()...)}
	}
	return o
}
