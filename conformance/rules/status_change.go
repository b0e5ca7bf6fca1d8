package rules

import (
	"time"

	. "github.com/onsi/gomega"

	"github.com/acp-conform/acp-conform/conformance/client"
	"github.com/acp-conform/acp-conform/conformance/rule"
)

// noCreate asks about sessions that do not exist: they go on not to exist, in the answers, in the list, for a resume, and for an agent
// that is started again on the same store.
func noCreate(c *rule.Case) {
	home, _ := c.Env.OwnHome()
	v := shelved{Client: c.ConnectAt(home)}
	real := c.NewSessionOn(v.Client)
	ids := []string{c.UnknownID(), mutant(c, real.ID)}
	first := map[string]client.Status{}
	for _, id := range ids {
		first[id] = ask(c, v.Client, id)
		// Active at once is a wrong answer, which is not this rule's business: what did not exist has not become anything yet.
		c.Require(first[id].Standing == client.Unknown || first[id].Standing == client.Inactive, "a session that does not exist is called %s", first[id])
		v.questions(c, v.Adopt(id, real.Dir), probes(c)/windows)
	}
	v.Window()
	unchanged := func(cl *client.Client, id, when string) {
		st := ask(c, cl, id)
		// An agent may look for an id in the store or not, as it thinks right. So what was asked about is compared with what never was.
		ok := st.Standing == first[id].Standing || st.Standing == client.Unknown || st.Standing == client.Inactive && ask(c, cl, c.UnknownID()).Standing == client.Inactive
		c.Expect(ok, append(first[id].Frames(), st.Frames()...)...).To(BeTrue(), "a session that does not exist was called %s at first and %s %s", first[id], st, when)
	}
	for _, id := range ids {
		unchanged(v.Client, id, "when it had been asked about for a while")
	}
	if c.Env.Facts.Turn && c.Advertises("sessionCapabilities.list") {
		listOracle(c).created.judge(c)
	}
	if c.Env.Facts.Init.CanReattach() {
		for _, id := range ids {
			a := v.Adopt(id, real.Dir).Reattach()
			c.Require(a.State == client.Met && !a.Auth(), "resuming a session that does not exist: %s", a)
			notMade(c, first[id], a)
		}
	}
	c.End(v.Client)
	again := c.ConnectAt(home)
	for _, id := range ids {
		unchanged(again, id, "by an agent that was started again")
	}
}

// notMade judges that a session that was only asked about cannot be started. An agent that also starts one that nobody asked about
// makes sessions of its own accord, which is not the question's doing.
func notMade(c *rule.Case, asked client.Status, a client.Answer) {
	if !a.OK() {
		c.Log.Occasion()
		return
	}
	w := c.Connect()
	defer c.End(w)
	dir, err := w.NewDir()
	c.Require(err == nil, "no directory could be made: %v", err)
	if alone := w.Adopt(c.UnknownID(), dir).Reattach(); alone.OK() {
		c.Note(alone.Is("a result"), "the agent starts sessions that do not exist")
		return
	}
	c.Expect(a.Is("a result"), asked.Frames()...).To(Equal("an error"), "a session that did not exist can be started since its status was asked for")
}

var statusNoClose = rule.Rule{
	ID:    "status.sidefx.no-close",
	Title: "asking for the status of a session does not close it",
	Level: rule.Must, Basis: rule.Stated, Stability: rule.Unstable, Versions: both,
	Ref:     statusPage("contract"),
	Advice:  "Leave the session in memory as it is: the client goes on to use it.",
	Prompts: 7,
	Needs:   storedNeeds(),
	Act: func(c *rule.Case) {
		judgeAll(c, compare("O16 answers and methods", func(pace time.Duration) oracle { return survives(c, pace) }),
			compare("O6 second process", func(pace time.Duration) oracle { return shared(c, pace) }))
	},
}

// shared is oracle O6: a session in the memory of one process goes on there when another one on the same store is asked about it.
func shared(c *rule.Case, pace time.Duration) oracle {
	if !c.Env.Profile.SharedStore {
		return oracle{unusable: "nobody says that processes of the agent share a store (sharedStore)"}
	}
	var lasted time.Duration
	use := func(asking bool) (client.Answer, client.Status) {
		home, _ := c.Env.OwnHome()
		owner := c.ConnectAt(home)
		defer c.End(owner)
		s := c.NewSessionOn(owner)
		keep(c, s)
		other := shelved{Client: c.ConnectAt(home)}
		defer c.End(other.Client)
		var st client.Status
		began := time.Now()
		if asking {
			all := other.questions(c, s, 4*probes(c))
			st = all[len(all)-1]
		} else {
			other.othersFor(4*probes(c), pace)
		}
		lasted = time.Since(began)
		return c.Prompt(s, rule.ShortTurn).End(), st
	}
	alone, _ := use(false)
	if !alone.OK() {
		return oracle{unusable: "a session takes no prompt while another process runs on its store: " + alone.String()}
	}
	o := oracle{control: "the session took a prompt while another process ran that was not asked"}
	a, st := use(true)
	o.lasted = lasted
	if st.Standing != client.Active && st.Standing != client.Inactive {
		return oracle{unusable: "the other process does not know the session: it was called " + st.String()}
	}
	if a.State == client.Met && !a.OK() && !a.Auth() {
		o.shown = true
		o.finding = rule.Finding{Why: "a session took no prompt any more in its own process when another process on the same store had been asked about it",
			Expected: "a turn", Found: a.String() + ", after the other process said " + st.String(), Cite: a.Frames()}
	}
	return o
}

