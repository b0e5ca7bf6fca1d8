package fakeagent

import (
	"encoding/base64"
	"path/filepath"
	"strconv"
	"strings"
)

// pageSize is the number of sessions on one page of session/list; small, so that a second page is easy to reach.
const pageSize = 3

// newSession is session/new. See https://agentclientprotocol.com/protocol/v1/session-setup#creating-a-session.
func newSession(c *Conn, r *Request) (any, *Error) {
	if e := c.b.CheckNew(c, r); e != nil {
		return nil, e
	}
	s := c.a.create(text(r.Params, "cwd"), c.b.SessionID)
	c.equip(s, r.Params)
	c.b.BeforeNewSession(c, s)
	result := c.sessionState(s)
	result["sessionId"] = s.ID
	return c.b.NewSessionResult(result), nil
}

func newSessionResult(result Object) any { return result }

func beforeNewSession(*Conn, *Session) {}

// afterNewSession tells the client the commands, which here are the directives.
func afterNewSession(c *Conn, s *Session) {
	if s != nil {
		c.announce(s, c.b.Commands())
	}
}

func afterLoad(*Conn, *Session) {}
func afterClose(*Conn, string)  {}

// sessionState is what new, load and resume have in common. A nil member is left out.
func (c *Conn) sessionState(s *Session) Object {
	state := Object{}
	if modes := c.b.Modes(c, s); modes != nil {
		state["modes"] = modes
	}
	if options := c.b.ConfigOptions(c, s); options != nil {
		state["configOptions"] = options
	}
	return state
}

// load is session/load: it replays the whole conversation before it answers.
// See https://agentclientprotocol.com/protocol/v1/session-setup#loading-sessions.
func load(c *Conn, r *Request) (any, *Error) {
	s, e := c.reopen(r, c.b.CheckNew, c.b.LoadUnknown)
	if e != nil {
		return nil, e
	}
	for _, u := range c.b.Replay(c, s) {
		c.announce(s, u)
	}
	return c.b.LoadResult(c.sessionState(s)), nil
}

func loadResult(state Object) any { return state }

// resume is session/resume: like load, but nothing is replayed.
// See https://agentclientprotocol.com/protocol/v1/session-setup#resuming-sessions.
func resume(c *Conn, r *Request) (any, *Error) {
	s, e := c.reopen(r, c.b.CheckNew, c.b.ResumeUnknown)
	if e != nil {
		return nil, e
	}
	for _, u := range c.b.ResumeReplay(c, s) {
		c.announce(s, u)
	}
	return c.sessionState(s), nil
}

func reopenUnknown(_ *Conn, id string) (*Session, *Error) { return nil, unknownSession(id) }

// reopen brings a session into memory.
func (c *Conn) reopen(r *Request, check func(*Conn, *Request) *Error, unknown func(*Conn, string) (*Session, *Error)) (*Session, *Error) {
	id, ok := r.Params["sessionId"].(string)
	if !ok {
		return nil, invalidParams("sessionId must be a string")
	}
	if e := check(c, r); e != nil {
		return nil, e
	}
	s := c.a.lookUp(id)
	if s == nil {
		return unknown(c, id)
	}
	if e := c.a.lock(id); e != nil {
		return nil, e
	}
	c.a.activate(s)
	c.a.update(func() { s.Cwd = text(r.Params, "cwd") })
	c.equip(s, r.Params)
	return s, nil
}

func replay(c *Conn, s *Session) []Object {
	var history []Object
	c.a.update(func() { history = append(history, s.History...) })
	return c.dialect().rewrite(s, history)
}

func replayNothing(*Conn, *Session) []Object { return nil }

// closeSession is session/close: a running turn is cancelled, the history is kept.
func closeSession(c *Conn, r *Request) (any, *Error) {
	id, e := sessionParam(r)
	if e != nil {
		return nil, e
	}
	s := c.a.active(id)
	if s == nil {
		return nil, unknownSession(id)
	}
	c.b.CloseTurn(c, s)
	c.b.StopServers(c, s)
	c.a.release(s)
	return Object{}, nil
}

func closeTurn(c *Conn, s *Session) {
	if t := c.turnOf(s); t != nil {
		t.cancel()
	}
}

