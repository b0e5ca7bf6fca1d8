package fakeagent

// dialect is what differs between the versions of the protocol: the methods, the course of a prompt, and shapes. The rest
// of the agent is the same in both.
type dialect struct {
	version      int
	methods      map[string]method
	capabilities func(params Object) Object            // those of the client, from the params of initialize
	after        func(c *Conn, r *Request, result any) // once a request has been answered
	begin        func(t *Turn) bool                    // false: there is no turn
	end          func(t *Turn, o outcome)              // tells the client how a turn ended
	left         func(t *Turn)                         // what comes after the turn
	blocked      func(t *Turn)                         // only the user can help now
	unblocked    func(t *Turn)                         // the user has helped
	withdraws    bool                                  // a cancel takes a permission request back; else the client answers it
	decide       func(t *Turn, o Object, e *Error) (string, error)
	permission   func(t *Turn, tool *Tool) any
	toolCall     func(t *Turn, tool *Tool) Object
	interrupted  string // the status of a tool call that a cancel ended
	diff         func(path, before, after string) any
	before       func(path string) string // the content of a file that a diff will start from
	plan         func(t *Turn, done int) Object
	commands     func() Object
	mode         func(t *Turn, mode string) Object
	rewrite      func(s *Session, history []Object) []Object // what is replayed, in the shapes of this version
}

// dialect1 is https://agentclientprotocol.com/protocol/v1/overview.
func dialect1(b *Behaviour) *dialect {
	return &dialect{
		version: 1, methods: methods1(b), capabilities: b.ClientCapabilities, after: after1,
		begin: begin1, end: end1, left: turnNothing, blocked: turnNothing, unblocked: turnNothing,
		decide: b.Decide, permission: b.PermissionParams,
		toolCall: b.ToolCall, interrupted: "failed", diff: diff1, before: func(string) string { return "" },
		plan:     func(_ *Turn, done int) Object { return b.Plan(done) },
		commands: b.Commands,
		mode:     func(_ *Turn, mode string) Object { return b.ModeUpdate(mode) },
		rewrite:  inVersion1,
	}
}

// dialect2 is https://agentclientprotocol.com/protocol/v2/draft/overview.
func dialect2(b *Behaviour) *dialect {
	return &dialect{
		version: 2, methods: methods2(b), capabilities: b.ClientCapabilities2, after: after2,
		begin: begin2, end: end2, left: left2, blocked: blocked2, unblocked: unblocked2,
		withdraws: true, decide: b.Decide2, permission: b.PermissionParams2,
		toolCall: b.ToolCall2, interrupted: "cancelled", diff: b.Diff2, before: contentOf,
		plan: b.Plan2,
		commands: func() Object {
			return Object{"sessionUpdate": "available_commands_update", "availableCommands": b.Commands2()}
		},
		mode:    func(t *Turn, _ string) Object { return b.OptionsUpdate(t.c, t.s) },
		rewrite: inVersion2,
	}
}

// dialect is the one of the connection; until there is a version it is that of version 1.
func (c *Conn) dialect() *dialect {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.d
}

// speaks tells whether the connection has this version.
func (c *Conn) speaks(version int) bool { return c.dialect().version == version }

// after2 is what follows the response to a request; what has no response yet is not followed by anything.
func after2(c *Conn, r *Request, _ any) {
	switch r.Method {
	case "initialize":
		c.b.AfterInitialize(c)
	case "session/status":
		if s := c.b.StatusSession(c, text(r.Params, "sessionId")); s != nil {
			c.b.AfterStatus(c, s)
		}
	}
}
