package rules

import (
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	. "github.com/onsi/gomega"

	"github.com/acp-conform/acp-conform/conformance/client"
	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/wire"
)

// promptTurn is https://agentclientprotocol.com/protocol/v1/prompt-turn: from the user's message to the response.
func promptTurn() []rule.Rule {
	return []rule.Rule{
		promptResponseStopReason,
		promptTextSupported,
		promptResourceLinkSupported,
		promptMalformedBlockRejected,
		promptUnknownSession,
		promptUpdatesBeforeResponse,
		promptNoPendingToolsAtEnd,
		promptReportsOutput,
		promptStreamingSessionID,
		promptCancelledOnlyOnCancel,
	}
}

var promptTextSupported = rule.Rule{
	ID:    "prompt.text-supported",
	Title: "a prompt of plain text is accepted",
	Level: rule.Must, Basis: rule.Stated, Versions: v1,
	Ref:     rule.Ref{Page: "initialization", Anchor: "prompt-capabilities"},
	Advice:  "Accept text blocks in every prompt: they are the baseline that no capability gates.",
	Prompts: 1,
	Needs:   rule.Needs{Session: true},
	Act: func(c *rule.Case) {
		c.Require(c.Env.Facts.Turn || !c.Env.Facts.CancelEnds, "no turn ends here: %s", c.Env.Facts.TurnReason)
		turn := c.Prompt(c.NewSession(), rule.ShortTurn)
		if !c.Env.Facts.Turn && turn.WaitFor(c.Client().Timeouts.Request).State != client.Met {
			turn.Cancel() // a refusal comes at once; for more the survey has waited long enough
		}
		promptTaken(c, turn.End(), "a prompt of one text block")
	},
}

// promptTaken judges that a prompt was not refused as such. What keeps a turn from its work, such as a model that cannot be
// reached, says nothing about that.
func promptTaken(c *rule.Case, a client.Answer, what string) {
	refused := a.Code() == client.CodeInvalidParams || a.Code() == client.CodeMethodNotFound
	c.Require(a.OK() || refused, "%s: %s", what, a)
	c.Expect(a.Is(a.String())).To(Equal("a result"), "%s was refused by %s", what, a)
}

var promptResourceLinkSupported = rule.Rule{
	ID:    "prompt.resource-link-supported",
	Title: "a prompt with a link to a file is accepted",
	Level: rule.Must, Basis: rule.Stated, Versions: v1,
	Ref:     rule.Ref{Page: "initialization", Anchor: "prompt-capabilities"},
	Advice:  "Accept resource_link blocks in every prompt, next to text; editors send them for each file that the user mentions.",
	Prompts: 1,
	Needs:   rule.Needs{Turn: true, Stimulus: rule.ShortTurn},
	Act: func(c *rule.Case) {
		s := c.NewSession()
		path := promptFile(c, s, "notes.txt", "Notes of the test suite.\n")
		task := c.Task(rule.ShortTurn)
		task.Prompt = append(slices.Clone(task.Prompt), map[string]any{"type": "resource_link", "name": "notes.txt", "uri": promptFileURI(path)})
		promptTaken(c, c.PromptTask(s, task).End(), "a prompt of a text block and a resource_link")
	},
}

// promptFile makes a file in the session's directory and gives its absolute path.
func promptFile(c *rule.Case, s *client.Session, name, content string) string {
	path, err := client.WriteFile(s.Dir, name, content)
	c.Require(err == nil, "a file for the session could not be written: %v", err)
	return path
}

func promptFileURI(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // a drive letter of Windows
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}

var promptUpdatesBeforeResponse = rule.Rule{
	ID:    "prompt.updates-before-response",
	Title: "all updates of a turn come before its response",
	Level: rule.Must, Basis: rule.Stated, Versions: v1,
	Ref:     rule.Ref{Page: "prompt-turn", Anchor: "4-check-for-completion"},
	Advice:  "Wait until every chunk, tool call and plan of the turn is written before you answer the prompt: clients close the turn with the response.",
	Mild:    "work in the background may have news at any time",
	Prompts: 1,
	Needs:   rule.Needs{Turn: true, Stimulus: rule.ShortTurn},
	Soft:    true,
	Act: func(c *rule.Case) {
		turn := c.Prompt(c.NewSession(), rule.ShortTurn)
		a := c.Ran(turn)
		c.Client().Fenced()
		c.Client().LongWindow(a.Frame)
		late := promptUpdatesBehind(turn, a.Frame, ofTurn)
		c.Expect(len(late), append(late, a.Frame)...).To(Equal(0), "%d updates of a turn came after the response to its prompt", len(late))
	},
}

// promptUpdatesBehind are the updates of a turn's session behind a frame, of the kinds for which is holds.
func promptUpdatesBehind(t *client.Turn, f wire.Frame, is func(kind string) bool) []wire.Frame {
	var got []wire.Frame
	for _, u := range t.Updates() {
		if u.Seq > f.Seq && is(u.Kind) {
			got = append(got, u.Frame)
		}
	}
	return got
}

