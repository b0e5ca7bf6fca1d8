package fakeagent

// runBackground starts a tool call that goes on after the turn, or completes those that do. The state tells of it at once.
// See https://agentclientprotocol.com/protocol/v2/draft/prompt-lifecycle#background-work.
func runBackground(t *Turn, args string) (string, error) {
	t.c.handling.Lock()
	defer t.c.handling.Unlock()
	if args == "stop" {
		t.c.endBackground(t.s, "completed")
	} else {
		tool := t.newTool("execute", "A tool that runs in the background", "")
		t.send(t.d.toolCall(t, tool))
		t.send(t.b.ToolUpdate(t, tool, "in_progress", nil))
		t.c.a.update(func() { t.s.background, t.s.detached = append(t.s.background, tool), true })
	}
	t.c.report(t.s, t.b.Running(t))
	return "", nil
}

// endBackground ends what runs in the background, and tells whether there was anything.
func (c *Conn) endBackground(s *Session, status string) bool {
	var ended []*Tool
	c.a.update(func() { ended, s.background = s.background, nil })
	for _, tool := range ended {
		u := Object{"sessionUpdate": "tool_call_update", "toolCallId": tool.ID, "status": status}
		c.a.update(func() { s.History = append(s.History, u) })
		c.announce(s, u)
	}
	return len(ended) > 0
}
