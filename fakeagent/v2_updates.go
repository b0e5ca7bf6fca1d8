package fakeagent

import (
	"fmt"
	"os"
	"strings"
)

// toolCall2 is the first report of a tool call, which is an update like the later ones.
// See https://agentclientprotocol.com/protocol/v2/draft/tool-calls.
func toolCall2(t *Turn, tool *Tool) Object {
	return with(toolCall(t, tool), "sessionUpdate", "tool_call_update")
}

// diff1 shows the whole texts.
func diff1(path, before, after string) any {
	diff := Object{"type": "diff", "path": path, "newText": after}
	if before != "" {
		diff["oldText"] = before
	}
	return diff
}

// diff2 says which file changed, and how in the form of git, with absolute paths.
func diff2(path, before, after string) any {
	operation, patch := "modify", "diff --git "+path+" "+path+"\n"
	if before == "" {
		operation = "add"
		patch += "new file mode 100644\n--- /dev/null\n"
	} else {
		patch += "--- " + path + "\n"
	}
	patch += "+++ " + path + "\n" + hunk(before, after)
	return Object{"type": "diff",
		"changes": []any{Object{"operation": operation, "path": path, "fileType": "text"}},
		"patch":   Object{"format": "git_patch", "text": patch}}
}

// hunk replaces one text by another.
func hunk(before, after string) string {
	old, new := lines(before), lines(after)
	return fmt.Sprintf("@@ -%s +%s @@\n", span(old), span(new)) + marked("-", old) + marked("+", new)
}

func span(lines []string) string { return fmt.Sprintf("%d,%d", min(1, len(lines)), len(lines)) }

func lines(text string) []string {
	found := strings.SplitAfter(text, "\n")
	if found[len(found)-1] == "" {
		found = found[:len(found)-1]
	}
	return found
}

func marked(sign string, lines []string) string {
	var out strings.Builder
	for _, line := range lines {
		out.WriteString(sign + line)
		if !strings.HasSuffix(line, "\n") {
			out.WriteString("\n\\ No newline at end of file\n")
		}
	}
	return out.String()
}

// contentOf is the text of a file, or nothing.
func contentOf(path string) string {
	data, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	return string(data)
}

func plan2(t *Turn, done int) Object { return planUpdate(t.s, plan(done)["entries"]) }

// planUpdate is a plan with the one id that the session has for plans.
func planUpdate(s *Session, entries any) Object {
	return Object{"sessionUpdate": "plan_update",
		"plan": Object{"type": "items", "planId": fmt.Sprintf("plan_%04d", s.Number), "entries": entries}}
}

// commands2 are the directives of version 2 as commands.
func commands2() []any {
	list := []any{}
	for _, d := range directives() {
		if !d.in(2) {
			continue
		}
		command := Object{"type": "command", "name": d.Name, "description": d.Description}
		if d.Args != "" {
			command["input"] = Object{"type": "text", "hint": d.Args}
		}
		list = append(list, command)
	}
	return list
}

// permissionParams2 is https://agentclientprotocol.com/protocol/v2/draft/tool-calls#requesting-permission.
func permissionParams2(t *Turn, tool *Tool) any {
	first, _ := permissionParams(t, tool).(Object)
	return Object{"sessionId": t.s.ID, "title": "May the tool run?", "options": first["options"],
		"subject": Object{"type": "tool_call", "toolCall": first["toolCall"]}}
}

// decide2 differs from decide in what a client means that answers with cancelled: the user said neither yes nor no, and
// nobody cancelled the turn.
func decide2(t *Turn, result Object, e *Error) (string, error) {
	decision, _ := decide(t, result, e)
	if decision != "allow" {
		decision = "reject"
	}
	return decision, nil
}

// cancelToolCall and cancelTerminal refuse: no tool call or terminal of this agent says that it can be cancelled.
func cancelToolCall(c *Conn, r *Request) (any, *Error) { return nil, c.notCancellable(r, "toolCallId") }
func cancelTerminal(c *Conn, r *Request) (any, *Error) { return nil, c.notCancellable(r, "terminalId") }

func (c *Conn) notCancellable(r *Request, key string) *Error {
	if e := needTexts(r.Params, "sessionId", key); e != nil {
		return e
	}
	if id := text(r.Params, "sessionId"); c.a.active(id) == nil {
		return unknownSession(id)
	}
	return invalidParams(key + " names nothing that can be cancelled")
}
