package fakeagent

import (
	"encoding/json"
	"errors"
)

func usageAfter(t *Turn) { t.c.announce(t.s, t.b.UsageUpdate()) }

// turnVariants are other courses of a turn.
func turnVariants() []Fault {
	return []Fault{
		{Name: "state-after-response", Description: "reports its usage and the session's title after the response of every turn", Break: func(b *Behaviour) {
			after := func(t *Turn) {
				usageAfter(t)
				_, _ = runInfo(t, "")
			}
			b.AfterTurn, b.AfterCancelledTurn = after, after
		}},
		{Name: "extension-after-cancel", Description: "sends a notification of its own after the response of a cancelled turn", Break: func(b *Behaviour) {
			b.AfterCancelledTurn = func(t *Turn) {
				t.c.Send(&Message{Method: "_vendor/cancelled", Params: Object{"sessionId": t.s.ID}})
			}
		}},
		{Name: "last-words", Description: "says something more before the response of a cancelled turn",
			Break: func(b *Behaviour) { b.LastWords = func(t *Turn) { t.say("stopping") } }},
		{Name: "no-message-ids", Description: "gives its messages no ids", Break: messageIDs(func(*Turn, string, int) string { return "" })},
		{Name: "odd-tool-values", Description: "puts anything into rawInput and rawOutput", Break: func(b *Behaviour) {
			odd := func(*Tool) any {
				return Object{"file_path": "notes.txt", "path": "notes.txt", "cwd": ".", "_meta": "free", "line_no": json.RawMessage("1.0"), "big": json.RawMessage("1e400"),
					"nested": []any{nil, []any{}, Object{"tool_call_id": -1, "": false}}}
			}
			b.RawInput, b.RawOutput = odd, func(*Tool) any { return []any{"text", json.RawMessage("12345678901234567890")} }
		}},
		{Name: "thought-then-message", Description: "thinks in many chunks before it says anything", Break: beforeReply(func(t *Turn) {
			id := t.newMessageID("thought")
			for range 5 {
				t.send(t.b.ThoughtChunk(t, t.b.TextBlock("hm "), id))
			}
		})},
		{Name: "many-chunks", Description: "answers in chunks of one character", Break: func(b *Behaviour) {
			b.Reply = func(t *Turn) {
				var parts []string
				for _, r := range "You said: " + t.text {
					parts = append(parts, string(r))
				}
				t.say(parts...)
			}
		}},
		{Name: "echoes-prompt", Description: "repeats the user's message as an update at the beginning of a turn", Break: beforeReply(func(t *Turn) {
			t.c.Send(updateMessage(t.s.ID, chunk("user_message_chunk", textBlock(t.text), t.newMessageID("user"))))
		})},
		{Name: "permission-first", Description: "asks for permission before it announces the tool call",
			Break: func(b *Behaviour) { b.AnnounceBeforePermission = func() bool { return false } }},
		{Name: "extension-request", Description: "asks the client something of its own and takes any answer", Break: beforeReply(func(t *Turn) {
			_, _, _ = t.ask(waitClient, "_vendor/question", Object{"sessionId": t.s.ID})
		})},
		{Name: "failing-tools", Description: "reports tool calls that fail",
			Break: func(b *Behaviour) { b.ToolSteps = func() []string { return []string{"in_progress", "failed"} } }},
		{Name: "backend-error-codes", Description: "uses a code of its own for turns that fail", Break: func(b *Behaviour) { b.BackendCode = func() int { return -32050 } }},
		{Name: "no-model", Description: "fails every prompt because no model is configured", Break: func(b *Behaviour) {
			b.Work = func(*Turn) (string, error) { return "", &Error{Code: codeInternal, Message: "No model configured"} }
		}},
		{Name: "model-never-answers", Description: "works on every prompt until it is cancelled", Break: func(b *Behaviour) {
			b.Work = func(t *Turn) (string, error) {
				_, err := t.waitFor(waitCancel, func(*waiter) {})
				return "", err
			}
		}},
		{Name: "cancel-request-result", Description: "ends a prompt that $/cancel_request stopped with the stop reason cancelled",
			Break: func(b *Behaviour) { b.RequestCancelled = cancelledResult }},
		{Name: "ignores-cancel-request", Description: "does not know $/cancel_request", Break: func(b *Behaviour) { b.CancelRequest = ignoreNotification }},
		{Name: "refuses-everything", Description: "ends every turn with refusal", Break: func(b *Behaviour) {
			before := b.Work
			b.Work = func(t *Turn) (string, error) {
				reason, err := before(t)
				if err == nil || errors.Is(err, errGone) {
					reason = "refusal"
				}
				return reason, err
			}
		}},
	}
}
