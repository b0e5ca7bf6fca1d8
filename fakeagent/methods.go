package fakeagent

import (
	"encoding/json"
	"strings"
)

// request answers a request, or starts the turn that will.
func (c *Conn) request(r *Request) {
	if string(r.ID) == "null" && c.speaks(2) {
		c.b.InvalidRequest(c, nil, "id must be a string or an integer")
		return
	}
	c.b.Age(c, r)
	result, e := c.dispatch(r)
	if e != nil && e != silence {
		e = c.b.ErrorFor(c, r, e)
	}
	switch {
	case e == silence:
	case e != nil:
		c.sayError(r.ID, e, r.Method)
	case result != nil:
		c.sayResult(r.ID, result, r.Method)
	}
	if e != nil {
		return
	}
	c.dialect().after(c, r, result)
}

// after1 is what follows the response to a request.
func after1(c *Conn, r *Request, result any) {
	switch r.Method {
	case "initialize":
		c.b.AfterInitialize(c)
	case "session/new":
		c.b.AfterNewSession(c, c.a.lookUp(sessionIDOf(result)))
	case "session/load":
		c.b.AfterLoad(c, c.a.lookUp(text(r.Params, "sessionId")))
	case "session/close":
		c.b.AfterClose(c, text(r.Params, "sessionId"))
	case "session/status":
		if s := c.b.StatusSession(c, text(r.Params, "sessionId")); s != nil {
			c.b.AfterStatus(c, s)
		}
	}
}

// dispatch returns a result, an error, or neither for a prompt whose turn goes on.
func (c *Conn) dispatch(r *Request) (any, *Error) {
	handle := c.handler(r.Method)
	if handle == nil {
		if strings.HasPrefix(r.Method, "_") {
			return c.b.ExtensionRequest(c, r)
		}
		return c.b.UnknownRequest(c, r)
	}
	if !c.isInitialized() && r.Method != "initialize" {
		if e := c.b.BeforeInitialize(c, r); e != nil {
			return nil, e
		}
	}
	if e := c.b.CheckParams(r); e != nil {
		return nil, e
	}
	if e := c.spareChild(r); e != nil {
		return nil, e
	}
	return handle(c, r)
}

// handler finds the method among those that this agent serves.
func (c *Conn) handler(method string) func(*Conn, *Request) (any, *Error) {
	entry, known := c.dialect().methods[method]
	if !known || !c.b.Serves(c, method, entry.capability) {
		return nil
	}
	return entry.handle
}

// method is a request of the client and the capability that it depends on, named as Config.Without names it.
type method struct {
	capability string
	handle     func(*Conn, *Request) (any, *Error)
}

func methods1(b *Behaviour) map[string]method {
	return map[string]method{
		"initialize":                {"", b.Initialize},
		"authenticate":              {"", b.Authenticate},
		"session/new":               {"", b.NewSession},
		"session/prompt":            {"", b.Prompt},
		"session/set_mode":          {"", b.SetMode},
		"session/set_config_option": {"", b.SetConfigOption},
		"session/load":              {"loadSession", b.Load},
		"session/resume":            {"sessionCapabilities.resume", b.Resume},
		"session/close":             {"sessionCapabilities.close", b.Close},
		"session/list":              {"sessionCapabilities.list", b.List},
		"session/delete":            {"sessionCapabilities.delete", b.Delete},
		"session/archive":           {archiveCapability, b.Archive},
		"session/unarchive":         {archiveCapability, b.Unarchive},
		"session/status":            {statusCapability, b.Status},
	}
}

// methods2 are the methods of version 2, where an agent that has sessions can list, resume and close them.
func methods2(b *Behaviour) map[string]method {
	return map[string]method{
		"initialize":                {"", b.Initialize},
		"auth/login":                {"", b.Login},
		"auth/logout":               {"", b.Logout},
		"session/new":               {"", b.NewSession2},
		"session/list":              {"", b.List},
		"session/resume":            {"", b.Resume2},
		"session/close":             {"", b.Close2},
		"session/prompt":            {"", b.Prompt2},
		"session/set_config_option": {"", b.SetConfigOption2},
		"session/delete":            {"sessionCapabilities.delete", b.Delete2},
		"session/archive":           {archiveCapability, b.Archive2},
		"session/unarchive":         {archiveCapability, b.Unarchive},
		"session/status":            {statusCapability, b.Status2},
		"tool_call/cancel":          {"", b.CancelToolCall},
		"terminal/cancel":           {"", b.CancelTerminal},
	}
}

func serves(c *Conn, _, capability string) bool {
	return !c.a.without[capability] && (capability != archiveCapability || c.b.Archives(c))
}

func unknownRequest(_ *Conn, r *Request) (any, *Error) {
	return nil, &Error{Code: codeMethodNotFound, Message: "Method not found: " + cut(r.Method, 80)}
}

func beforeInitialize(*Conn, *Request) *Error {
	return &Error{Code: codeInvalidRequest, Message: "Invalid request: initialize comes first"}
}

func checkParams(r *Request) *Error {
	if r.Array {
		return invalidParams("params must be an object")
	}
	return nil
}

// errorFor has the last word on the error of a request.
func errorFor(_ *Conn, _ *Request, e *Error) *Error { return e }

func invalidParams(reason string) *Error {
	return &Error{Code: codeInvalidParams, Message: "Invalid params: " + reason}
}

// unknownSession is the error for a session that does not exist or is not active.
// See https://agentclientprotocol.com/protocol/v1/schema#errorcode.
func unknownSession(id string) *Error {
	return &Error{Code: codeNotFound, Message: "Session not found", Data: Object{"sessionId": id}}
}

func (c *Conn) notification(r *Request) {
	switch {
	case r.Method == "session/cancel":
		c.b.Cancel(c, r)
	case r.Method == "$/cancel_request":
		c.b.CancelRequest(c, r)
	case strings.HasPrefix(r.Method, "_"):
		c.b.ExtensionNotification(c, r)
	default:
		c.b.UnknownNotification(c, r)
	}
}

// cancel is session/cancel. See https://agentclientprotocol.com/protocol/v1/prompt-turn#cancellation.
func cancel(c *Conn, r *Request) {
	id, ok := r.Params["sessionId"].(string)
	if !ok {
		c.b.MalformedCancel(c, r)
		return
	}
	s := c.a.active(id)
	if s == nil {
		c.b.UnknownCancel(c, id)
		return
	}
	for _, s := range c.b.CancelScope(c, s) {
		c.withdrawHeld(s)
		if t := c.turnOf(s); t != nil {
			t.cancel()
		} else {
			c.b.IdleCancel(c, s)
		}
	}
}

func idleCancel(*Conn, *Session) {}

func cancelScope(_ *Conn, s *Session) []*Session { return []*Session{s} }

// cancelRequest is $/cancel_request. Only prompts run for longer than it takes to answer them.
func cancelRequest(c *Conn, r *Request) {
	id, err := json.Marshal(r.Params["requestId"])
	if err != nil {
		return
	}
	if t := c.turnByRequest(id); t != nil {
		t.cancelByRequest()
		return
	}
	c.withdrawRequest(id)
}

func sessionIDOf(result any) string {
	o, _ := result.(Object)
	id, _ := o["sessionId"].(string)
	return id
}

func text(o Object, key string) string {
	s, _ := o[key].(string)
	return s
}

func cut(s string, n int) string {
	if len(s) > n {
		return strings.ToValidUTF8(s[:n], "") + "..."
	}
	return s
}
