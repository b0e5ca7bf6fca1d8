package rules

import (
	"fmt"
	"slices"
	"strings"
	"time"

	. "github.com/onsi/gomega"

	"github.com/acp-conform/acp-conform/conformance/client"
	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/wire"
)

// transport is https://agentclientprotocol.com/protocol/v1/transports.
func transport() []rule.Rule {
	return []rule.Rule{
		transportUTF8,
		transportOneMessagePerLine,
		transportStdoutOnlyACP,
		transportNoStdoutBeforeRequest,
		transportTrailingNewline,
		transportLargeMessage,
		transportSplitWrites,
		transportStdinEOFExit,
		transportStdinEOFDuringTurn,
		transportStdioSupported,
		transportWithinLimits,
	}
}

var transportStdioSupported = rule.Rule{
	ID:    "transport.stdio-supported",
	Title: "the agent speaks over stdin and stdout",
	Level: rule.Should, Basis: rule.Stated, Versions: both,
	Ref:      rule.Ref{Page: "transports"},
	Advice:   "Offer the stdio transport: it is the one that every editor can start.",
	Occasion: rule.Always,
	Watch:    func() rule.Watcher { return new(spoke) },
}

// spoke remembers whether the agent has answered anything at all.
type spoke bool

func (s *spoke) See(l *rule.Log, r *rule.Reading) {
	switch x := unanswered(r); {
	case r.Mine() && r.Kind == wire.Response:
		*s = true
		l.Occasion()
	case x != nil && x.Method == "initialize" && !bool(*s) && string(wire.Member(x.Params, "protocolVersion")) == "1":
		l.Occasion()
		l.Broken(rule.Finding{Why: "initialize got no answer over stdio: " + r.Remark.Why, Expected: "an answer", Found: "none", Cite: []wire.Frame{x.Request}})
	}
}

func (*spoke) End(*rule.Log, *rule.Conversation) {}

// unanswered is the request of ours that a remark says was not answered, nil if it says no such thing.
func unanswered(r *rule.Reading) *rule.Exchange {
	if r.Remark == nil || r.Remark.Unanswered == nil {
		return nil
	}
	x := r.Conversation.Asked[string(r.Remark.Unanswered)]
	if x == nil || x.Responses > 0 {
		return nil
	}
	return x
}

// heldBack tells whether the answer to an unanswered request is there but for its line end.
func heldBack(r *rule.Reading) bool {
	e := wire.Inspect([]byte(r.Remark.Partial))
	return e.Kind == wire.Response && e.Key() == string(r.Remark.Unanswered)
}

var transportNoStdoutBeforeRequest = rule.Rule{
	ID:    "transport.no-stdout-before-request",
	Title: "the agent says nothing before it is asked",
	Level: rule.Should, Basis: rule.Stated, Versions: v1,
	Ref:    rule.Ref{Page: "initialization"},
	Advice: "Write nothing to stdout before initialize has been received: until then neither side knows what the other can do.",
	Act: func(c *rule.Case) {
		cl := c.Dial()
		cl.Wait(max(cl.Timeouts.Window, 2*c.Env.Facts.StartTook)) // an agent that is still starting up says nothing yet
		early := cl.Since(0)
		in := cl.Initialize(client.Version, client.Everything(client.Version))
		c.Require(in.Answer.State == client.Met, "initialize: %s", in.Answer)
		var cite []wire.Frame
		for _, l := range early {
			cite = append(cite, l.Frame)
		}
		c.Expect(len(early), cite...).To(Equal(0), "the agent wrote %d lines before it had received anything", len(early))
	},
}

