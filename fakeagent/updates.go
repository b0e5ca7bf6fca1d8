package fakeagent

import (
	"encoding/base64"
	"fmt"
)

// Tool is a tool call of a turn. See https://agentclientprotocol.com/protocol/v1/tool-calls.
type Tool struct {
	ID    string
	Title string
	Kind  string
	Path  string // the file it works on, if any
}

// send writes an update of the turn and adds it to the history.
func (t *Turn) send(u Object) {
	if u == nil {
		return
	}
	t.sent++
	t.remember(u)
	for _, m := range t.b.TurnUpdate(t, u) {
		t.c.Send(m)
	}
}

// state writes an update that is no part of the conversation, so that it is not replayed.
func (t *Turn) state(u Object) { t.c.announce(t.s, u) }

func turnUpdate(t *Turn, u Object) []*Message { return []*Message{updateMessage(t.s.ID, u)} }

// newMessageID begins a message; every message of a session has an id of its own.
func (t *Turn) newMessageID(kind string) string {
	var n int
	t.c.a.update(func() { t.s.Message++; n = t.s.Message })
	return t.b.MessageID(t, kind, n)
}

func messageID(t *Turn, _ string, n int) string { return fmt.Sprintf("msg_%04d_%04d", t.s.Number, n) }

// say sends one message of one chunk per part.
func (t *Turn) say(parts ...string) {
	id := t.newMessageID("agent")
	for _, part := range parts {
		t.send(t.b.MessageChunk(t, t.b.TextBlock(part), id))
	}
}

func (t *Turn) sayBlock(block any) { t.send(t.b.MessageChunk(t, block, t.newMessageID("agent"))) }

func chunk(kind string, content any, id string) Object {
	u := Object{"sessionUpdate": kind, "content": content}
	if id != "" {
		u["messageId"] = id
	}
	return u
}

func messageChunk(_ *Turn, content any, id string) Object {
	return chunk("agent_message_chunk", content, id)
}

func thoughtChunk(_ *Turn, content any, id string) Object {
	return chunk("agent_thought_chunk", content, id)
}

// The content blocks. See https://agentclientprotocol.com/protocol/v1/content.

func textBlock(text string) any { return Object{"type": "text", "text": text} }

// pixel is a transparent picture of one pixel, silence a sound file without sound.
var (
	pixel = []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00\x1f\x15\xc4\x89" +
		"\x00\x00\x00\rIDATx\x9cc\x00\x01\x00\x00\x05\x00\x01\r\n-\xb4\x00\x00\x00\x00IEND\xaeB`\x82")
	hush = []byte("RIFF$\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00@\x1f\x00\x00@\x1f\x00\x00\x01\x00\x08\x00data\x00\x00\x00\x00")
)

func imageBlock() Object {
	return Object{"type": "image", "mimeType": "image/png", "data": base64.StdEncoding.EncodeToString(pixel)}
}

func audioBlock() Object {
	return Object{"type": "audio", "mimeType": "audio/wav", "data": base64.StdEncoding.EncodeToString(hush)}
}

func resourceBlock() Object {
	return Object{"type": "resource", "resource": Object{
		"uri": "file:///fake/notes.txt", "mimeType": "text/plain", "text": "some notes"}}
}

func blobBlock() Object {
	return Object{"type": "resource", "resource": Object{
		"uri": "file:///fake/pixel.png", "mimeType": "image/png", "blob": base64.StdEncoding.EncodeToString(pixel)}}
}

func linkBlock(annotations any) Object {
	return Object{"type": "resource_link", "uri": "file:///fake/notes.txt", "name": "notes.txt", "mimeType": "text/plain",
		"size": 10, "annotations": annotations}
}

func annotations() any {
	return Object{"audience": []any{"user"}, "priority": 0.5, "lastModified": "2026-01-01T00:00:00Z"}
}

// The tool calls. See https://agentclientprotocol.com/protocol/v1/tool-calls.

func (t *Turn) newTool(kind, title, path string) *Tool {
	var n int
	t.c.a.update(func() { t.s.Tools++; n = t.s.Tools })
	return &Tool{ID: t.b.ToolID(t, n), Title: title, Kind: kind, Path: path}
}

func toolID(t *Turn, n int) string { return fmt.Sprintf("call_%04d_%04d", t.s.Number, n) }

// begin announces a tool call as pending.
func (t *Turn) begin(tool *Tool) {
	t.open = append(t.open, tool)
	t.send(t.d.toolCall(t, tool))
}

func toolCall(t *Turn, tool *Tool) Object {
	u := Object{"sessionUpdate": "tool_call", "toolCallId": tool.ID, "title": tool.Title, "kind": tool.Kind,
		"status": "pending", "rawInput": t.b.RawInput(tool)}
	if tool.Path != "" {
		u["locations"] = t.b.Locations(tool)
	}
	return u
}

func rawInput(tool *Tool) any  { return Object{"title": tool.Title} }
func rawOutput(tool *Tool) any { return Object{"ok": true} }
func locations(tool *Tool) any { return []any{Object{"path": tool.Path, "line": 1}} }

// progress reports a status, and content if there is any.
func (t *Turn) progress(tool *Tool, status string, content ...any) {
	if status == "completed" || status == "failed" || status == "cancelled" {
		for i, open := range t.open {
			if open == tool {
				t.open = append(t.open[:i:i], t.open[i+1:]...)
				break
			}
		}
	}
	t.send(t.b.ToolUpdate(t, tool, status, content))
}

func toolUpdate(t *Turn, tool *Tool, status string, content []any) Object {
	u := Object{"sessionUpdate": "tool_call_update", "toolCallId": tool.ID, "status": status}
	if len(content) > 0 {
		u["content"] = content
	}
	if status == "completed" {
		u["rawOutput"] = t.b.RawOutput(tool)
	}
	return u
}

func toolText(text string) any {
	return Object{"type": "content", "content": Object{"type": "text", "text": text}}
}

func (t *Turn) failTools() { t.endTools("failed") }

// endTools ends every open tool call, because a turn leaves none behind.
func (t *Turn) endTools(status string) {
	for len(t.open) > 0 {
		t.progress(t.open[0], status)
	}
}

func finishTools(t *Turn) { t.endTools(t.d.interrupted) }

func plan(done int) Object {
	entries := []any{}
	for i, step := range []string{"Look", "Think", "Act"} {
		status := "pending"
		switch {
		case i < done:
			status = "completed"
		case i == done:
			status = "in_progress"
		}
		entries = append(entries, Object{"content": step, "priority": "medium", "status": status})
	}
	return Object{"sessionUpdate": "plan", "entries": entries}
}

func modeUpdate(mode string) Object {
	return Object{"sessionUpdate": "current_mode_update", "currentModeId": mode}
}

func infoUpdate(title, updated string) Object {
	return Object{"sessionUpdate": "session_info_update", "title": title, "updatedAt": updated}
}

func usageUpdate() Object {
	return Object{"sessionUpdate": "usage_update", "used": 1200, "size": 200000,
		"cost": Object{"amount": 0.01, "currency": "USD"}}
}

func notice(text string) Object {
	return Object{"sessionUpdate": "notice", "severity": "info", "title": text}
}

func compactions(id string) []Object {
	return []Object{
		{"sessionUpdate": "compaction_update", "compactionId": id, "status": "in_progress"},
		{"sessionUpdate": "compaction_summary_chunk", "compactionId": id, "content": textBlock("in short")},
		{"sessionUpdate": "compaction_update", "compactionId": id, "status": "completed",
			"summary": []any{textBlock("in short")}},
	}
}
