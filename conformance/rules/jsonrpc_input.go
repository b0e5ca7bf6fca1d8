package rules

import (
	"fmt"
	"slices"
	"strings"

	. "github.com/onsi/gomega"

	"github.com/acp-conform/acp-conform/conformance/client"
	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/wire"
)

// jsonrpcInput are the rules about what the agent makes of what it reads, by
// https://agentclientprotocol.com/protocol/v1/overview#error-handling and https://www.jsonrpc.org/specification.
func jsonrpcInput() []rule.Rule {
	return []rule.Rule{jsonrpcResponseIDEcho, jsonrpcNoResponseToNotification, jsonrpcParseError, jsonrpcInvalidRequest,
		jsonrpcBatchRejected, jsonrpcMethodNotFound, jsonrpcInvalidParams, jsonrpcUnknownFieldsIgnored}
}

var jsonrpcResponseIDEcho = rule.Rule{
	ID:    "jsonrpc.response-id-echo",
	Title: "a response carries the id of its request, of the same type and value",
	Level: rule.Must, Basis: rule.Stated, Versions: v1,
	Ref:    rule.Ref{Page: "schema", Anchor: "RequestId"},
	Advice: "Keep the id of a request as it was written and give it back unchanged: 0 is an id, 1 and \"1\" are two, and integers reach to 2^53 and beyond.",
	Act: func(c *rule.Case) {
		cl := c.Client()
		mark := cl.Mark()
		plain := cl.Call("_acp_conform/id", nil)
		if plain.State != client.Met {
			other := jsonrpcSince(cl, mark, jsonrpcForeign)
			c.Require(len(other) > 0, "the agent does not answer unknown requests: %s", plain)
			c.Expect(jsonrpcID(other[0]), plain.Request, other[0].Frame).To(Equal(wire.Inspect(plain.Request.Line).Key()),
				"a request was answered with another id than its own")
			return
		}
		for _, ids := range jsonrpcOddIDs {
			mark := cl.Mark()
			err := cl.Chunks(0, jsonrpcRequests(ids))
			c.Require(err == nil, "the requests could not be written: %v", err)
			if !jsonrpcEchoed(c, cl, mark, ids) {
				return // what comes later could belong to either
			}
		}
	},
}

// jsonrpcOddIDs are ids that agents have got wrong. Those of one row are in use at the same time.
var jsonrpcOddIDs = [][]string{
	{"0"},
	{"1001", `"1001"`},
	{"9007199254740991"},
	{`"request"`},
	{`"0e5f8b1c-6d3a-4f27-9b48-c1d2e3f4a5b6"`},
}

func jsonrpcRequests(ids []string) []byte {
	var b []byte
	for _, id := range ids {
		b = append(b, `{"jsonrpc":"2.0","id":`+id+`,"method":"_acp_conform/id","params":{}}`+"\n"...)
	}
	return b
}

// jsonrpcEchoed judges the ids of the next responses, one for each request; no other request is open. It tells whether all came.
func jsonrpcEchoed(c *rule.Case, cl *client.Client, mark client.Mark, ids []string) bool {
	missing := len(ids)
	_, state, why := cl.AwaitLine(mark, func(l client.Line) bool {
		if l.Kind == wire.Response {
			missing--
		}
		return missing == 0
	})
	var got []string
	lines := jsonrpcSince(cl, mark, func(l client.Line) bool { return l.Kind == wire.Response })
	for _, l := range lines {
		got = append(got, jsonrpcID(l))
	}
	if state != client.Met {
		c.Expect(got, jsonrpcCite(lines)...).To(ConsistOf(ids), "not all of the requests with the ids %v were answered: %s", ids, why)
		return false
	}
	c.Expect(got, jsonrpcCite(lines)...).To(ConsistOf(ids), "the requests with the ids %v were answered with the ids %v", ids, got)
	return true
}

