package fakeagent

import "encoding/json"

// onInitialize changes the result of initialize.
func onInitialize(change func(result Object) Object) func(*Behaviour) {
	return func(b *Behaviour) {
		before := b.InitializeResult
		b.InitializeResult = func(c *Conn, version int) any {
			result, _ := before(c, version).(Object)
			return change(result)
		}
	}
}

func setMember(key string, value any) func(Object) Object {
	return func(o Object) Object { return with(o, key, value) }
}

func dropMember(keys ...string) func(Object) Object {
	return func(o Object) Object { return lacking(o, keys...) }
}

// onlyVersion1 takes away version 2, in whose answers a fault of version 1 would not show.
func onlyVersion1(b *Behaviour) { b.Speaks = func(*Conn) []int { return []int{firstVersion} } }

func fallbackTo(version int) func(*Behaviour) {
	return func(b *Behaviour) { b.Fallback = func(*Conn, int) (int, *Error) { return version, nil } }
}

func onInfo(info any) func(*Behaviour) {
	return func(b *Behaviour) { b.AgentInfo = func() any { return info } }
}

func initializeFaults() []Fault {
	return []Fault{
		{Name: "no-protocol-version", Description: "leaves protocolVersion out of the result of initialize",
			Break: together(onlyVersion1, onInitialize(dropMember("protocolVersion")))},
		{Name: "protocol-version-string", Description: "writes protocolVersion as a string", Break: together(onlyVersion1, onInitialize(setMember("protocolVersion", "1")))},
		{Name: "protocol-version-fractional", Description: "writes protocolVersion as 1.5", Break: together(onlyVersion1, onInitialize(setMember("protocolVersion", 1.5)))},
		{Name: "protocol-version-as-float", Description: "writes protocolVersion as 1.0",
			Break: onInitialize(setMember("protocolVersion", json.RawMessage("1.0")))},
		{Name: "protocol-version-date", Description: "writes protocolVersion as a date",
			Break: together(onlyVersion1, onInitialize(setMember("protocolVersion", "2026-01-01")))},
		{Name: "initialize-result-null", Description: "answers initialize with null", Break: together(onlyVersion1, func(b *Behaviour) {
			b.InitializeResult = func(*Conn, int) any { return json.RawMessage("null") }
		})},
		{Name: "version-echo-wrong", Description: "answers version 1 with version 2",
			Break: together(onlyVersion1, func(b *Behaviour) { b.Echo = func(int) int { return 2 } })},
		{Name: "version-echo-zero", Description: "answers version 1 with version 0",
			Break: func(b *Behaviour) { b.Echo = func(int) int { return 0 } }},
		{Name: "version-fallback-error", Description: "refuses a version that it does not speak", Break: func(b *Behaviour) {
			b.Fallback = func(*Conn, int) (int, *Error) { return 0, invalidParams("unsupported protocol version") }
		}},
		{Name: "version-fallback-echo", Description: "agrees to every version that it is asked for", Break: func(b *Behaviour) {
			b.Fallback = func(_ *Conn, requested int) (int, *Error) { return requested, nil }
		}},
		{Name: "version-fallback-zero", Description: "answers a version that it does not speak with 0", Break: fallbackTo(0)},
		{Name: "version-fallback-out-of-range", Description: "answers a version that it does not speak with 65536", Break: fallbackTo(65536)},
		{Name: "version-fallback-unanswered", Description: "does not answer a version that it does not speak",
			Break: func(b *Behaviour) { b.Fallback = func(*Conn, int) (int, *Error) { return 0, silence } }},
		{Name: "accepts-missing-version", Description: "accepts an initialize without protocolVersion",
			Break: func(b *Behaviour) { b.BadVersion = func(*Request) (int, *Error) { return firstVersion, nil } }},
		{Name: "no-agent-info", Description: "leaves agentInfo out", Break: onInfo(nil)},
		{Name: "agent-info-empty-name", Description: "gives an empty name in agentInfo", Break: onInfo(Object{"name": "", "version": "1.0.0"})},
		{Name: "agent-info-without-version", Description: "leaves the version out of agentInfo", Break: onInfo(Object{"name": "fake"})},
		{Name: "agent-info-string", Description: "writes agentInfo as a string", Break: onInfo("fake agent 1.0.0")},
		{Name: "auth-methods-object", Description: "writes authMethods as an object",
			Break: func(b *Behaviour) { b.AuthMethods = func(*Conn) any { return Object{} } }},
		{Name: "terminal-auth-unadvertised", Description: "offers to log in on a terminal that the client does not have",
			Break: func(b *Behaviour) {
				b.AuthMethods = func(*Conn) any {
					return []any{Object{"id": "login", "name": "Log in", "type": "terminal", "args": []any{}, "env": []any{}}}
				}
			}},
		{Name: "capability-string", Description: "writes the capability loadSession as a string", Break: onCapabilities(setMember("loadSession", "yes"))},
		{Name: "serves-before-initialize", Description: "serves requests before initialize",
			Break: func(b *Behaviour) { b.BeforeInitialize = func(*Conn, *Request) *Error { return nil } }},
	}
}

func onCapabilities(change func(Object) Object) func(*Behaviour) {
	return func(b *Behaviour) {
		before := b.AgentCapabilities
		b.AgentCapabilities = func(c *Conn) Object { return change(before(c)) }
	}
}

func onCapabilities2(change func(Object) Object) func(*Behaviour) {
	return func(b *Behaviour) {
		before := b.AgentCapabilities2
		b.AgentCapabilities2 = func(c *Conn) Object { return change(before(c)) }
	}
}

