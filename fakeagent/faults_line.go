package fakeagent

import (
	"encoding/json"
	"strings"
	"sync/atomic"
)

func exitOn(c *Conn) { c.Exit(1) }

// answersNotification answers what must not be answered.
func answersNotification(c *Conn, r *Request) {
	c.sayError(nil, &Error{Code: codeMethodNotFound, Message: "Method not found"}, r.Method)
}

// lineFaults are wrong answers to lines that are no valid message.
func lineFaults() []Fault {
	return []Fault{
		{Name: "parse-error-unanswered", Description: "does not answer a line that is not JSON",
			Break: func(b *Behaviour) { b.ParseError = func(*Conn, []byte) {} }},
		{Name: "parse-error-fatal", Description: "exits on a line that is not JSON",
			Break: func(b *Behaviour) { b.ParseError = func(c *Conn, _ []byte) { exitOn(c) } }},
		{Name: "parse-error-code", Description: "answers a line that is not JSON with -32600", Break: func(b *Behaviour) {
			b.ParseError = func(c *Conn, _ []byte) { batch(c, nil) }
		}},
		{Name: "parse-error-id", Description: "answers a line that is not JSON with the id 0", Break: func(b *Behaviour) {
			b.ParseError = func(c *Conn, _ []byte) {
				c.sayError(json.RawMessage("0"), &Error{Code: codeParseError, Message: "Parse error"}, "")
			}
		}},
		{Name: "parse-error-deafens", Description: "takes nothing in any more after a line that is not JSON", Break: deafAfterParseError},
		{Name: "invalid-request-unanswered", Description: "does not answer an object that is no valid message",
			Break: func(b *Behaviour) { b.InvalidRequest = func(*Conn, json.RawMessage, string) {} }},
		{Name: "invalid-request-code", Description: "answers an object that is no valid message with -32603", Break: func(b *Behaviour) {
			b.InvalidRequest = func(c *Conn, id json.RawMessage, _ string) {
				c.sayError(id, &Error{Code: codeInternal, Message: "Internal error"}, "")
			}
		}},
		{Name: "invalid-request-fatal", Description: "exits on an object that is no valid message",
			Break: func(b *Behaviour) { b.InvalidRequest = func(c *Conn, _ json.RawMessage, _ string) { exitOn(c) } }},
		{Name: "jsonrpc-not-required", Description: "accepts requests without jsonrpc", Break: func(b *Behaviour) {
			before := b.CheckEnvelope
			b.CheckEnvelope = func(m map[string]json.RawMessage) string {
				m["jsonrpc"] = json.RawMessage(`"2.0"`)
				return before(m)
			}
		}},
		{Name: "scalar-unanswered", Description: "does not answer a line that is a number or a string",
			Break: func(b *Behaviour) { b.Scalar = nothing }},
		{Name: "scalar-fatal", Description: "exits on a line that is a number or a string", Break: func(b *Behaviour) { b.Scalar = exitOn }},
		{Name: "batch-executed", Description: "executes the entries of a batch", Break: func(b *Behaviour) {
			b.Batch = func(c *Conn, entries []json.RawMessage) {
				for _, entry := range entries {
					var m map[string]json.RawMessage
					if json.Unmarshal(entry, &m) == nil {
						c.handleObject(m)
					}
				}
			}
		}},
		{Name: "batch-error-per-entry", Description: "rejects a batch with one error for each entry", Break: func(b *Behaviour) {
			before := b.Batch
			b.Batch = func(c *Conn, entries []json.RawMessage) {
				for range entries {
					before(c, nil)
				}
			}
		}},
		{Name: "batch-unanswered", Description: "does not answer a batch",
			Break: func(b *Behaviour) { b.Batch = func(*Conn, []json.RawMessage) {} }},
		{Name: "batch-fatal", Description: "exits on a batch",
			Break: func(b *Behaviour) { b.Batch = func(c *Conn, _ []json.RawMessage) { exitOn(c) } }},
		{Name: "blocks-during-turn", Description: "answers no request while a turn runs", Break: holdDuringTurn(isRequestLine)},
		{Name: "deaf-during-turn", Description: "looks at nothing but responses while a turn runs", Break: holdDuringTurn(isCallLine)},
		{Name: "stray-response-fatal", Description: "exits on a response to a request that it never made",
			Break: func(b *Behaviour) { b.StrayResponse = func(c *Conn, _ json.RawMessage) { exitOn(c) } }},
		{Name: "answers-stray-response", Description: "answers a response to a request that it never made", Break: func(b *Behaviour) {
			b.StrayResponse = func(c *Conn, id json.RawMessage) { invalidRequest(c, id, "no such request") }
		}},
		{Name: "error-response-fatal", Description: "exits when the client answers with an error",
			Break: func(b *Behaviour) { b.ErrorResponse = func(c *Conn, _ *Error) { exitOn(c) } }},
		{Name: "error-response-hangs-turn", Description: "never ends a turn in which the client refused permission with an error",
			Break: func(b *Behaviour) {
				before := b.Decide
				b.Decide = func(t *Turn, result Object, e *Error) (string, error) {
					if e != nil {
						_, err := t.waitFor(waitCancel, func(*waiter) {})
						return "", err
					}
					return before(t, result, e)
				}
			}},
	}
}

