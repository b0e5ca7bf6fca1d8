package rules

import (
	"bytes"
	"fmt"
	"strings"

	. "github.com/onsi/gomega"

	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/wire"
)

// message is https://agentclientprotocol.com/protocol/v1/prompt-turn#message-ids and the chunks that carry them.
func message() []rule.Rule {
	return []rule.Rule{messageIDBoundary, messageIDUnique, messageIDConsistentUse, messageIDOpaqueNonempty, messageChunkContentValid, messageThoughtSeparate}
}

var messageChunkContentValid = rule.Rule{
	ID:    "message.chunk-content-valid",
	Title: "the content of a message chunk is one content block of a known type",
	Level: rule.Must, Basis: rule.Stated, Versions: v1,
	Ref:      rule.Ref{Page: "schema", Anchor: "ContentChunk"},
	Advice:   "Put one content block, an object with a type, into the content of each chunk: not a string, not a list.",
	Occasion: rule.Always,
	Watch:    shapeRule("message.chunk-content-valid", func(r *rule.Reading) bool { return r.IsUpdate() && isChunk(r.Update) }),
}

var messageIDOpaqueNonempty = rule.Rule{
	ID:    "message.id-opaque-nonempty",
	Title: "a message id is not empty",
	Level: rule.Should, Basis: rule.RFD, Versions: v1,
	Ref:      rule.Ref{Page: "rfds/message-id"},
	Advice:   "Leave messageId out where there is none: an empty string is an id like any other.",
	Occasion: rule.AgentsChoice,
	Watch: rule.EachFrame(func(l *rule.Log, r *rule.Reading) {
		id, ok := messageID(r)
		if !ok {
			return
		}
		l.Occasion()
		if id == "" {
			l.Broken(rule.Finding{Why: "the messageId of a chunk is an empty string", Expected: "an id, null or nothing", Found: `""`, Cite: r.Cite()})
		}
	}),
}

// messageID is the id of a chunk; false where it has none, null being none.
func messageID(r *rule.Reading) (string, bool) {
	if !r.IsUpdate() || !isChunk(r.Update) || r.Broken != wire.Whole {
		return "", false
	}
	return text(wire.Member(r.Body, "messageId"))
}

// messageLog follows the messages of each session: which ids there were, and which message of each kind is being told now.
type messageLog struct {
	sessions map[string]*messageState
	judge    func(*rule.Log, *rule.Reading, *messageState, string)
}

type messageState struct {
	loads   int                     // a load replays history, ids included: then everything begins again
	current map[string]string       // kind → id of the message that is being told
	past    map[string]messageBirth // id → where it began
	suspect *rule.Finding           // an id of the turn before, which is a late chunk if another message follows in this turn
}

type messageBirth struct {
	kind  string
	turn  int
	frame wire.Frame
}

// excerpt is a frame as it will be cited, for whoever keeps many of them.
func excerpt(f wire.Frame) wire.Frame {
	const cited = 2048
	if len(f.Line) > cited {
		f.Dropped += len(f.Line) - cited
		f.Line = bytes.Clone(f.Line[:cited])
	}
	return f
}

const keptMessages = 10_000 // ids of one session; beyond it nothing new is learnt

func watchMessages(judge func(*rule.Log, *rule.Reading, *messageState, string)) func() rule.Watcher {
	return func() rule.Watcher { return &messageLog{sessions: map[string]*messageState{}, judge: judge} }
}

func (m *messageLog) See(l *rule.Log, r *rule.Reading) {
	id, ok := messageID(r)
	s := r.Conversation.Sessions[r.Session]
	st := m.sessions[r.Session]
	if _, _, ends := promptEnds(r); ends && st != nil && st.suspect != nil {
		l.Broken(*st.suspect)
		st.suspect = nil
	}
	if !ok || id == "" || s == nil {
		return
	}
	loads := s.Loaded
	if s.Pending {
		loads = -1 - s.Loaded // what is replayed now is told apart from what is said later
	}
	if st == nil || st.loads != loads {
		st = &messageState{loads: loads, current: map[string]string{}, past: map[string]messageBirth{}}
		m.sessions[r.Session] = st
	}
	l.Occasion()
	m.judge(l, r, st, id)
	st.current[r.Update] = id
	if _, known := st.past[id]; !known && len(st.past) < keptMessages {
		st.past[id] = messageBirth{r.Update, s.Turns, excerpt(r.Frame)}
	}
}

func (*messageLog) End(*rule.Log, *rule.Conversation) {}

