package rules

import (
	"fmt"

	. "github.com/onsi/gomega"

	"github.com/acp-conform/acp-conform/conformance/client"
	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/wire"
)

// cancellation is https://agentclientprotocol.com/protocol/v1/prompt-turn#cancellation.
func cancellation() []rule.Rule {
	return []rule.Rule{
		cancelStopReasonCancelled,
		cancelNoErrorResponse,
		cancelDuringTool,
		cancelDuringPermission,
		cancelDuringClientRequest,
		cancelUpdatesBeforeResponse,
		cancelStopsWork,
		cancelPromptLatency,
		cancelToolsFinalised,
		cancelIdleNoop,
		cancelUnknownSessionNoop,
		cancelScopedToSession,
		cancelSessionUsableAfter,
		cancelImmediate,
		cancelDouble,
	}
}

var cancelStopReasonCancelled = rule.Rule{
	ID:    "cancel.stop-reason-cancelled",
	Title: "a cancelled turn ends with the stop reason cancelled",
	Level: rule.Must, Basis: rule.Stated, Versions: v1,
	Ref:     rule.Ref{Page: "prompt-turn", Anchor: "cancellation"},
	Advice:  "After session/cancel stop the model and the tools, then answer the pending prompt with the stop reason cancelled.",
	Mild:    notHeld,
	Prompts: tries,
	Needs:   rule.Needs{Session: true, Stimulus: rule.LongTurn},
	Act: func(c *rule.Case) {
		for n := 1; ; n++ {
			turn := longTurn(c, c.NewSession())
			turn.Cancel()
			a := turn.End()
			// A turn that nothing holds may have come to its own end when the cancel was on its way: that happens once.
			if n < tries && c.Env.Facts.Turn && !turn.Held() && a.Member("stopReason").Of == "end_turn" {
				continue
			}
			endsCancelled(c, turn, a, "it was cancelled")
			return
		}
	},
}

// longTurn starts a turn that goes on, and waits until it shows that it runs. Where the survey saw that turns end by a cancel
// only, a turn that has not been answered runs.
func longTurn(c *rule.Case, s *client.Session) *client.Turn {
	facts := c.Env.Facts
	if facts.Turn {
		return running(c, c.Prompt(s, rule.LongTurn))
	}
	c.Require(facts.CancelEnds, "no turn ends here: %s", facts.TurnReason)
	turn := c.Prompt(s, rule.LongTurn)
	s.Client().Fenced()
	c.Require(!turn.Done(), "the turn ended before it could be cancelled")
	return turn
}

// running waits until a turn shows that it runs: what ended before it was cancelled says nothing about cancelling.
func running(c *rule.Case, turn *client.Turn) *client.Turn {
	if !turn.Started() {
		a := turn.End()
		c.NotObserved("the turn did not go on until it could be cancelled: %s", a)
	}
	return turn
}

// endsCancelled judges the answer to a prompt whose turn was cancelled. Only of a turn that surely ran on it is known that its
// end has no other reason; that it never ends needs no such knowledge.
func endsCancelled(c *rule.Case, turn *client.Turn, a client.Answer, when string) {
	if !c.Expect(a.Is(a.State == client.Met)).To(BeTrue(), "the prompt was never answered after %s: %s", when, a.Why) {
		return
	}
	c.Require(!a.Auth(), "the agent asks for authentication first")
	c.Require(a.Err == nil, "the prompt was answered by an error, which is another rule's business")
	c.ExpectIf(turn.Held(), turn.StopReason()).To(Equal("cancelled"), "the turn did not end with the stop reason cancelled after %s", when)
}

