package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"time"

	"github.com/acp-conform/acp-conform/conformance/client"
	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/wire"
)

// clock bounds the wall time of a stage: by that of a rule, or by what is left of that of the run. When it is over the agents of the
// stage are ended, and what waits for them ends.
func (s *stage) clock(ctx context.Context) (clocked context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	limit, x := s.r.Limits.Rule, &wire.Crossed{Limit: wire.LimitRule, Why: fmt.Sprintf("took more than %s for one rule", s.r.Limits.Rule)}
	if left := s.r.deadline.Sub(s.r.Now()); left < limit {
		limit, x = left, s.r.overTime()
	}
	began := time.Now()
	t := time.AfterFunc(limit, func() {
		s.takeDown(began, "the agent "+x.Error())
		s.cross(x)
		cancel(x)
	})
	return ctx, func() { t.Stop(); cancel(nil) }
}

func (r *run) overTime() *wire.Crossed {
	return &wire.Crossed{Limit: wire.LimitRun, Why: fmt.Sprintf("took more than %s for the whole run", r.Limits.Run)}
}

// late tells whether the run has taken all of its time.
func (r *run) late() bool { return !r.Now().Before(r.deadline) }

// cross tells every connection of the stage that a limit was crossed.
func (s *stage) cross(x *wire.Crossed) {
	s.mu.Lock()
	clients := append([]*client.Client(nil), s.clients...)
	s.mu.Unlock()
	for _, c := range clients {
		c.Cross(x)
	}
}

// tell has a crossing that was seen on no connection noted, so that the rule about limits knows of it.
func (s *stage) tell(x *wire.Crossed) {
	a := rule.NewAudience(s.r.Edition, s.watching, s.name)
	s.audiences = append(s.audiences, a)
	line, err := json.Marshal(client.Remark{Limit: x.Limit, Why: x.Why, Closing: true})
	if err != nil {
		panic(err) // strings always encode
	}
	wire.NewTranscript(s.r.Now, nil, a.Tap).Add(wire.Frame{From: wire.Suite, Line: line})
}

// countEvery is how often the processes of the agents are counted. An agent that starts one after the other without end is noticed
// soon; counting costs a few milliseconds.
const countEvery = 500 * time.Millisecond

// marked is an agent as a process: its descendants are known by its mark.
type marked interface{ Mark() string }

// count ends agents that have too many processes, until the run is over.
func (l *live) count(most int64) {
	defer close(l.counted)
	tick := time.NewTicker(countEvery)
	defer tick.Stop()
	for {
		select {
		case <-l.done:
			return
		case <-tick.C:
		}
		n := wire.Marked()
		for p, t := range l.all() {
			m, ok := p.(marked)
			c := t.client
			if !ok || c == nil || int64(n[m.Mark()]) <= most {
				continue
			}
			c.Cross(&wire.Crossed{Limit: wire.LimitChildren, Why: fmt.Sprintf("has more than %d processes", most)})
			p.End(interruptGrace)
		}
	}
}

// all are the agents that run now, and who speaks to them.
func (l *live) all() map[wire.Peer]talk {
	l.mu.Lock()
	defer l.mu.Unlock()
	return maps.Clone(l.agents)
}
