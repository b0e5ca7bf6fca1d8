package rules

import (
	"github.com/acp-conform/acp-conform/conformance/client"
	"github.com/acp-conform/acp-conform/conformance/rule"
	"slices"
)

// modelAgent is an agent on which sequences are tried, and which may be ended and started again.
type modelAgent struct {
	c    *rule.Case
	cl   *client.Client
	home string // "" = the one that all agents share
	made int    // sessions
	bad  bool   // it got something that a conforming client does not send
}

func modelStart(c *rule.Case) *modelAgent {
	home, ok := c.Env.OwnHome()
	if !ok {
		home = ""
	}
	return &modelAgent{c: c, cl: c.ConnectAt(home), home: home}
}

func (a *modelAgent) restart() {
	a.end()
	a.cl, a.bad = a.c.ConnectAt(a.home), false
}

func (a *modelAgent) end() { a.c.End(a.cl) }

// modelWalk takes the steps of one sequence.
type modelWalk struct {
	*modelLab
	agent    *modelAgent
	steps    []modelStep
	at       int  // the step that is being taken
	asks     bool // the status of every session is asked for after each step
	patient  bool // a close is given its time
	sessions [modelSessions + 1]*modelSession
	cite     []client.Answer // what was said on the last connection
}

// walk takes the steps, and stops at the first answer that contradicts the model.
func (w *modelWalk) walk() *modelConflict {
	w.sessions[modelNobody] = &modelSession{Session: w.agent.cl.Adopt(w.nobody, w.agent.cl.Dir), of: modelNobody}
	for i, s := range w.steps {
		w.at = i
		if x := w.take(s); x != nil {
			return x
		}
		if x := w.look(); x != nil {
			return x
		}
		for _, s := range w.known() {
			s.fresh, s.failed = false, false
		}
	}
	return nil
}

// known are the sessions that there is something to say about.
func (w *modelWalk) known() []*modelSession {
	var all []*modelSession
	for _, s := range w.sessions {
		if s != nil {
			all = append(all, s)
		}
	}
	return all
}

// look asks for the status of every session, of one that has just been brought into memory first: later it may have been evicted.
func (w *modelWalk) look() *modelConflict {
	all := w.known()
	slices.SortStableFunc(all, func(a, b *modelSession) int {
		switch {
		case a.fresh == b.fresh:
			return 0
		case a.fresh:
			return -1
		}
		return 1
	})
	for _, s := range all {
		if x := w.lookAt(s); x != nil {
			return x
		}
	}
	return nil
}

func (w *modelWalk) lookAt(s *modelSession) *modelConflict {
	if !w.asks {
		return nil
	}
	st := ask(w.c, w.agent.cl, s.ID)
	if s.lags {
		st = w.lag(s, st)
	}
	if x := s.conflict(st); x != nil {
		return w.unless(s, x)
	}
	if st.Standing != client.Active {
		s.left, s.lags = true, false
	}
	return nil
}

// unless gives a contradiction, unless it has been settled.
func (w *modelWalk) unless(s *modelSession, x *modelConflict) *modelConflict {
	if w.settled[x.modelClass] {
		s.becomes(modelOpen, s.by, s.at)
		return nil
	}
	x.steps, x.cite = w.steps[:w.at+1], append(w.cite, x.status.Answer)
	return x
}

// lag gives an agent the time to notice that it has closed a session.
func (w *modelWalk) lag(s *modelSession, st client.Status) client.Status {
	polls := 2
	if w.patient {
		polls = closePolls
	}
	for range polls {
		if st.Standing != client.Active {
			break
		}
		w.agent.cl.Window()
		st = ask(w.c, w.agent.cl, s.ID)
	}
	return st
}

// take takes a step. It returns what was seen while a turn ran.
func (w *modelWalk) take(step modelStep) *modelConflict {
	switch step.op {
	case modelRestart:
		w.agent.restart()
		w.cite = nil
		for _, s := range w.known() {
			if s.Session = s.On(w.agent.cl); s.state != modelNever {
				s.becomes(modelGone, modelRestart, w.at)
			}
		}
		return nil
	case modelList:
		w.list()
		return nil
	case modelNew:
		w.create(step.of)
		return nil
	}
	s := w.sessions[step.of]
	if s == nil {
		return nil
	}
	switch step.op {
	case modelProbe:
		return w.thrice(s)
	case modelPrompt, modelEvict, modelCancel, modelAllow, modelDismiss, modelBreak:
		if s.state != modelIn {
			return nil
		}
		return w.turn(s, step.op)
	}
	s.follow(step.op, w.send(s, step.op), w.at)
	return nil
}

func (w *modelWalk) thrice(s *modelSession) *modelConflict {
	for range 3 {
		if x := w.lookAt(s); x != nil {
			return x
		}
	}
	return nil
}

func (w *modelWalk) create(of int) {
	made, ok := w.agent.cl.NewSession()
	w.note(made.Answer)
	w.c.Require(ok, "session/new: %s", made.Answer)
	w.agent.made++
	s := &modelSession{Session: made, of: of, state: modelOpen}
	w.sessions[of] = s
	s.follow(modelNew, true, w.at)
}

// list reads all the pages of a list that holds nothing but what the suite made, else the first one.
func (w *modelWalk) list() {
	if w.agent.home != "" {
		_, a, _ := w.agent.cl.List()
		w.note(a)
		return
	}
	w.note(w.agent.cl.Checked("session/list", map[string]any{}))
}

// send sends a request about a session, and tells whether it succeeded.
func (w *modelWalk) send(s *modelSession, op modelOp) bool {
	var a client.Answer
	switch op {
	case modelClose:
		a = s.Close()
	case modelDelete:
		a = s.Delete()
	case modelLoad:
		a = s.Load()
	case modelResume:
		a = s.Resume()
	case modelRefused:
		return w.refused(s)
	}
	w.note(a)
	return a.OK()
}

// refused sends a request to load a session that cannot be obeyed.
func (w *modelWalk) refused(s *modelSession) bool {
	w.agent.bad = true
	params := map[string]any{"sessionId": s.ID, "cwd": "."}
	method := "session/resume"
	if w.c.Env.Version() == 1 && w.agent.cl.Init.CanLoad() {
		method, params["mcpServers"] = "session/load", []any{}
	}
	l, state, why := jsonrpcAsk(w.c, w.agent.cl, method, string(rule.JSON(params)))
	w.c.Require(state == client.Met, "%s: %s", method, why)
	a := client.Answer{State: state, Method: method, Frame: l.Frame, Beside: w.agent.cl.Circumstances()}
	w.note(a)
	return l.Error == nil
}

// note keeps what the last connection said, and ends the rule where there was no answer: that belongs to other rules.
func (w *modelWalk) note(a client.Answer) {
	w.c.Require(a.State == client.Met, "%s: %s", a.Method, a)
	w.c.Require(!a.Auth(), "the agent asks for authentication first")
	w.cite = append(w.cite, a)
}