var jsonrpcNoResponseToNotification = rule.Rule{
	ID:    "jsonrpc.no-response-to-notification",
	Title: "a notification is never answered, not even an unknown or a malformed one",
	Level: rule.Must, Basis: rule.Stated, Versions: v1,
	Ref:        rule.Ref{Page: "overview", Anchor: "error-handling"},
	Advice:     "Look for the member id before you answer: without one there is nobody who waits, and an error only confuses the client.",
	Mild:       leniently,
	Robustness: true,
	Act: func(c *rule.Case) {
		for _, b := range jsonrpcNotifications {
			cl := c.Connect()
			got := jsonrpcUnanswerable(c, cl, b.line, jsonrpcUnasked)
			jsonrpcSilent(c, cl, b, got)
			c.End(cl)
		}
	},
}

var jsonrpcNotifications = []jsonrpcBad{
	{"an unknown notification of an extension", `{"jsonrpc":"2.0","method":"_acp_conform/none","params":{}}`, true},
	{"an unknown notification", `{"jsonrpc":"2.0","method":"acp_conform/none","params":{}}`, true},
	{"a session/cancel whose sessionId is a number", `{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":5}}`, true},
}

var jsonrpcParseError = rule.Rule{
	ID:    "jsonrpc.parse-error",
	Title: "a line that is not JSON is answered with the error -32700 and the id null, and the conversation goes on",
	Level: rule.Must, Basis: rule.Stated, Versions: v1,
	Ref:        rule.Ref{Page: "json-rpc", Anchor: "error_object"},
	Advice:     "Answer a line that cannot be parsed with the code -32700 and \"id\": null, and go on with the next line.",
	Mild:       leniently,
	Robustness: true,
	Act: func(c *rule.Case) {
		for _, b := range jsonrpcUnreadable {
			cl := c.Connect()
			got := jsonrpcProvoke(c, cl, b.line, jsonrpcUnasked)
			jsonrpcRejected(c, cl, b, got, client.CodeParse, "null")
			c.Alive(cl, b.shaped, "the agent answers nothing any more after "+b.String())
			c.End(cl)
		}
		jsonrpcLineEnds(c)
	},
}

var jsonrpcUnreadable = []jsonrpcBad{
	{"the beginning of an object", `{"jsonrpc":"2.0",`, true},
	{"a line of plain text", `this is not JSON`, false},
}

// jsonrpcRejected judges the answer to a line that is no message: one error with the code, and an id that says which line is
// meant as far as that can be told. An agent that has gone is judged by that alone.
func jsonrpcRejected(c *rule.Case, cl *client.Client, b jsonrpcBad, got []client.Line, code int, ids ...string) {
	if len(got) == 0 {
		if !cl.Gone() {
			c.ExpectSoft("no answer").To(Equal(fmt.Sprintf("error %d", code)), "%s was not answered", b)
		}
		return
	}
	l := got[0]
	jsonrpcRefused(c, b.String(), l, code)
	want := strings.Join(ids, " or ")
	if slices.Contains(ids, jsonrpcID(l)) {
		want = jsonrpcID(l)
	}
	c.ExpectSoft(jsonrpcID(l), l.Frame).To(Equal(want), "the answer to %s has the wrong id: %s", b, jsonrpcID(l))
	c.ExpectSoft(len(got), jsonrpcCite(got)...).To(Equal(1), "%s was answered %d times", b, len(got))
}

// jsonrpcLineEnds notes how the agent takes a blank line and CR LF: it may do as it likes.
func jsonrpcLineEnds(c *rule.Case) {
	const request = `{"jsonrpc":"2.0","id":` + jsonrpcBadID + `,"method":"_acp_conform/line","params":{}}`
	for _, odd := range []struct{ what, lines string }{{"CR LF", request + "\r"}, {"a blank line", "\n" + request}} {
		cl := c.Connect()
		if cl.Fence.Method == "" {
			return
		}
		got := jsonrpcProvoke(c, cl, odd.lines, jsonrpcUnasked)
		if !slices.ContainsFunc(got, func(l client.Line) bool { return l.Key() == jsonrpcBadID }) {
			c.Note("no answer", "a request with %s is not answered", odd.what)
		} else if len(got) > 1 {
			c.Note(jsonrpcSaid(got[0]), "%s is answered", odd.what)
		}
		c.End(cl)
	}
}
