package rules

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	. "github.com/onsi/gomega"
	"github.com/sourcegraph/jsonrpc2"

	"github.com/acp-conform/acp-conform/conformance/canary"
	"github.com/acp-conform/acp-conform/conformance/client"
	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/wire"
)

// statusRequests are the rules about the request of https://agentclientprotocol.com/rfds/session-status#schema.
func statusRequests() []rule.Rule {
	return []rule.Rule{statusMethodName, statusSessionIDRequired, statusMetaTolerated, statusUnknownFieldsIgnored}
}

var statusMethodName = rule.Rule{
	ID:    "status.method.name",
	Title: "session/status is answered once, under the id of the request, whether that is a number or a string",
	Level: rule.Must, Basis: rule.Stated, Stability: rule.Unstable, Versions: both,
	Ref:    statusPage("what-we-propose-to-do-about-it"),
	Advice: "Serve session/status as a request like any other: one response, with the id as it was written.",
	Needs:  statusNeeds(),
	Act: func(c *rule.Case) {
		cl, s := c.Client(), c.NewSession()
		for _, id := range []jsonrpc2.ID{{Num: 5_000_001}, {Str: "status-1", IsString: true}} {
			mark := cl.Mark()
			call := cl.StartID(id, "session/status", client.StatusParams(s.ID))
			a := call.Wait()
			c.Require(!a.Auth(), "session/status: %s", a)
			if a.Code() == client.CodeMethodNotFound && c.Env.Version() == 2 { // in version 1 another rule looks at all that is advertised
				c.Expect(a.Is(a.Code())).NotTo(Equal(client.CodeMethodNotFound), "session/status is advertised and not served")
				return
			}
			c.Require(a.Code() != client.CodeMethodNotFound, "session/status: %s", a)
			if !statusAnswered(c, cl, mark, a, id) {
				call.GiveUp(a.Why)
				continue
			}
			cl.Fenced()
			cl.Window()
			c.Expect(len(call.Answers()), jsonrpcCite(call.Answers())...).To(Equal(1), "session/status with the id %s was answered more than once", id)
		}
		statusCancelled(c, cl, s)
	},
}

// statusAnswered judges that a question was answered under its id, and says what came in place of that.
func statusAnswered(c *rule.Case, cl *client.Client, m client.Mark, a client.Answer, id jsonrpc2.ID) bool {
	want := fmt.Sprintf("a response with the id %s", id)
	if a.State == client.Met {
		return c.Expect(a.Is(want)).To(Equal(want))
	}
	said, lines := statusInstead(cl, m)
	why := "was not answered under that id"
	if lines == nil {
		said, why = a.Why, "was never answered"
	}
	return c.Expect(a.Is(said), lines...).To(Equal(want), "session/status with the id %s %s", id, why)
}

// statusInstead are the lines of the agent behind a question that may have been meant as its answer: responses, and what is no message.
func statusInstead(cl *client.Client, m client.Mark) (said string, lines []wire.Frame) {
	var all []string
	for _, l := range cl.Since(m) {
		switch {
		case l.Kind == wire.None:
			all = append(all, "a line that is no message: "+head(l.Line))
		case l.Kind == wire.Response:
			all = append(all, "a response with "+statusIDOf(l))
		default:
			continue
		}
		if lines = append(lines, l.Frame); len(lines) == 3 {
			break
		}
	}
	return strings.Join(all, "; "), lines
}

func statusIDOf(l client.Line) string {
	if l.ID == nil {
		return "no id"
	}
	return "the id " + head(l.ID)
}

// statusCancelled notes what becomes of a question that is taken back at once.
func statusCancelled(c *rule.Case, cl *client.Client, s *client.Session) {
	call := cl.StartID(jsonrpc2.ID{Num: 5_000_002}, "session/status", client.StatusParams(s.ID))
	if cl.Notify("$/cancel_request", map[string]any{"requestId": 5_000_002}) != nil {
		return
	}
	a := call.Wait()
	cl.Fenced()
	c.Note(a.Is(a.String()), "a question that was taken back by $/cancel_request got %d responses", len(call.Answers()))
}