// cutShort are the stop reasons of turns that need not have come to an output.
var cutShort = []any{"max_tokens", "max_turn_requests", "refusal", "cancelled"}

var promptReportsOutput = rule.Rule{
	ID:    "prompt.reports-output",
	Title: "what the model says is reported in message chunks",
	Level: rule.Must, Basis: rule.Stated, Versions: v1,
	Ref:     rule.Ref{Page: "prompt-turn", Anchor: "3-agent-reports-output"},
	Advice:  "Send the model's text in agent_message_chunk updates: the response to the prompt has no place for it, so the user sees nothing else.",
	Mild:    "whether a model says anything is its own choice",
	Prompts: 1,
	Needs:   rule.Needs{Turn: true, Stimulus: rule.ShortTurn},
	Act: func(c *rule.Case) {
		task := c.Task(rule.ShortTurn)
		if task.Certain {
			task.Prompt = client.Text("Hello.") // what a user writes is no directive
		}
		turn := c.PromptTask(c.NewSession(), task)
		a := c.Ran(turn)
		reason := a.Member("stopReason").Of
		c.Require(!slices.Contains(cutShort, reason), "the turn ended with the stop reason %v", reason)
		c.Client().Fenced() // what comes late is another rule's business
		c.Client().Window()
		// Whether a model says anything is its own choice.
		c.ExpectIf(task.Certain, a.Is(promptOutput(turn))).NotTo(Equal(0),
			"the turn ended, and no agent_message_chunk had said anything")
	},
}

// promptOutput counts the message chunks of a turn that are not empty.
func promptOutput(t *client.Turn) int {
	n := 0
	for _, u := range t.Updates() {
		block := wire.Member(u.Body, "content")
		kind, _ := text(wire.Member(block, "type"))
		said, _ := text(wire.Member(block, "text"))
		if u.Kind == "agent_message_chunk" && (said != "" || kind != "text" && block != nil) {
			n++
		}
	}
	return n
}

var promptStreamingSessionID = rule.Rule{
	ID:    "prompt.streaming-session-id",
	Title: "updates name the session whose turn they belong to",
	Level: rule.Must, Basis: rule.Stated, Versions: v1,
	Ref:     rule.Ref{Page: "schema", Anchor: "SessionNotification"},
	Advice:  "Take the sessionId of each update from the turn that makes it, not from the session that was used last: editors run several at once.",
	Mild:    "it is not certain that the two turns ran at the same time",
	Prompts: 2,
	Needs:   rule.Needs{Turn: true, Stimulus: rule.SayText},
	Act: func(c *rule.Case) {
		s, words, others := c.NewSession(), c.Word(), c.Word()
		beside := promptBeside(c, others)
		turn := c.Prompt(s, rule.SayText, words)
		ended := c.Ran(turn)
		c.Client().Fenced()
		before := len(turn.Updates())
		if beside.Held() {
			beside.Cancel()
		}
		beside.End()
		c.Client().Fenced()
		heard := promptCrossTalk(c, words, turn, beside)
		heard = promptCrossTalk(c, others, beside, turn) || heard
		c.Require(heard, "neither session said the text that it was asked for")
		if beside.Held() {
			promptStrays(c, turn.Updates()[before:], ended)
		}
	},
}

// promptBeside starts a turn in a session of its own beside which another one is to run. An agent that surely holds a turn
// open is asked for such a one, so that the two overlap; any other is asked for a text.
func promptBeside(c *rule.Case, words string) *client.Turn {
	s := c.NewSession()
	if t := c.Task(rule.LongTurn); t.Certain {
		turn := c.PromptTask(s, t)
		c.Require(turn.Started(), "the turn of the other session did not go on")
		return turn
	}
	return c.Prompt(s, rule.SayText, words)
}

// promptCrossTalk judges that the words of one turn did not reach the session of the other; false where nobody said them.
func promptCrossTalk(c *rule.Case, words string, own, other *client.Turn) bool {
	if !said(own, words) && !said(other, words) {
		return false
	}
	c.ExpectIf(own.Held(), other.Said()).NotTo(ContainSubstring(words),
		"a text that one session was asked to say came in updates that name another session, whose turn ran at the same time")
	return true
}

func said(t *client.Turn, words string) bool { return strings.Contains(fmt.Sprint(t.Said().Of), words) }

// promptStrays judges that nothing of a turn names a session whose turn had ended before.
func promptStrays(c *rule.Case, updates []client.Update, ended client.Answer) {
	cite := []wire.Frame{ended.Frame}
	for _, u := range updates {
		if ofTurn(u.Kind) {
			cite = append(cite, u.Frame)
		}
	}
	c.Expect(len(cite)-1, cite...).To(Equal(0), "%d updates name a session whose turn had ended, while only another session had one", len(cite)-1)
}
