package rule

import (
	"encoding/json"

	"github.com/acp-conform/acp-conform/conformance/wire"
)

// SessionState is what is known of a session.
type SessionState struct {
	Issued  bool       // the agent gave us the id
	Deleted bool       // it was deleted: what is said of it now is said of a session that does not exist
	Pending bool       // a load, resume or fork of it is under way
	Loaded  int        // how often it was loaded or resumed
	Turn    *TurnState // the turn that runs or ran last
	Turns   int
	State   json.RawMessage // the last state_update, in version 2
}

// TurnState is one turn.
type TurnState struct {
	Prompt     wire.Frame
	ID         string
	Running    bool
	Cancelled  bool       // we sent session/cancel, $/cancel_request or session/close while it ran
	Overlapped bool       // another prompt of the session was sent while it ran
	Refused    bool       // the user was asked for a permission or an answer in this turn
	Response   wire.Frame // its answer
	StopReason string
}

func (s *SessionState) begin(r *Reading) {
	t := &TurnState{Prompt: r.Frame, ID: r.Key(), Running: true}
	if s.Turn != nil && s.Turn.Running {
		t.Overlapped, s.Turn.Overlapped = true, true
	}
	s.Turn = t
	s.Turns++
}

func (s *SessionState) cancel() {
	if s.Turn != nil && s.Turn.Running {
		s.Turn.Cancelled = true
	}
}

// report notes what a session of version 2 says about itself: https://agentclientprotocol.com/protocol/v2/draft/prompt-lifecycle#session-states.
func (s *SessionState) report(r *Reading) {
	s.State = r.Body
	if s.Turn != nil && str(wire.Member(r.Body, "state")) == "idle" {
		s.Turn.Running, s.Turn.StopReason = false, str(wire.Member(r.Body, "stopReason"))
	}
}
