package rules

import (
	"fmt"

	. "github.com/onsi/gomega"

	"github.com/acp-conform/acp-conform/conformance/client"
	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/wire"
)

var jsonrpcInvalidRequest = rule.Rule{
	ID:    "jsonrpc.invalid-request",
	Title: "a line that is JSON but no message is answered with the error -32600, and the conversation goes on",
	Level: rule.Must, Basis: rule.Stated, Versions: v1,
	Ref:        rule.Ref{Page: "json-rpc", Anchor: "error_object"},
	Advice:     "Check that a message is an object with \"jsonrpc\": \"2.0\" and a method that is a string; refuse others with -32600 and their id, or null where there is none.",
	Mild:       leniently,
	Robustness: true,
	Act: func(c *rule.Case) {
		for _, b := range jsonrpcNoMessages {
			cl := c.Connect()
			got := jsonrpcProvoke(c, cl, b.line, jsonrpcUnasked)
			jsonrpcRejected(c, cl, b, got, client.CodeInvalidRequest, "null", jsonrpcBadID)
			c.Alive(cl, b.shaped, "the agent answers nothing any more after "+b.String())
			c.End(cl)
		}
	},
}

var jsonrpcNoMessages = []jsonrpcBad{
	{"the number 1", `1`, false},
	{"a string", `"x"`, false},
	{"an empty object", `{}`, false},
	{"a request whose method is a number", `{"jsonrpc":"2.0","id":` + jsonrpcBadID + `,"method":5}`, true},
	{"a request without jsonrpc", `{"id":` + jsonrpcBadID + `,"method":"_acp_conform/bad","params":{}}`, true},
}

var jsonrpcBatchRejected = rule.Rule{
	ID:    "jsonrpc.batch-rejected",
	Title: "an array is rejected as a whole, by one error -32600 with the id null",
	Level: rule.Should, Basis: rule.Stated, Versions: v1,
	Ref:        rule.Ref{Page: "schema"},
	Advice:     "Refuse a JSON array with one error -32600 and \"id\": null and run none of its entries: ACP has no batches.",
	Robustness: true,
	Act: func(c *rule.Case) {
		entry := `{"jsonrpc":"2.0","id":"bad-%d","method":"_acp_conform/batch","params":{}}`
		b := jsonrpcBad{what: "a batch of two requests", line: fmt.Sprintf("["+entry+","+entry+"]", 1, 2), shaped: true}
		cl := c.Connect()
		got := jsonrpcProvoke(c, cl, b.line, func(l client.Line) bool {
			return l.Array || jsonrpcUnasked(l) || l.Kind == wire.Response && l.Key() == `"bad-2"`
		})
		executed := false
		for _, l := range got {
			executed = executed || l.Array || l.Key() == `"bad-1"` || l.Key() == `"bad-2"`
		}
		if executed {
			c.ExpectSoft("the entries were answered", jsonrpcCite(got)...).To(Equal("one error for the whole"), "the entries of a batch were executed")
		} else {
			jsonrpcRejected(c, cl, b, got, client.CodeInvalidRequest, "null")
		}
		c.Alive(cl, b.shaped, "the agent answers nothing any more after "+b.what)
	},
}

var jsonrpcMethodNotFound = rule.Rule{
	ID:    "jsonrpc.method-not-found",
	Title: "a request with an unknown method is answered with the error -32601",
	Level: rule.Must, Basis: rule.Stated, Versions: v1,
	Ref:        rule.Ref{Page: "schema", Anchor: "ErrorCode"},
	Advice:     "Answer every method that you do not have with -32601: clients find out by it what an agent can do.",
	Mild:       leniently,
	Robustness: true,
	Act: func(c *rule.Case) {
		cl := c.Connect()
		l, state, why := jsonrpcAsk(c, cl, "acp_conform/nope", "{}")
		c.Require(jsonrpcCode(l) != client.CodeAuthRequired, "the agent asks for authentication first")
		switch {
		case state == client.Met && l.Error == nil:
			c.Expect(jsonrpcSaid(l), l.Frame).To(Equal("error -32601"), "a method that does not exist was answered by a result")
		case state == client.Met:
			jsonrpcRefused(c, "a request with an unknown method", l, client.CodeMethodNotFound)
		case !cl.Gone():
			c.Expect("no answer").To(Equal("error -32601"), "a request with an unknown method was never answered: %s", why)
		}
		c.Alive(cl, true, "the agent answers nothing any more after a request with an unknown method")
	},
}

