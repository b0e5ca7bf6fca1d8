package fakeagent

// together makes several changes.
func together(changes ...func(*Behaviour)) func(*Behaviour) {
	return func(b *Behaviour) {
		for _, change := range changes {
			change(b)
		}
	}
}

// asksAlong asks the client something at the beginning of a plain turn, if it may, and takes any answer.
func asksAlong(may func(t *Turn) bool, method string, params Object) func(*Behaviour) {
	return beforeReply(func(t *Turn) {
		if may(t) {
			_, _, _ = t.ask(waitClient, method, with(params, "sessionId", t.s.ID))
		}
	})
}

// valueVariants are values that are seldom seen, and values that are left out.
func valueVariants() []Fault {
	mayRead := func(t *Turn) bool { return t.b.MayRead(t.c) }
	mayRun := func(t *Turn) bool { return t.b.MayTerminal(t.c) }
	mayElicit := func(t *Turn) bool { return t.b.MayElicit(t.c) }
	return []Fault{
		{Name: "windows-paths", Description: "writes paths as Windows has them", Break: together(
			func(b *Behaviour) {
				b.Locations = func(*Tool) any {
					return []any{Object{"path": `C:\work\notes.txt`, "line": 1}, Object{"path": `\\server\share\notes.txt`}, Object{"path": "d:/work"}}
				}
			},
			onDiff(`C:\work\notes.txt`),
			asksAlong(mayRead, "fs/read_text_file", Object{"path": `\\server\share\notes.txt`}),
			asksAlong(mayRun, "terminal/create", Object{"command": "true", "cwd": `C:\work`}))},
		{Name: "sparse-values", Description: "leaves out whatever may be left out", Break: func(b *Behaviour) {
			calls := b.ToolCall
			b.ToolCall = func(t *Turn, tool *Tool) Object {
				return lacking(calls(t, tool), "kind", "status", "locations", "rawInput")
			}
			b.InfoUpdate = func(title, _ string) Object { return Object{"sessionUpdate": "session_info_update", "title": title} }
			b.TerminalParams = func(t *Turn, words []string) any {
				return lacking(terminalParams(t, words).(Object), "cwd", "env", "outputByteLimit")
			}
			onModel(member(dropMember("category")))(b)
			b.Notice = func(string) Object { return Object{"sessionUpdate": "notice", "severity": "error", "title": "!"} }
		}},
		{Name: "null-values", Description: "writes null where a value may be missing", Break: func(b *Behaviour) {
			updates, commands := b.ToolUpdate, b.Commands
			b.ToolUpdate = func(t *Turn, tool *Tool, status string, content []any) Object {
				return with(with(updates(t, tool, status, content), "locations", nil), "kind", nil)
			}
			b.Commands = func() Object { return with(commands(), "_meta", nil) }
			b.InfoUpdate = func(title, _ string) Object {
				return Object{"sessionUpdate": "session_info_update", "title": title, "updatedAt": nil, "_meta": nil}
			}
			b.TerminalParams = func(t *Turn, words []string) any { return with(terminalParams(t, words).(Object), "cwd", nil) }
			onModel(member(setMember("category", nil)))(b)
			b.Modes = func(c *Conn, s *Session) any { return with(modes(c, s).(Object), "_meta", nil) }
		}},
		{Name: "names-of-its-own", Description: "uses severities, statuses, categories, modes and types of its own, all with an underscore", Break: together(
			severity("_vendor/critical"),
			onCompactions("_paused"),
			onModel(member(setMember("category", "_vendor"))),
			onElicit(setMember("requestedSchema", Object{"type": "object", "properties": Object{
				"colour": Object{"type": "_colour", "palette": []any{"red"}},
				"tags":   Object{"type": "array", "items": Object{"type": "_tag", "tags": []any{}}}}})),
			asksAlong(mayElicit, "elicitation/create", Object{"mode": "_wizard", "message": "Well?", "steps": 3,
				"requestedSchema": Object{"properties": Object{"answer": Object{"type": "date"}}}}))},
		{Name: "odd-times", Description: "writes times with offsets, fractions and small letters", Break: beforeReply(func(t *Turn) {
			for _, at := range []string{"2026-01-01T12:00:00+02:00", "2026-01-01t12:00:00.123456789z", "2024-02-29T23:59:59.9-11:30"} {
				t.state(updatedAt(at))
			}
		})},
		{Name: "common-members", Description: "writes members outside _meta that are in common use: usage, models and session ids", Break: together(
			onTurnResult(constant("usage", Object{"totalTokens": 3, "inputTokens": 1, "outputTokens": 2, "costUsd": 0.1})),
			onTurnResult(func(t *Turn) (string, any) { return "sessionId", t.s.ID }),
			onNewResult(setMember("models", Object{"currentModelId": "small", "availableModels": []any{}})))},
		{Name: "auth-status", Description: "tells who is logged in, as the unstable edition has it", Break: func(b *Behaviour) {
			status := Object{"state": "authenticated", "accounts": []any{Object{"label": "nobody"}}}
			onCapabilities(setMember("auth", Object{"status": Object{}}))(b)
			b.AfterInitialize = func(c *Conn) { c.Send(&Message{Method: "auth/status_update", Params: status}) }
			before := b.UnknownRequest
			b.UnknownRequest = func(c *Conn, r *Request) (any, *Error) {
				if r.Method == "auth/status" {
					return status, nil
				}
				return before(c, r)
			}
		}},
	}
}
