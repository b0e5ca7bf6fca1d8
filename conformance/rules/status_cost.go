package rules

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	. "github.com/onsi/gomega"

	"github.com/acp-conform/acp-conform/conformance/client"
	"github.com/acp-conform/acp-conform/conformance/rule"
)

// statusCost is what https://agentclientprotocol.com/rfds/session-status#contract says of the price of a question. Time is compared
// with time only, in series that take turns, and never fails a run.
func statusCost() []rule.Rule {
	return []rule.Rule{statusActiveCheap, statusNotBlocked, statusFrequentCalls, statusHistoryIndependent}
}

const (
	costSeries   = 3                      // a breach has to show in all of them
	costMost     = 500                    // pairs of calls in a series, where nobody says how many
	costLimit    = 900 * time.Millisecond // for one series
	costFewest   = 20                     // pairs that say something, for which a series may last longer
	costPatience = 30 * time.Second
	costCrowd    = 8 // sessions that there are, if they can be had quickly
)

// series are the times of calls that took turns with others of which they are compared.
type series struct{ these, those []time.Duration }

// timed makes two calls again and again, in a random order, for as long as a series may last. A call that is not answered as it
// should be ends the rule.
func timed(c *rule.Case, this, that func() client.Answer) series {
	var s series
	began := time.Now()
	most, limit := c.Env.Times(costMost, costFewest), time.Duration(c.Env.Times(int(costLimit), int(costLimit/4)))
	more := func() bool {
		n, lasts := len(s.these), time.Since(began)
		return n < most && lasts < limit || n < costFewest && lasts < costPatience
	}
	for more() {
		for _, first := range rand.Perm(2) {
			if first == 0 {
				s.these = append(s.these, took(c, this()))
			} else {
				s.those = append(s.those, took(c, that()))
			}
		}
	}
	slices.Sort(s.these)
	slices.Sort(s.those)
	c.Require(len(s.these) >= costFewest, "only %d calls could be made in %s", len(s.these), costPatience)
	return s
}

func took(c *rule.Case, a client.Answer) time.Duration {
	c.Require(a.State == client.Met, "%s: %s", a.Method, a)
	return a.Took
}

// at is the time below which a share of the calls took.
func at(sorted []time.Duration, share float64) time.Duration {
	return sorted[int(share*float64(len(sorted)-1))]
}

func micros(d time.Duration) time.Duration { return d.Round(time.Microsecond) }

// ratio is how much longer the middle one of these calls took than the middle one of those.
func (s series) ratio() float64 { return float64(at(s.these, .5)) / float64(max(at(s.those, .5), 1)) }

func (s series) String() string {
	return fmt.Sprintf("%d calls: p50 %s against %s, p99 %s against %s", len(s.these), micros(at(s.these, .5)), micros(at(s.those, .5)), micros(at(s.these, .99)), micros(at(s.those, .99)))
}

// cheap judges that not all series exceed what is still cheap.
func cheap(c *rule.Case, exceeds func(series) bool, why string, this, that func() client.Answer) {
	var all []string
	over := 0
	for range costSeries {
		s := timed(c, this, that)
		all = append(all, s.String())
		if !exceeds(s) { // one that does not is enough
			break
		}
		over++
	}
	found := "cheap"
	if figures := strings.Join(all, "; "); over == costSeries {
		found = figures
	} else {
		c.Note(figures, "how long the calls took")
	}
	c.ExpectSoft(found).To(Equal("cheap"), why)
}

var statusActiveCheap = rule.Rule{
	ID:    "status.perf.active-cheap",
	Title: "the answer about an active session is cheap",
	Level: rule.Should, Basis: rule.Stated, Stability: rule.Unstable, Versions: both,
	Ref:    statusPage("contract"),
	Advice: "Look the session up in memory before you look anywhere else: clients and routers ask often.",
	Needs:  statusNeeds(),
	Act: func(c *rule.Case) {
		cl := c.Client()
		c.Require(strings.HasPrefix(cl.Fence.Method, "_"), "there is no other request to compare with")
		s := c.NewSession()
		for n, began := 1, time.Now(); n < costCrowd && time.Since(began) < costLimit/3; n++ { // a crowd shows who searches
			s = c.NewSession()
		}
		c.Require(ask(c, cl, s.ID).Standing == client.Active, "the session is not called active")
		exceeds := func(s series) bool {
			return s.ratio() > 5 || len(s.these) >= 100 && at(s.these, .99) > max(50*time.Millisecond, 10*at(s.those, .99))
		}
		cheap(c, exceeds, "asking about an active session takes more than five times as long as a request that the agent does not know",
			func() client.Answer { return cl.Status(s.ID).Answer },
			func() client.Answer { return cl.Call(cl.Fence.Method, cl.Fence.Params) })
	},
}

