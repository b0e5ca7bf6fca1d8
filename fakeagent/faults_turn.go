package fakeagent

// promptFaults are about what a prompt may hold.
func promptFaults() []Fault {
	accept := func(Object) *Error { return nil }
	return []Fault{
		{Name: "refuses-text", Description: "refuses prompts with text blocks", Break: func(b *Behaviour) {
			b.CheckText = func(Object) *Error { return invalidParams("text is not supported") }
		}},
		{Name: "refuses-resource-link", Description: "refuses prompts with resource links", Break: func(b *Behaviour) {
			b.CheckLink = func(Object) *Error { return invalidParams("resource links are not supported") }
		}},
		{Name: "accepts-unknown-block", Description: "accepts a block of an unknown type", Break: func(b *Behaviour) { b.UnknownBlock = accept }},
		{Name: "accepts-malformed-text", Description: "accepts a text block without text", Break: func(b *Behaviour) { b.CheckText = accept }},
		{Name: "accepts-malformed-link", Description: "accepts a resource link without uri or name",
			Break: func(b *Behaviour) { b.CheckLink = accept }},
		{Name: "accepts-string-prompt", Description: "accepts a prompt that is a string",
			Break: func(b *Behaviour) { b.PromptNotArray = func(*Request) *Error { return nil } }},
		{Name: "accepts-missing-prompt", Description: "accepts a session/prompt without prompt",
			Break: func(b *Behaviour) { b.MissingPrompt = func(*Request) *Error { return nil } }},
		{Name: "malformed-block-internal-error", Description: "answers a malformed block with -32603", Break: func(b *Behaviour) {
			b.BlockError = func(*Error) *Error { return &Error{Code: codeInternal, Message: "Internal error"} }
		}},
		{Name: "malformed-block-unanswered", Description: "does not answer a prompt with a malformed block",
			Break: func(b *Behaviour) { b.BlockError = func(*Error) *Error { return silence } }},
		{Name: "accepts-unknown-session", Description: "runs a turn for a session that does not exist", Break: func(b *Behaviour) {
			b.PromptUnknown = func(c *Conn, id string) (*Session, *Error) {
				return c.a.create("/", func(*Agent, int) string { return id }), nil
			}
		}},
		{Name: "unknown-session-unanswered", Description: "does not answer a prompt for a session that does not exist",
			Break: func(b *Behaviour) { b.PromptUnknown = func(*Conn, string) (*Session, *Error) { return nil, silence } }},
		{Name: "busy-prompt-unanswered", Description: "does not answer a prompt while a turn runs",
			Break: func(b *Behaviour) { b.BusyPrompt = func(*Conn, *Session) *Error { return silence } }},
	}
}

func ending(reason string) func(*Behaviour) {
	return func(b *Behaviour) {
		b.StopReason = func(_ *Turn, was string) string {
			if was == "end_turn" {
				return reason
			}
			return was
		}
	}
}

func turnAnswer(result any) func(*Behaviour) {
	return func(b *Behaviour) { b.TurnResult = func(*Turn, string) (any, *Error) { return result, nil } }
}

// afterTurn sends an update behind the response of a turn that was not cancelled.
func afterTurn(update func(t *Turn) Object) func(*Behaviour) {
	return func(b *Behaviour) {
		b.AfterTurn = func(t *Turn) {
			for _, m := range t.b.TurnUpdate(t, t.identified(update(t))) {
				t.c.Send(m)
			}
		}
	}
}

func lateChunk(t *Turn) Object { return t.b.MessageChunk(t, textBlock("one more thing"), "") }

func lateTool(t *Turn) Object {
	return Object{"sessionUpdate": "tool_call", "toolCallId": "call_late", "title": "Late", "kind": "other", "status": "completed"}
}

func latePlan(*Turn) Object { return plan(3) }

// turnFaults are about the course of a turn and its end.
func turnFaults() []Fault {
	return []Fault{
		{Name: "stop-reason-unknown", Description: "ends turns with a stop reason that does not exist", Break: ending("done")},
		{Name: "stop-reason-camel-case", Description: "ends turns with endTurn", Break: ending("endTurn")},
		{Name: "stop-reason-missing", Description: "leaves stopReason out of the result of a turn", Break: turnAnswer(Object{})},
		{Name: "stop-reason-null", Description: "writes stopReason as null", Break: turnAnswer(Object{"stopReason": nil})},
		{Name: "stop-reason-snake-case", Description: "calls the stop reason stop_reason", Break: turnAnswer(Object{"stop_reason": "end_turn"})},
		{Name: "cancelled-without-cancel", Description: "ends turns as cancelled that nobody cancelled", Break: ending("cancelled")},
		{Name: "prompt-unanswered", Description: "never answers a prompt whose turn has ended",
			Break: func(b *Behaviour) { b.TurnResult = func(*Turn, string) (any, *Error) { return nil, silence } }},
		{Name: "prompt-fails", Description: "answers every prompt with an internal error", Break: func(b *Behaviour) {
			b.TurnResult = func(*Turn, string) (any, *Error) { return nil, &Error{Code: codeInternal, Message: "Internal error"} }
		}},
		{Name: "second-turn-fails", Description: "answers the second prompt of a session with an internal error", Break: func(b *Behaviour) {
			b.BeforeTurn = func(c *Conn, s *Session) *Error {
				var turns int
				c.a.update(func() { turns = s.Turns })
				if turns == 0 {
					return nil
				}
				return &Error{Code: codeInternal, Message: "Internal error"}
			}
		}},
		{Name: "late-chunk", Description: "sends a message chunk after the response of a turn", Break: afterTurn(lateChunk)},
		{Name: "late-tool-call", Description: "sends a tool call after the response of a turn", Break: afterTurn(lateTool)},
		{Name: "late-plan", Description: "sends a plan after the response of a turn", Break: afterTurn(latePlan)},
		{Name: "tool-left-open", Description: "ends a turn with a tool call in progress",
			Break: func(b *Behaviour) { b.ToolSteps = func() []string { return []string{"in_progress"} } }},
		{Name: "tool-left-pending", Description: "ends a turn with a pending tool call",
			Break: func(b *Behaviour) { b.ToolSteps = func() []string { return nil } }},
		{Name: "no-output", Description: "says nothing in a plain turn", Break: func(b *Behaviour) { b.Reply = func(*Turn) {} }},
		{Name: "empty-output", Description: "says nothing but an empty text in a plain turn",
			Break: func(b *Behaviour) { b.Reply = func(t *Turn) { t.say("") } }},
		{Name: "only-thinks", Description: "answers a plain prompt with a thought only", Break: func(b *Behaviour) {
			b.Reply = func(t *Turn) { _, _ = runThink(t, t.text) }
		}},
		{Name: "output-in-result", Description: "puts the text into the result of the turn as well", Break: onTurnResult(constant("text", "done"))},
		{Name: "cross-talk", Description: "names another running session in the updates of a turn", Break: func(b *Behaviour) {
			b.TurnUpdate = func(t *Turn, u Object) []*Message { return []*Message{updateMessage(t.otherSession(), u)} }
		}},
	}
}

// otherSession is the session of another turn that runs just now, or the turn's own.
func (t *Turn) otherSession() string {
	t.c.mu.Lock()
	defer t.c.mu.Unlock()
	for other := range t.c.turns {
		if other.s != t.s {
			return other.s.ID
		}
	}
	return t.s.ID
}
