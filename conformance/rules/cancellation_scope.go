package rules

import (
	"fmt"
	"time"

	. "github.com/onsi/gomega"

	"github.com/acp-conform/acp-conform/conformance/client"
	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/wire"
)

// The rules about how far a cancel reaches: how soon it works, what it leaves alone, and what comes after it.

const (
	fairRatio = 10 // a machine on which anything takes this fraction of it is to blame itself
	tries     = 3
)

var cancelPromptLatency = rule.Rule{
	ID:    "cancel.prompt-latency",
	Title: "a cancelled turn ends soon",
	Level: rule.Should, Basis: rule.Stated, Versions: v1,
	Ref:     rule.Ref{Page: "prompt-turn", Anchor: "cancellation"},
	Advice:  "Abort the model's request and the tools at once on session/cancel, instead of waiting for them to come to an end.",
	Prompts: tries,
	Needs:   rule.Needs{Turn: true, Stimulus: rule.LongTurn},
	Act: func(c *rule.Case) {
		for n := 1; ; n++ {
			took, slow := cancelTakes(c)
			if slow && n < tries {
				continue // it may have been the machine
			}
			c.Note(took, "the time between the cancel and the response to the prompt")
			c.Expect(client.Value{Of: slow, Cite: took.Cite}).To(BeFalse(), "%d times in a row a cancelled turn took more than %v to end, the last time %v", n, soonOf(c), took.Of)
			return
		}
	},
}

// soonOf is half of what a request may take, 5 s by default: no editor's user waits longer for a stop button.
func soonOf(c *rule.Case) time.Duration { return c.Client().Timeouts.Request / 2 }

// cancelTakes measures how long a cancel takes, and tells whether that is long on this machine. It is written right behind the
// answer to another request, which is both the beginning of the measurement and its control.
func cancelTakes(c *rule.Case) (took client.Value, slow bool) {
	cl := c.Client()
	fence := cl.Fence
	c.Require(fence.Method != "", "the agent answers no request by which the time could be taken")
	turn := running(c, c.Prompt(c.NewSession(), rule.LongTurn))
	control := cl.Call(fence.Method, fence.Params)
	quickest := control.Took
	for range tries - 1 {
		control = cl.Call(fence.Method, fence.Params)
		quickest = min(quickest, control.Took)
	}
	turn.Cancel()
	a := turn.End()
	c.Require(control.State == client.Met && a.State == client.Met, "the prompt was not answered after the cancel: %s", a.Why)
	d := a.Frame.At.Sub(control.Frame.At)
	return a.Is(d.Round(time.Millisecond).String()), d > soonOf(c) && d > fairRatio*quickest
}

var cancelToolsFinalised = rule.Rule{
	ID:    "cancel.tools-finalised",
	Title: "no tool call goes on after its turn was cancelled",
	Level: rule.Should, Basis: rule.Stated, Versions: v1,
	Ref:      rule.Ref{Page: "prompt-turn", Anchor: "cancellation"},
	Advice:   "Report failed for the open tool calls before you answer the prompt of a cancelled turn, or say nothing more of them: the client has marked them cancelled.",
	Occasion: rule.AgentsChoice,
	Watch:    func() rule.Watcher { return &turnTools{judge: openAfterCancel, late: goesOn} },
}

func openAfterCancel(l *rule.Log, r *rule.Reading, turn *rule.TurnState, reason string, calls toolCalls) {
	if len(calls) == 0 || !turn.Cancelled || reason != "cancelled" {
		return
	}
	l.Occasion()
	if open := calls.open(); len(open) > 0 {
		l.Note(rule.Finding{Why: fmt.Sprintf("%d tool calls were left open when the turn was cancelled; the client marks them itself", len(open)), Cite: append(r.Cite(), open...)})
	}
}

// goesOn judges a tool call that is reported when no turn of its session runs.
func goesOn(l *rule.Log, r *rule.Reading, s *rule.SessionState, status string) {
	if s.Turn == nil || s.Pending || !s.Turn.Cancelled || s.Turn.StopReason != "cancelled" || status != "in_progress" {
		return
	}
	l.Occasion()
	l.Broken(rule.Finding{Why: "a tool call is in progress although its turn was cancelled and has ended", Expected: "no further progress", Found: status,
		Cite: []wire.Frame{s.Turn.Response, r.Frame}})
}

var cancelIdleNoop = rule.Rule{
	ID:    "cancel.idle-noop",
	Title: "a cancel without a turn has no effect",
	Level: rule.Must, Basis: rule.Implied, Versions: v1,
	Ref:     rule.Ref{Page: "prompt-turn", Anchor: "cancellation"},
	Advice:  "Ignore session/cancel when no turn runs, and do not keep it for the next one: it crosses the end of a turn all the time.",
	Prompts: 2,
	Needs:   rule.Needs{Turn: true, Stimulus: rule.ShortTurn},
	Act: func(c *rule.Case) {
		cl, s := c.Client(), c.NewSession()
		mark := cl.Mark()
		s.Cancel()
		cl.Fenced()
		unasked(c, cl, mark, "after a cancel that found no turn")
		if c.Alive(cl, true, "the agent answers nothing any more after a cancel that found no turn") {
			takesPrompt(c, s, "a cancel that found no turn")
		}
	},
}

