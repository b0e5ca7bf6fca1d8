package reference

import (
	"github.com/acp-conform/acp-conform/conformance/client"
)

// remove deletes the session, if that can be done.
func (r *run) remove(id string) {
	if !r.offers("delete") {
		return
	}
	s := step{Step: "delete", SessionID: id}
	if a := r.session(id).Delete(); !a.OK() {
		s.Error = a.String()
	}
	r.say(s)
}

func (r *run) session(id string) *client.Session {
	dir := r.dirs[id]
	if dir == "" {
		dir = r.Dir
	}
	return r.cl.Adopt(id, dir)
}

// reopen resumes the session, or loads it where that cannot be done.
func (r *run) reopen(id string) client.Answer {
	s := r.session(id)
	switch {
	case r.in.CanLoad() && (r.b.Loads() || !r.offers("resume")):
		return s.Load()
	case r.offers("resume"):
		return s.Resume()
	}
	return client.Answer{Why: "the agent can neither load nor resume a session"}
}

// open makes the session one of this connection.
func (r *run) open(id string) bool {
	if r.opened[id] {
		return true
	}
	var a client.Answer
	for range 1 + r.b.Retries(r.known[id]) {
		if a = r.reopen(id); a.OK() {
			r.opened[id] = true
			return true
		}
	}
	if r.b.DiesOf(r.known[id]) {
		panic(ended{code: 70})
	}
	r.say(step{Step: "open", SessionID: id, Error: a.String()})
	return r.b.Ignores(r.known[id])
}

// begin sends the prompt of the user, and tells to which session.
func (r *run) begin(id string) (t *client.Turn, to string, ok bool) {
	if r.b.NeedsOpening(r.known[id]) && !r.open(id) {
		if !r.b.StartsAnew() {
			return nil, "", false
		}
		s, ok := r.cl.NewSession()
		if !ok {
			return nil, "", false
		}
		id = s.ID
		r.opened[id] = true
	}
	return r.session(id).Prompt(client.Text("hello"), false), id, true
}

func (r *run) prompt(id string) {
	if t, to, ok := r.begin(id); ok {
		r.finish(t, to)
	}
}

// finish waits for the end of the turn.
func (r *run) finish(t *client.Turn, id string) {
	a, ok, why := t.Ran()
	s := step{Step: "prompt", SessionID: id}
	if ok {
		r.completions++
	} else {
		s.Error = why
		if a.Err != nil && r.opened[id] && r.b.Insists(r.known[id]) {
			for range 20 {
				r.cl.Call("session/prompt", map[string]any{"sessionId": id, "prompt": client.Text("hello")})
			}
		}
	}
	r.say(s)
}
