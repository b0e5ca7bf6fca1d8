package fakeagent

import (
	"os"
	"path/filepath"
	"strings"
)

// ask sends a request to the client and waits for the answer. The error is errCancelled or errGone.
func (t *Turn) ask(kind wait, method string, params any) (Object, *Error, error) {
	var id any
	var key string
	asksUser := kind == waitPermission || method == "elicitation/create"
	ans, err := t.waitFor(kind, func(w *waiter) {
		if asksUser {
			t.d.blocked(t)
		}
		id, key = t.c.newCall(w)
		t.c.Send(&Message{ID: id, Method: method, Params: params})
		if t.b.CallTwice(t, method) {
			t.c.Send(&Message{ID: id, Method: method, Params: params})
		}
	})
	if ans.cancelled {
		t.c.disown(key, func(late Object) { t.tooLate(method, late) })
		t.c.Send(&Message{Method: "$/cancel_request", Params: Object{"requestId": id}})
	}
	if asksUser && err == nil {
		t.d.unblocked(t)
	}
	result, _ := ans.result.(Object)
	return result, ans.err, err
}

// post sends a request whose answer does not matter; a cancelled turn cleans up with it.
func (t *Turn) post(method string, params Object) {
	id, _ := t.c.newCall(nil)
	t.c.Send(&Message{ID: id, Method: method, Params: params})
}

func (c *Conn) newCall(w *waiter) (id any, key string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.calls++
	id = c.b.RequestID(c, c.calls)
	key = string(encodeValue(id))
	c.pending[key] = w
	return id, key
}

// disown lets the answer to a request come without anybody waiting for it.
func (c *Conn) disown(key string, late func(Object)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.pending[key] = nil
	c.late[key] = late
}

// tooLate is told the answer to a request of a turn that has been cancelled: a terminal must still be released.
func (t *Turn) tooLate(method string, result Object) {
	if id, ok := result["terminalId"].(string); ok && method == "terminal/create" {
		t.b.Release(t, Object{"sessionId": t.s.ID, "terminalId": id})
	}
}

func requestID(_ *Conn, n int) any { return n }

func callTwice(*Turn, string) bool { return false }

// runPermission asks the user. See https://agentclientprotocol.com/protocol/v1/tool-calls#requesting-permission.
func runPermission(t *Turn, path string) (string, error) {
	kind := "execute"
	if path != "" {
		path, kind = t.b.Path(t, path), "edit"
	}
	tool := t.newTool(kind, "A tool that needs permission", path)
	if t.b.AnnounceBeforePermission() {
		t.begin(tool)
	}
	decision, err := t.permit(tool)
	if err != nil {
		return "", err
	}
	if !t.b.AnnounceBeforePermission() {
		t.begin(tool)
	}
	if decision != "allow" {
		t.progress(tool, "failed", toolText("not permitted"))
		return "", t.b.AfterReject(t)
	}
	t.progress(tool, "in_progress")
	if path != "" {
		_ = os.WriteFile(path, []byte("permitted\n"), 0o600)
	}
	t.progress(tool, "completed", toolText("done"))
	return "", nil
}

func announceBeforePermission() bool { return true }
func afterReject(*Turn) error        { return nil }

func (t *Turn) permit(tool *Tool) (string, error) {
	var always bool
	t.c.a.update(func() { always = t.s.Always })
	if always {
		return "allow", nil
	}
	result, e, err := t.ask(waitPermission, "session/request_permission", t.d.permission(t, tool))
	if err != nil {
		return "", err
	}
	return t.d.decide(t, result, e)
}

func permissionParams(t *Turn, tool *Tool) any {
	return Object{"sessionId": t.s.ID, "toolCall": Object{"toolCallId": tool.ID, "title": tool.Title, "kind": tool.Kind},
		"options": []any{
			Object{"optionId": "allow", "name": "Allow once", "kind": "allow_once"},
			Object{"optionId": "always", "name": "Always allow", "kind": "allow_always"},
			Object{"optionId": "reject", "name": "Reject", "kind": "reject_once"},
		}}
}

