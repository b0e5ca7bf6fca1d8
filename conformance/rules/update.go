package rules

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	. "github.com/onsi/gomega"

	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/wire"
)

// update is what https://agentclientprotocol.com/protocol/v1/prompt-turn says of session/update.
func update() []rule.Rule {
	return []rule.Rule{updateKnownVariant, updateRequiredFields, updateSessionKnown, updateIsNotification, updateOrderPreserved, updateOutsideTurnLimited}
}

var updateKnownVariant = rule.Rule{
	ID:    "update.known-variant",
	Title: "every update is of a kind that the schema lists",
	Level: rule.Must, Basis: rule.Stated, Versions: v1,
	Ref:      rule.Ref{Page: "schema", Anchor: "SessionUpdate"},
	Advice:   "The kinds of updates are a closed list in version 1: put what is your own under _meta or into a notification whose method begins with an underscore.",
	Mild:     "a client passes over an update that it does not know",
	Occasion: rule.Always,
	Watch: rule.EachFrame(func(l *rule.Log, r *rule.Reading) {
		if !r.IsUpdate() || !r.Known || r.Broken != wire.Whole {
			return
		}
		l.Occasion()
		if aheadOfUs(r) {
			l.Soft(rule.Finding{Why: "the update " + r.Update + " belongs to the unstable edition, which this client did not ask for", Found: r.Update, Cite: r.Cite()})
			return
		}
		for _, f := range owned(r, "update.known-variant") {
			l.Broken(finding(r, f))
		}
	}),
}

// askedFor tells whether the client advertised the capability that an unstable update needs.
func askedFor(client json.RawMessage, update string) bool {
	capability := "subagents"
	if strings.HasPrefix(update, "plan_") {
		capability = "plan"
	}
	value := wire.Member(client, capability)
	return value != nil && string(value) != "null"
}

var updateRequiredFields = rule.Rule{
	ID:    "update.required-fields",
	Title: "every update has the members that its kind requires",
	Level: rule.Must, Basis: rule.Stated, Versions: v1,
	Ref:      rule.Ref{Page: "schema", Anchor: "SessionUpdate"},
	Advice:   "Check the members of this kind of update against the schema: clients drop an update that lacks one.",
	Mild:     "a page of the specification shows the member by that name",
	Occasion: rule.Always,
	Watch: rule.EachFrame(func(l *rule.Log, r *rule.Reading) {
		if !r.IsUpdate() || !r.Known || r.Broken != wire.Whole {
			return
		}
		l.Occasion()
		for _, f := range owned(r, "update.required-fields") {
			if r.Update == "current_mode_update" && f.Path == "/update/currentModeId" && wire.Member(r.Body, "modeId") != nil {
				l.Soft(rule.Finding{Why: "current_mode_update says modeId; the schema calls the member currentModeId", Expected: f.Expected, Found: string(r.Body), Cite: r.Cite()})
				continue
			}
			l.Broken(finding(r, f))
		}
	}),
}

var updateIsNotification = rule.Rule{
	ID:    "update.is-notification",
	Title: "session/update is a notification",
	Level: rule.Must, Basis: rule.Stated, Versions: v1,
	Ref:      rule.Ref{Page: "overview", Anchor: "notifications"},
	Advice:   "Send session/update without an id: it is not answered.",
	Occasion: rule.Always,
	Watch: rule.EachFrame(func(l *rule.Log, r *rule.Reading) {
		if !r.IsUpdate() {
			return
		}
		l.Occasion()
		if r.ID != nil {
			l.Broken(rule.Finding{Why: "session/update was sent with an id, as a request", Expected: "no id", Found: r.ID, Cite: r.Cite()})
		}
	}),
}

var updateSessionKnown = rule.Rule{
	ID:    "update.session-known",
	Title: "updates are about sessions that were opened on this connection",
	Level: rule.Must, Basis: rule.Stated, Versions: v1,
	Ref:      rule.Ref{Page: "schema", Anchor: "SessionNotification"},
	Advice:   "Send updates with the id that session/new returned or that the client loaded or resumed on this connection.",
	Occasion: rule.Always,
	Watch:    func() rule.Watcher { return &unknownSessions{first: map[string]wire.Frame{}} },
}