// survives is oracle O16 for questions: a session that was asked about takes the next prompt, as one that was not.
func survives(c *rule.Case, pace time.Duration) oracle {
	alone := shelved{Client: c.Connect()}
	defer c.End(alone.Client)
	s := c.NewSessionOn(alone.Client)
	alone.othersFor(probes(c), pace)
	if a, ok, why := c.Prompt(s, rule.ShortTurn).Ran(); !ok {
		return oracle{unusable: "a session that nobody asked about takes no prompt either: " + why + " " + a.String()}
	}
	o := oracle{control: "a session that nobody asked about took a prompt after as many other requests"}
	v := shelved{Client: c.Connect()}
	defer c.End(v.Client)
	s = c.NewSessionOn(v.Client)
	began := time.Now()
	answers := v.questions(c, s, probes(c))
	o.lasted = time.Since(began)
	last := answers[len(answers)-1]
	a := c.Prompt(s, rule.ShortTurn).End()
	if a.State == client.Met && a.Err != nil && !a.Auth() {
		o.shown = true
		o.finding = rule.Finding{Why: "a session took no prompt any more when its status had been asked for", Expected: "a turn", Found: a.String(),
			Cite: append(last.Frames(), a.Frames()...)}
	}
	return o
}

var statusOtherSessions = rule.Rule{
	ID:    "status.sidefx.other-sessions",
	Title: "asking for the status of a session has no effect on others",
	Level: rule.Must, Basis: rule.Stated, Stability: rule.Unstable, Versions: both,
	Ref:     statusPage("contract"),
	Advice:  "A question must not use up a place in memory: an inactive or unknown session that is asked about must not push another one out.",
	Prompts: 8,
	Needs:   storedNeeds(),
	Act: func(c *rule.Case) {
		judgeAll(c, compare("O3 stability of another session", func(pace time.Duration) oracle { return others(c, pace) }))
	},
}

// bystanders is how many other sessions are asked about, where the agent is fast enough to do so in a time that can be waited for.
const (
	bystanders       = 200
	bystandersFewest = 60
	bystandersFor    = 10 * time.Second
)

func manyAs(c *rule.Case) int {
	trip := max(c.Env.Facts.RoundTrip, time.Millisecond)
	return min(c.Env.Times(bystanders, bystandersFewest), max(probes(c), int(bystandersFor/trip)))
}

// others is oracle O3 for a session that is not asked about while many others are.
func others(c *rule.Case, pace time.Duration) oracle {
	alone, bystander, _ := crowd(c, false, pace)
	defer c.End(alone.Client)
	if st := ask(c, alone.Client, bystander.ID); st.Standing != client.Active {
		return oracle{unusable: "a session is called " + st.String() + " also when nobody asks about others"}
	}
	o := oracle{control: "without questions about others the session stays active"}
	v, bystander, lasted := crowd(c, true, pace)
	o.lasted = lasted
	defer c.End(v.Client)
	if st := ask(c, v.Client, bystander.ID); st.Standing != client.Active {
		o.shown = true
		o.finding = rule.Finding{Why: "a session left memory while others were asked about", Expected: "the word for a session in memory", Found: st.String(), Cite: st.Frames()}
		return o
	}
	if a := c.Prompt(bystander, rule.ShortTurn).End(); a.State == client.Met && a.Code() == client.CodeNotFound {
		o.shown = true
		o.finding = rule.Finding{Why: "a session takes no prompt any more after others were asked about", Expected: "a turn", Found: a.String(), Cite: a.Frames()}
	}
	return o
}

// crowd opens a session with a turn in it, and asks about many others, or makes as many other requests.
func crowd(c *rule.Case, asking bool, pace time.Duration) (shelved, *client.Session, time.Duration) {
	var v shelved
	var inactive []*client.Session
	if sh := anyShelf(c); sh.why == "" && !sh.restores {
		v = sh.open(c, windows)
		inactive = v.sessions
	} else {
		v.Client = c.Connect()
	}
	bystander := c.NewSessionOn(v.Client)
	keep(c, bystander)
	began := time.Now()
	if !asking {
		v.othersFor(manyAs(c), pace)
		return v, bystander, time.Since(began)
	}
	for i := range manyAs(c) {
		id := c.UnknownID()
		if i < len(inactive) {
			id = inactive[i].ID
		}
		ask(c, v.Client, id)
	}
	return v, bystander, time.Since(began)
}