var messageIDBoundary = rule.Rule{
	ID:    "message.id-boundary",
	Title: "the chunks of a message stand together: its id does not return after another message began",
	Level: rule.Must, Basis: rule.Implied, Versions: v1,
	Ref:      rule.Ref{Page: "prompt-turn", Anchor: "message-ids"},
	Advice:   "Finish one message before the next of its kind begins: a client that appends chunks by id would tear the text apart.",
	Occasion: rule.AgentsChoice,
	Watch: watchMessages(func(l *rule.Log, r *rule.Reading, st *messageState, id string) {
		b, known := st.past[id]
		if known && st.current[r.Update] != id && b.kind == r.Update && b.turn == r.Conversation.Sessions[r.Session].Turns {
			l.Broken(rule.Finding{Why: fmt.Sprintf("message %q goes on after message %q of the same kind had begun", id, st.current[r.Update]),
				Expected: "a new id", Found: id, Cite: []wire.Frame{b.frame, r.Frame}})
		}
	}),
}

var messageIDUnique = rule.Rule{
	ID:    "message.id-unique",
	Title: "a message id names one message of its session",
	Level: rule.Must, Basis: rule.Stated, Versions: v1,
	Ref:      rule.Ref{Page: "schema", Anchor: "MessageId"},
	Advice:   "Make a new id for each message; do not share ids between the user's messages, the agent's and its thoughts, nor between turns.",
	Mild:     "clients that keep thoughts and messages apart can tell the two from each other",
	Occasion: rule.AgentsChoice,
	Watch: watchMessages(func(l *rule.Log, r *rule.Reading, st *messageState, id string) {
		b, known := st.past[id]
		turn := r.Conversation.Sessions[r.Session].Turns
		f := rule.Finding{Why: fmt.Sprintf("message id %q of an earlier turn names a message of this one", id), Expected: "a new id", Found: id, Cite: []wire.Frame{b.frame, excerpt(r.Frame)}}
		switch {
		case !known:
			st.suspect = nil
		case b.turn == turn-1 && st.current[r.Update] == id:
			st.suspect = &f // the last chunk of the message before may come late
		case b.turn != turn:
			l.Broken(f)
		case b.kind != r.Update:
			l.Soft(rule.Finding{Why: fmt.Sprintf("message id %q names messages of two kinds, %s and %s", id, b.kind, r.Update), Expected: "ids of their own", Found: id, Cite: []wire.Frame{b.frame, r.Frame}})
		}
	}),
}

var messageIDConsistentUse = rule.Rule{
	ID:    "message.id-consistent-use",
	Title: "in a turn either all chunks of a kind carry message ids or none does",
	Level: rule.Should, Basis: rule.RFD, Versions: v1,
	Ref:      rule.Ref{Page: "rfds/message-id"},
	Advice:   "Give every chunk of the stream its messageId: one without cannot be attributed.",
	Occasion: rule.Always,
	Watch:    func() rule.Watcher { return &mixedIDs{seen: map[mixedKey]*mixedUse{}} },
}

type mixedKey struct{ session, kind string }

type mixedUse struct {
	turn          int
	with, without wire.Frame
	told          bool
}

// mixedIDs remembers, for the last turn of each session, whether its chunks had ids.
type mixedIDs struct{ seen map[mixedKey]*mixedUse }

func (m *mixedIDs) See(l *rule.Log, r *rule.Reading) {
	s := r.Conversation.Sessions[r.Session]
	if !r.IsUpdate() || !isChunk(r.Update) || s == nil || s.Pending || r.Broken != wire.Whole {
		return
	}
	k := mixedKey{r.Session, r.Update}
	u := m.seen[k]
	if u == nil || u.turn != s.Turns {
		u = &mixedUse{turn: s.Turns}
		m.seen[k] = u
	}
	l.Occasion()
	switch id := wire.Member(r.Body, "messageId"); {
	case id == nil || string(id) == "null":
		u.without = r.Frame
	case id[0] == '"':
		u.with = r.Frame
	}
	if u.with.Seq > 0 && u.without.Seq > 0 && !u.told {
		u.told = true
		l.Broken(rule.Finding{Why: "in one turn some chunks of the kind " + r.Update + " carry a messageId and some do not", Expected: "all or none", Cite: []wire.Frame{u.with, u.without}})
	}
}

func (*mixedIDs) End(*rule.Log, *rule.Conversation) {}

var messageThoughtSeparate = rule.Rule{
	ID:    "message.thought-separate",
	Title: "thoughts are reported as thoughts, not as messages",
	Level: rule.Should, Basis: rule.Implied, Versions: v1,
	Ref:     rule.Ref{Page: "schema", Anchor: "SessionUpdate"},
	Advice:  "Report reasoning by agent_thought_chunk: a client shows or hides it apart from the answer.",
	Prompts: 1,
	Needs:   rule.Needs{Turn: true, Stimulus: rule.Thought},
	Act: func(c *rule.Case) {
		task := c.Task(rule.Thought)
		c.Require(task.Certain, "only a script can say what is a thought")
		turn := c.PromptTask(c.NewSession(), task)
		c.Ran(turn)
		c.Client().Fenced() // what comes late counts, however late we look
		c.Client().Window()
		said := turn.Said()
		c.Expect(strings.Contains(said.Of.(string), "one moment"), said.Cite...).To(BeFalse(), "a thought was reported by agent_message_chunk, as a part of the answer")
	},
}