// decide reads the outcome; whatever is not one of our allow options is no permission.
func decide(t *Turn, result Object, e *Error) (string, error) {
	outcome, _ := result["outcome"].(Object)
	switch {
	case e == nil && outcome["outcome"] == "cancelled":
		return "cancelled", errCancelled
	case e == nil && outcome["outcome"] == "selected" && outcome["optionId"] == "always":
		t.c.a.update(func() { t.s.Always = true })
		return "allow", nil
	case e == nil && outcome["outcome"] == "selected" && outcome["optionId"] == "allow":
		return "allow", nil
	}
	return "reject", nil
}

// path makes a path of a directive absolute, below the working directory of the session.
func path(t *Turn, name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	var cwd string
	t.c.a.update(func() { cwd = t.s.Cwd })
	return filepath.Join(cwd, name)
}

// runRead reads through the client where it can, to see unsaved text.
// See https://agentclientprotocol.com/protocol/v1/file-system#reading-files.
func runRead(t *Turn, name string) (string, error) {
	full := t.b.Path(t, name)
	tool := t.newTool("read", "Read "+filepath.Base(full), full)
	t.begin(tool)
	t.progress(tool, "in_progress")
	content, ok := "", true
	if t.b.MayRead(t.c) {
		result, e, err := t.ask(waitClient, "fs/read_text_file", t.b.ReadParams(t, full))
		if err != nil {
			return "", err
		}
		content, ok = result["content"].(string)
		ok = ok && e == nil
	} else {
		data, err := os.ReadFile(full)
		content, ok = string(data), err == nil
	}
	if !ok {
		t.progress(tool, "failed", toolText("the file could not be read"))
		t.say("the file could not be read")
		return "", nil
	}
	t.progress(tool, "completed", toolText(content))
	t.say(content)
	return "", nil
}

func readParams(t *Turn, path string) any { return Object{"sessionId": t.s.ID, "path": path} }

// runWrite writes through the client where it can.
// See https://agentclientprotocol.com/protocol/v1/file-system#writing-files.
func runWrite(t *Turn, args string) (string, error) {
	name, content, _ := strings.Cut(args, " ")
	full := t.b.Path(t, name)
	tool := t.newTool("edit", "Write "+filepath.Base(full), full)
	t.begin(tool)
	t.progress(tool, "in_progress")
	ok, before := true, t.d.before(full)
	if t.b.MayWrite(t.c) {
		_, e, err := t.ask(waitClient, "fs/write_text_file", t.b.WriteParams(t, full, content))
		if err != nil {
			return "", err
		}
		ok = e == nil
	} else {
		ok = os.WriteFile(full, []byte(content), 0o600) == nil
	}
	if !ok {
		t.progress(tool, "failed", toolText("the file could not be written"))
		return "", nil
	}
	t.progress(tool, "completed", t.d.diff(full, before, content))
	return "", nil
}

func writeParams(t *Turn, path, content string) any {
	return Object{"sessionId": t.s.ID, "path": path, "content": content}
}

// runElicit asks for a form. See https://agentclientprotocol.com/protocol/v1/elicitation.
func runElicit(t *Turn, _ string) (string, error) {
	if !t.b.MayElicit(t.c) {
		t.say("the client shows no forms")
		return "", nil
	}
	result, e, err := t.ask(waitClient, "elicitation/create", t.b.ElicitParams(t))
	if err != nil {
		return "", err
	}
	action, _ := result["action"].(string)
	if e != nil || action == "" {
		action = "no answer"
	}
	t.say("the form came back: " + action)
	return "", nil
}

func elicitParams(t *Turn) any {
	return Object{"mode": "form", "sessionId": t.s.ID, "message": "What is your name?",
		"requestedSchema": Object{"type": "object", "required": []any{"name"},
			"properties": Object{"name": Object{"type": "string", "title": "Name"}}}}
}
