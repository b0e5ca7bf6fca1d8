package fakeagent

import (
	"encoding/json"
	"strings"
)

// onError changes the errors that match; a nil or silent one stays as it is.
func onError(match func(r *Request, e *Error) bool, change func(e Error) *Error) func(*Behaviour) {
	return func(b *Behaviour) {
		before := b.ErrorFor
		b.ErrorFor = func(c *Conn, r *Request, e *Error) *Error {
			e = before(c, r, e)
			if !match(r, e) {
				return e
			}
			return change(*e)
		}
	}
}

func hasCode(code int) func(*Request, *Error) bool {
	return func(_ *Request, e *Error) bool { return e.Code == code }
}

func toCode(code int) func(Error) *Error {
	return func(e Error) *Error {
		e.Code = code
		return &e
	}
}

func toMessage(message string) func(Error) *Error {
	return func(e Error) *Error {
		e.Message = message
		return &e
	}
}

func anyError(*Request, *Error) bool { return true }

// errorFaults are errors with the wrong code, message or data, and errors that should be one and are not.
func errorFaults() []Fault {
	return []Fault{
		{Name: "invalid-params-code", Description: "answers invalid params with -32600",
			Break: onError(hasCode(codeInvalidParams), toCode(codeInvalidRequest))},
		{Name: "invalid-params-internal-error", Description: "answers invalid params with -32603",
			Break: onError(hasCode(codeInvalidParams), toCode(codeInternal))},
		{Name: "invalid-params-unanswered", Description: "does not answer a request with invalid params",
			Break: onError(hasCode(codeInvalidParams), func(Error) *Error { return silence })},
		{Name: "invalid-params-fatal", Description: "exits on a request with invalid params", Break: func(b *Behaviour) {
			before := b.ErrorFor
			b.ErrorFor = func(c *Conn, r *Request, e *Error) *Error {
				if e.Code != codeInvalidParams {
					return before(c, r, e)
				}
				exitOn(c)
				return silence
			}
		}},
		{Name: "accepts-array-params", Description: "takes params that are an array for empty ones",
			Break: func(b *Behaviour) { b.CheckParams = acceptArrayParams }},
		{Name: "rejects-unknown-fields-in-initialize", Description: "refuses an initialize with a member that it does not know",
			Break: func(b *Behaviour) {
				b.CheckInitialize = func(params Object) *Error {
					return onlyKnown(params, "protocolVersion", "clientCapabilities", "clientInfo", "_meta")
				}
			}},
		{Name: "rejects-unknown-fields-in-new", Description: "refuses a session/new with a member that it does not know",
			Break: func(b *Behaviour) {
				before := b.CheckNew
				b.CheckNew = func(c *Conn, r *Request) *Error {
					e := onlyKnown(r.Params, "sessionId", "cwd", "mcpServers", "additionalDirectories", "_meta")
					if r.Method == "session/new" && e != nil {
						return e
					}
					return before(c, r)
				}
			}},
		{Name: "rejects-meta", Description: "refuses a session/new with _meta", Break: func(b *Behaviour) {
			before := b.CheckNew
			b.CheckNew = func(c *Conn, r *Request) *Error {
				if r.Method == "session/new" && r.Params["_meta"] != nil {
					return invalidParams("unknown member _meta")
				}
				return before(c, r)
			}
		}},
		{Name: "error-message-long", Description: "puts a page of text into the message of every error",
			Break: onError(anyError, toMessage(strings.TrimSpace(strings.Repeat("Something went wrong somewhere. ", 40))))},
		{Name: "error-message-multiline", Description: "puts a stack trace of several lines into the message of every error",
			Break: onError(anyError, toMessage("Error: refused\n    at handle (agent.js:10)\n    at main (agent.js:99)"))},
		{Name: "reserved-error-code", Description: "ends a failing turn with a code from the reserved range",
			Break: func(b *Behaviour) { b.BackendCode = func() int { return -32500 } }},
		{Name: "reserved-error-code-for-mode", Description: "refuses an unknown mode with a code from the reserved range",
			Break: func(b *Behaviour) {
				b.UnknownMode = func(string) *Error { return &Error{Code: -32500, Message: "No such mode"} }
			}},
		{Name: "reserved-error-code-for-session", Description: "refuses an unknown session with a code from the reserved range",
			Break: onError(hasCode(codeNotFound), toCode(-32500))},
		{Name: "auth-required-wrong-code", Description: "refuses session/new for want of authentication with -32603",
			Break: func(b *Behaviour) {
				b.NewSession = func(*Conn, *Request) (any, *Error) {
					return nil, &Error{Code: codeInternal, Message: "Authentication required"}
				}
			}},
		{Name: "unknown-session-internal-error", Description: "refuses an unknown session with -32603",
			Break: onError(hasCode(codeNotFound), toCode(codeInternal))},
		{Name: "unknown-session-invalid-params", Description: "refuses an unknown session with -32602",
			Break: onError(hasCode(codeNotFound), toCode(codeInvalidParams))},
		{Name: "unknown-session-in-prompt-internal-error", Description: "refuses a prompt for an unknown session with -32603",
			Break: func(b *Behaviour) {
				b.PromptUnknown = func(*Conn, string) (*Session, *Error) {
					return nil, &Error{Code: codeInternal, Message: "Internal error"}
				}
			}},
		{Name: "unknown-session-without-data", Description: "does not name the session when it refuses an unknown one",
			Break: onError(hasCode(codeNotFound), func(e Error) *Error {
				e.Data = nil
				return &e
			})},
		{Name: "unknown-session-other-data", Description: "names another session when it refuses an unknown one",
			Break: onError(hasCode(codeNotFound), func(e Error) *Error {
				e.Data = Object{"sessionId": "sess_other"}
				return &e
			})},
		{Name: "unknown-session-snake-case-data", Description: "names the session as session_id when it refuses an unknown one",
			Break: onError(hasCode(codeNotFound), func(e Error) *Error {
				data, _ := e.Data.(Object)
				e.Data = Object{"session_id": data["sessionId"]}
				return &e
			})},
	}
}

func acceptArrayParams(r *Request) *Error {
	if !r.Array {
		return nil
	}
	r.Params = Object{"protocolVersion": json.Number("1"), "cwd": "/", "mcpServers": []any{}, "sessionId": "", "prompt": []any{}}
	return nil
}

func onlyKnown(params Object, known ...string) *Error {
	for _, key := range sortedKeys(params) {
		if !contains(known, key) {
			return invalidParams("unknown member " + cut(key, 40))
		}
	}
	return nil
}
