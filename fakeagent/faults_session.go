package fakeagent

import "encoding/json"

func onNewResult(change func(Object) Object) func(*Behaviour) {
	return func(b *Behaviour) { b.NewSessionResult = func(result Object) any { return change(result) } }
}

func acceptsCwd(accept func(v any) bool) func(*Behaviour) {
	return func(b *Behaviour) {
		before := b.CheckCwd
		b.CheckCwd = func(r *Request) *Error {
			if r.Method == "session/new" && accept(r.Params["cwd"]) {
				return nil
			}
			return before(r)
		}
	}
}

func newSessionFaults() []Fault {
	return []Fault{
		{Name: "empty-session-id", Description: "gives out an empty session id", Break: onNewResult(setMember("sessionId", ""))},
		{Name: "no-session-id", Description: "leaves sessionId out of the result of session/new", Break: onNewResult(dropMember("sessionId"))},
		{Name: "null-session-id", Description: "gives out null as session id", Break: onNewResult(setMember("sessionId", nil))},
		{Name: "number-session-id", Description: "gives out a number as session id", Break: onNewResult(setMember("sessionId", 1))},
		{Name: "snake-case-session-id", Description: "calls the session id session_id in the result of session/new",
			Break: onNewResult(func(result Object) Object {
				return with(lacking(result, "sessionId"), "session_id", result["sessionId"])
			})},
		{Name: "duplicate-session-ids", Description: "gives every session of the process the same id", Break: func(b *Behaviour) {
			b.SessionID = func(a *Agent, _ int) string { return sessionID(a, 1) }
		}},
		{Name: "session-ids-repeat-between-processes", Description: "numbers its sessions in every process from one", Break: func(b *Behaviour) {
			b.SessionID = func(_ *Agent, n int) string { return sessionID(&Agent{}, n) }
		}},
		{Name: "accepts-missing-cwd", Description: "accepts a session/new without cwd", Break: acceptsCwd(func(v any) bool { return v == nil })},
		{Name: "accepts-number-cwd", Description: "accepts a number as cwd", Break: acceptsCwd(func(v any) bool {
			_, ok := v.(json.Number)
			return ok
		})},
		{Name: "accepts-relative-cwd", Description: "accepts a relative cwd", Break: acceptsCwd(func(v any) bool {
			_, ok := v.(string)
			return ok
		})},
		{Name: "accepts-missing-servers", Description: "accepts a session/new without mcpServers",
			Break: func(b *Behaviour) { b.MissingServers = func(*Request) *Error { return nil } }},
		{Name: "accepts-bad-servers", Description: "accepts mcpServers of any type",
			Break: func(b *Behaviour) { b.CheckServers = func(any) *Error { return nil } }},
		{Name: "refuses-null-servers", Description: "refuses null for mcpServers", Break: func(b *Behaviour) {
			before := b.CheckNew
			b.CheckNew = func(c *Conn, r *Request) *Error {
				if v, present := r.Params["mcpServers"]; present && v == nil {
					return invalidParams("mcpServers must be an array")
				}
				return before(c, r)
			}
		}},
		{Name: "new-unanswered", Description: "never answers session/new", Break: func(b *Behaviour) { b.NewSession = unanswered }},
		{Name: "new-fails", Description: "answers session/new with an internal error", Break: func(b *Behaviour) {
			b.NewSession = func(*Conn, *Request) (any, *Error) {
				return nil, &Error{Code: codeInternal, Message: "Internal error"}
			}
		}},
		{Name: "ignores-cwd", Description: "works in the directory of the process instead of the session's cwd",
			Break: func(b *Behaviour) { b.Path = processPath }},
		{Name: "new-result-without-object", Description: "answers session/new with the bare session id", Break: func(b *Behaviour) {
			b.NewSessionResult = func(result Object) any { return result["sessionId"] }
		}},
	}
}

func onModes(change func(modes Object) Object) func(*Behaviour) {
	return func(b *Behaviour) {
		before := b.Modes
		b.Modes = func(c *Conn, s *Session) any {
			modes, ok := before(c, s).(Object)
			if !ok {
				return before(c, s)
			}
			return change(modes)
		}
	}
}

