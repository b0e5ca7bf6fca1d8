package rules

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"time"

	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/wire"
)

// clientView is what a client knew at a point of a conversation, and what it has done since.
type clientView struct {
	script      ClientScript
	exit        *ClientExit
	exitAt      time.Time
	step        *ClientStep // the frame is this step
	version     int
	initialized bool
	handshake   []wire.Frame    // initialize and its answer
	caps        json.RawMessage // the capabilities of the agent's sessions
	marker      json.RawMessage // that of session/status, nil where it is absent
	acted       bool            // it sent something after the handshake
	acts        int             // its requests and notifications, without those for the status
	steps       int             // the lines that it has printed
	prompts     int
	completed   int // turns that have ended
	anyOpened   bool
	usage       bool // the agent reported usage, and not in a status
	sessions    map[string]*clientSession
	last        wire.Frame // its last line
	asked       []int      // the requests for a status that have no answer yet, by their place
	reordered   bool       // an answer to one of them came before that to an earlier one
}

// clientSession is what a client knew of a session.
type clientSession struct {
	answer   statusAnswer   // the last one
	told     []statusAnswer // the first answer of each kind, before and after it was opened
	answers  map[statusKind]int
	before   statusAnswer // the last one before it was opened
	opening  bool         // a load or resume is under way
	opened   bool         // this connection made, loaded or resumed it
	tempted  bool         // it was active before this connection had opened it
	refused  []wire.Frame // the load or resume that failed, and its error
	failed   *wire.Frame  // the prompt that failed after the session was opened: its error
	prompt   wire.Frame   // of the turn that runs
	running  bool
	inserted bool // version 2: the prompt has been accepted
	reported bool // the agent has reported its foreground state in an update
	idle     bool // and that was idle at least once
	outlived bool // an idle state came in an answer while the turn ran, and the turn ended later
	lived    bool // and the client went on with the session after that
	asking   int  // requests for its status that have no answer yet
}

func newClientView() clientView { return clientView{sessions: map[string]*clientSession{}} }

func (v *clientView) session(id string) *clientSession {
	s := v.sessions[id]
	if s == nil {
		s = &clientSession{}
		v.sessions[id] = s
	}
	return s
}

// shownSession is the session that a step is about, nil where that cannot be told.
func (v *clientView) shownSession(s *ClientStep) *clientSession {
	if s.SessionID != "" {
		return v.sessions[s.SessionID]
	}
	if len(v.sessions) == 1 {
		for _, only := range v.sessions {
			return only
		}
	}
	return nil
}

// openedUnasked tells whether the client has opened a session and never asked for its status.
func (v *clientView) openedUnasked(id string) bool {
	s := v.sessions[id]
	return s != nil && (s.opened || s.opening) && len(s.told) == 0 && s.asking == 0
}

// asksFor tells whether an initialize asks for a version.
func asksFor(hello wire.Frame, version int) bool {
	return string(wire.Member(wire.Inspect(hello.Line).Params, "protocolVersion")) == strconv.Itoa(version)
}

// running tells whether a turn of the client runs.
func (v *clientView) running() bool {
	for _, s := range v.sessions {
		if s.running {
			return true
		}
	}
	return false
}

// remark reads what the judge has to say, before a rule looks.
func (v *clientView) remark(r *rule.Reading) {
	v.step = nil
	if r.From != wire.Suite || bytes.HasPrefix(r.Line, []byte(`{"printed":`)) { // by far the most of them
		return
	}
	var m ClientRemark
	if json.Unmarshal(r.Line, &m) != nil {
		return
	}
	if v.step = m.Step; v.step != nil {
		v.steps++
	}
	if m.Script != nil {
		v.script = *m.Script
	}
	if m.Exit != nil {
		v.exit, v.exitAt = m.Exit, r.At
	}
}

// apply folds a frame into the view, after a rule has looked.
func (v *clientView) apply(r *rule.Reading) {
	switch {
	case r.From == wire.Client && (r.Kind == wire.Request || r.Kind == wire.Notification):
		v.did(r)
	case r.From == wire.Agent && r.Kind == wire.Response && r.Asked.Seq > 0 && r.Nth == 1:
		v.answered(r)
	case r.IsUpdate():
		v.updated(r)
	}
}

