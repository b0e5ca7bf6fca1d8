package fakeagent

// onTurnResult adds a member to the result of every turn that is not cancelled.
func onTurnResult(member func(t *Turn) (key string, value any)) func(*Behaviour) {
	return func(b *Behaviour) {
		before := b.TurnResult
		b.TurnResult = func(t *Turn, reason string) (any, *Error) {
			result, e := before(t, reason)
			if o, ok := result.(Object); ok {
				key, value := member(t)
				result = with(o, key, value)
			}
			return result, e
		}
	}
}

func constant(key string, value any) func(*Turn) (string, any) {
	return func(*Turn) (string, any) { return key, value }
}

// extensionFaults say what is the agent's own in the wrong place or in the wrong form.
func extensionFaults() []Fault {
	block, _ := textBlock("extra").(Object)
	return []Fault{
		{Name: "meta-array-in-block", Description: "writes _meta of a content block as an array", Break: extraBlock(with(block, "_meta", []any{"fake"}))},
		{Name: "meta-string-in-annotations", Description: "writes _meta of annotations as a string", Break: annotated(Object{"_meta": "fake"})},
		{Name: "meta-string-in-result", Description: "writes _meta of the result of a turn as a string", Break: onTurnResult(constant("_meta", "fake"))},
		{Name: "meta-number-in-modes", Description: "writes _meta of the modes as a number", Break: onModes(setMember("_meta", 1))},
		{Name: "root-extension-in-block", Description: "adds a member of its own to a content block", Break: extraBlock(with(block, "delta", true))},
		{Name: "capability-at-root", Description: "advertises a capability of its own outside _meta", Break: onCapabilities(setMember("telepathy", Object{}))},
		{Name: "dollar-notification", Description: "sends a notification with an unknown method that begins with $/",
			Break: extraMessage(func(t *Turn) *Message {
				return &Message{Method: "$/progress", Params: Object{"sessionId": t.s.ID}}
			})},
	}
}