var statusHistoryIndependent = rule.Rule{
	ID:    "status.perf.history-independent",
	Title: "the answer about a long session costs no more than that about a short one",
	Level: rule.Should, Basis: rule.Stated, Stability: rule.Unstable, Versions: both,
	Ref:     statusPage("contract"),
	Advice:  "Do not read the history of a session to say whether it is in memory.",
	Prompts: 1,
	Needs:   rule.Needs{Turn: true, Agent: statusNeeds().Agent, Stimulus: rule.Numbered},
	Act: func(c *rule.Case) {
		entries := c.Env.Times(200, 60)
		cl, short, long := c.Client(), c.NewSession(), c.NewSession()
		turn := c.Prompt(long, rule.Numbered, strconv.Itoa(entries))
		c.Ran(turn)
		c.Require(len(turn.Said().Cite) >= entries, "the session has only %d chunks of text", len(turn.Said().Cite))
		cheap(c, func(s series) bool { return s.ratio() > 3 }, "asking about a session with a long history takes more than three times as long as asking about a new one",
			func() client.Answer { return ask(c, cl, long.ID).Answer },
			func() client.Answer { return ask(c, cl, short.ID).Answer })
	},
}

var statusNotBlocked = rule.Rule{
	ID:    "status.perf.not-blocked-by-turn",
	Title: "a question is answered while a turn runs",
	Level: rule.Should, Basis: rule.Stated, Stability: rule.Unstable, Versions: both,
	Ref:     statusPage("contract"),
	Advice:  "Answer beside the turn and do not wait for it: whether a session is at work is what clients ask for.",
	Prompts: 1,
	Needs:   rule.Needs{Session: true, Turn: true, Agent: statusNeeds().Agent, Stimulus: rule.LongTurn},
	Act: func(c *rule.Case) {
		cl, s := c.Client(), c.NewSession()
		var idle []time.Duration
		for range c.Env.Times(costFewest, 5) {
			idle = append(idle, took(c, ask(c, cl, s.ID).Answer))
		}
		slices.Sort(idle)
		turn := running(c, c.Prompt(s, rule.LongTurn))
		defer jsonrpcStop(turn)
		slow := 0
		for range costSeries {
			a, ok := askedInTurn(c, cl, s, turn)
			if !ok {
				return
			}
			if a.Took > max(blockedFloor, 20*at(idle, .5)) {
				slow++
			}
		}
		c.ExpectSoft(slow).To(BeNumerically("<", costSeries), "while a turn runs each answer took more than %s and more than twenty times as long as before", blockedFloor)
	},
}

// askedInTurn asks while a turn runs, and judges what was answered only when it had ended, or not at all: then there is no more to see.
func askedInTurn(c *rule.Case, cl *client.Client, s *client.Session, turn *client.Turn) (a client.Answer, ok bool) {
	call := cl.Start("session/status", client.StatusParams(s.ID))
	a = call.Wait()
	switch {
	case a.State != client.Met:
		blockedByTurn(c, cl, turn, call)
	case turn.Done():
		c.Require(a.Took > jsonrpcPatience && a.Frame.Seq > endOf(turn), "the turn ended by itself")
		c.Expect(a.Is(afterTurn)).To(Equal(inTurn), "a question that was asked while a turn ran was answered %s", afterTurn)
	default:
		return a, true
	}
	return a, false
}

const (
	inTurn    = "while the turn ran"
	afterTurn = "only when the turn had ended"
)

// endOf is the number of the line that ended a turn.
func endOf(turn *client.Turn) (seq int) {
	for _, f := range turn.End().Frames() {
		seq = max(seq, f.Seq)
	}
	return seq
}

// blockedFloor is what an answer may take in a turn however quick it is else.
const blockedFloor = 250 * time.Millisecond

// blockedByTurn ends the turn and judges what becomes of a question that got no answer in it.
func blockedByTurn(c *rule.Case, cl *client.Client, turn *client.Turn, call *client.Call) {
	c.Require(!turn.Done(), "the turn ended too soon")
	turn.Cancel()
	end := turn.End()
	cl.Fenced()
	a := call.Wait()
	when := afterTurn
	if a.State != client.Met {
		call.GiveUp(a.Why)
		when = "never"
	}
	c.Require(end.State == client.Met, "the turn did not end when it was cancelled: %s", end.Why)
	c.Expect(a.Is(when), end.Frames()...).To(Equal(inTurn), "a question that was asked while a turn ran was answered %s", when)
}
