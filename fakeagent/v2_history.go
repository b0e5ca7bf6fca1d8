package fakeagent

import "fmt"

// A session may be resumed with another version than the one that it was made with. Its history is kept as it was sent,
// so what the other version says differently is rewritten when it is replayed.

// inVersion1 rewrites what only version 2 has.
func inVersion1(_ *Session, history []Object) []Object {
	seen := map[any]bool{}
	for i, u := range history {
		switch u["sessionUpdate"] {
		case "plan_update":
			plan, _ := u["plan"].(Object)
			history[i] = Object{"sessionUpdate": "plan", "entries": plan["entries"]}
		case "tool_call":
			seen[u["toolCallId"]] = true
		case "tool_call_update":
			if u["status"] == "cancelled" {
				u = with(u, "status", "failed")
			}
			if !seen[u["toolCallId"]] && u["title"] != nil {
				seen[u["toolCallId"]], u = true, with(u, "sessionUpdate", "tool_call")
			}
			history[i] = rewriteContent(u, func(content Object) Object {
				if patch, ok := content["patch"].(Object); ok {
					return toolText(text(patch, "text")).(Object)
				}
				return content
			})
		}
	}
	return history
}

// inVersion2 rewrites what only version 1 has.
func inVersion2(s *Session, history []Object) []Object {
	for i, u := range history {
		switch u["sessionUpdate"] {
		case "plan":
			history[i] = planUpdate(s, u["entries"])
		case "tool_call":
			history[i] = with(u, "sessionUpdate", "tool_call_update")
		case "tool_call_update":
			history[i] = rewriteContent(u, modernContent)
		case "user_message_chunk", "agent_message_chunk", "agent_thought_chunk":
			if _, named := u["messageId"].(string); !named {
				history[i] = with(u, "messageId", fmt.Sprintf("msg_%04d_old_%04d", s.Number, i))
			}
		}
	}
	return history
}

// modernContent is what a tool call showed. The terminals of version 1 were the client's, and are no more.
func modernContent(content Object) Object {
	switch {
	case content["type"] == "diff" && content["changes"] == nil:
		return diff2(text(content, "path"), text(content, "oldText"), text(content, "newText")).(Object)
	case content["type"] == "terminal":
		return toolText("the output of a terminal").(Object)
	}
	return content
}

func rewriteContent(u Object, rewrite func(Object) Object) Object {
	list, ok := u["content"].([]any)
	if !ok {
		return u
	}
	out := []any{}
	for _, entry := range list {
		content, _ := entry.(Object)
		out = append(out, rewrite(content))
	}
	return with(u, "content", out)
}