var transportTrailingNewline = rule.Rule{
	ID:    "transport.trailing-newline",
	Title: "every message is ended and flushed without waiting for more input",
	Level: rule.Must, Basis: rule.Implied, Versions: both,
	Ref:      rule.Ref{Page: "transports", Anchor: "stdio"},
	Advice:   "End every message with LF and flush stdout after it: a client waits for the line end before it reads on.",
	Occasion: rule.Always,
	Watch: rule.EachFrame(func(l *rule.Log, r *rule.Reading) {
		switch x := unanswered(r); {
		case x != nil && heldBack(r):
			l.Occasion()
			l.Broken(rule.Finding{Why: "the answer to " + x.Method + " was written without its line end, so that no client can read it", Expected: "LF behind the message",
				Found: r.Remark.Partial, Cite: []wire.Frame{x.Request}})
		case r.Mine() && r.Unended && !r.Conversation.Closing && r.Broken == wire.Whole:
			l.Occasion()
			l.Broken(rule.Finding{Why: "the agent ended without a line end behind its last message", Expected: "LF behind the message", Cite: r.Cite()})
		case r.Mine() && r.Kind == wire.Response:
			l.Occasion()
		}
	}),
}

// largeText is well beyond the 64 KiB at which line readers with a fixed buffer give up.
const largeText = 1 << 20

var transportLargeMessage = rule.Rule{
	ID:    "transport.large-message",
	Title: "a message of a megabyte is read like any other",
	Level: rule.Should, Basis: rule.Stated, Versions: v1,
	Ref:    rule.Ref{Page: "transports", Anchor: "stdio"},
	Advice: "Read lines of any length: prompts with files and images are long, and line readers with a fixed buffer stop at 64 KiB.",
	Act: func(c *rule.Case) {
		cl := c.Client()
		// Written as it is: a megabyte is not encoded and copied again by the library.
		line := `{"jsonrpc":"2.0","id":"large-1","method":"_acp_conform/large","params":{"_meta":{"text":"` + strings.Repeat("x", largeText) + `"}}}` + "\n"
		if err := cl.Chunks(0, []byte(line)); err != nil && !cl.Gone() {
			c.Expect(err.Error()).To(Equal("the line is read"), "a request of 1 MiB on one line was not read: %v", err)
			return
		}
		large := func(l client.Line) bool { return l.Kind == wire.Response && l.Key() == `"large-1"` }
		got, state, why := cl.AwaitLine(0, large)
		if state == client.Met {
			c.Expect(true, got.Frame).To(BeTrue())
			return
		}
		small := cl.Call("_acp_conform/small", nil)
		c.Require(cl.Gone() || small.State == client.Met, "the agent does not answer unknown requests: %s", small)
		if lines := cl.Since(0); slices.ContainsFunc(lines, large) {
			c.Expect(true, lines[slices.IndexFunc(lines, large)].Frame).To(BeTrue())
			return // it took long, and came
		}
		c.Expect("no answer").To(Equal("an answer"), "a request of 1 MiB on one line got no answer: %s", why)
	},
}

var transportSplitWrites = rule.Rule{
	ID:    "transport.split-writes",
	Title: "messages are told apart by line ends, not by writes",
	Level: rule.Must, Basis: rule.Implied, Versions: v1,
	Ref:     rule.Ref{Page: "transports", Anchor: "stdio"},
	Prompts: 1,
	Advice:  "Collect bytes until LF before decoding, also where a write ends within a character or holds two messages.",
	Act: func(c *rule.Case) {
		cl := c.Client()
		// A plain request first: an agent that answers no unknown request cannot be judged by one.
		plain := cl.Call("_acp_conform/split", map[string]any{"_meta": map[string]any{"text": "ü"}})
		c.Require(plain.State == client.Met, "an unknown request: %s", plain)
		line := []byte(`{"jsonrpc":"2.0","id":"split-1","method":"_acp_conform/split","params":{"_meta":{"text":"ü"}}}` + "\n")
		cut := strings.Index(string(line), "ü") + 1 // within the character
		if err := cl.Chunks(20*time.Millisecond, line[:9], line[9:cut], line[cut:]); err != nil {
			c.NotObserved("the request could not be written: %v", err)
		}
		answered(c, cl, `"split-1"`, "a request that was written in three pieces")
		two := strings.ReplaceAll(string(line), "split-1", "split-2") + strings.ReplaceAll(string(line), "split-1", "split-3")
		if err := cl.Chunks(0, []byte(two)); err != nil {
			c.NotObserved("the requests could not be written: %v", err)
		}
		answered(c, cl, `"split-2"`, "the first of two requests in one write")
		answered(c, cl, `"split-3"`, "the second of two requests in one write")
		splitCharacter(c)
	},
}

