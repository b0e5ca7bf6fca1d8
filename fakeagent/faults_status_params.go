package fakeagent

import "encoding/json"

// acceptsID calls the session inactive in whose place accept finds something else than an id.
func acceptsID(accept func(v any, present bool) bool) func(*Behaviour) {
	return func(b *Behaviour) {
		before := b.Status
		b.Status = func(c *Conn, r *Request) (any, *Error) {
			if v, present := r.Params["sessionId"]; accept(v, present) {
				return callsInactive(c, "")
			}
			return before(c, r)
		}
	}
}

// refusesStatus refuses the params that wrong finds something in.
func refusesStatus(wrong func(params Object) *Error) func(*Behaviour) {
	return func(b *Behaviour) {
		before := b.CheckStatus
		b.CheckStatus = func(r *Request) *Error {
			if e := wrong(r.Params); e != nil {
				return e
			}
			return before(r)
		}
	}
}

// onBadStatus changes the error for params without an id.
func onBadStatus(change func(e Error) *Error) func(*Behaviour) {
	return func(b *Behaviour) {
		before := b.CheckStatus
		b.CheckStatus = func(r *Request) *Error {
			if e := before(r); e != nil {
				return change(*e)
			}
			return nil
		}
	}
}

func badMeta(bad func(v any, present bool) bool) func(Object) *Error {
	return func(params Object) *Error {
		if v, present := params["_meta"]; bad(v, present) {
			return invalidParams("_meta is not supported")
		}
		return nil
	}
}

// beforeStatusDo does something to a session just before it answers about it.
func beforeStatusDo(do func(c *Conn, s *Session, r *Request)) func(*Behaviour) {
	return func(b *Behaviour) {
		b.BeforeStatus = func(c *Conn, r *Request) {
			if s := c.a.lookUp(askedFor(r)); s != nil {
				do(c, s, r)
			}
		}
	}
}

// statusParamFaults are about the params of session/status, and about the time at which it comes.
func statusParamFaults() []Fault {
	return []Fault{
		{Name: "status-accepts-missing-id", Description: "answers session/status without a sessionId with a result",
			Break: acceptsID(func(_ any, present bool) bool { return !present })},
		{Name: "status-accepts-null-id", Description: "answers session/status with null for a sessionId with a result",
			Break: acceptsID(func(v any, present bool) bool { return present && v == nil })},
		{Name: "status-accepts-number-id", Description: "answers session/status with a number for a sessionId with a result", Break: acceptsID(func(v any, _ bool) bool {
			_, ok := v.(json.Number)
			return ok
		})},
		{Name: "status-missing-id-code", Description: "answers session/status without a sessionId with -32002", Break: onBadStatus(toCode(codeNotFound))},
		{Name: "status-missing-id-unanswered", Description: "does not answer session/status without a sessionId",
			Break: onBadStatus(func(Error) *Error { return silence })},
		{Name: "status-refuses-meta", Description: "refuses session/status with _meta",
			Break: refusesStatus(badMeta(func(_ any, present bool) bool { return present }))},
		{Name: "status-refuses-null-meta", Description: "refuses session/status with null for _meta",
			Break: refusesStatus(badMeta(func(v any, present bool) bool { return present && v == nil }))},
		{Name: "status-refuses-bad-meta", Description: "refuses session/status with a number for _meta", Break: refusesStatus(badMeta(func(v any, _ bool) bool {
			_, bad := v.(json.Number)
			return bad
		}))},
		{Name: "status-obeys-meta", Description: "does not know a session that it is asked about with a member in _meta", Break: func(b *Behaviour) {
			before := b.Status
			b.Status = func(c *Conn, r *Request) (any, *Error) {
				if meta, _ := r.Params["_meta"].(Object); len(meta) > 0 {
					return c.b.StatusUnknown(c, askedFor(r))
				}
				return before(c, r)
			}
		}},
		{Name: "status-refuses-unknown-fields", Description: "refuses session/status with a member that it does not know",
			Break: refusesStatus(func(params Object) *Error { return onlyKnown(params, "sessionId", "_meta") })},
		{Name: "status-obeys-replay-from", Description: "replays the conversation on session/status with the member replayFrom",
			Break: beforeStatusDo(func(c *Conn, s *Session, r *Request) {
				if r.Params["replayFrom"] != nil {
					c.tellAll(s, replay(c, s))
				}
			})},
		{Name: "status-takes-over-cwd", Description: "moves a session to the directory that session/status names",
			Break: beforeStatusDo(func(c *Conn, s *Session, r *Request) {
				if cwd := text(r.Params, "cwd"); cwd != "" {
					c.a.change(s, func() { s.Cwd = cwd })
				}
			})},
		{Name: "status-starts-named-servers", Description: "starts the MCP servers that session/status names",
			Break: beforeStatusDo(func(c *Conn, s *Session, r *Request) {
				if r.Params["mcpServers"] != nil {
					c.b.StartServers(c, s, r.Params)
				}
			})},
		{Name: "status-before-initialize", Description: "answers session/status with a result before initialize", Break: func(b *Behaviour) {
			before := b.BeforeInitialize
			b.BeforeInitialize = func(c *Conn, r *Request) *Error {
				if r.Method == "session/status" {
					return nil
				}
				return before(c, r)
			}
			unknown := b.StatusUnknown
			b.StatusUnknown = func(c *Conn, id string) (any, *Error) {
				if !c.isInitialized() {
					return callsInactive(c, id)
				}
				return unknown(c, id)
			}
		}},
	}
}