func onInitialize2(change func(result Object) Object) func(*Behaviour) {
	return func(b *Behaviour) {
		before := b.InitializeResult2
		b.InitializeResult2 = func(c *Conn, version int) any {
			result, _ := before(c, version).(Object)
			return change(result)
		}
	}
}

func yes(*Conn) bool { return true }

// notServing advertises a method and does not serve it.
func notServing(name, method string) Fault {
	return Fault{Name: name, Description: "answers " + method + " with -32601 although it is there by the capabilities or by the protocol",
		Break: func(b *Behaviour) {
			before := b.Serves
			b.Serves = func(c *Conn, m, capability string) bool { return m != method && before(c, m, capability) }
		}}
}

// refusing refuses a call by what the client advertised.
func refusing(refuse func(c *Conn) bool) func(*Behaviour) {
	return func(b *Behaviour) {
		before := b.CheckNew
		b.CheckNew = func(c *Conn, r *Request) *Error {
			if refuse(c) {
				return &Error{Code: codeInternal, Message: "The client lacks a capability"}
			}
			return before(c, r)
		}
	}
}

// capabilityFaults are about the capabilities of both sides.
func capabilityFaults() []Fault {
	return []Fault{
		notServing("no-session-new", "session/new"),
		notServing("no-session-prompt", "session/prompt"),
		notServing("load-not-served", "session/load"),
		notServing("resume-not-served", "session/resume"),
		notServing("close-not-served", "session/close"),
		notServing("list-not-served", "session/list"),
		notServing("delete-not-served", "session/delete"),
		notServing("set-mode-not-served", "session/set_mode"),
		notServing("set-config-option-not-served", "session/set_config_option"),
		{Name: "uses-unadvertised-read", Description: "reads through a client that did not advertise it",
			Break: func(b *Behaviour) { b.MayRead = yes }},
		{Name: "uses-unadvertised-write", Description: "writes through a client that did not advertise it",
			Break: func(b *Behaviour) { b.MayWrite = yes }},
		{Name: "reads-if-writes", Description: "reads through a client that advertised only writing",
			Break: func(b *Behaviour) { b.MayRead = func(c *Conn) bool { return mayRead(c) || mayWrite(c) } }},
		{Name: "writes-if-reads", Description: "writes through a client that advertised only reading",
			Break: func(b *Behaviour) { b.MayWrite = func(c *Conn) bool { return mayRead(c) || mayWrite(c) } }},
		{Name: "uses-unadvertised-terminal", Description: "uses a terminal that the client did not advertise",
			Break: func(b *Behaviour) { b.MayTerminal = yes }},
		{Name: "uses-unadvertised-elicitation", Description: "asks for a form that the client did not advertise",
			Break: func(b *Behaviour) { b.MayElicit = yes }},
		{Name: "unadvertised-notice", Description: "sends a notice to a client that did not advertise notices",
			Break: func(b *Behaviour) { b.MayNotice = yes }},
		{Name: "unadvertised-compaction", Description: "reports a compaction to a client that did not advertise it",
			Break: func(b *Behaviour) { b.MayCompact = yes }},
		{Name: "unadvertised-boolean", Description: "offers a boolean option to a client that did not advertise booleans",
			Break: func(b *Behaviour) { b.MayBoolean = yes }},
		{Name: "unasked-read", Description: "begins every plain turn with a read through the client, advertised or not",
			Break: beforeReply(func(t *Turn) {
				_, _, _ = t.ask(waitClient, "fs/read_text_file", t.b.ReadParams(t, t.b.Path(t, "README.md")))
			})},
		{Name: "missing-capabilities-mean-all", Description: "takes a client without clientCapabilities for one that can do everything",
			Break: func(b *Behaviour) {
				before := b.ClientCapabilities
				b.ClientCapabilities = func(params Object) Object {
					if params["clientCapabilities"] == nil {
						return Object{"fs": Object{"readTextFile": true, "writeTextFile": true}, "terminal": true}
					}
					return before(params)
				}
			}},
		{Name: "refuses-null-capabilities", Description: "refuses an initialize whose clientCapabilities are null", Break: func(b *Behaviour) {
			b.CheckInitialize = func(params Object) *Error {
				if v, present := params["clientCapabilities"]; present && v == nil {
					return invalidParams("clientCapabilities must be an object")
				}
				return nil
			}
		}},
		{Name: "refuses-without-read", Description: "opens no session for a client that cannot read files",
			Break: refusing(func(c *Conn) bool { return !mayRead(c) })},
		{Name: "refuses-without-write", Description: "opens no session for a client that can read but not write files",
			Break: refusing(func(c *Conn) bool { return mayRead(c) && !mayWrite(c) })},
		{Name: "refuses-terminal-only", Description: "opens no session for a client that has terminals but no files",
			Break: refusing(func(c *Conn) bool { return mayTerminal(c) && !mayRead(c) })},
		{Name: "refuses-bare-client", Description: "opens no session for a client without capabilities",
			Break: refusing(func(c *Conn) bool { return !mayRead(c) && !mayWrite(c) && !mayTerminal(c) })},
	}
}

// beforeReply does something at the beginning of a plain turn.
func beforeReply(do func(t *Turn)) func(*Behaviour) {
	return func(b *Behaviour) {
		before := b.Reply
		b.Reply = func(t *Turn) {
			do(t)
			before(t)
		}
	}
}

// afterReply does something at the end of a plain turn.
func afterReply(do func(t *Turn)) func(*Behaviour) {
	return func(b *Behaviour) {
		before := b.Reply
		b.Reply = func(t *Turn) {
			before(t)
			do(t)
		}
	}
}
