package rules

import (
	"slices"

	. "github.com/onsi/gomega"

	"github.com/acp-conform/acp-conform/conformance/client"
	"github.com/acp-conform/acp-conform/conformance/rule"
)

// statusResponses is https://agentclientprotocol.com/rfds/session-status#status-values.
func statusResponses() []rule.Rule {
	return []rule.Rule{
		statusStatusRequired, statusValueVocabulary, statusInMemory, statusStored, statusStoredImpliesResumable, statusListedNotUnknown,
	}
}

var statusInMemory = rule.Rule{
	ID:    "status.response.in-memory",
	Title: "a session that was just created, loaded or resumed, or in which a turn runs, is called active",
	Level: rule.Must, Basis: rule.Stated, Stability: rule.Unstable, Versions: both,
	Ref:     statusPage("status-values"),
	Advice:  "Answer with the word for a session in memory for as long as the agent has it there, whichever connection asks.",
	Mild:    "an agent may take a session out of memory at any time in which no turn of it runs",
	Prompts: shelfPrompts + 3,
	Needs:   statusNeeds(),
	Act: func(c *rule.Case) {
		cl := c.Connect()
		p := presence{c: c}
		s := c.NewSessionOn(cl)
		p.just(s, "created")
		p.busy(s)
		p.just(c.NewSessionOn(cl), "created")
		if c.Env.Facts.Turn {
			p.again("resumed", c.Env.Facts.Init.CanResume(), (*client.Session).Resume)
			p.again("loaded", c.Env.Facts.Init.CanLoad(), (*client.Session).Load)
		}
		p.conclude()
	},
}

// presence is whether sessions are called active when they surely are in memory. An agent may evict a session at any time, so that an
// inactive answer proves something only where a turn runs; an agent that never says active is another matter.
type presence struct {
	c      *rule.Case
	active int // answers
	absent []client.Status
	when   string
}

// just judges the answer about a session that was just set up.
func (p *presence) just(s *client.Session, how string) {
	st := ask(p.c, s.Client(), s.ID)
	cite := append(s.Answer.Frames(), st.Frames()...)
	p.c.Expect(st.Standing.String(), cite...).NotTo(Equal(client.Unknown.String()), "a session that was just %s is not known to session/status", how)
	switch st.Standing {
	case client.Active:
		p.active++
	case client.Inactive:
		p.absent, p.when = append(p.absent, st), how
	}
}

// busy judges the answer about a session in which a turn runs.
func (p *presence) busy(s *client.Session) {
	t, ok := p.c.Env.Stimuli(rule.LongTurn, "")
	if !ok || !p.c.Env.Facts.Turn {
		return
	}
	turn := s.Prompt(t.Prompt, t.Certain)
	if turn.Refused() != nil || !turn.Started() {
		turn.End()
		return
	}
	st := ask(p.c, s.Client(), s.ID)
	runs := !turn.Done()
	turn.Cancel()
	turn.End()
	if st.Standing == client.Active {
		p.active++
	}
	if runs && st.Standing != client.Unsaid && st.Standing != client.Other {
		p.c.Expect(st.Standing.String(), st.Frames()...).To(Equal(client.Active.String()), "a session in which a turn runs is called %s", st)
	}
}

// again judges a session of the shelf that was started again. It is taken from the shelf even where nobody calls it inactive.
func (p *presence) again(how string, served bool, start func(*client.Session) client.Answer) {
	sh := anyShelf(p.c)
	if !served || sh.why != "" && !sh.forgets {
		return
	}
	v := sh.open(p.c, 1)
	defer p.c.End(v.Client)
	s := v.sessions[0]
	s.Status() // an agent that remembers its answers may remember this one
	if s.Answer = start(s); !s.Answer.OK() {
		s.Answer = start(s)
	}
	if !s.Answer.OK() {
		return // an agent need not be able to; that it says so of an inactive session is another rule's business
	}
	p.just(s, how)
	p.busy(s)
}

// conclude judges the inactive answers: two of them in the same place warn, and so does an agent that never says anything else.
func (p *presence) conclude() {
	for _, st := range p.absent {
		if p.active == 0 || len(p.absent) > 1 {
			p.c.ExpectSoft(st.Word, st.Frames()...).To(Equal(""), "a session that was just %s is called %s", p.when, st.Word)
			return
		}
		p.c.Note(st.Word, "a session that was just %s was called %s, once", p.when, st.Word)
	}
}

var statusStored = rule.Rule{
	ID:    "status.response.stored",
	Title: "a session that is known and not in memory is called inactive, and can be resumed then",
	Level: rule.Must, Basis: rule.Stated, Stability: rule.Unstable, Versions: both,
	Ref:      statusPage("status-values"),
	Advice:   "Look into the store before you say that a session does not exist, and call inactive only what a resume will start.",
	Prompts:  shelfPrompts,
	Needs:    storedNeeds(),
	Optional: true, // an agent need not keep sessions that are not in memory
	Act: func(c *rule.Case) {
		sh := anyShelf(c)
		named(c, sh)
		if sh.forgets {
			forgotten(c, *sh)
		}
		sh = onShelf(c)
		c.Require(!sh.restores, "an agent that is started again has its sessions in memory")
		c.Require(c.Env.Facts.Init.CanReattach(), "there is no way to start a session again")
		c.Note(string(sh.recipe), "how a session gets inactive here")
		v := sh.open(c, 1)
		s := v.sessions[0]
		st := ask(c, v.Client, s.ID)
		c.Require(st.Standing == client.Inactive, "the session is called %s", st)
		v.questions(c, s, probes(c))
		unjudged := promised(c, s, st)
		c.Require(unjudged == "", "%s", unjudged)
	},
}

