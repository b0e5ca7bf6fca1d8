package rules

import (
	"time"

	"github.com/acp-conform/acp-conform/conformance/client"
)

// modelState is where the model has a session.
type modelState int

const (
	modelNever modelState = iota // the id was never given out
	modelIn                      // in memory: it was made, loaded or resumed, and nothing has happened since that takes it out
	modelGone                    // out of memory, and nothing has happened since that brings it back
	modelOpen                    // either is right, for example after the deletion of a session in memory
)

// allowed are the answers that are true of a session in the state. An agent need not keep sessions, nor tell those that it does
// not know from those that are not in memory.
func (s modelState) allowed() []client.Standing {
	switch s {
	case modelIn:
		return []client.Standing{client.Active}
	case modelOpen:
		return []client.Standing{client.Active, client.Inactive, client.Unknown}
	}
	return []client.Standing{client.Inactive, client.Unknown}
}

// allows tells whether an answer can be true. What says nothing about memory, such as a word of the agent's own, may be.
func (s modelState) allows(said client.Standing) bool {
	switch said {
	case client.Active:
		return s == modelIn || s == modelOpen
	case client.Inactive, client.Unknown:
		return s != modelIn
	}
	return true
}

// modelSession is a session as the model follows it.
type modelSession struct {
	*client.Session
	of      int
	state   modelState
	by      modelOp   // what brought it there
	at      int       // the step that did
	since   time.Time // when that was answered
	left    bool      // it has been seen out of memory since
	lags    bool      // it was closed, and may take a while to notice
	fresh   bool      // the last step brought it into memory
	running bool      // a turn of it surely runs
	failed  bool      // the last step was to load it, and failed
}

// becomes notes a change of state by a step.
func (s *modelSession) becomes(state modelState, by modelOp, at int) {
	s.state, s.by, s.at, s.since, s.left, s.lags = state, by, at, time.Now(), false, false
}

// follow changes the state as a step does that was answered by success or by an error. An error where the model expects none
// leaves open what has become of the session: it may have been evicted before.
func (s *modelSession) follow(op modelOp, ok bool, at int) {
	switch {
	case s.state == modelNever && ok: // it should not have succeeded, but that is another matter
		s.becomes(modelOpen, op, at)
	case (op == modelNew || op == modelLoad || op == modelResume || op == modelRefused) && ok:
		s.becomes(modelIn, op, at)
		s.fresh = op != modelRefused
	case op == modelLoad || op == modelResume || op == modelRefused:
		s.failed = true
		s.unsure(op, at)
	case !ok:
		s.unsure(op, at)
	case op == modelClose, op == modelBreak:
		if s.state != modelGone {
			s.becomes(modelGone, modelClose, at)
		}
		s.lags = true
	case op == modelEvict, op == modelDelete && s.state == modelGone && s.by != modelRestart:
		s.becomes(modelGone, op, at)
	case op == modelDelete:
		s.becomes(modelOpen, op, at)
	}
}

func (s *modelSession) unsure(op modelOp, at int) {
	if s.state == modelIn {
		s.becomes(modelOpen, op, at)
	}
}

// modelKind is in which way an answer contradicts the model.
type modelKind int

const (
	modelLostInTurn modelKind = iota // not active while a turn runs
	modelLostAtOnce                  // not active right after session/new, session/load or session/resume
	modelLost                        // not active any more
	modelBack                        // active, although nothing has brought it back
	modelDenied                      // active, although a prompt was refused because the session is not known
)

// modelClass is what two contradictions have in common that are the same.
type modelClass struct {
	kind   modelKind
	said   client.Standing
	by     modelOp // what brought the session where the model has it
	left   bool    // it was seen out of memory before
	failed bool    // the step before was to load it, and failed
}

// modelConflict is an answer that contradicts the model.
type modelConflict struct {
	modelClass
	steps  []modelStep // that led to it
	of     int         // the session
	since  int         // the step that brought it where the model has it
	waited time.Duration
	status client.Status
	want   []client.Standing
	cite   []client.Answer
}

// conflict compares an answer with the model.
func (s *modelSession) conflict(st client.Status) *modelConflict {
	if s.state.allows(st.Standing) {
		return nil
	}
	c := &modelConflict{modelClass: modelClass{said: st.Standing, by: s.by}, of: s.of, since: s.at, waited: time.Since(s.since), status: st, want: s.state.allowed()}
	switch {
	case s.state != modelIn:
		c.kind, c.left, c.failed = modelBack, s.left, s.failed
		if s.left && s.state == modelGone && s.by != modelRestart { // how it left does not matter any more
			c.by = modelClose
		}
	case s.running:
		c.kind = modelLostInTurn
	case s.fresh:
		c.kind = modelLostAtOnce
	default:
		c.kind, c.by = modelLost, ""
	}
	return c
}
