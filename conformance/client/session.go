package client

import (
	"encoding/json"

	"github.com/acp-conform/acp-conform/conformance/wire"
)

// Session is a session that the agent opened for us.
type Session struct {
	c      *Client
	ID     string
	Dir    string // its working directory: fresh, absolute and free of symlinks
	Answer Answer
}

// NewSession opens a session in a fresh directory. The second value is false where the answer is no session.
func (c *Client) NewSession() (*Session, bool) {
	dir, err := c.NewDir()
	if err != nil {
		return &Session{c: c, Answer: Answer{State: Never, Why: "no directory could be made: " + err.Error()}}, false
	}
	return c.NewSessionWith(map[string]any{"cwd": dir, "mcpServers": []any{}}, dir)
}

// NewSessionWith opens a session with params of the caller's choice that work in dir.
func (c *Client) NewSessionWith(params map[string]any, dir string) (*Session, bool) {
	a := c.Checked("session/new", params)
	s := &Session{c: c, Dir: dir, Answer: a, ID: text(wire.Member(a.Result, "sessionId"))}
	if s.ID != "" {
		c.mu.Lock()
		c.dirOf[s.ID] = dir
		c.mu.Unlock()
	}
	return s, a.OK() && s.ID != ""
}

// Checked is Call for a request whose silence is a finding: it is noted in the transcript.
func (c *Client) Checked(method string, params any) Answer {
	call := c.Start(method, params)
	a := call.Wait()
	if a.State != Met {
		call.GiveUp(a.Why)
	}
	return a
}

// Client gives the connection of the session.
func (s *Session) Client() *Client { return s.c }

// Cancel sends session/cancel and, as a client must, answers the permission requests that are open for the session.
func (s *Session) Cancel() {
	_ = s.c.Notify("session/cancel", map[string]any{"sessionId": s.ID})
	for _, a := range s.c.heldFor(s.ID, "session/request_permission") {
		a.Reply(CancelledPermission())
	}
}

// Text is a prompt of one text block.
func Text(s string) []any { return []any{map[string]any{"type": "text", "text": s}} }

// Fence names the request by whose answer absence is proved.
type Fence struct {
	Method string // "" = none is answered: a quiet window is used
	Params any
}

// Fences are the requests that may serve as a fence, the cheapest first. The first is a custom request that no agent knows:
// every agent owes it an error.
func Fences() []Fence {
	return []Fence{{Method: "_acp_conform/fence"}, {Method: "session/list"}}
}

// Fenced waits until everything that the agent wrote before now has arrived, and tells whether that was proved by an
// answer: the agent answers what we send here behind what it has to say about what we sent before.
func (c *Client) Fenced() bool {
	if c.Fence.Method != "" {
		if a := c.Call(c.Fence.Method, c.Fence.Params); a.State == Met {
			return true
		} else if c.Gone() {
			return false
		}
	}
	c.Window()
	return false
}

// Alive tells whether the agent still answers, and what it said or why not.
func (c *Client) Alive() (bool, Answer) {
	for _, f := range []Fence{c.Fence, {Method: "session/new", Params: map[string]any{"cwd": c.Dir, "mcpServers": []any{}}}} {
		if f.Method == "" {
			continue
		}
		a := c.Call(f.Method, f.Params)
		if a.State == Met || f.Method == "session/new" || c.Gone() {
			return a.State == Met, a
		}
	}
	return false, Answer{}
}

// SessionID reads the session id of a result.
func SessionID(res json.RawMessage) string { return text(wire.Member(res, "sessionId")) }
