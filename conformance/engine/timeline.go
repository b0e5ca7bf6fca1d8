package engine

import (
	"encoding/json"
	"strconv"
	"time"

	"github.com/acp-conform/acp-conform/conformance/result"
	"github.com/acp-conform/acp-conform/conformance/wire"
)

// timeline notes what happens in the survey: one glance at it tells whether the agent was slow, silent or gone.
type timeline struct {
	began   time.Time
	moments []result.Moment
	asked   map[string]string // our requests that are noted, by id
	stderr  int               // moments of stderr so far
	more    int               // lines of stderr beyond those
}

// A timeline has at most so many moments, and of stderr so many: an agent may log without end.
const (
	mostMoments = 200
	mostStderr  = 20
)

func newTimeline(now time.Time) *timeline {
	return &timeline{began: now, asked: map[string]string{}, moments: []result.Moment{{Kind: "start", What: "the agent is started"}}}
}

func (t *timeline) note(at time.Time, kind, what string) {
	if len(t.moments) < mostMoments {
		t.moments = append(t.moments, result.Moment{AtMs: max(0, at.Sub(t.began).Milliseconds()), Kind: kind, What: what})
	}
}

// tap is for the connection of the survey.
func (t *timeline) tap(f wire.Frame, e wire.Envelope) {
	switch {
	case f.From == wire.AgentStderr:
		if t.stderr++; t.stderr <= mostStderr {
			t.note(f.At, "stderr", "stderr: "+result.Short(string(f.Line)))
		} else {
			t.more++
		}
	case f.From == wire.Client && e.Kind == wire.Request:
		t.asked[e.Key()] = e.Name
		if e.Name == "session/prompt" {
			t.note(f.At, "turn", "a turn begins (id "+e.Key()+")")
		}
	case f.From == wire.Client && e.Name == "session/cancel":
		t.note(f.At, "turn", "the turn is cancelled")
	case f.From == wire.Agent && e.Kind == wire.Response:
		t.answer(f, e)
	case f.From == wire.Agent && e.Kind == wire.Request:
		t.note(f.At, "message", "the agent asks: "+result.Short(e.Name))
	}
}

// answer notes the answers that mark the way of a conversation.
func (t *timeline) answer(f wire.Frame, e wire.Envelope) {
	method, ours := t.asked[e.Key()]
	if !ours {
		return
	}
	delete(t.asked, e.Key())
	how := "is answered"
	if e.Error != nil {
		how = "is refused"
	}
	switch method {
	case "initialize", "session/new":
		t.note(f.At, "message", method+" "+how)
	case "session/prompt":
		var reason string
		if json.Unmarshal(wire.Member(e.Result, "stopReason"), &reason) == nil && reason != "" {
			how += ": " + result.Short(reason)
		}
		t.note(f.At, "turn", "the prompt (id "+e.Key()+") "+how)
	}
}

// end gives the moments, the last of which is how the agent ended.
func (t *timeline) end(at time.Time, how string) []result.Moment {
	if t.more > 0 {
		t.note(at, "stderr", strconv.Itoa(t.more)+" more lines on stderr")
	}
	t.note(at, "exit", "the agent "+how)
	return t.moments
}
