package fakeagent

import (
	"encoding/json"
	"strings"
)

// initialize negotiates the version. See https://agentclientprotocol.com/protocol/v1/initialization.
func initialize(c *Conn, r *Request) (any, *Error) {
	if e := c.b.CheckInitialize(r.Params); e != nil {
		return nil, e
	}
	version, answered, e := c.negotiate(r)
	if e != nil {
		return nil, e
	}
	if version == 2 {
		if e := c.b.CheckInitialize2(r); e != nil {
			return nil, e
		}
	}
	if e := c.settle(version, r.Params); e != nil {
		return nil, e
	}
	if version == 2 {
		return c.b.InitializeResult2(c, answered), nil
	}
	return c.b.InitializeResult(c, answered), nil
}

func checkInitialize(Object) *Error { return nil }

func badVersion(*Request) (int, *Error) {
	return 0, invalidParams("protocolVersion must be an integer from 0 to 65535")
}

func echoVersion(version int) int { return version }

// clientCapabilities reads a missing, null or malformed member as an empty one: what is left out is unsupported.
func clientCapabilities(params Object) Object {
	o, _ := params["clientCapabilities"].(Object)
	return o
}

func initializeResult(c *Conn, version int) any {
	result := Object{
		"protocolVersion":   version,
		"agentCapabilities": c.b.AgentCapabilities(c),
		"authMethods":       c.b.AuthMethods(c),
	}
	if info := c.b.AgentInfo(); info != nil {
		result["agentInfo"] = info
	}
	return result
}

func agentInfo() any {
	return Object{"name": "acp-conform-fake-agent", "title": "Fake agent", "version": "1.0.0"}
}

func authMethods(*Conn) any { return []any{} }

// directivesKey announces, under _meta of the agent's capabilities, the words that steer the agent in a prompt.
const directivesKey = "acp-conform/directives"

// agentCapabilities states what is served, and leaves out what Config.Without names.
// See https://agentclientprotocol.com/protocol/v1/initialization#agent-capabilities.
func agentCapabilities(c *Conn) Object {
	caps := Object{
		"loadSession":         true,
		"promptCapabilities":  Object{"image": true, "audio": true, "embeddedContext": true},
		"mcpCapabilities":     Object{"http": false, "sse": false},
		"sessionCapabilities": Object{"list": Object{}, "close": Object{}, "resume": Object{}, "delete": Object{}},
		"_meta":               Object{directivesKey: words(firstVersion)},
	}
	if marker := c.b.StatusMarker(c); marker != nil {
		caps["sessionCapabilities"].(Object)["status"] = marker
	}
	if c.b.Archives(c) {
		caps["sessionCapabilities"].(Object)["archive"] = Object{}
	}
	for name := range c.a.without {
		group, member, nested := strings.Cut(name, ".")
		if !nested {
			delete(caps, name)
			continue
		}
		delete(caps[group].(Object), member)
	}
	return caps
}

// authenticate knows no method, because authMethods is empty.
// See https://agentclientprotocol.com/protocol/v1/authentication.
func authenticate(_ *Conn, r *Request) (any, *Error) {
	if _, ok := r.Params["methodId"].(string); !ok {
		return nil, invalidParams("methodId must be a string")
	}
	return nil, invalidParams("unknown methodId")
}

func (c *Conn) isInitialized() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.initialized
}

// flag tells whether the client advertised a boolean capability.
func (c *Conn) flag(path ...string) bool {
	v, _ := c.advertised(path).(bool)
	return v
}

// object tells whether the client advertised an object capability; null counts as absent.
func (c *Conn) object(path ...string) bool {
	_, ok := c.advertised(path).(Object)
	return ok
}

func (c *Conn) advertised(path []string) any {
	c.mu.Lock()
	defer c.mu.Unlock()
	var v any = c.client
	for _, key := range path {
		o, ok := v.(Object)
		if !ok {
			return nil
		}
		v = o[key]
	}
	return v
}

// Version 2 has neither files nor terminals of the client, and takes for granted what version 1 lets a client advertise.
func mayRead(c *Conn) bool     { return c.speaks(1) && c.flag("fs", "readTextFile") }
func mayWrite(c *Conn) bool    { return c.speaks(1) && c.flag("fs", "writeTextFile") }
func mayTerminal(c *Conn) bool { return c.speaks(1) && c.flag("terminal") }
func mayElicit(c *Conn) bool   { return c.object("elicitation", "form") }
func mayNotice(c *Conn) bool   { return c.speaks(2) || c.object("session", "notices") }
func mayCompact(c *Conn) bool  { return c.speaks(2) || c.object("session", "compaction") }
func mayBoolean(c *Conn) bool  { return c.speaks(2) || c.object("session", "configOptions", "boolean") }
func maySubagent(c *Conn) bool { return c.speaks(2) || c.object("subagents") }

// integer reads a number that is written as an integer.
func integer(v any) (int, bool) {
	n, ok := v.(json.Number)
	if !ok {
		return 0, false
	}
	i, err := n.Int64()
	return int(i), err == nil
}
