package fakeagent

import "encoding/json"

// extra sends one more update at the beginning of a plain turn. It does not enter the history.
func extra(update func(t *Turn) Object) func(*Behaviour) {
	return beforeReply(func(t *Turn) { t.c.Send(updateMessage(t.s.ID, t.identified(update(t)))) })
}

// identified gives a message chunk an id of its own where it has none: a fault about something else must not mix chunks with
// and without ids.
func (t *Turn) identified(u Object) Object {
	if _, has := u["messageId"]; has || u["sessionUpdate"] != "agent_message_chunk" {
		return u
	}
	return with(u, "messageId", t.newMessageID("agent"))
}

func extraUpdate(u Object) func(*Behaviour) { return extra(func(*Turn) Object { return u }) }

func extraMessage(message func(t *Turn) *Message) func(*Behaviour) {
	return beforeReply(func(t *Turn) { t.c.Send(message(t)) })
}

// updateFaults are about session/update as such. Most of them add an update, so that the turn is otherwise as it was.
func updateFaults() []Fault {
	return []Fault{
		{Name: "unknown-update", Description: "sends an update with an unknown tag", Break: extraUpdate(Object{"sessionUpdate": "progress", "percent": 50})},
		{Name: "underscore-update", Description: "sends an update with a tag of its own", Break: extraUpdate(Object{"sessionUpdate": "_progress"})},
		{Name: "camel-case-update", Description: "sends an update with its tag in camel case", Break: extraUpdate(with(textChunk(), "sessionUpdate", "agentMessageChunk"))},
		{Name: "update-without-tag", Description: "sends an update without sessionUpdate", Break: extraUpdate(lacking(textChunk(), "sessionUpdate"))},
		{Name: "update-type-tag", Description: "writes the tag of an update as type", Break: extraUpdate(with(lacking(textChunk(), "sessionUpdate"), "type", "agent_message_chunk"))},
		{Name: "chunk-without-content", Description: "sends a message chunk without content", Break: extraUpdate(lacking(textChunk(), "content"))},
		{Name: "tool-call-without-title", Description: "sends a tool call without a title", Break: extraTool(dropMember("title"))},
		{Name: "tool-call-without-id", Description: "sends a tool call without an id", Break: extraTool(dropMember("toolCallId"))},
		{Name: "plan-without-entries", Description: "sends a plan without entries", Break: extraUpdate(Object{"sessionUpdate": "plan"})},
		{Name: "plan-entry-without-priority", Description: "sends a plan whose entries have no priority", Break: extraUpdate(Object{
			"sessionUpdate": "plan", "entries": []any{Object{"content": "Look", "status": "pending"}}})},
		{Name: "plan-entry-unknown-status", Description: "sends a plan with an entry that is cancelled", Break: extraUpdate(Object{
			"sessionUpdate": "plan", "entries": []any{Object{"content": "Look", "priority": "low", "status": "cancelled"}}})},
		{Name: "usage-without-size", Description: "reports how much is used but not of how much",
			Break: extraUpdate(Object{"sessionUpdate": "usage_update", "used": 12})},
		{Name: "commands-without-list", Description: "announces commands without a list of them", Break: func(b *Behaviour) {
			b.Commands = func() Object { return Object{"sessionUpdate": "available_commands_update"} }
		}},
		{Name: "command-without-description", Description: "announces a command without a description", Break: func(b *Behaviour) {
			b.Commands = func() Object {
				return Object{"sessionUpdate": "available_commands_update", "availableCommands": []any{Object{"name": "say"}}}
			}
		}},
		{Name: "snake-case-twin", Description: "repeats a member under its name in snake case", Break: func(b *Behaviour) {
			before := b.Commands
			b.Commands = func() Object {
				u := before()
				return with(u, "available_commands", u["availableCommands"])
			}
		}},
		{Name: "root-extension", Description: "adds a member of its own to an update outside _meta", Break: func(b *Behaviour) {
			before := b.Commands
			b.Commands = func() Object { return with(before(), "theme", "dark") }
		}},
		{Name: "meta-string", Description: "writes _meta as a string", Break: func(b *Behaviour) {
			before := b.Commands
			b.Commands = func() Object { return with(before(), "_meta", "fake") }
		}},
		{Name: "update-for-unknown-session", Description: "sends an update of a session that does not exist",
			Break: extraMessage(func(*Turn) *Message { return updateMessage("sess_unknown", textChunk()) })},
		{Name: "update-without-session", Description: "sends an update without a session id", Break: extraMessage(func(*Turn) *Message {
			return &Message{Method: "session/update", Params: Object{"update": textChunk()}}
		})},
		{Name: "update-without-update", Description: "sends a session/update without update", Break: extraMessage(func(t *Turn) *Message {
			return &Message{Method: "session/update", Params: Object{"sessionId": t.s.ID}}
		})},
		{Name: "update-as-request", Description: "sends an update as a request", Break: extraMessage(func(t *Turn) *Message {
			m := updateMessage(t.s.ID, t.identified(textChunk()))
			m.ID, _ = t.c.newCall(nil)
			return m
		})},
		{Name: "unknown-notification", Description: "sends a notification with an unknown method without an underscore",
			Break: extraMessage(func(t *Turn) *Message {
				return &Message{Method: "session/progress", Params: Object{"sessionId": t.s.ID}}
			})},
		{Name: "unknown-request", Description: "sends a request with an unknown method without an underscore",
			Break: beforeReply(func(t *Turn) { t.post("editor/open", Object{"sessionId": t.s.ID}) })},
		{Name: "chunks-out-of-order", Description: "sends the last chunk of a stream first", Break: func(b *Behaviour) {
			b.StreamOrder = func(parts []string) []string {
				last := len(parts) - 1
				return append([]string{parts[last]}, parts[:last]...)
			}
		}},
		{Name: "chunk-lost", Description: "loses a chunk of a stream", Break: func(b *Behaviour) {
			b.StreamOrder = func(parts []string) []string { return append(parts[:1:1], parts[min(2, len(parts)):]...) }
		}},
		{Name: "chunk-outside-turn", Description: "sends a message chunk although no turn runs", Break: afterNew(with(textChunk(), "messageId", "extra"))},
		{Name: "tool-call-outside-turn", Description: "sends a tool call although no turn runs",
			Break: afterNew(Object{"sessionUpdate": "tool_call", "toolCallId": "call_idle", "title": "Idle", "kind": "other", "status": "completed"})},
	}
}