// promised judges that a session can be started again that was called inactive, or says why that cannot be judged.
func promised(c *rule.Case, s *client.Session, st client.Status) (unjudged string) {
	lazy := s.Client().Status(c.UnknownID()).Standing == client.Inactive
	a := reattach(s)
	switch {
	case lazy && !a.OK(): // whoever calls inactive what it has not looked for promises nothing
		return "the agent calls every session inactive that it does not have in memory, and this one could not be started again: " + a.String()
	case !a.OK() && a.Code() != client.CodeNotFound:
		return "the session could not be started again: " + a.String()
	}
	c.Expect(a.Is(a.String()), st.Frames()...).To(Equal("a result"), "a session that was called %s could not be started again: the agent does not know it", st)
	return ""
}

// named judges the session that the configuration names, where the suite has inactive ones of its own: it is the user's, so that the
// rules that compare several sessions, and change them, rather take those.
func named(c *rule.Case, sh *shelf) {
	p := c.Env.Profile
	if p.Session == "" || sh.recipe == byProfile {
		return
	}
	cl := c.Connect()
	defer c.End(cl)
	s := cl.Adopt(p.Session, p.SessionDir)
	st := ask(c, cl, s.ID)
	c.Note(st.Said(), "the session that the configuration names (inactiveSession) is asked about here alone: the other rules have sessions of the suite's own")
	switch can := c.Env.Facts.Init.CanReattach(); {
	case can && st.Standing == client.Inactive:
		if unjudged := promised(c, s, st); unjudged != "" {
			c.Note(unjudged, "of the session that the configuration names it cannot be said whether it keeps what its status promises")
		}
	case can && st.Standing == client.Unknown:
		a := reattach(s)
		c.Expect(a.Is(a.OK()), st.Frames()...).To(BeFalse(), "the session that the configuration names is not known to session/status, and could be started again")
	}
}

// forgotten judges an agent that does not know its sessions any more when it was started again: that is honest unless a session is
// listed and can be started.
func forgotten(c *rule.Case, sh shelf) {
	sh.recipe = byRelaunch
	v := sh.open(c, 1)
	defer c.End(v.Client)
	if !c.Advertises("sessionCapabilities.list") || !c.Env.Facts.Init.CanReattach() {
		return
	}
	s := v.sessions[0]
	rows, _, _ := v.List()
	i := slices.IndexFunc(rows, func(r client.Row) bool { return r.ID == s.ID })
	st := ask(c, v.Client, s.ID)
	a := reattach(s)
	if i < 0 || !a.OK() {
		return
	}
	cite := append(append(st.Frames(), a.Frames()...), rows[i].Frame)
	c.Expect(st.Standing.String(), cite...).NotTo(Equal(client.Unknown.String()), "a session that is listed and can be started again is not known to session/status")
}

var statusStoredImpliesResumable = rule.Rule{
	ID:    "status.response.stored-implies-resumable",
	Title: "what session/list lists and session/status calls inactive can be resumed",
	Level: rule.Should, Basis: rule.Stated, Stability: rule.Unstable, Versions: both,
	Ref:     statusPage("status-values"),
	Advice:  "Call a session inactive only while everything is there that a resume of it needs.",
	Prompts: shelfPrompts,
	Needs:   storedNeeds("sessionCapabilities.list"),
	Act: func(c *rule.Case) {
		sh := onShelf(c)
		c.Require(c.Env.Facts.Init.CanReattach(), "there is no way to start a session again")
		v := sh.open(c, windows)
		rows, a, ok := v.List()
		c.Require(ok, "session/list: %s", a)
		for _, r := range rows {
			s := v.Adopt(r.ID, r.Cwd)
			if !slices.ContainsFunc(v.sessions, func(o *client.Session) bool { return o.ID == r.ID }) || ask(c, v.Client, r.ID).Standing != client.Inactive {
				continue
			}
			a := reattach(s)
			if a.OK() || a.Code() == client.CodeNotFound {
				c.Expect(a.Is(a.String()), r.Frame).To(Equal("a result"), "a session that is listed, and called inactive, could not be resumed: the agent does not know it")
			}
		}
	},
}

var statusListedNotUnknown = rule.Rule{
	ID:    "status.response.listed-not-unknown",
	Title: "session/status knows what session/list lists",
	Level: rule.Should, Basis: rule.Stated, Stability: rule.Unstable, Versions: both,
	Ref:     statusPage("status-values"),
	Advice:  "Let session/list and session/status look into the same store.",
	Prompts: shelfPrompts + 1,
	Needs:   storedNeeds("sessionCapabilities.list"),
	Act: func(c *rule.Case) {
		v := anyShelf(c).open(c, windows)
		fresh := c.NewSessionOn(v.Client)
		keep(c, fresh)
		own := append(v.sessions, fresh)
		rows, a, ok := v.List()
		c.Require(ok, "session/list: %s", a)
		for _, r := range rows {
			if !slices.ContainsFunc(own, func(o *client.Session) bool { return o.ID == r.ID }) {
				continue // somebody else's may be gone at any time
			}
			st := ask(c, v.Client, r.ID)
			c.Expect(st.Standing.String(), append(st.Frames(), r.Frame)...).NotTo(Equal(client.Unknown.String()), "a session that is listed is not known to session/status")
		}
	},
}
