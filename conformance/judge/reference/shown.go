package reference

import (
	"encoding/json"
	"slices"

	"github.com/acp-conform/acp-conform/conformance/wire"
)

// step is a line that says what the user sees.
type step struct {
	Step        string  `json:"step"`
	SessionID   string  `json:"sessionId,omitempty"`
	Status      string  `json:"status,omitempty"`
	Shown       string  `json:"shown,omitempty"`
	Completions int     `json:"completions"`
	Usage       float64 `json:"usage"`
	Error       any     `json:"error"` // a text, or null
}

func (r *run) show(id string) {
	a := r.known[id]
	s := step{Step: "status", SessionID: id, Status: a.said(), Shown: r.shown(id)}
	if a.kind == failed || a.kind == malformed {
		s.Error = a.Answer.String()
	}
	r.say(s)
}

func (r *run) say(s step) {
	if r.b.Silent() || r.Out == nil {
		return
	}
	s.Completions, s.Usage = r.completions, r.usage
	b, err := json.Marshal(s)
	if err != nil { // made of texts and numbers
		panic(err)
	}
	_, _ = r.Out.Write(append(b, '\n'))
}

// shown is the state of a session that the user sees: what the agent reported last where this connection has opened the
// session, and before that what the last answer said.
func (r *run) shown(id string) string {
	if r.b.Ignorant() {
		return "unknown"
	}
	if r.opened[id] && r.in.Version == 2 {
		if state := r.reported(id); state != "" {
			return state
		}
	}
	return r.b.Shown(r.in.Version, r.known[id])
}

// reported is the state of the last state_update.
func (r *run) reported(id string) (state string) {
	for _, l := range slices.Backward(r.cl.Since(0)) {
		update := wire.Member(l.Params, "update")
		if textOf(wire.Member(l.Params, "sessionId")) == id && textOf(wire.Member(update, "sessionUpdate")) == "state_update" {
			return knownState(wire.Member(update, "state"))
		}
	}
	return ""
}