// tellAll announces updates one after the other.
func (c *Conn) tellAll(s *Session, updates []Object) {
	for _, u := range updates {
		c.announce(s, u)
	}
}

func statusMarkerIs(marker any) func(*Behaviour) {
	return func(b *Behaviour) { b.StatusMarker = func(*Conn) any { return marker } }
}

// withoutMarker takes the capability out of those of version 1.
func withoutMarker(caps Object) Object {
	sessions, _ := caps["sessionCapabilities"].(Object)
	return with(caps, "sessionCapabilities", lacking(sessions, "status"))
}

// withoutMarker2 is the same for version 2.
func withoutMarker2(caps Object) Object {
	session, _ := caps["session"].(Object)
	return with(caps, "session", lacking(session, "status"))
}

// statusMarkerFaults advertise the method in a wrong way.
func statusMarkerFaults() []Fault {
	return []Fault{
		{Name: "status-marker-true", Description: "writes the capability of session/status as true", Break: statusMarkerIs(true)},
		{Name: "status-marker-string", Description: "writes the capability of session/status as a string", Break: statusMarkerIs("yes")},
		{Name: "status-marker-number", Description: "writes the capability of session/status as 1", Break: statusMarkerIs(1)},
		{Name: "status-marker-array", Description: "writes the capability of session/status as an array", Break: statusMarkerIs([]any{})},
		{Name: "status-marker-misplaced", Description: "writes the capability of session/status one level too high",
			Break: together(
				onCapabilities(func(caps Object) Object { return with(withoutMarker(caps), "status", Object{}) }),
				onCapabilities2(func(caps Object) Object { return with(withoutMarker2(caps), "status", Object{}) }))},
		{Name: "status-marker-version-2", Description: "writes the capability of session/status where version 2 has it", Protocols: []int{1},
			Break: onInitialize(func(result Object) Object {
				caps, _ := result["agentCapabilities"].(Object)
				return with(with(result, "agentCapabilities", withoutMarker(caps)), "capabilities", Object{"session": Object{"status": Object{}}})
			})},
		{Name: "status-marker-version-1", Description: "writes the capability of session/status where version 1 has it", Protocols: []int{2},
			Break: onInitialize2(func(result Object) Object {
				caps, _ := result["capabilities"].(Object)
				return with(with(result, "capabilities", withoutMarker2(caps)), "agentCapabilities", Object{"sessionCapabilities": Object{"status": Object{}}})
			})},
		{Name: "status-unadvertised-unanswered", Description: "does not advertise session/status and never answers it", Break: together(
			statusMarkerIs(nil), func(b *Behaviour) { b.Status = unanswered })},
	}
}
