package rules

import (
	"fmt"
	"slices"

	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/wire"
)

var promptResponseStopReason = rule.Rule{
	ID:    "prompt.response-stop-reason",
	Title: "the response to a prompt says why the turn ended, in a word that the protocol knows",
	Level: rule.Must, Basis: rule.Stated, Versions: v1,
	Ref:      rule.Ref{Page: "prompt-turn", Anchor: "4-check-for-completion"},
	Advice:   "Answer session/prompt with a stopReason of end_turn, max_tokens, max_turn_requests, refusal or cancelled; the list is closed.",
	Occasion: rule.Always,
	Watch:    shapeRule("prompt.response-stop-reason", func(r *rule.Reading) bool { return r.IsResult("session/prompt") }),
}

var promptCancelledOnlyOnCancel = rule.Rule{
	ID:    "prompt.cancelled-only-on-cancel",
	Title: "only a turn that the client cancelled ends as cancelled",
	Level: rule.Must, Basis: rule.Stated, Versions: v1,
	Ref:      rule.Ref{Page: "prompt-turn", Anchor: "stop-reasons"},
	Advice:   "Keep the stop reason cancelled for session/cancel; a turn that ends for another reason, also after a refused permission, has its own.",
	Mild:     "what disturbed the turn may have been taken for a cancel",
	Occasion: rule.Always,
	Watch: rule.EachFrame(func(l *rule.Log, r *rule.Reading) {
		turn, reason, ok := promptEnds(r)
		if !ok || turn.Cancelled {
			return
		}
		l.Occasion()
		if reason == "cancelled" {
			// What disturbed the turn may have been taken for a cancel.
			certain := !turn.Refused && !turn.Overlapped && !r.Conversation.Closing
			l.BrokenIf(certain, rule.Finding{Why: "a turn ended as cancelled although the client had not cancelled it", Expected: "another stop reason",
				Found: reason, Cite: r.Cite()})
		}
	}),
}

// promptEnds tells whether the frame is the result of a prompt, and gives the turn that it ends and its stop reason.
func promptEnds(r *rule.Reading) (*rule.TurnState, string, bool) {
	if !r.IsResult("session/prompt") || r.Nth != 1 || r.Broken != wire.Whole {
		return nil, "", false
	}
	reason, _ := text(wire.Member(r.Result, "stopReason"))
	s := r.Conversation.Sessions[r.Session]
	if s == nil || s.Turn == nil {
		return nil, "", false
	}
	if s.Turn.ID != r.Key() {
		// An earlier prompt of a session that was prompted again meanwhile; the cancel was for whatever ran.
		return &rule.TurnState{Prompt: r.Asked, Overlapped: true, Cancelled: s.Turn.Cancelled}, reason, true
	}
	return s.Turn, reason, true
}

var promptNoPendingToolsAtEnd = rule.Rule{
	ID:    "prompt.no-pending-tools-at-end",
	Title: "a turn that ends leaves no tool call open",
	Level: rule.Must, Basis: rule.Stated, Versions: v1,
	Ref:      rule.Ref{Page: "prompt-turn", Anchor: "4-check-for-completion"},
	Advice:   "Report completed or failed for every tool call before you answer the prompt, also for one that was not permitted: clients show the others as running for ever.",
	Mild:     "clients can tell by the end of the turn that nothing of it goes on",
	Occasion: rule.AgentsChoice,
	Soft:     true,
	Watch:    func() rule.Watcher { return &turnTools{judge: pendingAtEnd} },
}

func pendingAtEnd(l *rule.Log, r *rule.Reading, turn *rule.TurnState, reason string, calls toolCalls) {
	if len(calls) == 0 || turn.Cancelled || turn.Overlapped || reason == "cancelled" {
		return // the client itself marks the calls of a cancelled turn
	}
	l.Occasion()
	if open := calls.open(); len(open) > 0 {
		l.Broken(rule.Finding{Why: fmt.Sprintf("the turn ended with %d tool calls that are neither completed nor failed", len(open)),
			Expected: "completed or failed", Found: "pending or in_progress", Cite: append(r.Cite(), open...)})
	}
}

// toolCalls are the calls that a turn announced: whether each is open, and the last line that said so.
type toolCalls map[string]toolCall

type toolCall struct {
	open bool
	line wire.Frame
}

func (t toolCalls) open() []wire.Frame {
	var lines []wire.Frame
	for _, call := range t {
		if call.open {
			lines = append(lines, call.line)
		}
	}
	slices.SortFunc(lines, func(a, b wire.Frame) int { return a.Seq - b.Seq })
	return lines
}

// turnTools follows the tool calls of the turns of all sessions. A call is known by its tool_call alone: one that only a
// permission request or an update names is another rule's. Each turn starts afresh, so that a replay cannot mix in.
type turnTools struct {
	sessions map[string]toolCalls
	judge    func(l *rule.Log, r *rule.Reading, turn *rule.TurnState, reason string, calls toolCalls)
	// late is shown the tool calls that come when no turn of their session runs; nil = nobody looks.
	late func(l *rule.Log, r *rule.Reading, s *rule.SessionState, status string)
}

func (t *turnTools) See(l *rule.Log, r *rule.Reading) {
	if t.sessions == nil {
		t.sessions = map[string]toolCalls{}
	}
	s := r.Conversation.Sessions[r.Session]
	running := s != nil && s.Turn != nil && s.Turn.Running
	switch {
	case r.From == wire.Client && r.Kind == wire.Request && r.Method == "session/prompt" && !running:
		t.sessions[r.Session] = toolCalls{}
	case r.IsUpdate() && (r.Update == "tool_call" || r.Update == "tool_call_update"):
		status, _ := text(wire.Member(r.Body, "status"))
		if running {
			t.sessions[r.Session].note(r, status)
		} else if t.late != nil && s != nil {
			t.late(l, r, s, status)
		}
	default:
		if turn, reason, ok := promptEnds(r); ok {
			t.judge(l, r, turn, reason, t.sessions[r.Session])
		}
	}
}

// End has nothing to add.
func (*turnTools) End(*rule.Log, *rule.Conversation) {}

const keptCalls = 1000 // of one turn; whoever makes more is not followed further

func (t toolCalls) note(r *rule.Reading, status string) {
	id, ok := text(wire.Member(r.Body, "toolCallId"))
	_, known := t[id]
	if t == nil || !ok || r.Update == "tool_call_update" && (!known || status == "") {
		return
	}
	if !known && len(t) >= keptCalls {
		return
	}
	t[id] = toolCall{open: status == "" || status == "pending" || status == "in_progress", line: excerpt(r.Frame)}
}