// onModel changes the option that chooses the model, wherever options are listed.
func onModel(change func(option Object) any) func(*Behaviour) {
	return onOptions(func(options []any) any {
		changed := append([]any(nil), options...)
		changed[0] = change(options[0].(Object))
		return changed
	})
}

func onOptions(change func(options []any) any) func(*Behaviour) {
	return func(b *Behaviour) {
		before := b.ConfigOptions
		b.ConfigOptions = func(c *Conn, s *Session) any {
			options, ok := before(c, s).([]any)
			if !ok || len(options) == 0 {
				return before(c, s)
			}
			return change(options)
		}
	}
}

func member(change func(Object) Object) func(Object) any {
	return func(o Object) any { return change(o) }
}

// settingsFaults are about modes and configuration options.
func settingsFaults() []Fault {
	return []Fault{
		{Name: "current-mode-not-listed", Description: "names a current mode that is not available", Break: onModes(setMember("currentModeId", "none"))},
		{Name: "no-current-mode", Description: "leaves currentModeId out of the modes", Break: onModes(dropMember("currentModeId"))},
		{Name: "duplicate-mode-ids", Description: "lists a mode two times", Break: onModes(func(modes Object) Object {
			list, _ := modes["availableModes"].([]any)
			return with(modes, "availableModes", append(list[:len(list):len(list)], list...))
		})},
		{Name: "mode-without-name", Description: "lists a mode without a name",
			Break: onModes(setMember("availableModes", []any{Object{"id": "ask"}, Object{"id": "code"}}))},
		{Name: "modes-array", Description: "writes the modes as an array", Break: func(b *Behaviour) {
			b.Modes = func(*Conn, *Session) any { return []any{"ask", "code"} }
		}},
		{Name: "config-options-object", Description: "writes configOptions as an object", Break: onOptions(func([]any) any { return Object{} })},
		{Name: "config-option-without-name", Description: "lists an option without a name", Break: onModel(member(dropMember("name")))},
		{Name: "config-option-unknown-type", Description: "lists an option of an unknown type", Break: onModel(member(setMember("type", "slider")))},
		{Name: "config-option-without-values", Description: "lists a select without options", Break: onModel(member(dropMember("options")))},
		{Name: "config-current-not-listed", Description: "gives a select a current value that is not among its options",
			Break: onModel(member(setMember("currentValue", "none")))},
		{Name: "duplicate-config-ids", Description: "lists an option two times",
			Break: onOptions(func(options []any) any { return append(options[:1:1], options...) })},
		{Name: "mode-accepts-unknown", Description: "answers set_mode with success for a mode that does not exist",
			Break: func(b *Behaviour) { b.UnknownMode = func(string) *Error { return nil } }},
		{Name: "config-accepts-unknown-value", Description: "answers set_config_option with success for a value that does not exist",
			Break: func(b *Behaviour) { b.UnknownValue = func(string) *Error { return nil } }},
		{Name: "config-set-without-effect", Description: "answers set_config_option with the old value",
			Break: func(b *Behaviour) { b.SetModel = func(*Conn, *Session, string) {} }},
		{Name: "config-set-incomplete", Description: "answers set_config_option with an empty list", Break: func(b *Behaviour) {
			b.SetConfigResult = func(*Conn, *Session) any { return Object{"configOptions": []any{}} }
		}},
		{Name: "config-set-result-empty", Description: "answers set_config_option with an empty object", Break: func(b *Behaviour) {
			b.SetConfigResult = func(*Conn, *Session) any { return Object{} }
		}},
		{Name: "set-mode-result-string", Description: "answers set_mode with a string", Break: func(b *Behaviour) {
			before := b.SetMode
			b.SetMode = func(c *Conn, r *Request) (any, *Error) {
				result, e := before(c, r)
				if e == nil {
					result = "ok"
				}
				return result, e
			}
		}},
		{Name: "set-mode-unanswered", Description: "never answers set_mode", Break: func(b *Behaviour) { b.SetMode = unanswered }},
		{Name: "mode-update-mode-id", Description: "names the mode modeId in current_mode_update", Break: func(b *Behaviour) {
			b.ModeUpdate = func(mode string) Object { return Object{"sessionUpdate": "current_mode_update", "modeId": mode} }
		}},
	}
}
