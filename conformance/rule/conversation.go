package rule

import (
	"encoding/json"
	"strings"

	"github.com/acp-conform/acp-conform/conformance/client"
	"github.com/acp-conform/acp-conform/conformance/result"
	"github.com/acp-conform/acp-conform/conformance/wire"
	"github.com/acp-conform/acp-conform/schemas"
)

// Conversation is what can be known of one connection by folding its frames: who waits for what, which sessions there are,
// which turns run.
type Conversation struct {
	Edition  *schemas.Edition         // every frame is compared with its definitions
	Frames   result.Frames            // how many of them could be
	Version  int                      // negotiated, 0 before
	Sessions map[string]*SessionState // by id, as soon as either side has named it in a request or a result
	Asked    map[string]*Exchange     // our requests by id
	Asking   map[string]*Exchange     // the agent's requests that we have not answered, by id
	asking   int                      // bytes of the lines of Asking
	Client   json.RawMessage          // the capabilities that we advertised
	// Vocabulary is the pair of words of session/status that the agent is held to, by the name of client.Vocabularies; "" before
	// the first of them.
	Vocabulary string
	Closing    bool // we have begun to end the agent: what it leaves open or cuts off is our doing
	Tainted    bool // we sent something bad on purpose: watchers look away from there on
	// Watching are the ids of the rules that watch: what one of them would report is another's where it does not watch.
	Watching map[string]bool
	// Fault is set when a frame of ours that was not bad on purpose breaks our own schemas.
	Fault string
}

// Exchange is a request and what became of it.
type Exchange struct {
	Request   wire.Frame
	Method    string
	Session   string
	Params    json.RawMessage
	Responses int
}

// NewConversation starts with nothing known.
func NewConversation(e *schemas.Edition) *Conversation {
	return &Conversation{Edition: e, Frames: result.Frames{Edition: e.Name()}, Sessions: map[string]*SessionState{}, Asked: map[string]*Exchange{}, Asking: map[string]*Exchange{}}
}

// forget drops what was known of a connection that is over. The counts and the faults stay.
func (c *Conversation) forget() {
	c.Sessions, c.Asked, c.Asking, c.Client = nil, nil, nil, nil
}

// Read makes the reading of the next frame. Apply has to follow, when the watchers have seen it.
func (c *Conversation) Read(f wire.Frame, e wire.Envelope) *Reading {
	r := &Reading{Frame: f, Envelope: e, Conversation: c, Version: c.Version}
	if f.From == wire.Suite {
		r.Remark = &client.Remark{}
		_ = json.Unmarshal(f.Line, r.Remark)
		return r
	}
	if f.From == wire.AgentStderr {
		return r
	}
	if e.Broken == wire.RungUTF8 || e.Kind == wire.None {
		c.count(r)
		return r
	}
	sender, kind := schemas.Agent, schemas.Notification
	if f.From == wire.Client {
		sender = schemas.Client
	}
	switch e.Kind {
	case wire.Response:
		kind = schemas.Result
		c.answers(r)
	case wire.Request:
		kind, r.Method, r.Part = schemas.Request, e.Name, e.Params
	case wire.Notification:
		r.Method, r.Part = e.Name, e.Params
	}
	if r.Session == "" && !strings.HasPrefix(r.Method, "_") {
		r.Session = str(wire.Member(r.Part, "sessionId"))
	}
	if r.Method == "session/update" && e.Kind != wire.Response {
		r.Body = wire.Member(r.Part, "update")
		r.Update = str(wire.Member(r.Body, "sessionUpdate"))
	}
	c.define(r, sender, kind)
	c.count(r)
	return r
}

// highestVersion is the largest number that a version can have: https://agentclientprotocol.com/protocol/v1/schema#protocolversion
const highestVersion = 65535

// answers finds the request that a response answers.
func (c *Conversation) answers(r *Reading) {
	table := c.Asked
	if r.From == wire.Client {
		table = c.Asking
	}
	x := table[r.Key()]
	if x == nil {
		return
	}
	r.Asked, r.Method, r.Nth = x.Request, x.Method, x.Responses+1
	r.Part = r.Result
	r.Session = x.Session
	if x.Method == "session/new" || x.Method == "session/fork" {
		r.Session = str(wire.Member(r.Result, "sessionId"))
	}
	if x.Method == "initialize" && r.Mine() {
		if v := client.WholeNumber(wire.Member(r.Result, "protocolVersion")); v <= highestVersion {
			r.Version = max(v, 0) // a number that cannot be a version is judged as a bad answer of this one
		}
	}
}

// Apply folds the reading into the conversation.
func (c *Conversation) Apply(r *Reading) {
	switch {
	case r.Remark != nil:
		c.Closing = c.Closing || r.Remark.Closing
	case r.From == wire.AgentStderr:
	case r.From == wire.Client && r.Deliberate:
		c.Tainted = true
	case r.From == wire.Client:
		c.applyOurs(r)
	default:
		c.applyTheirs(r)
	}
}