// unknownSessions keeps the first update of each session that was not known when it came: its id may still be issued.
type unknownSessions struct{ first map[string]wire.Frame }

const keptUnknown = 20 // more sessions than this are not told apart

func (u *unknownSessions) See(l *rule.Log, r *rule.Reading) {
	if !r.IsUpdate() || r.Session == "" {
		return
	}
	l.Occasion()
	if _, kept := u.first[r.Session]; r.Conversation.Sessions[r.Session] == nil && !kept && len(u.first) < keptUnknown {
		u.first[r.Session] = r.Frame
	}
}

func (u *unknownSessions) End(l *rule.Log, c *rule.Conversation) {
	if c.Creating() {
		return // the answer that would have issued the id was still to come
	}
	ids := slices.SortedFunc(maps.Keys(u.first), func(a, b string) int { return u.first[a].Seq - u.first[b].Seq })
	for _, id := range ids {
		if c.Sessions[id] == nil {
			l.Broken(rule.Finding{Why: "an update names a session that was neither opened nor asked for on this connection", Expected: "the id of an open session",
				Found: id, Cite: []wire.Frame{u.first[id]}})
		}
	}
}

var updateOutsideTurnLimited = rule.Rule{
	ID:    "update.outside-turn-limited",
	Title: "outside of a turn only updates of state are sent",
	Level: rule.Should, Basis: rule.Stated, Versions: v1,
	Ref:      rule.Ref{Page: "prompt-turn"},
	Advice:   "Send message chunks, tool calls and plans between a prompt and its response, or while a session is loaded; a client has nowhere to show them otherwise.",
	Occasion: rule.Always,
	Watch: rule.EachFrame(func(l *rule.Log, r *rule.Reading) {
		s := r.Conversation.Sessions[r.Session]
		if !r.IsUpdate() || s == nil {
			return
		}
		l.Occasion()
		if !ofTurn(r.Update) || s.Pending || s.Turn != nil || r.Conversation.Closing {
			return // what comes behind the response of a turn belongs to the rules about its end
		}
		l.Broken(rule.Finding{Why: fmt.Sprintf("the agent sent %s before any turn had begun, and nothing was being loaded", r.Update), Expected: "only updates of state", Found: r.Update, Cite: r.Cite()})
	}),
}

// ofTurn tells whether an update belongs to a turn: what a turn says, does or plans.
func ofTurn(kind string) bool {
	return isChunk(kind) || slices.Contains([]string{"tool_call", "tool_call_update", "plan"}, kind)
}

var updateOrderPreserved = rule.Rule{
	ID:    "update.order-preserved",
	Title: "updates are sent in the order in which things happen",
	Level: rule.Must, Basis: rule.Stated, Versions: v1,
	Ref:     rule.Ref{Page: "prompt-turn", Anchor: "3-agent-reports-output"},
	Advice:  "Write the updates of a turn from one place, in order: chunks that overtake each other garble the text.",
	Prompts: 1,
	Needs:   rule.Needs{Turn: true, Stimulus: rule.Numbered},
	Act: func(c *rule.Case) {
		const n = 50
		task := c.Task(rule.Numbered, strconv.Itoa(n))
		c.Require(task.Certain, "only a script can say in which order the chunks were made")
		turn := c.PromptTask(c.NewSession(), task)
		c.Ran(turn)
		c.Client().Fenced() // what comes late counts, however late we look
		c.Client().Window()
		said := turn.Said()
		got := numbers(said.Of.(string))
		c.Require(len(got) == n, "%d numbered chunks came, not %d", len(got), n)
		c.Expect(slices.IsSorted(got), said.Cite[:min(len(said.Cite), 10)]...).To(BeTrue(), "numbered chunks came in another order: %v", got)
	},
}

// numbers are the whole numbers in a text.
func numbers(s string) []int {
	var out []int
	for _, f := range strings.FieldsFunc(s, func(r rune) bool { return r < '0' || r > '9' }) {
		if n, err := strconv.Atoi(f); err == nil {
			out = append(out, n)
		}
	}
	return out
}
