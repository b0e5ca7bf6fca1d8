package rules

import (
	"bytes"
	"fmt"
	"os"

	. "github.com/onsi/gomega"

	"github.com/acp-conform/acp-conform/conformance/client"
	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/wire"
)

// The rules about a cancel that finds something open: a tool, a permission, a request to the client, a command.

var cancelDuringTool = rule.Rule{
	ID:    "cancel.during-tool",
	Title: "a turn can be cancelled while a tool runs",
	Level: rule.Must, Basis: rule.Stated, Versions: v1,
	Ref:     rule.Ref{Page: "prompt-turn", Anchor: "cancellation"},
	Advice:  "Abort running tools on session/cancel, or leave them behind, and answer the prompt without waiting for their results.",
	Mild:    notHeld,
	Prompts: 1,
	Needs:   rule.Needs{Turn: true, Stimulus: rule.LongTool},
	Act: func(c *rule.Case) {
		s := c.NewSession()
		mark := c.Client().Mark()
		turn := running(c, c.Prompt(s, rule.LongTool))
		_, state, _ := c.Client().AwaitLine(mark, func(l client.Line) bool { return toolRuns(l, s.ID) })
		c.Require(state == client.Met && !turn.Done(), "no tool call was in progress before the cancel")
		turn.Cancel()
		endsCancelled(c, turn, turn.End(), "it was cancelled while a tool ran")
	},
}

// toolRuns tells whether the line says that a tool call of the session is in progress.
func toolRuns(l client.Line, session string) bool {
	id, _ := text(wire.Member(l.Params, "sessionId"))
	status, _ := text(wire.Member(wire.Member(l.Params, "update"), "status"))
	return l.Name == "session/update" && id == session && status == "in_progress"
}

var cancelDuringPermission = rule.Rule{
	ID:    "cancel.during-permission",
	Title: "a turn can be cancelled while it waits for a permission",
	Level: rule.Must, Basis: rule.Stated, Versions: v1,
	Ref:     rule.Ref{Page: "prompt-turn", Anchor: "cancellation"},
	Advice:  "Take the outcome cancelled of a permission request, and session/cancel itself, as the end of the turn: run nothing and answer the prompt with cancelled.",
	Mild:    notHeld,
	Prompts: 1,
	Needs:   rule.Needs{Turn: true, Stimulus: rule.Permission},
	Act: func(c *rule.Case) {
		const method = "session/request_permission"
		cl, s := c.Client(), c.NewSession()
		cl.HoldAll(method)
		turn := c.Prompt(s, rule.Permission)
		_, ok := cl.AwaitAsk(method, turn.Call)
		c.Require(ok && !turn.Done(), "the agent asked for no permission")
		turn.Cancelled = true
		c.Require(cl.Notify("session/cancel", map[string]any{"sessionId": s.ID}) == nil, "the cancel could not be written")
		cl.Fenced() // the agent has read the cancel before the answer comes: which of the two ends the turn is no matter of speed
		cl.On(method, func(*client.Ask) (any, *client.Error) { return client.CancelledPermission(), nil })
		for _, ask := range cl.Asked(method) {
			ask.Reply(client.CancelledPermission())
		}
		endsCancelled(c, turn, turn.End(), "it was cancelled while it waited for a permission")
	},
}

var cancelDuringClientRequest = rule.Rule{
	ID:    "cancel.during-client-request",
	Title: "a turn can be cancelled while it waits for the client",
	Level: rule.Must, Basis: rule.Stated, Versions: v1,
	Ref:     rule.Ref{Page: "prompt-turn", Anchor: "cancellation"},
	Advice:  "Do not wait for open fs and terminal requests after session/cancel: cancel them with $/cancel_request if you like, and answer the prompt.",
	Mild:    "the turn did end, and it is not certain that nothing else ended it",
	Prompts: 1,
	Needs:   rule.Needs{Turn: true, Stimulus: rule.ClientFile},
	Act: func(c *rule.Case) {
		const method = "fs/read_text_file"
		cl, s := c.Client(), c.NewSession()
		cl.HoldAll(method)
		turn := c.Prompt(s, rule.ClientFile, promptFile(c, s, "held.txt", "Notes of the test suite.\n"))
		_, ok := cl.AwaitAsk(method, turn.Call)
		c.Require(ok && !turn.Done(), "the agent did not read the file through the client")
		turn.Cancel()
		alone := turn.WaitFor(cl.Timeouts.Request/2).State == client.Met
		cl.On(method, func(*client.Ask) (any, *client.Error) { return nil, cancelledRequest })
		for _, ask := range cl.Asked(method) {
			ask.Fail(cancelledRequest.Code, cancelledRequest.Message)
		}
		a := turn.End()
		endsCancelled(c, turn, a, "it was cancelled while it waited for a file of the client")
		if a.State == client.Met {
			c.ExpectSoft(a.Is(alone)).To(BeTrue(), "the turn ended only when the client had answered the request that was open")
		}
	},
}

