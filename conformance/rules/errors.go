package rules

import (
	"encoding/json"
	"fmt"
	"strings"

	. "github.com/onsi/gomega"

	"github.com/acp-conform/acp-conform/conformance/client"
	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/wire"
)

// errorCodes are the rules about which error code means what, by https://agentclientprotocol.com/protocol/v1/schema#errorcode.
func errorCodes() []rule.Rule {
	return []rule.Rule{errAuthRequiredCode, errResourceNotFoundCode, errNotFoundDataSessionID, errInternalNotForClientFault, errRequestCancelledCode}
}

// errUnknownSession is a session id that no agent has given out.
const errUnknownSession = "5f0c2a9e-7b41-4d86-a3e5-9c18d7f4b260"

var errAuthRequiredCode = rule.Rule{
	ID:    "error.auth-required-code",
	Title: "a refusal for want of authentication has the error code -32000",
	Level: rule.Must, Basis: rule.Stated, Versions: v1,
	Ref:      rule.Ref{Page: "schema", Anchor: "ErrorCode"},
	Advice:   "Refuse with -32000 what needs a login first: a client offers its authentication methods when it sees that code, and only then.",
	Occasion: rule.AgentsChoice,
	Watch:    func() rule.Watcher { return &errAuthWatcher{} },
}

// errAuthWatcher looks at refusals. That one is for want of authentication is certain only where the code says so, or where
// the message is the one that the protocol has for that code; nobody's prose is interpreted.
type errAuthWatcher struct{ methods bool }

func (w *errAuthWatcher) See(l *rule.Log, r *rule.Reading) {
	if r.IsResult("initialize") {
		var methods []json.RawMessage
		_ = json.Unmarshal(wire.Member(r.Result, "authMethods"), &methods)
		w.methods = len(methods) > 0
	}
	if !refusal(r) || r.Asked.Seq == 0 || r.Method == "authenticate" || r.Method == "logout" {
		return
	}
	message, _ := text(wire.Member(r.Error, "message"))
	code := jsonrpcCode(client.Line{Envelope: r.Envelope})
	switch {
	case code == client.CodeAuthRequired:
		l.Occasion()
	case strings.EqualFold(strings.Trim(message, " ."), "authentication required"):
		l.Occasion()
		l.Broken(rule.Finding{Why: fmt.Sprintf("%s was refused for want of authentication with the error code %d", r.Method, code),
			Expected: client.CodeAuthRequired, Found: code, Cite: r.Cite()})
	case w.methods && r.Method == "session/new" && r.Conversation.Version > 0:
		l.Note(rule.Finding{Why: "session/new was refused; if it is for want of authentication, the code should be -32000",
			Found: code, Cite: r.Cite()})
	}
}

func (*errAuthWatcher) End(*rule.Log, *rule.Conversation) {}

var errResourceNotFoundCode = rule.Rule{
	ID:    "error.resource-not-found-code",
	Title: "a prompt for an unknown session is refused with the error code -32002",
	Level: rule.Should, Basis: rule.Stated, Versions: v1,
	Ref:        rule.Ref{Page: "schema", Anchor: "ErrorCode"},
	Advice:     "Answer requests for sessions that you do not know with -32002: a client then opens a new one or loads it, which it cannot know from other codes.",
	Robustness: true,
	Prompts:    1, // an agent may run it
	Needs:      rule.Needs{Session: true},
	Act: func(c *rule.Case) {
		l := errPromptNowhere(c)
		if l.Error == nil {
			c.Expect(jsonrpcSaid(l), l.Frame).To(Equal("error -32002"), "a prompt for a session that does not exist was answered by a result")
			return
		}
		code := jsonrpcCode(l)
		c.Expect(code, l.Frame).To(Equal(client.CodeNotFound), "a prompt for a session that does not exist was refused with the error code %d", code)
	},
}

var errNotFoundDataSessionID = rule.Rule{
	ID:    "error.not-found-data-session-id",
	Title: "where the error -32002 names a session in its data, it is the one that was asked for",
	Level: rule.Should, Basis: rule.Stated, Versions: v1,
	Ref:        rule.Ref{Page: "schema", Anchor: "ErrorCode"},
	Advice:     "Put the requested id, unchanged, into data.sessionId of the error, so that a client knows which of its sessions is gone.",
	Robustness: true,
	Prompts:    1,
	Needs:      rule.Needs{Session: true},
	Act: func(c *rule.Case) {
		l := errPromptNowhere(c)
		code := jsonrpcCode(l)
		c.Require(code == client.CodeNotFound, "a prompt for a session that does not exist was answered by %s", jsonrpcSaid(l))
		named := wire.Member(wire.Member(l.Error, "data"), "sessionId")
		if named == nil {
			c.Note(jsonrpcSaid(l), "the error does not name the session in data.sessionId")
			c.NotObserved("the error -32002 names no session in data.sessionId")
		}
		id, ok := text(named)
		if !ok {
			id = string(named)
		}
		c.Expect(id, l.Frame).To(Equal(errUnknownSession), "the error names another session than the one that was asked for")
	},
}

