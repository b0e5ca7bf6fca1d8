package rules

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/wire"
)

// Client is the part of the contract that binds clients. Its rules watch a conversation between a client and a fake agent
// whose odd answers are deliberate: they judge the lines of the client, and what it made of those answers.
func Client() []rule.Rule {
	return slices.Concat(clientStatus(), clientStatusState(), clientStatusError())
}

// ClientRemark is a remark in the transcript of a client under test. The script comes first and the exit last; the steps stand
// where they were read, so that whatever led to a step stands before it.
type ClientRemark struct {
	Script *ClientScript `json:"script,omitempty"`
	Step   *ClientStep   `json:"step,omitempty"`
	Exit   *ClientExit   `json:"exit,omitempty"`
}

// ClientScript is what the agent played, and what is known of the client from all that it did.
type ClientScript struct {
	Name    string `json:"name"`
	Actions string `json:"actions"` // what the user did meanwhile
	// Active and Inactive are the words of the agent for a session that is in memory, and for one that is only known.
	Active   string       `json:"active"`
	Inactive string       `json:"inactive"`
	Last     bool         `json:"last"`    // no connection of the client came after this one
	Control  ClientHabits `json:"control"` // what the client does where nothing is odd
	Here     ClientHabits `json:"here"`    // what it did in this script, on all connections
}

// ClientHabits are what a client does. A rule compares those under an odd answer with those under a plain one.
type ClientHabits struct {
	Sent   []string `json:"sent,omitempty"`   // the methods of its requests, sorted
	Prints bool     `json:"prints,omitempty"` // it prints what it shows
	Knows  bool     `json:"knows,omitempty"`  // it knew the word for a session in memory
	Shows  bool     `json:"shows,omitempty"`  // it showed a session as idle of which the status said so
	Idle   bool     `json:"idle,omitempty"`   // it showed a session as idle of which the status said nothing of the kind, as one may in version 1
	Counts bool     `json:"counts,omitempty"` // it counted a turn that had ended
	Well   bool     `json:"well,omitempty"`   // it ended by itself with exit code 0
	Ends   bool     `json:"ends,omitempty"`   // it did so in one script at least, so that a bad end is not how it always ends
	Opened bool     `json:"opened,omitempty"` // it made, loaded or resumed a session
	Before bool     `json:"before,omitempty"` // it opened a session of which it had not asked for the status, and asked for it later
	Shook  bool     `json:"shook,omitempty"`  // it asked for a version of the protocol and got that one
	Agreed bool     `json:"agreed,omitempty"` // it went on after the version was agreed
}

// Sends tells whether the client sends requests of a method.
func (h ClientHabits) Sends(method string) bool { return slices.Contains(h.Sent, method) }

// ClientStep is a line that a client printed: what its user sees after a step.
type ClientStep struct {
	Step      string `json:"step"` // status, prompt or another
	SessionID string `json:"sessionId,omitempty"`
	// Status is what the client makes of the answer: active, inactive or unknown (there is no such session).
	Status string `json:"status,omitempty"`
	// Shown is the foreground state that the client shows: idle, running, requires_action or unknown.
	Shown       string          `json:"shown,omitempty"`
	Completions int             `json:"completions,omitempty"` // turns that it has counted as ended so far
	Usage       float64         `json:"usage,omitempty"`       // tokens that it has counted so far
	Error       json.RawMessage `json:"error,omitempty"`       // what it tells its user went wrong; null or absent = nothing
}

// Failed tells whether the client told its user of an error.
func (s ClientStep) Failed() bool {
	return s.Error != nil && string(s.Error) != "null" && string(s.Error) != `""` && string(s.Error) != "false"
}

// ClientExit is how a client ended.
type ClientExit struct {
	Code      int    `json:"code"`
	Signal    string `json:"signal,omitempty"`
	TimeLimit bool   `json:"timeLimit,omitempty"` // it did not end by itself and was ended by force
	Flooded   bool   `json:"flooded,omitempty"`   // it printed without an end and was ended by force
	Stderr    string `json:"stderr,omitempty"`    // the last that it wrote there
}

// Well tells whether the client did all that it had to do.
func (e ClientExit) Well() bool {
	return e.Code == 0 && e.Signal == "" && !e.TimeLimit && !e.Flooded
}

// How says how the client ended, for a person.
func (e ClientExit) How() string {
	switch {
	case e.Flooded:
		return "it printed to its stdout without an end"
	case e.TimeLimit:
		return "it did not end within its time"
	case e.Signal != "":
		return "it was ended by signal: " + e.Signal
	}
	return "it exited with code " + strconv.Itoa(e.Code)
}

// clientWatcher folds a conversation into what a client knew, and lets a rule look before each step of that.
type clientWatcher struct {
	view clientView
	see  func(*rule.Log, *clientView, *rule.Reading)
	end  func(*rule.Log, *clientView)
}

// See is shown a frame.
func (w *clientWatcher) See(l *rule.Log, r *rule.Reading) {
	w.view.remark(r)
	if w.see != nil {
		w.see(l, &w.view, r)
	}
	w.view.apply(r)
}

// End is called when the connection is over.
func (w *clientWatcher) End(l *rule.Log, _ *rule.Conversation) {
	if w.end != nil {
		w.end(l, &w.view)
	}
}

// watchClient makes the Watch function of a rule about clients. see and end may be nil.
func watchClient(see func(*rule.Log, *clientView, *rule.Reading), end func(*rule.Log, *clientView)) func() rule.Watcher {
	return func() rule.Watcher { return &clientWatcher{view: newClientView(), see: see, end: end} }
}

// WatchHabits adds what a client does on one connection to its habits.
func WatchHabits(h *ClientHabits) func() rule.Watcher {
	return watchClient(func(_ *rule.Log, v *clientView, r *rule.Reading) {
		switch {
		case r.From == wire.Client && r.Kind == wire.Request:
			if at, found := slices.BinarySearch(h.Sent, r.Method); !found {
				h.Sent = slices.Insert(h.Sent, at, r.Method)
			}
			h.Agreed = h.Agreed || v.initialized
			h.Before = h.Before || clientAsks(r) && v.openedUnasked(r.Session)
		case r.From == wire.Agent && r.IsResult("initialize"):
			h.Shook = h.Shook || asksFor(r.Asked, r.Version)
		case v.step != nil:
			h.Prints = true
			s := v.shownSession(v.step)
			h.Knows = h.Knows || s != nil && s.answer.kind == saysActive && meant(v.step.Status) == saysActive
			h.Shows = h.Shows || s != nil && v.step.Shown == "idle" && s.answer.state == stateIdle && !s.reported
			h.Idle = h.Idle || s != nil && v.version == 1 && v.step.Shown == "idle" && s.answer.raw == nil
			h.Counts = h.Counts || v.step.Completions > 0 && v.step.Completions <= v.completed
		}
	}, func(_ *rule.Log, v *clientView) {
		h.Well = v.exit != nil && v.exit.Well()
		h.Opened = h.Opened || v.anyOpened
	})
}