var cancelledRequest = &client.Error{Code: client.CodeRequestCancelled, Message: "the turn was cancelled"}

var cancelStopsWork = rule.Rule{
	ID:    "cancel.stops-work",
	Title: "a cancel stops the work of the turn",
	Level: rule.Should, Basis: rule.Stated, Versions: v1,
	Ref:     rule.Ref{Page: "prompt-turn", Anchor: "cancellation"},
	Advice:  "On session/cancel start no more tools, kill or release the terminals of the turn, and stop the requests to the model.",
	Prompts: 2,
	Needs:   rule.Needs{Turn: true, Stimulus: rule.RunCommand},
	Act: func(c *rule.Case) {
		certain := c.Task(rule.LongTurn).Certain
		if certain {
			cancelStartsNothing(c)
		}
		c.Require(cancelEndsCommand(c) || certain, "the agent ran no command in a terminal of the client")
	},
}

// cancelStartsNothing judges that a turn which surely did nothing but wait does nothing new after its cancel.
func cancelStartsNothing(c *rule.Case) {
	s := c.NewSession()
	turn := running(c, c.Prompt(s, rule.LongTurn))
	c.Client().Fenced()
	before := len(turn.Updates())
	turn.Cancel()
	a := turn.End()
	c.Require(a.State == client.Met, "the prompt was not answered after the cancel: %s", a.Why)
	c.Client().Fenced()
	c.Client().Window()
	var tools []wire.Frame
	for _, u := range turn.Updates()[before:] {
		if u.Kind == "tool_call" && u.Seq < a.Frame.Seq { // what comes behind the response is another rule's
			tools = append(tools, u.Frame)
		}
	}
	c.Expect(len(tools), tools...).To(Equal(0), "%d tool calls began after the turn had been cancelled", len(tools))
	files, err := os.ReadDir(s.Dir)
	c.Require(err == nil, "the session's directory cannot be read: %v", err)
	c.Expect(len(files), a.Frame).To(Equal(0), "the agent wrote into the session's directory after the turn had been cancelled")
}

// longCommand outlives every wait of the rule, also where timeouts are multiplied: else the turn would end with it.
func longCommand(cl *client.Client) string {
	return fmt.Sprintf("sleep %d", max(60, int((3*cl.Timeouts.Turn).Seconds())))
}

// cancelEndsCommand judges that a command which the turn runs in a terminal of the client does not outlive it; false where the
// turn runs none.
func cancelEndsCommand(c *rule.Case) bool {
	cl := c.Connect()
	cl.On("session/request_permission", client.AllowPermission)
	turn := c.Prompt(c.NewSessionOn(cl), rule.RunCommand, longCommand(cl))
	created, ok := cl.AwaitAsk("terminal/create", turn.Call)
	runs := ok && commandRuns(cl, turn, created.Frame)
	turn.Cancel()
	a := turn.End()
	if !runs {
		return false
	}
	c.Require(a.State == client.Met, "the prompt was not answered after the cancel: %s", a.Why)
	cl.Fenced()
	cl.Window()
	ended := len(cl.Asked("terminal/kill")) + len(cl.Asked("terminal/release"))
	c.Expect(a.Is(ended), created.Frame).NotTo(Equal(0), "the turn was cancelled while a command ran in a terminal, and the terminal was neither killed nor released")
	return true
}

// commandRuns waits until the agent names the terminal that it asked for: then the command runs, and the agent knows of it.
func commandRuns(cl *client.Client, turn *client.Turn, created wire.Frame) bool {
	_, state, _ := cl.AwaitLine(0, func(l client.Line) bool { return l.Seq > created.Seq && bytes.Contains(l.Line, []byte(`"terminalId"`)) })
	return state == client.Met && !turn.Done()
}
