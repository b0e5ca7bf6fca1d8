package rules

import (
	"encoding/json"
	"fmt"

	. "github.com/onsi/gomega"

	"github.com/acp-conform/acp-conform/conformance/client"
	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/wire"
)

var promptUnknownSession = rule.Rule{
	ID:    "prompt.unknown-session",
	Title: "a prompt for a session that does not exist is answered by an error",
	Level: rule.Must, Basis: rule.Stated, Versions: v1,
	Ref:        rule.Ref{Page: "schema", Anchor: "ErrorCode"},
	Advice:     "Look the sessionId up before anything else and answer an unknown one with -32002, so that the client can load the session or open a new one.",
	Robustness: true,
	Prompts:    1,
	Act: func(c *rule.Case) {
		cl, session := c.Connect(), c.UnknownID()
		a := badPrompt(c, cl, session, map[string]any{"sessionId": session, "prompt": client.Text("Hello.")})
		if badPromptAnswered(c, a, "a prompt for a session that does not exist", client.CodeNotFound) {
			c.Expect(a.Is(a.String())).To(Equal("an error"), "a prompt for a session that does not exist was accepted")
		}
	},
}

// malformedPrompts are prompts that the schema does not allow. The union of content blocks is closed, and nothing of a prompt
// has a default.
var malformedPrompts = []struct {
	what   string
	prompt any
}{
	{"a prompt with a block of the unknown type acp_conform", []any{map[string]any{"type": "acp_conform"}}},
	{"a prompt with a text block that has no text", []any{map[string]any{"type": "text"}}},
	{"a prompt with a resource_link that has neither uri nor name", []any{map[string]any{"type": "resource_link"}}},
	{"a prompt that is a string, not a list of blocks", "Hello."},
}

var promptMalformedBlockRejected = rule.Rule{
	ID:    "prompt.malformed-block-rejected",
	Title: "a prompt with a block that is not well formed is answered by an error",
	Level: rule.Must, Basis: rule.Stated, Versions: v1,
	Ref:        rule.Ref{Page: "schema", Anchor: "PromptRequest"},
	Advice:     "Validate every block of a prompt and answer with -32602: a block that is dropped in silence is a message that the user believes was read.",
	Mild:       leniently,
	Robustness: true,
	Prompts:    len(malformedPrompts),
	Needs:      rule.Needs{Session: true},
	Act: func(c *rule.Case) {
		for _, bad := range malformedPrompts {
			cl := c.Connect()
			s := c.NewSessionOn(cl)
			a := badPrompt(c, cl, s.ID, map[string]any{"sessionId": s.ID, "prompt": bad.prompt})
			if badPromptAnswered(c, a, bad.what, client.CodeInvalidParams) {
				c.ExpectSoft(a.Is(a.String())).To(Equal("an error"), "%s was accepted", bad.what)
			}
			c.End(cl)
		}
	},
}

// badPrompt writes a prompt that no client should send, and waits for what becomes of it. An agent that takes it runs a turn,
// which is cancelled if it goes on.
func badPrompt(c *rule.Case, cl *client.Client, session string, params map[string]any) client.Answer {
	done := takeTurn(c, cl)
	defer done()
	mark := cl.Mark()
	err := cl.Raw(fmt.Sprintf(`{"jsonrpc":"2.0","id":"bad-1","method":"session/prompt","params":%s}`, rule.JSON(params)))
	c.Require(err == nil || cl.Gone(), "the prompt could not be written: %v", err)
	// An error whose id is null was meant for this request as well: there is no other.
	is := func(l client.Line) bool {
		return l.Kind == wire.Response && (l.Key() == `"bad-1"` || l.Error != nil && (l.Key() == "" || l.Key() == "null"))
	}
	line, state, why := cl.AwaitLine(mark, is)
	if state != client.Met && !cl.Gone() {
		_ = cl.Raw(cancelLine(session))
		line, state, why = cl.AwaitLine(mark, is)
	}
	a := client.Answer{State: state, Why: why, Method: "session/prompt", Frame: line.Frame, Result: line.Result}
	if line.Error != nil {
		a.Err = &client.Error{}
		if json.Unmarshal(line.Error, a.Err) != nil {
			a.Err.Message = string(line.Error)
		}
	}
	return a
}

// badPromptAnswered judges all that is the same for every bad prompt: it is answered, and an error has the right code. It
// tells whether the prompt was accepted.
func badPromptAnswered(c *rule.Case, a client.Answer, what string, code int) (accepted bool) {
	if !c.Expect(a.Is(a.State == client.Met)).To(BeTrue(), "%s was never answered: %s", what, a.Why) {
		return false
	}
	c.Require(!a.Auth(), "the agent asks for authentication first")
	if a.Err == nil {
		return true
	}
	c.Log.Occasion()
	if code == client.CodeNotFound {
		return false // that this code is used is a rule of its own
	}
	c.ExpectSoft(a.Is(a.Code())).To(Equal(code), "%s was answered by %s; the code for it is %d", what, a, code)
	return false
}

// takeTurn counts a turn that is not started by Session.Prompt, and ends the rule if no more are allowed.
func takeTurn(c *rule.Case, cl *client.Client) (done func()) {
	if cl.StartTurn == nil {
		return func() {}
	}
	done, err := cl.StartTurn()
	c.Require(err == nil, "%v", err)
	return done
}

// cancelLine is a session/cancel as one line.
func cancelLine(session string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":%s}}`, rule.JSON(session))
}