var jsonrpcInvalidParams = rule.Rule{
	ID:    "jsonrpc.invalid-params",
	Title: "a known method with a missing or mistyped param is refused with the error -32602",
	Level: rule.Must, Basis: rule.Stated, Versions: v1,
	Ref:        rule.Ref{Page: "schema", Anchor: "ErrorCode"},
	Advice:     "Check the params of a request before you act on it, and answer with -32602 and the name of what is wrong.",
	Mild:       leniently,
	Robustness: true,
	Prompts:    1, // an agent may take a prompt without content for one
	Act: func(c *rule.Case) {
		for _, b := range jsonrpcBadParams {
			cl := c.Connect()
			l, state, why := jsonrpcAsk(c, cl, b.method, b.params)
			jsonrpcParamsRefused(c, cl, b.what, l, state, why)
			c.Alive(cl, true, "the agent answers nothing any more after "+b.what)
			c.End(cl)
		}
		jsonrpcBadInitialize(c)
		jsonrpcBadPrompt(c)
	},
}

var jsonrpcBadParams = []struct{ what, method, params string }{
	{"a session/new whose params are an array", "session/new", `[]`},
}

// jsonrpcParamsRefused judges the answer to a known method with bad params: it is owed one, whatever they are.
func jsonrpcParamsRefused(c *rule.Case, cl *client.Client, what string, l client.Line, state client.State, why string) {
	switch {
	case state == client.Met:
		jsonrpcRefused(c, what, l, client.CodeInvalidParams)
	case !cl.Gone():
		c.Expect("no answer").To(Equal("an error"), "%s was never answered: %s", what, why)
	}
}

// jsonrpcBadInitialize tries an initialize that names no version. The proper one behind it shows that the agent still answers.
func jsonrpcBadInitialize(c *rule.Case) {
	const what = "an initialize without protocolVersion"
	cl := c.Dial()
	defer c.End(cl)
	l, state, why := jsonrpcAsk(c, cl, "initialize", `{"clientCapabilities":{}}`)
	jsonrpcParamsRefused(c, cl, what, l, state, why)
	in := cl.Initialize(client.Version, client.Everything(client.Version))
	c.Expect(in.Answer.Is(in.Answer.State == client.Met)).To(BeTrue(), "the agent answers nothing any more after %s: %s", what, in.Answer)
}

// jsonrpcBadPrompt tries a prompt without content. An agent may take it for an empty one and begin a turn: then it is cancelled
// before it is called unanswered.
func jsonrpcBadPrompt(c *rule.Case) {
	const what = "a session/prompt without prompt"
	if !c.Env.Facts.Session {
		return
	}
	cl := c.Connect()
	defer c.End(cl)
	s := c.NewSessionOn(cl)
	if done, ok := jsonrpcMayPrompt(c, cl); ok {
		defer done()
		mark := cl.Mark()
		l, state, why := jsonrpcAsk(c, cl, "session/prompt", fmt.Sprintf(`{"sessionId":%s}`, rule.JSON(s.ID)))
		if state != client.Met && !cl.Gone() {
			s.Cancel()
			l, state, why = cl.AwaitLine(mark, jsonrpcUnasked)
		}
		jsonrpcParamsRefused(c, cl, what, l, state, why)
		c.Alive(cl, true, "the agent answers nothing any more after "+what)
	}
}

// jsonrpcMayPrompt takes a turn out of the run's allowance for a bad prompt, which the agent may take for a good one.
func jsonrpcMayPrompt(c *rule.Case, cl *client.Client) (done func(), ok bool) {
	if cl.StartTurn == nil {
		return func() {}, true
	}
	done, err := cl.StartTurn()
	if err != nil {
		c.Note(err.Error(), "no prompt was tried")
		return func() {}, false
	}
	return done, true
}

var jsonrpcUnknownFieldsIgnored = rule.Rule{
	ID:    "jsonrpc.unknown-fields-ignored",
	Title: "unknown members of known params are ignored",
	Level: rule.Should, Basis: rule.Stated, Versions: v1,
	Ref:        rule.Ref{Page: "extensibility"},
	Advice:     "Decode params without refusing members that you do not know: later versions of the protocol will add some.",
	Robustness: true,
	Act: func(c *rule.Case) {
		initialize := client.InitializeParams(client.Version, client.Everything(client.Version))
		initialize["futureField"] = map[string]any{"from": "a later version"}
		cl := c.Dial()
		l, state, why := jsonrpcAsk(c, cl, "initialize", string(rule.JSON(initialize)))
		c.Expect(l.Result != nil, l.Frame).To(BeTrue(), "an initialize with an unknown member was not answered by a result%s", jsonrpcInstead(l, state, why))
		c.End(cl)
		if !c.Env.Facts.Session {
			return
		}
		cl = c.Connect()
		l, state, why = jsonrpcAsk(c, cl, "session/new", fmt.Sprintf(`{"cwd":%s,"mcpServers":[],"futureField":true}`, rule.JSON(cl.Dir)))
		if l.Result == nil {
			c.NewSessionOn(cl) // it must be the member that is refused
		}
		c.Expect(l.Result != nil, l.Frame).To(BeTrue(), "a session/new with an unknown member was not answered by a result%s", jsonrpcInstead(l, state, why))
	},
}

func jsonrpcInstead(l client.Line, state client.State, why string) string {
	if state != client.Met {
		return ": " + why
	}
	return " but by " + jsonrpcSaid(l)
}