var cancelSessionUsableAfter = rule.Rule{
	ID:    "cancel.session-usable-after",
	Title: "a session takes the next prompt after a cancelled turn",
	Level: rule.Must, Basis: rule.Stated, Versions: v1,
	Ref:     rule.Ref{Page: "prompt-turn"},
	Advice:  "Leave the session as it is when its turn is cancelled, with a fresh state for the next turn: the user goes on with it.",
	Prompts: 3,
	Needs:   rule.Needs{Turn: true, Stimulus: rule.LongTurn},
	Act: func(c *rule.Case) {
		s := c.NewSession()
		turn := running(c, c.Prompt(s, rule.LongTurn))
		turn.Cancel()
		a := turn.End()
		c.Require(a.State == client.Met, "the prompt was not answered after the cancel: %s", a.Why)
		takesPrompt(c, s, "a cancelled turn")
	},
}

// takesPrompt judges that a session goes on after something. If it does not, a fresh agent tells whether that has another
// reason, such as a backend that fails meanwhile.
func takesPrompt(c *rule.Case, s *client.Session, after string) {
	turn := c.Prompt(s, rule.ShortTurn)
	a, ok, why := turn.Ran()
	if ok && a.Member("stopReason").Of != "cancelled" {
		c.Expect(a.Is(ok)).To(BeTrue())
		return
	}
	c.Require(!turn.Cancelled || a.State != client.Met, "the next turn: %s", why)
	c.Require(!a.Auth(), "the agent asks for authentication first")
	if !s.Client().Gone() {
		fresh := c.Ran(c.Prompt(c.NewSessionOn(c.Connect()), rule.ShortTurn)) // on an agent that has seen no cancel
		c.Require(fresh.Member("stopReason").Of != "cancelled", "turns end as cancelled here without a cancel")
	}
	if ok {
		c.Expect(a.Member("stopReason")).NotTo(Equal("cancelled"), "the turn behind %s ended as cancelled, although nobody had cancelled it", after)
		return
	}
	c.Expect(a.Is(a.String())).To(Equal("a result"), "the session did not take the next prompt after %s: %s", after, why)
}

var cancelUnknownSessionNoop = rule.Rule{
	ID:    "cancel.unknown-session-noop",
	Title: "a cancel for a session that does not exist is ignored",
	Level: rule.Must, Basis: rule.Stated, Versions: v1,
	Ref:        rule.Ref{Page: "overview", Anchor: "error-handling"},
	Advice:     "Ignore session/cancel for an id that you do not know: a notification is never answered, and it must not hit other sessions.",
	Robustness: true,
	Prompts:    1,
	Act: func(c *rule.Case) {
		const when = "after a cancel for a session that does not exist"
		cl := c.Connect()
		mark := cl.Mark()
		cancelsUnknown(c, cl)
		unasked(c, cl, mark, when)
		if !c.Alive(cl, true, "the agent answers nothing any more "+when) || !c.Env.Facts.Turn {
			return
		}
		c.End(cl)
		// Beside a turn that runs it can do more harm. Without such a turn nothing is missing.
		cl = c.Connect()
		turn := c.Prompt(c.NewSessionOn(cl), rule.LongTurn)
		if turn.Started() {
			cancelsUnknown(c, cl)
			unharmed(c, turn, when)
		}
		turn.Cancel()
		turn.End()
	},
}

func cancelsUnknown(c *rule.Case, cl *client.Client) {
	err := cl.Raw(cancelLine(c.UnknownID()))
	c.Require(err == nil || cl.Gone(), "the cancel could not be written: %v", err)
	cl.Fenced()
}

// unharmed judges that a turn was not hit by what was meant for another session. It is false where nothing can be said: a turn
// that nothing holds may have come to its own end.
func unharmed(c *rule.Case, turn *client.Turn, when string) bool {
	// An agent that has read the cancel may still be about to end the turn.
	turn.Linger()
	if !turn.Done() {
		c.Expect(true).To(BeTrue())
		return true
	}
	reason := turn.StopReason()
	if !turn.Held() && reason.Of != "cancelled" {
		return false
	}
	c.Expect(reason).To(Equal("a turn that goes on"), "the turn of another session ended %s", when)
	return true
}

var cancelScopedToSession = rule.Rule{
	ID:    "cancel.scoped-to-session",
	Title: "a cancel ends the turn of its own session only",
	Level: rule.Must, Basis: rule.Stated, Versions: v1,
	Ref:     rule.Ref{Page: "schema", Anchor: "CancelNotification"},
	Advice:  "Keep what a cancel aborts with the session that it names: editors run several sessions over one connection.",
	Prompts: 2,
	Needs:   rule.Needs{Turn: true, Stimulus: rule.LongTurn},
	Act: func(c *rule.Case) {
		cl, one, other := c.Client(), c.NewSession(), c.NewSession()
		first := running(c, c.Prompt(one, rule.LongTurn))
		second := running(c, c.Prompt(other, rule.LongTurn))
		c.Require(!first.Done(), "the turn of the first session ended before it could be cancelled")
		first.Cancel()
		a := first.End()
		c.Require(a.State == client.Met, "the prompt was not answered after the cancel: %s", a.Why)
		cl.Fenced()
		judged := unharmed(c, second, "after the cancel of another session")
		second.Cancel()
		second.End()
		c.Require(judged, "the turn of the other session ended by itself")
	},
}
