package fakeagent

import (
	"encoding/json"
	"os"
	"path/filepath"
)

// toolFaults are about the course of a tool call.
func toolFaults() []Fault {
	steps := func(statuses ...string) func(*Behaviour) {
		return func(b *Behaviour) { b.ToolSteps = func() []string { return statuses } }
	}
	return []Fault{
		{Name: "tool-call-id-reused", Description: "gives every tool call the same id",
			Break: func(b *Behaviour) { b.ToolID = func(*Turn, int) string { return "call_1" } }},
		{Name: "tool-update-without-call", Description: "updates a tool call that was never announced",
			Break: func(b *Behaviour) { b.ToolCall = func(*Turn, *Tool) Object { return nil } }},
		{Name: "tool-status-goes-back", Description: "sets a completed tool call back to in_progress and completes it again",
			Break: steps("in_progress", "completed", "in_progress", "completed")},
		{Name: "tool-status-back-to-pending", Description: "sets a running tool call back to pending", Break: steps("in_progress", "pending", "completed")},
		{Name: "tool-snake-case-id", Description: "repeats toolCallId as tool_call_id", Break: func(b *Behaviour) {
			before := b.ToolCall
			b.ToolCall = func(t *Turn, tool *Tool) Object { return with(before(t, tool), "tool_call_id", tool.ID) }
		}},
		{Name: "diff-relative-path", Description: "shows a diff of a relative path", Break: onDiff("notes.txt")},
	}
}

// onDiff changes the path of every diff.
func onDiff(path string) func(*Behaviour) {
	return func(b *Behaviour) {
		before := b.ToolUpdate
		b.ToolUpdate = func(t *Turn, tool *Tool, status string, content []any) Object {
			for i, entry := range content {
				if o, ok := entry.(Object); ok && o["type"] == "diff" {
					content[i] = with(o, "path", path)
				}
			}
			return before(t, tool, status, content)
		}
	}
}

func onPermission(change func(Object) Object) func(*Behaviour) {
	return func(b *Behaviour) {
		before := b.PermissionParams
		b.PermissionParams = func(t *Turn, tool *Tool) any {
			params, _ := before(t, tool).(Object)
			return change(params)
		}
	}
}

func onRead(change func(Object) Object) func(*Behaviour) {
	return func(b *Behaviour) {
		before := b.ReadParams
		b.ReadParams = func(t *Turn, path string) any {
			params, _ := before(t, path).(Object)
			return change(params)
		}
	}
}

func onTerminal(change func(Object) Object) func(*Behaviour) {
	return func(b *Behaviour) {
		before := b.TerminalParams
		b.TerminalParams = func(t *Turn, words []string) any {
			params, _ := before(t, words).(Object)
			return change(params)
		}
	}
}

