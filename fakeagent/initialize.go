package fakeagent

import (
	"encoding/json"
	"strings"
)

// latestVersion is the newest protocol version that the agent speaks.
const latestVersion = 1

// initialize negotiates the version. See https://agentclientprotocol.com/protocol/v1/initialization.
func initialize(c *Conn, r *Request) (any, *Error) {
	if e := c.b.CheckInitialize(r.Params); e != nil {
		return nil, e
	}
	version, e := c.negotiate(r)
	if e != nil {
		return nil, e
	}
	client := c.b.ClientCapabilities(r.Params)
	c.mu.Lock()
	c.client, c.initialized = client, true
	c.mu.Unlock()
	return c.b.InitializeResult(c, version), nil
}

// negotiate answers a version that is spoken with itself, any other with the latest.
func (c *Conn) negotiate(r *Request) (int, *Error) {
	requested, ok := integer(r.Params["protocolVersion"])
	switch {
	case !ok || requested < 0 || requested > 65535:
		return c.b.BadVersion(r)
	case requested == latestVersion:
		return c.b.Echo(requested), nil
	}
	return c.b.Fallback(c, requested)
}

func checkInitialize(Object) *Error { return nil }

func badVersion(*Request) (int, *Error) {
	return 0, invalidParams("protocolVersion must be an integer from 0 to 65535")
}

func fallback(*Conn, int) (int, *Error) { return latestVersion, nil }

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
	words := []any{}
	for _, d := range directives() {
		words = append(words, d.Name)
	}
	caps := Object{
		"loadSession":         true,
		"promptCapabilities":  Object{"image": true, "audio": true, "embeddedContext": true},
		"mcpCapabilities":     Object{"http": false, "sse": false},
		"sessionCapabilities": Object{"list": Object{}, "close": Object{}, "resume": Object{}, "delete": Object{}},
		"_meta":               Object{directivesKey: words},
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

func mayRead(c *Conn) bool     { return c.flag("fs", "readTextFile") }
func mayWrite(c *Conn) bool    { return c.flag("fs", "writeTextFile") }
func mayTerminal(c *Conn) bool { return c.flag("terminal") }
func mayElicit(c *Conn) bool   { return c.object("elicitation", "form") }
func mayNotice(c *Conn) bool   { return c.object("session", "notices") }
func mayCompact(c *Conn) bool  { return c.object("session", "compaction") }
func mayBoolean(c *Conn) bool  { return c.object("session", "configOptions", "boolean") }

// integer reads a number that is written as an integer.
func integer(v any) (int, bool) {
	n, ok := v.(json.Number)
	if !ok {
		return 0, false
	}
	i, err := n.Int64()
	return int(i), err == nil
}
