package rules

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/wire"
)

// The rungs of the ladder that concern a line as such. A line that our own kill cut off is not a broken line.

var transportUTF8 = rule.Rule{
	ID:    "transport.utf8",
	Title: "every line on stdout is valid UTF-8",
	Level: rule.Must, Basis: rule.Stated, Versions: both,
	Ref:      rule.Ref{Page: "transports"},
	Advice:   "Encode stdout as UTF-8 whatever the locale says, and never cut a character between two writes of different encoders.",
	Occasion: rule.Always,
	Watch: rule.EachFrame(func(l *rule.Log, r *rule.Reading) {
		if r.From == wire.AgentStderr && !utf8.Valid(r.Line) {
			l.Note(rule.Finding{Why: "a line on stderr is not UTF-8; stderr has no meaning in the protocol", Cite: r.Cite()})
		}
		if !r.Mine() {
			return
		}
		l.Occasion()
		if r.Broken == wire.RungUTF8 && !cutOff(r) {
			l.Broken(rule.Finding{Why: "a line on stdout is not valid UTF-8: " + r.Why, Expected: "UTF-8", Cite: r.Cite()})
		}
	}),
}

var transportOneMessagePerLine = rule.Rule{
	ID:    "transport.one-message-per-line",
	Title: "each line holds exactly one JSON-RPC message",
	Level: rule.Must, Basis: rule.Stated, Versions: both,
	Ref:      rule.Ref{Page: "transports", Anchor: "stdio"},
	Advice:   "Serialise each message without line breaks (no pretty-printing), end it with one LF, and write it in one piece under a lock.",
	Occasion: rule.Always,
	Watch: rule.EachFrame(func(l *rule.Log, r *rule.Reading) {
		if !r.Mine() || r.Broken == wire.RungUTF8 {
			return
		}
		l.Occasion()
		switch {
		case r.Broken != wire.RungLine || cutOff(r):
		case r.Deep:
			l.Note(rule.Finding{Why: "a line is nested deeper than this suite reads: it was not looked into", Cite: r.Cite()})
		case r.Dropped > 0:
			l.Note(rule.Finding{Why: fmt.Sprintf("a line is %d bytes long, more than this suite reads: it was not looked into", len(r.Line)+r.Dropped), Cite: r.Cite()})
		case r.Blob:
			l.Broken(rule.Finding{Why: "a line holds a part of a message, or more than one: it is not one whole JSON value",
				Expected: "one JSON object", Found: head(r.Line), Cite: r.Cite()})
		}
	}),
}

var transportStdoutOnlyACP = rule.Rule{
	ID:    "transport.stdout-only-acp",
	Title: "stdout carries nothing but ACP messages",
	Level: rule.Must, Basis: rule.Stated, Versions: both,
	Ref:      rule.Ref{Page: "transports", Anchor: "stdio"},
	Advice:   "Send logs, banners and progress to stderr; redirect the stdout of libraries and child processes before the first message.",
	Occasion: rule.Always,
	Watch:    func() rule.Watcher { return &noise{} },
}

// noise finds lines that are no messages. The lines of a message that was written over several of them are not noise: they
// belong to transport.one-message-per-line.
type noise struct {
	torn    []byte         // what came since a line that begins a message and does not end it
	pending []rule.Finding // what was found since then: noise, unless it all makes up one message
}

const longestTorn = 64 << 10 // bytes of a torn message that are put together again

func (n *noise) See(l *rule.Log, r *rule.Reading) {
	if !r.Mine() || r.Broken == wire.RungUTF8 {
		return
	}
	l.Occasion()
	f, is := noiseOf(r)
	switch {
	case r.Broken == wire.RungLine && r.Blob && n.torn == nil:
		n.torn = append([]byte{}, r.Line...)
		return
	case n.torn == nil || r.Broken == wire.Whole || len(n.torn) > longestTorn:
		n.flush(l)
		if is {
			l.Broken(f)
		}
	default:
		n.torn = append(n.torn, r.Line...)
		if is {
			n.pending = append(n.pending, f)
		}
		if json.Valid(n.torn) {
			n.torn, n.pending = nil, nil
		}
	}
	if r.Blank {
		l.Note(rule.Finding{Why: "there is a blank line on stdout", Cite: r.Cite()})
	}
}

func noiseOf(r *rule.Reading) (rule.Finding, bool) {
	why := "a line on stdout is no ACP message"
	if r.Inner {
		why += "; a message hides behind other text on it and is lost"
	}
	is := (r.Broken == wire.RungLine && !r.Blob || r.Scalar) && !r.Blank && !cutOff(r)
	return rule.Finding{Why: why, Expected: "a JSON-RPC message", Found: head(r.Line), Cite: r.Cite()}, is
}

func (n *noise) flush(l *rule.Log) {
	for _, f := range n.pending {
		l.Broken(f)
	}
	n.torn, n.pending = nil, nil
}

// End leaves out what may still have become one message: when we look away, a message may be half written.
func (*noise) End(*rule.Log, *rule.Conversation) {}

// cutOff tells whether the line was broken by our ending the agent.
func cutOff(r *rule.Reading) bool { return r.Unended && r.Conversation.Closing }

// head is the beginning of a line, for a person.
func head(line []byte) string {
	line = bytes.ToValidUTF8(line, []byte("\uFFFD"))
	if len(line) > 80 {
		line = append(bytes.Clone(line[:80]), "…"...)
	}
	return string(line)
}