func textChunk() Object { return messageChunk(nil, textBlock("extra"), "") }

func afterNew(u Object) func(*Behaviour) {
	return func(b *Behaviour) {
		before := b.AfterNewSession
		b.AfterNewSession = func(c *Conn, s *Session) {
			before(c, s)
			if s != nil {
				c.Send(updateMessage(s.ID, u))
			}
		}
	}
}

// extraTool sends a completed tool call of its own, changed.
func extraTool(change func(Object) Object) func(*Behaviour) {
	return extra(func(t *Turn) Object {
		return change(Object{"sessionUpdate": "tool_call", "toolCallId": "extra_" + t.newMessageID("tool"), "title": "Extra", "kind": "other",
			"status": "completed"})
	})
}

// valueFaults are well-formed messages with values that are not allowed.
func valueFaults() []Fault {
	usage := func(used, size string) func(*Behaviour) {
		return extraUpdate(Object{"sessionUpdate": "usage_update", "used": json.RawMessage(used), "size": json.RawMessage(size)})
	}
	return []Fault{
		{Name: "integer-as-float", Description: "writes an integer as 12.0", Break: usage("12.0", "200000")},
		{Name: "integer-exponent", Description: "writes an integer as 2e5", Break: usage("12", "2e5")},
		{Name: "integer-negative", Description: "writes a negative number where there is none", Break: usage("-1", "200000")},
		{Name: "integer-too-large", Description: "writes an integer that does not fit into 64 bits", Break: usage("12", "18446744073709551616")},
		{Name: "integer-fractional", Description: "writes a fraction where an integer belongs", Break: usage("12.5", "200000")},
		{Name: "integer-string", Description: "writes an integer as a string", Break: usage(`"12"`, "200000")},
		{Name: "tool-kind-unknown", Description: "gives a tool call a kind that does not exist", Break: extraTool(setMember("kind", "bash"))},
		{Name: "tool-status-unknown", Description: "gives a tool call the status cancelled", Break: extraTool(setMember("status", "cancelled"))},
		{Name: "tool-locations-object", Description: "writes the locations of a tool call as an object", Break: extraTool(setMember("locations", Object{}))},
		{Name: "tool-location-without-path", Description: "writes a location without a path",
			Break: extraTool(setMember("locations", []any{Object{"line": 1}}))},
		{Name: "tool-location-line-zero", Description: "counts the lines of a location from zero",
			Break: extraTool(setMember("locations", []any{Object{"path": "/fake/notes.txt", "line": 0}}))},
		{Name: "tool-location-relative", Description: "writes a location with a relative path",
			Break: extraTool(setMember("locations", []any{Object{"path": "notes.txt"}}))},
		{Name: "tool-content-bare-block", Description: "writes a bare text block as content of a tool call",
			Break: extraTool(setMember("content", []any{textBlock("done")}))},
		{Name: "title-number", Description: "writes the title of a session as a number",
			Break: extraUpdate(Object{"sessionUpdate": "session_info_update", "title": 5})},
		{Name: "updated-at-number", Description: "writes updatedAt as seconds since 1970",
			Break: extraUpdate(Object{"sessionUpdate": "session_info_update", "updatedAt": 1767225600})},
		{Name: "message-id-number", Description: "writes a messageId as a number", Break: extraUpdate(with(textChunk(), "messageId", 7))},
	}
}