func (v *clientView) did(r *rule.Reading) {
	v.last = r.Frame
	v.acted = v.acted || v.initialized
	if s := v.sessions[r.Session]; s != nil {
		s.lived = s.lived || s.outlived
	}
	if r.Method != "session/status" {
		v.acts++
	}
	switch r.Method {
	case "session/status":
		v.session(r.Session).asking++
		v.asked = append(v.asked, r.Seq)
	case "session/load", "session/resume":
		v.session(r.Session).opening = true
	case "session/prompt":
		v.prompts++
		s := v.session(r.Session)
		s.prompt, s.running, s.inserted = r.Frame, true, false
	}
}

func (v *clientView) answered(r *rule.Reading) {
	ok := r.Result != nil
	switch r.Method {
	case "initialize":
		v.handshake = r.Cite()
		if ok {
			v.version, v.initialized, v.caps, v.marker = r.Version, true, sessionCapabilities(r), statusMarkerOf(r)
		}
	case "session/new", "session/fork":
		if ok && r.Session != "" {
			v.session(r.Session).opened, v.anyOpened = true, true
		}
	case "session/load", "session/resume":
		s := v.session(r.Session)
		s.opening, s.opened, s.refused = false, ok, nil
		v.anyOpened = v.anyOpened || ok
		if !ok {
			s.refused = r.Cite()
		}
	case "session/close", "session/delete":
		v.session(r.Session).opened = !ok && v.session(r.Session).opened
	case "session/prompt":
		v.promptAnswered(r, ok)
	case "session/status":
		v.statusTold(r)
	}
}

// promptAnswered ends the turn in version 1; in version 2 a turn ends by an idle state.
func (v *clientView) promptAnswered(r *rule.Reading, ok bool) {
	s := v.session(r.Session)
	s.inserted = ok
	if !ok && s.opened {
		s.failed = &r.Frame
	}
	if !ok || r.Version == 1 {
		s.running = false
	}
	if !ok || r.Version == 1 {
		v.completed++ // a turn that fails has ended, too
	}
}

func (v *clientView) updated(r *rule.Reading) {
	if wire.Member(r.Body, "usage") != nil || r.Update == "usage_update" {
		v.usage = true
	}
	if r.Update != "state_update" {
		return
	}
	s := v.session(r.Session)
	s.reported = true
	if wordOf(wire.Member(r.Body, "state")) == "idle" {
		s.idle = true
		if s.running && s.inserted {
			s.outlived = s.outlived || s.stale()
			s.running, s.inserted = false, false
			v.completed++
		}
	}
}

func (v *clientView) statusTold(r *rule.Reading) {
	s := v.session(r.Session)
	s.asking--
	v.reordered = v.reordered || len(v.asked) > 0 && v.asked[0] != r.Asked.Seq
	v.asked = slices.DeleteFunc(v.asked, func(seq int) bool { return seq == r.Asked.Seq })
	a := statusAnswer{cite: r.Cite(), acts: v.acts, steps: v.steps, at: r.At}
	a.kind, a.raw, a.own = v.kindOf(r), wire.Member(r.Result, "state"), s.opened || s.opening
	if a.kind == saysActive {
		a.state = stateOf(a.raw)
		s.tempted = s.tempted || !s.opened && !s.opening
	}
	s.answer = a
	if s.answers == nil {
		s.answers = map[statusKind]int{}
	}
	s.answers[a.kind]++
	if !s.opened {
		s.before = a
	}
	for _, t := range s.told {
		if t.kind == a.kind && t.state == a.state && t.own == a.own {
			return
		}
	}
	s.told = append(s.told, a)
}

// supported tells whether the agent advertises session/status: by an object, whatever is in it.
func (v *clientView) supported() bool { return len(v.marker) > 0 && v.marker[0] == '{' }

// absent tells whether the agent says nothing of session/status.
func (v *clientView) absent() bool { return v.marker == nil }

func sessionCapabilities(r *rule.Reading) json.RawMessage {
	if r.Version == 1 {
		return wire.Member(wire.Member(r.Result, "agentCapabilities"), "sessionCapabilities")
	}
	return wire.Member(wire.Member(r.Result, "capabilities"), "session")
}

func statusMarkerOf(r *rule.Reading) json.RawMessage {
	return wire.Member(sessionCapabilities(r), "status")
}
