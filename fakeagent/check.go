package fakeagent

import (
	"encoding/base64"
	"path/filepath"
)

// checkNew validates the params that session/new, session/load and session/resume share.
// See https://agentclientprotocol.com/protocol/v1/session-setup#creating-a-session.
func checkNew(c *Conn, r *Request) *Error {
	if e := c.b.CheckCwd(r); e != nil {
		return e
	}
	servers, present := r.Params["mcpServers"]
	if !present && r.Method != "session/resume" {
		return c.b.MissingServers(r)
	}
	if present && servers != nil {
		if e := c.b.CheckServers(servers); e != nil {
			return e
		}
		if e := c.checkTransports(servers); e != nil {
			return e
		}
	}
	return checkDirectories(r.Params["additionalDirectories"])
}

func checkCwd(r *Request) *Error {
	cwd, ok := r.Params["cwd"].(string)
	if !ok {
		return invalidParams("cwd must be a string")
	}
	if !filepath.IsAbs(cwd) {
		return invalidParams("cwd must be an absolute path")
	}
	return nil
}

func missingServers(*Request) *Error { return invalidParams("mcpServers is missing") }

func checkDirectories(v any) *Error {
	if v == nil {
		return nil
	}
	list, ok := v.([]any)
	for _, dir := range list {
		path, isText := dir.(string)
		ok = ok && isText && filepath.IsAbs(path)
	}
	if !ok {
		return invalidParams("additionalDirectories must be an array of absolute paths")
	}
	return nil
}

func checkServers(v any) *Error {
	list, ok := v.([]any)
	if !ok {
		return invalidParams("mcpServers must be an array")
	}
	for _, entry := range list {
		server, _ := entry.(Object)
		if !wellFormedServer(server) {
			return invalidParams("malformed entry in mcpServers")
		}
	}
	return nil
}

// checkTransports refuses servers that cannot be reached rather than dropping them.
func (c *Conn) checkTransports(v any) *Error {
	list, _ := v.([]any)
	for _, entry := range list {
		server, _ := entry.(Object)
		if transport := text(server, "type"); transport != "" {
			if e := c.b.CheckTransport(transport); e != nil {
				return e
			}
		}
	}
	return nil
}

func checkTransport(transport string) *Error {
	return invalidParams("MCP servers over " + cut(transport, 20) + " are not supported")
}

func wellFormedServer(s Object) bool {
	if _, ok := s["name"].(string); !ok {
		return false
	}
	switch s["type"] {
	case nil:
		_, ok := s["command"].(string)
		return ok && wellFormedPairs(s, "env") && wellFormedTexts(s, "args")
	case "http", "sse":
		_, ok := s["url"].(string)
		return ok && wellFormedPairs(s, "headers")
	}
	return false
}

// wellFormedTexts and wellFormedPairs accept null as an empty list; the member itself is required.
func wellFormedTexts(o Object, key string) bool {
	v, present := o[key]
	list, ok := v.([]any)
	for _, item := range list {
		_, isText := item.(string)
		ok = ok && isText
	}
	return present && (ok || v == nil)
}

func wellFormedPairs(o Object, key string) bool {
	v, present := o[key]
	list, ok := v.([]any)
	for _, item := range list {
		pair, _ := item.(Object)
		_, hasName := pair["name"].(string)
		_, hasValue := pair["value"].(string)
		ok = ok && hasName && hasValue
	}
	return present && (ok || v == nil)
}

// checkPrompt validates the list of blocks. See https://agentclientprotocol.com/protocol/v1/content.
func checkPrompt(c *Conn, r *Request) *Error {
	v, present := r.Params["prompt"]
	if !present {
		return c.b.MissingPrompt(r)
	}
	blocks, ok := v.([]any)
	if !ok {
		return c.b.PromptNotArray(r)
	}
	for _, entry := range blocks {
		block, _ := entry.(Object)
		if e := c.checkBlock(block); e != nil {
			return c.b.BlockError(e)
		}
	}
	return nil
}

func missingPrompt(*Request) *Error  { return invalidParams("prompt is missing") }
func promptNotArray(*Request) *Error { return invalidParams("prompt must be an array") }
func blockError(e *Error) *Error     { return e }

// checkBlock holds a block to its type: the union is closed.
func (c *Conn) checkBlock(block Object) *Error {
	kind, _ := block["type"].(string)
	switch kind {
	case "text":
		return c.b.CheckText(block)
	case "resource_link":
		return c.b.CheckLink(block)
	case "image", "audio":
		if c.a.without["promptCapabilities."+kind] {
			return invalidParams(kind + " blocks are not supported")
		}
		return checkMedia(block)
	case "resource":
		if c.a.without["promptCapabilities.embeddedContext"] {
			return invalidParams("resource blocks are not supported")
		}
		return checkResource(block)
	}
	return c.b.UnknownBlock(block)
}

func checkText(block Object) *Error { return needTexts(block, "text") }
func checkLink(block Object) *Error { return needTexts(block, "uri", "name") }

func unknownBlock(Object) *Error { return invalidParams("unknown type of content block") }

func checkMedia(block Object) *Error {
	if e := needTexts(block, "data", "mimeType"); e != nil {
		return e
	}
	if _, err := base64.StdEncoding.DecodeString(text(block, "data")); err != nil {
		return invalidParams("data must be Base64")
	}
	return nil
}

func checkResource(block Object) *Error {
	resource, ok := block["resource"].(Object)
	if !ok {
		return invalidParams("resource must be an object")
	}
	if e := needTexts(resource, "uri"); e != nil {
		return e
	}
	if needTexts(resource, "text") != nil && needTexts(resource, "blob") != nil {
		return invalidParams("resource must have text or blob")
	}
	return nil
}

func needTexts(o Object, keys ...string) *Error {
	for _, key := range keys {
		if _, ok := o[key].(string); !ok {
			return invalidParams(key + " must be a string")
		}
	}
	return nil
}
