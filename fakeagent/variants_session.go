package fakeagent

import (
	"encoding/json"
	"fmt"
)

func null() any { return json.RawMessage("null") }

func authRequired() *Error { return &Error{Code: codeAuthRequired, Message: "Authentication required"} }

// sessionVariants are other kinds of agents: other versions, capabilities, ids and errors.
func sessionVariants() []Fault {
	both := []int{firstVersion, latestVersion}
	return []Fault{
		{Name: "only-version-1", Description: "speaks version 1 only, and answers any other version with it", Break: onlyVersion1},
		{Name: "bare-minimum", Description: "advertises no capabilities and serves only what every agent must", Break: func(b *Behaviour) {
			b.AgentCapabilities = func(*Conn) Object { return Object{} }
			b.Serves = func(_ *Conn, _, capability string) bool { return capability == "" }
		}},
		{Name: "false-capabilities", Description: "advertises what it does not serve as false or null", Break: func(b *Behaviour) {
			b.AgentCapabilities = func(*Conn) Object {
				return Object{"loadSession": false, "promptCapabilities": Object{"image": false, "audio": false, "embeddedContext": false},
					"mcpCapabilities": Object{"http": false}, "sessionCapabilities": Object{"list": nil, "close": nil, "resume": nil, "delete": nil, "status": nil}}
			}
			b.Serves = func(_ *Conn, _, capability string) bool { return capability == "" }
		}},
		{Name: "early-error-code", Description: "refuses requests before initialize with a code of its own", Break: func(b *Behaviour) {
			b.BeforeInitialize = func(*Conn, *Request) *Error { return &Error{Code: -32050, Message: "Not initialized"} }
		}},
		{Name: "no-modes-no-options", Description: "has neither modes nor options", Break: func(b *Behaviour) {
			b.Modes = func(*Conn, *Session) any { return nil }
			b.ConfigOptions = func(*Conn, *Session) any { return nil }
		}},
		{Name: "null-optionals", Description: "writes null for optional members", Break: func(b *Behaviour) {
			b.Modes = func(*Conn, *Session) any { return null() }
			b.ConfigOptions = func(*Conn, *Session) any { return null() }
			b.MessageChunk = func(_ *Turn, content any, _ string) Object {
				return with(chunk("agent_message_chunk", content, ""), "messageId", nil)
			}
			b.SetConfigResult = func(c *Conn, s *Session) any { return Object{"configOptions": configOptions(c, s), "_meta": nil} }
		}},
		{Name: "grouped-options", Description: "groups the values of its option", Break: onModel(func(option Object) any {
			return with(option, "options", []any{Object{"group": "all", "name": "All", "options": option["options"]}})
		})},
		{Name: "commands-before-response", Description: "announces its commands before the response to session/new", Break: func(b *Behaviour) {
			b.BeforeNewSession = func(c *Conn, s *Session) { c.announce(s, c.b.Commands()) }
			b.AfterNewSession = func(*Conn, *Session) {}
		}},
		{Name: "no-commands", Description: "never announces commands", Break: func(b *Behaviour) { b.AfterNewSession = func(*Conn, *Session) {} }},
		{Name: "uuid-session-ids", Protocols: both, Description: "gives its sessions UUIDs as ids", Break: func(b *Behaviour) {
			b.SessionID = func(a *Agent, n int) string {
				sum := uint32(2166136261)
				for _, c := range []byte(a.cfg.Salt) {
					sum = (sum ^ uint32(c)) * 16777619
				}
				return fmt.Sprintf("%08x-0000-4000-8000-%012x", sum, n)
			}
		}},
		{Name: "odd-session-ids", Protocols: both, Description: "gives its sessions ids with blanks, slashes and other characters", Break: func(b *Behaviour) {
			b.SessionID = func(a *Agent, n int) string { return fmt.Sprintf("%s / séance #%d \"☃\" \\ %%2F", a.cfg.Salt, n) }
		}},
		{Name: "load-result-null", Description: "answers session/load with null", Break: func(b *Behaviour) { b.LoadResult = func(Object) any { return null() } }},
		{Name: "mode-update-after-set", Description: "announces a mode that the client set", Break: func(b *Behaviour) {
			before := b.SetMode
			b.SetMode = func(c *Conn, r *Request) (any, *Error) {
				result, e := before(c, r)
				if s := c.a.active(text(r.Params, "sessionId")); e == nil && s != nil {
					c.announce(s, c.b.ModeUpdate(text(r.Params, "modeId")))
				}
				return result, e
			}
		}},
		{Name: "auth-required", Protocols: both, Description: "refuses session/new and prompts until the user has logged in, which never happens", Break: func(b *Behaviour) {
			offerLogin(b)
			b.NewSession = func(*Conn, *Request) (any, *Error) { return nil, authRequired() }
			b.PromptUnknown = func(*Conn, string) (*Session, *Error) { return nil, authRequired() }
			b.LoadUnknown = func(*Conn, string) (*Session, *Error) { return nil, authRequired() }
			b.ResumeUnknown = func(*Conn, string) (*Session, *Error) { return nil, authRequired() }
			b.NewSession2 = b.NewSession
		}},
		{Name: "localised-errors", Protocols: both, Description: "writes its errors in another language", Break: onError(anyError, toMessage("La requête a échoué : paramètre « incorrect »"))},
		{Name: "error-data-for-all", Protocols: both, Description: "gives every error data of some kind, with keys of its own", Break: onError(anyError, func(e Error) *Error {
			data, _ := e.Data.(Object)
			e.Data = with(with(with(data, "error_kind", "refused"), "retry_after", json.RawMessage("1.0")), "_meta", "free")
			return &e
		})},
		{Name: "null-error-data", Protocols: both, Description: "writes null as the data of errors that have none", Break: onError(anyError, func(e Error) *Error {
			if e.Data == nil {
				e.Data = null()
			}
			return &e
		})},
	}
}
