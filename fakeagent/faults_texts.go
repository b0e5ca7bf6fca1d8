package fakeagent

import "path/filepath"

func onCompactions(status string) func(*Behaviour) {
	return func(b *Behaviour) {
		before := b.Compactions
		b.Compactions = func(id string) []Object {
			updates := before(id)
			updates[0] = with(updates[0], "status", status)
			return updates
		}
	}
}

func onElicit(change func(Object) Object) func(*Behaviour) {
	return func(b *Behaviour) {
		before := b.ElicitParams
		b.ElicitParams = func(t *Turn) any {
			params, _ := before(t).(Object)
			return change(params)
		}
	}
}

// formOf asks for one thing in a form.
func formOf(property Object) func(Object) Object {
	return setMember("requestedSchema", Object{"type": "object", "properties": Object{"answer": property}})
}

func severity(name string) func(*Behaviour) {
	return func(b *Behaviour) {
		before := b.Notice
		b.Notice = func(text string) Object { return with(before(text), "severity", name) }
	}
}

func updatedAt(at string) Object {
	return Object{"sessionUpdate": "session_info_update", "updatedAt": at}
}

func subagent(key string, value any) Object {
	return Object{"sessionUpdate": "subagent_update", "sessionId": "sess_sub", "title": "Helper", key: value}
}

// textFaults are strings that a schema lets pass: paths that are not absolute, times that are none, names of one's own
// without an underscore.
func textFaults() []Fault {
	return []Fault{
		{Name: "diff-file-uri", Description: "shows a diff of a file by its uri", Break: onDiff("file:///fake/notes.txt")},
		{Name: "permission-diff-relative-path", Description: "asks for permission with a diff of a relative path", Break: onPermission(func(params Object) Object {
			call, _ := params["toolCall"].(Object)
			return with(params, "toolCall", with(call, "content", []any{Object{"type": "diff", "path": "notes.txt", "newText": "new\n"}}))
		})},
		{Name: "tool-location-file-uri", Description: "writes a location as a uri",
			Break: extraTool(setMember("locations", []any{Object{"path": "/fake/notes.txt"}, Object{"path": "file:///fake/notes.txt"}}))},
		{Name: "write-relative-path", Description: "asks the client to write to a relative path", Break: func(b *Behaviour) {
			b.WriteParams = func(t *Turn, path, content string) any { return writeParams(t, filepath.Base(path), content) }
		}},
		{Name: "subagent-relative-cwd", Description: "tells of a subagent in a relative directory", Break: extraUpdate(subagent("cwd", "sub"))},
		{Name: "subagent-relative-directory", Description: "tells of a subagent with a relative additional directory",
			Break: extraUpdate(subagent("additionalDirectories", []any{"/fake", "./more"}))},
		{Name: "updated-at-words", Description: "writes updatedAt in words", Break: extraUpdate(updatedAt("Thu Jan 1 00:00:00 2026"))},
		{Name: "updated-at-seconds", Description: "writes updatedAt as a string of seconds since 1970", Break: extraUpdate(updatedAt("1767225600"))},
		{Name: "updated-at-without-offset", Description: "writes updatedAt without an offset", Break: extraUpdate(updatedAt("2026-01-01T00:00:00"))},
		{Name: "updated-at-date", Description: "writes updatedAt as a date", Break: extraUpdate(updatedAt("2026-01-01"))},
		{Name: "notice-severity-unknown", Description: "sends a notice with a severity that does not exist", Break: severity("critical")},
		{Name: "compaction-status-unknown", Description: "begins a compaction with a status that does not exist", Break: onCompactions("started")},
		{Name: "config-category-unknown", Description: "lists an option in a category that does not exist", Break: onModel(member(setMember("category", "llm")))},
		{Name: "elicit-mode-unknown", Description: "asks the user in a mode that does not exist", Break: onElicit(setMember("mode", "wizard"))},
		{Name: "elicit-property-unknown-type", Description: "asks for a property of a type that does not exist", Break: onElicit(formOf(Object{"type": "date"}))},
		{Name: "elicit-items-unknown-type", Description: "asks for a list of items of a type that does not exist", Break: onElicit(formOf(
			Object{"type": "array", "items": Object{"type": "text", "enum": []any{"a", "b"}}}))},
	}
}