// errPromptNowhere prompts a session that does not exist, on an agent of its own, and gives the answer.
func errPromptNowhere(c *rule.Case) client.Line {
	cl := c.Connect()
	done, ok := jsonrpcMayPrompt(c, cl)
	c.Require(ok, "no more prompts are allowed")
	defer done()
	l, state, why := jsonrpcAsk(c, cl, "session/prompt", errNowhere)
	c.Require(state == client.Met, "a prompt for a session that does not exist was not answered: %s", why)
	c.Require(jsonrpcCode(l) != client.CodeAuthRequired, "the agent asks for authentication first")
	return l
}

const errNowhere = `{"sessionId":"` + errUnknownSession + `","prompt":[{"type":"text","text":"Answer with the single word PONG."}]}`

var errInternalNotForClientFault = rule.Rule{
	ID:    "error.internal-not-for-client-fault",
	Title: "a mistake of the client is not reported as an internal error",
	Level: rule.Should, Basis: rule.Stated, Versions: v1,
	Ref:        rule.Ref{Page: "schema", Anchor: "ErrorCode"},
	Advice:     "Keep -32603 for faults of the agent: use -32601, -32602 or -32002 for what the client got wrong, so that its author looks in the right place.",
	Robustness: true,
	Prompts:    1,
	Act: func(c *rule.Case) {
		for _, m := range errMistakes(c) {
			cl := c.Connect()
			done, ok := func() {}, true
			if m.method == "session/prompt" {
				done, ok = jsonrpcMayPrompt(c, cl)
			}
			if ok {
				l, _, _ := jsonrpcAsk(c, cl, m.method, m.params)
				errNotInternal(c, m, l)
			}
			c.End(cl)
			done()
		}
	},
}

// errNotInternal judges the code of a refusal.
func errNotInternal(c *rule.Case, m errMistake, l client.Line) {
	code := jsonrpcCode(l)
	if l.Error == nil || code == client.CodeAuthRequired {
		return
	}
	c.Log.Occasion()
	if code == client.CodeInternal {
		c.Log.Broken(rule.Finding{Why: m.what + " was answered with the code for an internal error", Expected: "a code for a mistake of the client",
			Found: jsonrpcSaid(l), Cite: []wire.Frame{l.Frame}})
	}
}

type errMistake struct{ what, method, params string }

// errMistakes are requests that are the client's fault, as far as they can be told from other reasons to refuse.
func errMistakes(c *rule.Case) []errMistake {
	list := []errMistake{
		{"a request with an unknown method", "acp_conform/nope", "{}"},
		{"a session/new without cwd", "session/new", `{"mcpServers":[]}`},
	}
	if !c.Env.Facts.Session {
		return list
	}
	list = append(list, errMistake{"a prompt for a session that does not exist", "session/prompt", errNowhere})
	if _, ok := c.Env.Facts.Init.Capability("loadSession"); ok {
		params := fmt.Sprintf(`{"sessionId":"%s","cwd":%s,"mcpServers":[]}`, errUnknownSession, rule.JSON(c.Fixture()))
		list = append(list, errMistake{"a session/load of a session that does not exist", "session/load", params})
	}
	return list
}

var errRequestCancelledCode = rule.Rule{
	ID:    "error.request-cancelled-code",
	Title: "a request that $/cancel_request ended by an error has the error code -32800",
	Level: rule.Must, Basis: rule.Stated, Versions: v1,
	Ref:     rule.Ref{Page: "cancellation", Anchor: "cancel_request-notification"},
	Advice:  "Answer a request that was cancelled by $/cancel_request with -32800 (or with its result); other codes look like failures to the client.",
	Mild:    "the error may have come at the same time by itself",
	Prompts: 1,
	Needs:   rule.Needs{Turn: true, Stimulus: rule.LongTurn},
	// An agent may ignore $/cancel_request.
	Optional: true,
	Act: func(c *rule.Case) {
		turn := c.Prompt(c.NewSession(), rule.LongTurn)
		defer jsonrpcStop(turn)
		c.Require(turn.Started(), "the turn ended before it could be cancelled")
		id := wire.Inspect(turn.WaitFor(0).Request.Line).ID
		err := c.Client().Notify("$/cancel_request", map[string]any{"requestId": id})
		c.Require(err == nil, "$/cancel_request could not be written: %v", err)
		a := turn.Wait()
		if a.State != client.Met {
			c.NotObserved("the agent did not act on $/cancel_request: %s", a.Why)
		}
		c.Require(!a.Auth(), "the agent asks for authentication first")
		if a.Err == nil {
			reason, _ := a.Member("stopReason").Of.(string)
			c.Require(reason == "cancelled", "the turn ended with %q, as if $/cancel_request had not come", reason)
			c.Expect(a.Is("no error")).To(Equal("no error"))
			return
		}
		c.ExpectIf(turn.Held(), a.Is(a.Code())).To(Equal(client.CodeRequestCancelled), "a prompt that $/cancel_request ended was answered by %s", a)
	},
}