var cancelNoErrorResponse = rule.Rule{
	ID:    "cancel.no-error-response",
	Title: "the prompt of a cancelled turn is not answered by an error",
	Level: rule.Must, Basis: rule.Stated, Versions: v1,
	Ref:     rule.Ref{Page: "prompt-turn", Anchor: "cancellation"},
	Advice:  "Catch the exception with which libraries abort and answer with the stop reason cancelled: clients show an error as a failure of the agent.",
	Mild:    "another error may have come at the same time by itself",
	Prompts: 1,
	Needs:   rule.Needs{Session: true, Stimulus: rule.LongTurn},
	Act: func(c *rule.Case) {
		turn := longTurn(c, c.NewSession())
		turn.Cancel()
		a := turn.End()
		c.Require(a.State == client.Met, "the prompt was not answered after the cancel: %s", a.Why)
		c.Require(!a.Auth(), "the agent asks for authentication first")
		// Another error may have come at the same time by itself; that the request was cancelled is our doing.
		certain := turn.Held() || a.Code() == client.CodeRequestCancelled
		c.ExpectIf(certain, a.Is(a.Err == nil)).To(BeTrue(), "the prompt of a cancelled turn was answered by %s", a)
	},
}

var cancelUpdatesBeforeResponse = rule.Rule{
	ID:    "cancel.updates-before-response",
	Title: "all messages and tool calls of a cancelled turn come before its response",
	Level: rule.Must, Basis: rule.Stated, Versions: v1,
	Ref:     rule.Ref{Page: "prompt-turn", Anchor: "cancellation"},
	Advice:  "Let the work of the turn come to its end, and write its last updates, before you answer the prompt; after the response drop them.",
	Mild:    "clients can live with late thoughts and plans, and with late news of a turn that did not end as cancelled",
	Prompts: 2,
	Needs:   rule.Needs{Turn: true, Stimulus: rule.LongTurn},
	Act: func(c *rule.Case) {
		type ended struct {
			cl   *client.Client
			turn *client.Turn
			a    client.Answer
		}
		var all []ended
		for _, st := range []rule.Stimulus{rule.LongTurn, rule.LongTool} {
			if _, ok := c.Env.Stimuli(st, ""); !ok {
				continue
			}
			cl := c.Connect() // of its own, so that the turns cannot be mixed up
			turn := running(c, c.Prompt(c.NewSessionOn(cl), st))
			turn.Cancel()
			a := turn.End()
			c.Require(a.State == client.Met, "the prompt was not answered after the cancel: %s", a.Why)
			all = append(all, ended{cl, turn, a})
		}
		for _, e := range all {
			e.cl.Fenced()
			e.cl.LongWindow(e.a.Frame)
			cancelLate(c, e.turn, e.a)
		}
	},
}

// cancelLate judges what came behind the response. Thoughts and plans warn, and so does everything where the response does
// not say that the turn was cancelled.
func cancelLate(c *rule.Case, turn *client.Turn, a client.Answer) {
	late := promptUpdatesBehind(turn, a.Frame, func(kind string) bool { return ofTurn(kind) && !softUpdate(kind) })
	c.ExpectIf(a.Member("stopReason").Of == "cancelled", len(late), append(late, a.Frame)...).To(Equal(0),
		"%d messages or tool calls of a cancelled turn came after the response to its prompt", len(late))
	soft := promptUpdatesBehind(turn, a.Frame, softUpdate)
	c.ExpectSoft(len(soft), append(soft, a.Frame)...).To(Equal(0), "%d thoughts or plans of a cancelled turn came after the response to its prompt", len(soft))
}

func softUpdate(kind string) bool { return kind == "agent_thought_chunk" || kind == "plan" }

// immediateID is far above the ids that the client counts up.
const immediateID = "1000001"