// splitCharacter asks an agent that surely repeats a text for one whose character comes in two writes.
func splitCharacter(c *rule.Case) {
	task, ok := c.Env.Stimuli(rule.SayText, "grün")
	if !ok || !task.Certain || !c.Env.Facts.Turn {
		return
	}
	cl, s := c.Client(), c.NewSession()
	defer takeTurn(c, cl)()
	line := fmt.Sprintf(`{"jsonrpc":"2.0","id":"split-4","method":"session/prompt","params":%s}`+"\n", rule.JSON(map[string]any{"sessionId": s.ID, "prompt": task.Prompt}))
	cut := strings.Index(line, "ü") + 1
	mark := cl.Mark()
	err := cl.Chunks(20*time.Millisecond, []byte(line[:cut]), []byte(line[cut:]))
	c.Require(err == nil, "the prompt could not be written: %v", err)
	_, state, why := cl.AwaitLine(mark, func(l client.Line) bool { return l.Kind == wire.Response && l.Key() == `"split-4"` })
	c.Require(state == client.Met, "the prompt was not answered: %s", why)
	said := cl.Said(s.ID, mark)
	c.Expect(said).To(ContainSubstring("grün"), "a character whose bytes came in two writes was damaged")
}

// answered judges that a request with this id gets exactly one response.
func answered(c *rule.Case, cl *client.Client, id, what string) {
	is := func(l client.Line) bool { return l.Kind == wire.Response && l.Key() == id }
	first, state, why := cl.AwaitLine(0, is)
	if !c.Expect(state == client.Met, first.Frame).To(BeTrue(), "%s got no response: %s", what, why) {
		return
	}
	n := 0
	for _, l := range cl.Since(0) {
		if is(l) {
			n++
		}
	}
	c.Expect(n, first.Frame).To(Equal(1), "%s got %d responses", what, n)
}

var transportStdinEOFExit = rule.Rule{
	ID:    "transport.stdin-eof-exit",
	Title: "the agent ends when its stdin is closed",
	Level: rule.Should, Basis: rule.Stated, Versions: v1,
	Ref:    rule.Ref{Page: "transports", Anchor: "stdio"},
	Advice: "Treat the end of stdin as the end of the connection: stop turns and children, then exit. Editors close stdin first.",
	Needs:  rule.Needs{Exit: true},
	Act: func(c *rule.Case) {
		cl := c.Client()
		end := c.End(cl)
		leaves(c, end, "after its stdin was closed")
		if end.Willing && end.Exit.Code != 0 {
			c.Note(end.Exit.String(), "the agent did not end with status 0")
		}
	},
}

var transportStdinEOFDuringTurn = rule.Rule{
	ID:    "transport.stdin-eof-during-turn",
	Title: "the agent ends when its stdin is closed during a turn, and leaves no children",
	Level: rule.Should, Basis: rule.Stated, Versions: v1,
	Ref:     rule.Ref{Page: "transports", Anchor: "stdio"},
	Advice:  "End running turns, and the processes that they started, when stdin ends.",
	Prompts: 1,
	Needs:   rule.Needs{Turn: true, Stimulus: rule.LongTurn, Exit: true},
	Act: func(c *rule.Case) {
		turn := c.Prompt(c.NewSession(), rule.LongTurn)
		c.Require(turn.Started(), "the turn showed no sign of life before stdin could be closed")
		defer turn.Release()
		leaves(c, c.End(c.Client()), "after its stdin was closed during a turn")
	},
}

// leaves judges how an agent ended.
func leaves(c *rule.Case, end wire.Ending, when string) {
	how := "by itself"
	if !end.Willing {
		how = "only by " + end.Forced
	}
	c.Expect(how).To(Equal("by itself"), "the agent did not end by itself %s; it took %s", when, end.Forced)
	c.Expect(len(end.Strays)).To(Equal(0), "the agent left %d processes behind %s%s", len(end.Strays), when, pids(end.Strays))
}

func pids(ids []int) string {
	if len(ids) == 0 {
		return ""
	}
	return fmt.Sprintf(": %v", ids)
}