var statusSessionIDRequired = rule.Rule{
	ID:    "status.request.sessionid-required",
	Title: "session/status without a sessionId that is a string is refused",
	Level: rule.Must, Basis: rule.Stated, Stability: rule.Unstable, Versions: both,
	Ref:        statusPage("schema"),
	Advice:     "Answer session/status without a sessionId with -32602: -32002 would say that there is an id and that you do not know it.",
	Mild:       leniently,
	Robustness: true,
	Needs:      statusNeeds(),
	Act: func(c *rule.Case) {
		ask(c, c.Client(), c.NewSession().ID) // what is never answered at all is no matter of params
		for _, bad := range []struct{ what, params string }{
			{"without a sessionId", `{}`},
			{"with null for a sessionId", `{"sessionId":null}`},
			{"with a number for a sessionId", `{"sessionId":7}`},
			{"with an object for a sessionId", `{"sessionId":{}}`},
			{"without params", ``},
		} {
			cl := c.Connect()
			l, state, why := statusRaw(c, cl, bad.params)
			c.Require(jsonrpcCode(l) != client.CodeMethodNotFound, "the agent does not serve session/status, which it advertises")
			jsonrpcParamsRefused(c, cl, "a session/status "+bad.what, l, state, why)
			c.Alive(cl, true, "the agent answers nothing any more after a session/status "+bad.what)
			c.End(cl)
		}
	},
}

// statusRaw sends a session/status with bad params, or with none, and waits for its answer.
func statusRaw(c *rule.Case, cl *client.Client, params string) (client.Line, client.State, string) {
	if params != "" {
		return jsonrpcAsk(c, cl, "session/status", params)
	}
	mark := cl.Mark()
	err := cl.Raw(`{"jsonrpc":"2.0","id":` + jsonrpcBadID + `,"method":"session/status"}`)
	c.Require(err == nil, "the request could not be written: %v", err)
	return cl.AwaitLine(mark, jsonrpcUnasked)
}

var statusMetaTolerated = rule.Rule{
	ID:    "status.request.meta-tolerated",
	Title: "_meta in the params of session/status does not change the answer",
	Level: rule.Must, Basis: rule.Stated, Stability: rule.Unstable, Versions: both,
	Ref:        statusPage("schema"),
	Advice:     "Pass over _meta in the params, also over keys that you do not know and over null.",
	Mild:       "a number is no _meta that a conforming client sends",
	Robustness: true, // the last one is malformed
	Needs:      statusNeeds(),
	Act: func(c *rule.Case) {
		cl, s := c.Client(), c.NewSession()
		for _, meta := range []any{map[string]any{}, map[string]any{"acp-conform.test/key": 1}, nil} {
			params := client.StatusParams(s.ID)
			params["_meta"] = meta
			w := askWith(c, cl, s, params)
			c.Expect(w.got.Is(inWords(w.got)), w.cite...).To(w.same(), "_meta %s in the params changed the answer", rule.JSON(meta))
		}
		before := ask(c, cl, s.ID)
		l, state, why := jsonrpcAsk(c, cl, "session/status", fmt.Sprintf(`{"sessionId":%s,"_meta":5}`, rule.JSON(s.ID)))
		c.Require(state == client.Met, "session/status with a number for _meta: %s", why)
		after := client.ReadStatus(s.ID, client.Answer{State: state, Result: l.Result, Err: errorOf(l)})
		c.ExpectSoft(inWords(after), append(before.Frames(), l.Frame)...).To(Equal(inWords(before)), "a number for _meta in the params changed the answer")
	},
}

// asked is an answer to a session/status with something more in its params, between two plain ones: a session may leave memory at
// any time, so the answer has to equal one of the two.
type asked struct {
	before, got, after client.Status
	cite               []wire.Frame
}

func askWith(c *rule.Case, cl *client.Client, s *client.Session, params map[string]any) asked {
	w := asked{before: ask(c, cl, s.ID)}
	w.got = client.ReadStatus(s.ID, cl.Checked("session/status", params))
	c.Require(w.got.State == client.Met && !w.got.Auth(), "session/status: %s", w.got.Answer)
	w.after = ask(c, cl, s.ID)
	c.Require(w.before.Standing >= client.Active && w.before.Standing != client.Unknown, "session/status was answered by %s for a new session", w.before)
	w.cite = append(w.before.Frames(), w.after.Frames()...)
	return w
}