var cancelImmediate = rule.Rule{
	ID:    "cancel.immediate",
	Title: "a cancel right behind the prompt is honoured",
	Level: rule.Must, Basis: rule.Stated, Versions: v1,
	Ref:     rule.Ref{Page: "prompt-turn", Anchor: "cancellation"},
	Advice:  "Register the turn when the prompt is read, before any work begins, so that a cancel that is already on its way finds it.",
	Mild:    "the turn did end, and nobody knows whether the second cancel was needed for that",
	Prompts: 1,
	Needs:   rule.Needs{Turn: true, Stimulus: rule.LongTurn},
	Act: func(c *rule.Case) {
		cl, s, task := c.Client(), c.NewSession(), c.Task(rule.LongTurn)
		defer takeTurn(c, cl)()
		prompt := fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"session/prompt","params":%s}`+"\n", immediateID,
			rule.JSON(map[string]any{"sessionId": s.ID, "prompt": task.Prompt}))
		mark := cl.Mark()
		err := cl.Chunks(0, []byte(prompt+cancelLine(s.ID)+"\n"))
		c.Require(err == nil, "the prompt could not be written: %v", err)
		is := func(l client.Line) bool { return l.Kind == wire.Response && l.Key() == immediateID }
		line, state, why := cl.AwaitTurnLine(mark, is)
		if state != client.Met && !cl.Gone() {
			s.Cancel()
			line, state, why = cl.AwaitTurnLine(mark, is)
			c.ExpectIf(task.Certain, state != client.Met, cl.CancelOf(s.ID), line.Frame).To(BeTrue(), "the turn ended only after a second cancel: the one right behind the prompt was lost")
		}
		if !c.Expect(state == client.Met, cl.CancelOf(s.ID), line.Frame).To(BeTrue(), "a prompt with a cancel right behind it was never answered: %s", why) {
			return
		}
		cancelledAtOnce(c, task.Certain, line)
		answeredOnce(c, cl, mark, is)
	},
}

// cancelledAtOnce judges the answer to a prompt that was cancelled before it can have begun: an agent may have been quicker.
func cancelledAtOnce(c *rule.Case, certain bool, line client.Line) {
	reason, ok := text(wire.Member(line.Result, "stopReason"))
	switch {
	case !ok: // an error is another rule's business
	case certain:
		c.Expect(reason, line.Frame).To(Equal("cancelled"), "a turn that was cancelled right behind its prompt ended with another stop reason")
	case reason != "cancelled":
		c.Note(reason, "a turn that was cancelled right behind its prompt came to its own end first")
	}
}

var cancelDouble = rule.Rule{
	ID:    "cancel.double",
	Title: "a turn that is cancelled twice is answered once",
	Level: rule.Must, Basis: rule.Stated, Versions: v1,
	Ref:     rule.Ref{Page: "prompt-turn", Anchor: "cancellation"},
	Advice:  "Answer the prompt once, however often it is cancelled, and never answer session/cancel itself: it is a notification.",
	Prompts: 1,
	Needs:   rule.Needs{Turn: true, Stimulus: rule.LongTurn},
	Act: func(c *rule.Case) {
		cl, s := c.Client(), c.NewSession()
		mark := cl.Mark()
		turn := running(c, c.Prompt(s, rule.LongTurn))
		turn.Cancelled = true
		err := cl.Chunks(0, []byte(cancelLine(s.ID)+"\n"+cancelLine(s.ID)+"\n"))
		c.Require(err == nil, "the cancels could not be written: %v", err)
		a := turn.End()
		c.Require(a.State == client.Met, "the prompt was not answered after two cancels: %s", a.Why)
		answeredOnce(c, cl, mark, func(l client.Line) bool { return l.Kind == wire.Response && l.Key() == turn.Answers()[0].Key() })
		unasked(c, cl, mark, "after two cancels")
	},
}

// answeredOnce waits for what may still come and judges that there is one response.
func answeredOnce(c *rule.Case, cl *client.Client, m client.Mark, is func(client.Line) bool) {
	cl.Fenced()
	cl.Window()
	var got []wire.Frame
	for _, l := range cl.Since(m) {
		if is(l) {
			got = append(got, l.Frame)
		}
	}
	c.Expect(len(got), got...).To(Equal(1), "the prompt got %d responses", len(got))
}

// unasked judges that no response came that belongs to no request: nothing answers a notification.
func unasked(c *rule.Case, cl *client.Client, m client.Mark, when string) {
	var got []wire.Frame
	for _, l := range cl.Since(m) {
		if l.Kind == wire.Response && l.Method == nil && (l.Key() == "" || l.Key() == "null") && !parseError(l) {
			got = append(got, l.Frame)
		}
	}
	c.Expect(len(got), got...).To(Equal(0), "%d responses without an id came %s: session/cancel is a notification and has no answer", len(got), when)
}

// parseError tells whether a response complains of a line that could not be read: then it answers no message at all.
func parseError(l client.Line) bool { return string(wire.Member(l.Error, "code")) == "-32700" }