// listSessions is session/list. See https://agentclientprotocol.com/protocol/v1/session-list.
func listSessions(c *Conn, r *Request) (any, *Error) {
	cwd, filtered := r.Params["cwd"].(string)
	if r.Params["cwd"] != nil && (!filtered || !filepath.IsAbs(cwd)) {
		return nil, invalidParams("cwd must be an absolute path")
	}
	after, e := c.b.Cursor(r.Params["cursor"])
	if e != nil {
		return nil, e
	}
	wanted, e := c.archiveFilter(r.Params["archived"])
	if e != nil {
		return nil, e
	}
	sessions, next := []any{}, 0
	for _, s := range c.a.all() {
		place := c.a.placeOf(s)
		if place <= after && len(sessions) == 0 || filtered && !c.b.InDirectory(s, cwd) || !wanted(s) || !c.b.Listed(c, s) {
			continue
		}
		if len(sessions) >= pageSize && place > after { // sessions of two processes may share a place
			next = after
			break
		}
		sessions, after = append(sessions, c.b.SessionInfo(c, s)), place
	}
	result := Object{"sessions": sessions}
	if next > 0 {
		result["nextCursor"] = c.b.NextCursor(next)
	}
	return c.b.ListResult(result), nil
}

func listResult(result Object) any            { return result }
func isListed(*Conn, *Session) bool           { return true }
func inDirectory(s *Session, cwd string) bool { return filepath.Clean(s.Cwd) == filepath.Clean(cwd) }

func sessionInfo(c *Conn, s *Session) Object {
	info, archives := Object{}, c.b.Archives(c)
	c.a.update(func() {
		info["sessionId"], info["cwd"], info["updatedAt"] = s.ID, s.Cwd, s.Updated
		if s.Title != "" {
			info["title"] = s.Title
		}
		if archives {
			info["archived"] = s.Archived
		}
	})
	return info
}

func nextCursor(after int) string {
	return base64.RawURLEncoding.EncodeToString([]byte("after:" + strconv.Itoa(after)))
}

// cursor reads what nextCursor wrote; anything else is an error.
func cursor(v any) (int, *Error) {
	if v == nil {
		return 0, nil
	}
	s, _ := v.(string)
	plain, err := base64.RawURLEncoding.DecodeString(s)
	digits, found := strings.CutPrefix(string(plain), "after:")
	n, numberErr := strconv.Atoi(digits)
	if err != nil || !found || numberErr != nil {
		return 0, invalidParams("invalid cursor")
	}
	return n, nil
}

// deleteSession is session/delete; a session that does not exist is deleted already.
func deleteSession(c *Conn, r *Request) (any, *Error) {
	id, e := sessionParam(r)
	if e != nil {
		return nil, e
	}
	s := c.a.lookUp(id)
	if s == nil {
		return c.b.DeleteUnknown(id)
	}
	closeTurn(c, s)
	c.b.StopServers(c, s)
	c.b.Remove(c.a, id)
	return Object{}, nil
}

func deleteUnknown(string) (any, *Error) { return Object{}, nil }

func sessionParam(r *Request) (string, *Error) {
	id, ok := r.Params["sessionId"].(string)
	if !ok {
		return "", invalidParams("sessionId must be a string")
	}
	return id, nil
}

// announce sends an update that belongs to no turn.
func (c *Conn) announce(s *Session, u Object) {
	for _, m := range c.b.SessionUpdate(s, u) {
		c.Send(m)
	}
}

func sessionUpdate(s *Session, u Object) []*Message { return []*Message{updateMessage(s.ID, u)} }

func updateMessage(sessionID string, u Object) *Message {
	return &Message{Method: "session/update", Params: Object{"sessionId": sessionID, "update": u}}
}

func commands() Object {
	list := []any{}
	for _, d := range directives() {
		if !d.in(1) {
			continue
		}
		command := Object{"name": d.Name, "description": d.Description}
		if d.Args != "" {
			command["input"] = Object{"hint": d.Args}
		}
		list = append(list, command)
	}
	return Object{"sessionUpdate": "available_commands_update", "availableCommands": list}
}