// clientFaults are about the requests to the client.
func clientFaults() []Fault {
	return []Fault{
		{Name: "permission-without-options", Description: "asks for permission without options", Break: onPermission(dropMember("options"))},
		{Name: "permission-without-tool-call", Description: "asks for permission without saying what for", Break: onPermission(dropMember("toolCall"))},
		{Name: "permission-without-session", Description: "asks for permission without a session id", Break: onPermission(dropMember("sessionId"))},
		{Name: "permission-option-unknown-kind", Description: "offers an option of an unknown kind", Break: onPermission(setMember("options", []any{
			Object{"optionId": "allow", "name": "Allow", "kind": "allow"}, Object{"optionId": "reject", "name": "Reject", "kind": "reject"}}))},
		{Name: "permission-duplicate-options", Description: "offers two options with the same id", Break: onPermission(setMember("options", []any{
			Object{"optionId": "allow", "name": "Allow", "kind": "allow_once"}, Object{"optionId": "allow", "name": "Reject", "kind": "reject_once"}}))},
		{Name: "permission-array-params", Description: "asks for permission with params that are an array", Break: func(b *Behaviour) {
			b.PermissionParams = func(t *Turn, _ *Tool) any { return []any{t.s.ID} }
		}},
		{Name: "permission-for-unknown-tool", Description: "asks for permission for a tool call that it never announced", Break: onPermission(
			setMember("toolCall", Object{"toolCallId": "call_unknown"}))},
		{Name: "works-before-permission", Description: "creates the file before it has the permission", Break: func(b *Behaviour) {
			before := b.PermissionParams
			b.PermissionParams = func(t *Turn, tool *Tool) any {
				if tool.Path != "" {
					_ = os.WriteFile(tool.Path, []byte("not permitted\n"), 0o600)
				}
				return before(t, tool)
			}
		}},
		{Name: "ignores-reject", Description: "goes on after a reject as if it had been allowed", Break: func(b *Behaviour) {
			before := b.Decide
			b.Decide = func(t *Turn, result Object, e *Error) (string, error) {
				decision, err := before(t, result, e)
				if err == nil {
					decision = "allow"
				}
				return decision, err
			}
		}},
		{Name: "unknown-option-allows", Description: "takes an option that it never offered for permission", Break: func(b *Behaviour) {
			before := b.Decide
			b.Decide = func(t *Turn, result Object, e *Error) (string, error) {
				outcome, _ := result["outcome"].(Object)
				if id, ok := outcome["optionId"].(string); ok && !contains([]string{"allow", "always", "reject"}, id) {
					return "allow", nil
				}
				return before(t, result, e)
			}
		}},
		{Name: "reject-ends-turn-cancelled", Description: "ends the turn as cancelled after a reject",
			Break: func(b *Behaviour) { b.AfterReject = func(*Turn) error { return errCancelled } }},
		{Name: "reject-is-error", Description: "answers the prompt with an error after a reject", Break: func(b *Behaviour) {
			b.AfterReject = func(*Turn) error { return &Error{Code: codeInternal, Message: "Permission denied"} }
		}},
		{Name: "read-relative-path", Description: "asks the client for a relative path", Break: onRead(func(params Object) Object {
			return with(params, "path", filepath.Base(text(params, "path")))
		})},
		{Name: "read-without-path", Description: "asks the client for a file without a path", Break: onRead(dropMember("path"))},
		{Name: "read-file-uri", Description: "asks the client for a file by its uri", Break: onRead(func(params Object) Object {
			return with(params, "path", "file://"+text(params, "path"))
		})},
		{Name: "read-negative-line", Description: "asks the client for a negative line", Break: onRead(setMember("line", -1))},
		{Name: "read-line-out-of-range", Description: "asks the client for a line that does not fit into 32 bits", Break: onRead(setMember("line", 4294967296))},
		{Name: "read-line-as-float", Description: "asks the client for line 1.0", Break: onRead(setMember("line", json.RawMessage("1.0")))},
		{Name: "read-line-zero", Description: "asks the client for line 0", Break: onRead(setMember("line", 0))},
		{Name: "read-unknown-session", Description: "asks the client for a file for a session that does not exist", Break: onRead(setMember("sessionId", "sess_unknown"))},
		{Name: "write-without-content", Description: "asks the client to write a file without content", Break: func(b *Behaviour) {
			b.WriteParams = func(t *Turn, path, _ string) any { return Object{"sessionId": t.s.ID, "path": path} }
		}},
		{Name: "terminal-args-string", Description: "writes the arguments of a command as one string", Break: onTerminal(setMember("args", "a b"))},
		{Name: "terminal-relative-cwd", Description: "runs a command in a relative directory", Break: onTerminal(setMember("cwd", "."))},
		{Name: "terminal-negative-limit", Description: "limits the output of a command to a negative number", Break: onTerminal(setMember("outputByteLimit", -1))},
		{Name: "terminal-not-released", Description: "releases no terminal of a turn that ends by itself",
			Break: func(b *Behaviour) { b.ReleaseAndWait = func(*Turn, Object) error { return nil } }},
		{Name: "terminal-not-released-on-cancel", Description: "releases no terminal of a cancelled turn",
			Break: func(b *Behaviour) { b.Release = func(*Turn, Object) {} }},
		{Name: "terminal-used-after-release", Description: "asks for the output of a terminal that it has released", Break: func(b *Behaviour) {
			b.ReleaseAndWait = func(t *Turn, ref Object) error {
				if err := releaseAndWait(t, ref); err != nil {
					return err
				}
				_, _, err := t.ask(waitClient, "terminal/output", ref)
				return err
			}
		}},
		{Name: "client-error-ends-turn", Description: "answers the prompt with an error when the client refuses permission with one", Break: func(b *Behaviour) {
			before := b.Decide
			b.Decide = func(t *Turn, result Object, e *Error) (string, error) {
				if e != nil {
					return "", e
				}
				return before(t, result, e)
			}
		}},
	}
}

// writeMarker leaves a file in the session's directory.
func (t *Turn) writeMarker(name string) {
	_ = os.WriteFile(path(t, name), []byte("still at work\n"), 0o600)
}