// same matches what the answer may be.
func (w asked) same() OmegaMatcher { return Or(Equal(inWords(w.before)), Equal(inWords(w.after))) }

// inWords is the word of an answer, or what there is in its place.
func inWords(st client.Status) string {
	if st.Standing == client.Other || st.Word != "" {
		return strconv.Quote(st.Word)
	}
	return st.String()
}

var statusUnknownFieldsIgnored = rule.Rule{
	ID:    "status.request.unknown-fields-ignored",
	Title: "session/status passes over the members of session/resume",
	Level: rule.Should, Basis: rule.Stated, Stability: rule.Unstable, Versions: both,
	Ref:        rule.Ref{Page: "extensibility"},
	Advice:     "Decode the params of session/status by themselves: cwd, mcpServers and replayFrom belong to requests that start a session.",
	Robustness: true,
	Prompts:    1,
	Needs:      statusNeeds(),
	Act: func(c *rule.Case) {
		cl, s := c.Client(), c.NewSession()
		if c.Env.Facts.Turn {
			c.Ran(c.Prompt(s, rule.ShortTurn)) // so that there is something to replay
		}
		elsewhere, dir := c.Fixture(), c.Fixture()
		params := client.StatusParams(s.ID)
		params["cwd"], params["mcpServers"], params["replayFrom"] = elsewhere, statusServers(c, dir), map[string]any{"type": "start"}
		cl.Fenced()
		cl.Window()
		mark := cl.Mark()
		w := askWith(c, cl, s, params)
		c.Expect(w.got.Is(inWords(w.got)), w.cite...).To(w.same(), "further members in the params changed the answer")
		cl.Fenced()
		cl.Window()
		said := saidSince(cl, s.ID, mark)
		c.Expect(len(said), append(w.got.Frames(), said...)...).To(Equal(0), "a session/status with replayFrom had messages or tool calls of the session sent")
		statusStartsNone(c, dir, w)
		statusKeepsCwd(c, cl, s, elsewhere, w)
	},
}

// statusServers are mcpServers with our own one, where it can be started. It notes its starts in a directory.
func statusServers(c *rule.Case, dir string) []any {
	log := filepath.Join(dir, statusStarts)
	switch {
	case c.Env.Canary == nil:
		return []any{}
	case c.Env.Version() == 2:
		return []any{canary.Server2(c.Env.Canary, log)}
	}
	return []any{canary.Server(c.Env.Canary, log)}
}

const statusStarts = "starts.log"

// statusStartsNone judges that no server was started that a session/status named.
func statusStartsNone(c *rule.Case, dir string, w asked) {
	if c.Env.Canary == nil {
		return
	}
	cl := c.Client()
	cl.Rest(startTimes * startTakes(c, cl))
	err := canary.Fence(c, c.Env.Canary, dir)
	c.Require(err == nil, "our MCP server does not work here: %v", err)
	n, err := canary.Count(filepath.Join(dir, statusStarts))
	c.Require(err == nil, "the log of our MCP server cannot be read: %v", err)
	c.Expect(n.Starts, w.got.Frames()...).To(Equal(0), "an MCP server was started that was named in a session/status")
}

// saidSince are the updates of the session that belong to a conversation.
func saidSince(cl *client.Client, id string, m client.Mark) []wire.Frame {
	var said []wire.Frame
	for _, l := range cl.Since(m) {
		body := wire.Member(l.Params, "update")
		kind, _ := text(wire.Member(body, "sessionUpdate"))
		session, _ := text(wire.Member(l.Params, "sessionId"))
		if l.Name == "session/update" && session == id && (ofTurn(kind) || strings.HasSuffix(kind, "_message")) {
			said = append(said, l.Frame)
		}
	}
	return said
}

// statusKeepsCwd judges that a session was not moved to the directory that a session/status named, where a list shows it.
func statusKeepsCwd(c *rule.Case, cl *client.Client, s *client.Session, elsewhere string, w asked) {
	if !c.Advertises("sessionCapabilities.list") {
		return
	}
	rows, _, _ := cl.List()
	for _, row := range rows {
		if row.ID == s.ID {
			c.Expect(row.Cwd, append(w.got.Frames(), row.Frame)...).NotTo(Equal(elsewhere), "a session/status moved the session to the cwd that it named")
		}
	}
}