func (c *Conversation) session(id string) *SessionState {
	s := c.Sessions[id]
	if s == nil {
		s = &SessionState{}
		c.Sessions[id] = s
	}
	return s
}

func (c *Conversation) applyOurs(r *Reading) {
	switch r.Kind {
	case wire.Request:
		c.Asked[r.Key()] = &Exchange{Request: r.Frame, Method: r.Method, Session: r.Session, Params: r.Params}
		switch r.Method {
		case "initialize":
			c.Client = wire.Member(r.Params, "clientCapabilities")
		case "session/prompt":
			c.session(r.Session).begin(r)
		case "session/load", "session/resume", "session/fork":
			c.session(r.Session).Pending = true
		case "session/close":
			c.session(r.Session).cancel()
		}
	case wire.Notification:
		switch r.Method {
		case "session/cancel":
			c.session(r.Session).cancel()
		case "$/cancel_request":
			c.cancelRequest(wire.Member(r.Params, "requestId"))
		}
	case wire.Response:
		if x := c.Asking[r.Key()]; x != nil {
			c.answered(x, r)
			c.asking -= len(x.Request.Line)
			delete(c.Asking, r.Key())
		}
	}
}

func (c *Conversation) cancelRequest(id json.RawMessage) {
	for _, s := range c.Sessions {
		if s.Turn != nil && s.Turn.ID == string(id) {
			s.cancel()
		}
	}
}

// answered notes what the user was asked: the turn may end in other ways then.
func (c *Conversation) answered(x *Exchange, r *Reading) {
	if x.Method != "session/request_permission" && x.Method != "elicitation/create" {
		return
	}
	s := c.Sessions[x.Session]
	if s != nil && s.Turn != nil && s.Turn.Running {
		s.Turn.Refused = true // allowed or not, the turn is not an undisturbed one any more
	}
}

// Open requests of an agent are remembered up to so many, or so many bytes of them; whoever has more is not told more about them. The
// same goes for sessions that the agent alone speaks of.
const (
	keptAsking   = 10_000
	keptBytes    = 8 << 20
	keptSessions = 10_000
)

func (c *Conversation) applyTheirs(r *Reading) {
	switch {
	case r.Kind == wire.Request && r.ID != nil && string(r.ID) != "null" && len(c.Asking) < keptAsking && c.asking < keptBytes:
		c.asking += len(r.Line)
		if x := c.Asking[r.Key()]; x != nil {
			c.asking -= len(x.Request.Line)
		}
		c.Asking[r.Key()] = &Exchange{Request: r.Frame, Method: r.Method, Session: r.Session, Params: r.Params}
	case r.Update == "state_update" && r.Version == 2 && r.Session != "" && len(c.Sessions) < keptSessions:
		c.session(r.Session).report(r)
	case r.Kind == wire.Response && r.Asked.Seq > 0:
		x := c.Asked[r.Key()]
		x.Responses++
		if x.Responses == 1 {
			c.concluded(x, r)
		}
	}
}

// concluded applies the first response to a request of ours.
func (c *Conversation) concluded(x *Exchange, r *Reading) {
	ok := r.Result != nil
	switch x.Method {
	case "initialize":
		c.Version = r.Version
	case "session/new":
		if r.Session != "" {
			c.session(r.Session).Issued = true
		}
	case "session/load", "session/resume", "session/fork":
		s := c.session(x.Session)
		s.Pending = false
		if ok {
			s.Issued, s.Deleted = true, false
			s.Loaded++
		}
		if x.Method == "session/fork" && r.Session != "" {
			c.session(r.Session).Issued = true
		}
	case "session/prompt":
		s := c.session(x.Session)
		switch t := s.Turn; {
		case t == nil || t.ID != r.Key():
		case c.Version == 2 && ok: // it has begun: idle ends it
			t.Response = r.Frame
		default:
			t.Running, t.Response, t.StopReason = false, r.Frame, str(wire.Member(r.Result, "stopReason"))
		}
	case "session/delete":
		c.session(x.Session).Deleted = ok
	case "session/status":
		if v, ok := client.VocabularyOf(str(wire.Member(r.Result, "status"))); ok && c.Vocabulary == "" {
			c.Vocabulary = v.Name
		}
	}
}

// Creating tells whether a request that will issue a session id is under way: updates may come before its answer.
func (c *Conversation) Creating() bool {
	for _, x := range c.Asked {
		if x.Responses == 0 && (x.Method == "session/new" || x.Method == "session/fork") {
			return true
		}
	}
	return false
}

func str(raw json.RawMessage) string {
	var s string
	_ = json.Unmarshal(raw, &s)
	return s
}
