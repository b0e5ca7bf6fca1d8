package rules

import (
	"time"

	. "github.com/onsi/gomega"

	"github.com/acp-conform/acp-conform/conformance/client"
	"github.com/acp-conform/acp-conform/conformance/rule"
)

// jsonrpcConcurrency are the rules about requests that are open on both sides at the same time, by
// https://agentclientprotocol.com/protocol/v1/overview#message-flow.
func jsonrpcConcurrency() []rule.Rule {
	return []rule.Rule{jsonrpcConcurrentRequests, jsonrpcSurvivesErrorResponse, jsonrpcIgnoresStrayResponse}
}

var jsonrpcConcurrentRequests = rule.Rule{
	ID:    "jsonrpc.concurrent-requests",
	Title: "requests are answered while a turn is running",
	Level: rule.Must, Basis: rule.Stated, Versions: v1,
	Ref:     rule.Ref{Page: "session-modes", Anchor: "setting-the-current-mode"},
	Advice:  "Run the turn beside the loop that reads stdin: a client changes modes, opens sessions and cancels while a turn runs.",
	Mild:    "it is not certain that the turn went on all the time",
	Prompts: 1,
	Needs:   rule.Needs{Turn: true, Stimulus: rule.LongTurn},
	Act: func(c *rule.Case) {
		s := c.NewSession()
		fence := s.Client().Fence
		c.Require(fence.Method != "", "the agent answers neither unknown requests nor session/list")
		turn := c.Prompt(s, rule.LongTurn)
		defer jsonrpcStop(turn)
		c.Require(turn.Started(), "the turn showed no sign of life before it ended")
		a := s.Client().Call(fence.Method, fence.Params)
		end := turn.WaitFor(0)
		if a.State == client.Met && (end.State != client.Met || a.Frame.Seq < end.Frame.Seq) {
			c.Expect(a.Is("during the turn")).To(Equal("during the turn"))
			return
		}
		if end.State == client.Met {
			waited := end.Frame.At.Sub(a.Request.At)
			c.Require(waited > jsonrpcPatience, "the turn ended too soon after the request")
		}
		c.ExpectIf(turn.Held(), a.Is("not during the turn"), end.Frames()...).To(Equal("during the turn"),
			"a request that was sent while a turn was running was not answered during the turn")
	},
}

// jsonrpcStop ends a turn that has served its purpose.
func jsonrpcStop(turn *client.Turn) {
	if !turn.Done() {
		turn.Cancel()
	}
	turn.End()
}

// jsonrpcPatience is how long a turn must have gone on behind an unanswered request to tell that the request was kept waiting.
const jsonrpcPatience = 2 * time.Second

var jsonrpcSurvivesErrorResponse = rule.Rule{
	ID:    "jsonrpc.survives-error-response",
	Title: "an error in answer to a request of the agent ends neither the turn's answer nor the connection",
	Level: rule.Must, Basis: rule.Implied, Versions: v1,
	Ref:     rule.Ref{Page: "overview", Anchor: "error-handling"},
	Advice:  "Expect an error from every request to the client: end the tool call or the turn with it, answer the prompt, and go on reading.",
	Prompts: 2,
	Needs:   rule.Needs{Turn: true, Stimulus: rule.Permission},
	Act: func(c *rule.Case) {
		jsonrpcFailing(c, rule.Permission, "session/request_permission")
		if t, ok := c.Env.Stimuli(rule.ClientFile, "file"); ok && t.Certain { // a model reads files as it likes
			jsonrpcFailing(c, rule.ClientFile, "fs/read_text_file")
		}
	},
}

// jsonrpcFailing has a turn make a request that the client answers with an error.
func jsonrpcFailing(c *rule.Case, st rule.Stimulus, method string) {
	cl := c.Client()
	s := c.NewSession()
	path := promptFile(c, s, "notes.txt", "notes")
	cl.On(method, func(*client.Ask) (any, *client.Error) {
		return nil, &client.Error{Code: client.CodeInternal, Message: "The client could not do it"}
	})
	earlier := len(cl.Asked(method))
	task := c.Task(st, path)
	turn := c.PromptTask(s, task)
	a := turn.End()
	asks := cl.Asked(method)[earlier:]
	c.Require(len(asks) > 0, "the turn made no %s", method)
	c.Require(!a.Auth(), "the agent asks for authentication first")
	ask := asks[0].Frame
	after := 0
	for _, l := range turn.Lines() {
		if l.Seq > asks[len(asks)-1].Frame.Seq {
			after++
		}
	}
	switch ended := a.State == client.Met; {
	case !ended:
		c.Expect(a.Is(a.String()), ask).To(Equal("an answer"), "a prompt was never answered after the client had answered %s with an error", method)
	case turn.Cancelled && (task.Certain || after == 0):
		c.Expect(a.Is("only when it was cancelled"), ask).To(Equal("by itself"), "a turn hung after the client had answered %s with an error", method)
	case turn.Cancelled:
		c.NotObserved("the turn was still at work when it was cancelled after a while")
	default:
		c.Expect(a.Is("an answer"), ask).To(Equal("an answer"))
	}
	c.Alive(cl, true, "the agent answers nothing any more after an error in answer to "+method, ask)
}

var jsonrpcIgnoresStrayResponse = rule.Rule{
	ID:    "jsonrpc.ignores-stray-response",
	Title: "a response to a request that the agent never made is ignored",
	Level: rule.Should, Basis: rule.Stated, Versions: v1,
	Ref:        rule.Ref{Page: "json-rpc", Anchor: "response_object"},
	Advice:     "Drop a response whose id you do not know, without an answer: it may belong to a request that you have given up.",
	Robustness: true,
	Act: func(c *rule.Case) {
		for _, b := range jsonrpcStrays {
			cl := c.Connect()
			got := jsonrpcUnanswerable(c, cl, b.line, jsonrpcForeign)
			jsonrpcSilent(c, cl, b, got)
			c.End(cl)
		}
	},
}

var jsonrpcStrays = []jsonrpcBad{
	{"a result for a request that the agent never made", `{"jsonrpc":"2.0","id":"never","result":{}}`, true},
	{"an error for a request that the agent never made", `{"jsonrpc":"2.0","id":"never-either","error":{"code":-32603,"message":"Internal error"}}`, true},
}
