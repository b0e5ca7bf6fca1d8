package rules

import (
	"github.com/acp-conform/acp-conform/conformance/client"
	"github.com/acp-conform/acp-conform/conformance/rule"
)

// modelStimuli are what the turns of the operations do.
var modelStimuli = map[modelOp]rule.Stimulus{
	modelPrompt:  rule.ShortTurn,
	modelCancel:  rule.LongTurn,
	modelAllow:   rule.Permission,
	modelDismiss: rule.Permission,
	modelEvict:   rule.Evict,
	modelBreak:   rule.LongTurn,
}

// turn takes a turn in a session, if one more prompt is allowed.
func (w *modelWalk) turn(s *modelSession, op modelOp) *modelConflict {
	if w.prompts == 0 {
		return nil
	}
	w.prompts--
	if op == modelAllow || op == modelDismiss {
		w.agent.cl.HoldAll("session/request_permission")
		defer w.agent.cl.On("session/request_permission", client.RejectPermission)
	}
	task := w.c.Task(modelStimuli[op])
	turn := s.Prompt(task.Prompt, task.Certain)
	if turn.Refused() != nil {
		w.prompts = 0
		return nil
	}
	x, closed := w.during(s, turn, op)
	a := turn.End()
	w.note(a)
	switch {
	case op == modelBreak:
		s.follow(op, closed, w.at)
	case x == nil && a.Code() == client.CodeNotFound:
		s.follow(op, false, w.at)
		return w.denied(s)
	default:
		s.follow(op, a.OK(), w.at)
	}
	return x
}

// during does what the operation does while the turn runs, and asks for the status there. It tells whether the session was closed.
func (w *modelWalk) during(s *modelSession, turn *client.Turn, op modelOp) (x *modelConflict, closed bool) {
	switch op {
	case modelCancel, modelBreak:
		if !turn.Started() {
			return nil, false
		}
		if x = w.inTurn(s); op == modelBreak {
			return x, w.send(s, modelClose)
		}
		return w.cancelled(turn, x), false
	case modelAllow, modelDismiss:
		asked, ok := turn.AwaitAsk("session/request_permission")
		if !ok {
			return nil, false
		}
		if x = w.inTurn(s); op == modelDismiss {
			return w.cancelled(turn, x), false
		}
		result, failure := client.AllowPermission(asked)
		if failure != nil {
			asked.Fail(failure.Code, failure.Message)
		} else {
			asked.Reply(result)
		}
	}
	return x, false
}

// denied asks for the status of a session that a prompt was refused for because the agent does not know it.
func (w *modelWalk) denied(s *modelSession) *modelConflict {
	if !w.asks {
		return nil
	}
	st := ask(w.c, w.agent.cl, s.ID)
	if st.Standing != client.Active {
		return nil
	}
	return w.unless(s, &modelConflict{modelClass: modelClass{kind: modelDenied, said: st.Standing}, of: s.of, since: s.at, status: st, want: modelGone.allowed()})
}

// inTurn asks for the status while a turn surely runs: nothing but a cancellation or an answer of ours can end it.
func (w *modelWalk) inTurn(s *modelSession) *modelConflict {
	s.running = true
	defer func() { s.running = false }()
	return w.look()
}

// cancelled cancels the turn, and asks before it is known to have ended.
func (w *modelWalk) cancelled(turn *client.Turn, x *modelConflict) *modelConflict {
	turn.Cancel()
	if x != nil {
		return x
	}
	return w.look()
}
