package fakeagent

import (
	"slices"
	"strings"
)

// The protocol versions.
const (
	firstVersion  = 1
	latestVersion = 2
)

// speaks lists the versions that the agent speaks, oldest first.
func speaks(*Conn) []int { return []int{firstVersion, latestVersion} }

// negotiate finds the version of the connection, and the number in the answer, which differs only by a fault.
func (c *Conn) negotiate(r *Request) (version, answered int, e *Error) {
	requested, ok := integer(r.Params["protocolVersion"])
	known := c.b.Speaks(c)
	switch {
	case !ok || requested < 0 || requested > 65535:
		answered, e = c.b.BadVersion(r)
	case slices.Contains(known, requested):
		return requested, c.b.Echo(requested), nil
	default:
		answered, e = c.b.Fallback(c, requested)
	}
	if !slices.Contains(known, answered) {
		return known[0], answered, e
	}
	return answered, answered, e
}

// fallback answers a version that is not spoken. An agent that speaks version 1 keeps the rule of it, which is to answer
// with the latest that it speaks; any other answers with the highest below, and with an error where there is none.
// See https://agentclientprotocol.com/protocol/v2/draft/initialization#version-negotiation.
func fallback(c *Conn, requested int) (int, *Error) {
	known := c.b.Speaks(c)
	best, supported := 0, []any{}
	for _, version := range known {
		supported = append(supported, version)
		if known[0] == firstVersion || version < requested {
			best = version
		}
	}
	if best == 0 {
		return 0, &Error{Code: codeNoVersion, Message: "Unsupported protocol version",
			Data: Object{"requested": requested, "supported": supported}}
	}
	return best, nil
}

// settle gives the connection its version; it keeps the first one.
func (c *Conn) settle(version int, params Object) *Error {
	d := dialect1(c.b)
	if version == 2 {
		d = dialect2(c.b)
	}
	client := d.capabilities(params)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.initialized && c.d.version != d.version {
		return &Error{Code: codeInvalidRequest, Message: "Invalid request: the connection has another version already"}
	}
	c.d, c.client, c.initialized = d, client, true
	return nil
}

// checkInitialize2 needs to know who the client is; one that asked for another version may say it otherwise.
func checkInitialize2(r *Request) *Error {
	requested, _ := integer(r.Params["protocolVersion"])
	info, ok := r.Params["info"].(Object)
	if requested != latestVersion {
		return nil
	}
	if !ok {
		return invalidParams("info must be an object")
	}
	return needTexts(info, "name", "version")
}

// clientCapabilities2 reads a missing or malformed member as an empty one.
func clientCapabilities2(params Object) Object {
	o, _ := params["capabilities"].(Object)
	return o
}

func initializeResult2(c *Conn, version int) any {
	return Object{"protocolVersion": version, "info": c.b.AgentInfo(), "capabilities": c.b.AgentCapabilities2(c),
		"authMethods": c.b.AuthMethods2(c)}
}

// agentCapabilities2 states what is served beyond what every agent of version 2 serves, without what Config.Without names.
// See https://agentclientprotocol.com/protocol/v2/draft/initialization#agent-capabilities.
func agentCapabilities2(c *Conn) Object {
	prompt, session := Object{}, Object{"mcp": Object{"stdio": Object{}}}
	for name, group := range map[string]Object{
		"promptCapabilities.image": prompt, "promptCapabilities.audio": prompt, "promptCapabilities.embeddedContext": prompt,
		"sessionCapabilities.delete": session,
	} {
		if _, member, _ := strings.Cut(name, "."); !c.a.without[name] {
			group[member] = Object{}
		}
	}
	session["prompt"] = prompt
	if marker := c.b.StatusMarker(c); marker != nil && !c.a.without[statusCapability] {
		session["status"] = marker
	}
	if c.b.Archives(c) && !c.a.without[archiveCapability] {
		session["archive"] = Object{}
	}
	return Object{"session": session, "_meta": Object{directivesKey: words(2)}}
}

// statusCapability is the one of session/status, as Config.Without names it in both versions.
const statusCapability = "sessionCapabilities.status"

func authMethods2(*Conn) []any { return []any{} }

// login and logout exist only where there are methods to log in with.
// See https://agentclientprotocol.com/protocol/v2/draft/authentication.
func login(c *Conn, r *Request) (any, *Error) {
	if len(c.b.AuthMethods2(c)) == 0 {
		return c.b.UnknownRequest(c, r)
	}
	if e := needTexts(r.Params, "methodId"); e != nil {
		return nil, e
	}
	return nil, invalidParams("unknown methodId")
}

func logout(c *Conn, r *Request) (any, *Error) {
	if len(c.b.AuthMethods2(c)) == 0 {
		return c.b.UnknownRequest(c, r)
	}
	return Object{}, nil
}
