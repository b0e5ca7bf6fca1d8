package client

import (
	"encoding/json"
	"maps"
	"path/filepath"

	"github.com/acp-conform/acp-conform/conformance/wire"
)

// Adopt names a session that this connection did not open: one that is known from another process.
func (c *Client) Adopt(id, dir string) *Session {
	c.mu.Lock()
	c.dirOf[id] = dir
	c.mu.Unlock()
	if rel, err := filepath.Rel(c.Dir, dir); err == nil && filepath.IsLocal(rel) { // one that the user names is not the agent's to write
		c.files.add(dir)
	}
	return &Session{c: c, ID: id, Dir: dir}
}

// On is the same session, as another connection sees it.
func (s *Session) On(c *Client) *Session { return c.Adopt(s.ID, s.Dir) }

// Resume sends session/resume, which starts a session again without showing its history. It names no MCP servers.
// See https://agentclientprotocol.com/protocol/v1/session-setup#resuming-sessions.
func (s *Session) Resume() Answer {
	return s.c.Checked("session/resume", map[string]any{"sessionId": s.ID, "cwd": s.Dir})
}

// Load starts a session again and has its history shown: session/load, and in version 2 session/resume with replayFrom.
// See https://agentclientprotocol.com/protocol/v1/session-setup#loading-sessions.
func (s *Session) Load() Answer {
	if s.c.Init.Version == 2 {
		return s.c.Checked("session/resume", map[string]any{"sessionId": s.ID, "cwd": s.Dir, "replayFrom": map[string]any{"type": "start"}})
	}
	return s.c.Checked("session/load", map[string]any{"sessionId": s.ID, "cwd": s.Dir, "mcpServers": []any{}})
}

// CanResume tells whether the agent serves Resume, CanLoad whether it serves Load.
func (in Initialized) CanResume() bool { return in.has("sessionCapabilities.resume") }

// CanLoad tells whether the agent serves Load.
func (in Initialized) CanLoad() bool {
	return in.has("loadSession") || in.Version == 2 && in.CanResume()
}

// CanReattach tells whether an inactive session can be started again at all.
func (in Initialized) CanReattach() bool { return in.CanResume() || in.CanLoad() }

func (in Initialized) has(path string) bool { _, ok := in.Capability(path); return ok }

// Reattach starts an inactive session again: by session/resume if that is served, else by session/load.
func (s *Session) Reattach() Answer {
	if s.c.Init.CanResume() {
		return s.Resume()
	}
	return s.Load()
}

// Close sends session/close. See https://agentclientprotocol.com/protocol/v1/session-setup#closing-active-sessions.
func (s *Session) Close() Answer {
	return s.c.Checked("session/close", map[string]any{"sessionId": s.ID})
}

// Delete sends session/delete. See https://agentclientprotocol.com/protocol/v1/session-delete.
func (s *Session) Delete() Answer {
	return s.c.Checked("session/delete", map[string]any{"sessionId": s.ID})
}

// Row is a session as a list has it.
type Row struct {
	ID    string
	Cwd   string
	Raw   json.RawMessage
	Frame wire.Frame // the response that holds it
}

// mostPages are the pages of a list that are read: an agent whose cursors never end is not followed for ever.
const mostPages = 200

// List reads all pages of session/list, in their order. ok is false where a page was no list, or there is no end of them; the
// answer is the last one. See https://agentclientprotocol.com/protocol/v1/session-list.
func (c *Client) List() (rows []Row, a Answer, ok bool) { return c.ListWith(nil) }

// ListWith is List with further params, such as a filter.
func (c *Client) ListWith(params map[string]any) (rows []Row, a Answer, ok bool) {
	seen := map[string]bool{}
	ask := map[string]any{}
	maps.Copy(ask, params)
	for range mostPages {
		a = c.Checked("session/list", maps.Clone(ask))
		var page struct{ Sessions []json.RawMessage }
		if !a.OK() || json.Unmarshal(a.Result, &page) != nil {
			return rows, a, false
		}
		for _, raw := range page.Sessions {
			rows = append(rows, Row{ID: text(wire.Member(raw, "sessionId")), Cwd: text(wire.Member(raw, "cwd")), Raw: raw, Frame: a.Frame})
		}
		next := text(wire.Member(a.Result, "nextCursor"))
		if next == "" {
			return rows, a, true
		}
		if seen[next] {
			return rows, a, false
		}
		seen[next] = true
		ask["cursor"] = next
	}
	return rows, a, false
}