func deafAfterParseError(b *Behaviour) {
	before := b.Admit
	var deaf atomic.Pointer[Conn]
	b.Admit = func(c *Conn, line []byte) bool {
		if deaf.Load() == c {
			return false
		}
		if _, err := decode(line); err != nil && len(strings.TrimSpace(string(line))) > 0 {
			deaf.Store(c)
		}
		return before(c, line)
	}
}

func isRequestLine(line []byte) bool {
	v, _ := decode(line)
	o, _ := v.(Object)
	return o["method"] != nil && o["id"] != nil
}

func isCallLine(line []byte) bool {
	v, _ := decode(line)
	o, _ := v.(Object)
	return o["method"] != nil
}

// holdDuringTurn keeps lines back while a turn runs; they are handled when it has ended.
func holdDuringTurn(match func([]byte) bool) func(*Behaviour) {
	return func(b *Behaviour) {
		before := b.Admit
		b.Admit = func(c *Conn, line []byte) bool {
			if match(line) && c.hold(line) {
				return false
			}
			return before(c, line)
		}
	}
}

func (c *Conn) hold(line []byte) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.turns) == 0 {
		return false
	}
	c.held = append(c.held, append([]byte(nil), line...))
	return true
}

// unknownFaults are wrong answers to methods that the agent does not have.
func unknownFaults() []Fault {
	refuse := func(code int) func(*Conn, *Request) (any, *Error) {
		return func(*Conn, *Request) (any, *Error) { return nil, &Error{Code: code, Message: "Refused"} }
	}
	succeed := func(*Conn, *Request) (any, *Error) { return Object{}, nil }
	die := func(c *Conn, _ *Request) (any, *Error) {
		exitOn(c)
		return nil, silence
	}
	return []Fault{
		{Name: "unknown-method-unanswered", Description: "does not answer a request with an unknown method",
			Break: func(b *Behaviour) { b.UnknownRequest = unanswered }},
		{Name: "unknown-method-succeeds", Description: "answers a request with an unknown method with a result",
			Break: func(b *Behaviour) { b.UnknownRequest = succeed }},
		{Name: "unknown-method-code", Description: "answers a request with an unknown method with -32602",
			Break: func(b *Behaviour) { b.UnknownRequest = refuse(codeInvalidParams) }},
		{Name: "unknown-method-fatal", Description: "exits on a request with an unknown method",
			Break: func(b *Behaviour) { b.UnknownRequest = die }},
		{Name: "extension-request-unanswered", Description: "does not answer an unknown request that begins with an underscore",
			Break: func(b *Behaviour) { b.ExtensionRequest = unanswered }},
		{Name: "extension-request-succeeds", Description: "answers an unknown request that begins with an underscore with a result",
			Break: func(b *Behaviour) { b.ExtensionRequest = succeed }},
		{Name: "extension-request-code", Description: "answers an unknown request that begins with an underscore with -32603",
			Break: func(b *Behaviour) { b.ExtensionRequest = refuse(codeInternal) }},
		{Name: "answers-unknown-notification", Description: "answers an unknown notification with an error",
			Break: func(b *Behaviour) { b.UnknownNotification = answersNotification }},
		{Name: "answers-extension-notification", Description: "answers an unknown notification that begins with an underscore",
			Break: func(b *Behaviour) { b.ExtensionNotification = answersNotification }},
		{Name: "extension-notification-fatal", Description: "exits on an unknown notification that begins with an underscore",
			Break: func(b *Behaviour) { b.ExtensionNotification = func(c *Conn, _ *Request) { exitOn(c) } }},
		{Name: "answers-malformed-cancel", Description: "answers a session/cancel without a session id",
			Break: func(b *Behaviour) { b.MalformedCancel = answersNotification }},
	}
}
