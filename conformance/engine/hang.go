package engine

import (
	"strings"
	"time"

	"github.com/acp-conform/acp-conform/conformance/client"
	"github.com/acp-conform/acp-conform/conformance/result"
	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/wire"
)

// An agent that hangs is looked at while it does: afterwards nobody can tell what it was busy with. What is taken down is bounded, and so
// is the time for it.
const (
	mostLooks    = 100 // of a run
	mostHangs    = 20  // that are reported
	hangsOfStage = 3
	lookTime     = 300 * time.Millisecond
	hangStderr   = 5 // lines
)

// stuck takes down what a stage has waited for in vain.
func (s *stage) stuck(c *client.Client, w client.Waiting) { s.hang(c, w, w.Why) }

// takeDown takes down what every connection of a stage is waiting for, when it has no more time. Where none waits for the agent it is the
// stage that takes so long, and its last agent is looked at.
func (s *stage) takeDown(began time.Time, why string) {
	s.mu.Lock()
	clients := append([]*client.Client(nil), s.clients...)
	s.mu.Unlock()
	waits := false
	for _, c := range clients {
		waits = s.waitsOf(c, why) || waits
	}
	if n := len(clients); n > 0 && !waits && !clients[n-1].Gone() {
		s.hang(clients[n-1], client.Waiting{For: "its own end, and for nothing that the agent owes", Since: began}, why)
	}
}

// waitsOf takes down the longest wait of a connection, if there is any.
func (s *stage) waitsOf(c *client.Client, why string) bool {
	w := c.Waits()
	if len(w) == 0 || c.Gone() {
		return false
	}
	s.hang(c, w[0], why)
	return true
}

// takeDown takes down what all agents are waited for, when the run is interrupted.
func (l *live) takeDown() {
	for _, t := range l.all() {
		if t.client != nil {
			t.stage.waitsOf(t.client, errInterrupted.Error())
		}
	}
}

// hang looks at an agent that is waited for.
func (s *stage) hang(c *client.Client, w client.Waiting, why string) {
	s.mu.Lock()
	enough := len(s.hangs) >= hangsOfStage
	s.mu.Unlock()
	if enough || s.r.looks.Add(1) > mostLooks {
		return
	}
	h := result.Hang{Rule: s.name, WaitedFor: w.For, Since: w.Since.UTC().Format(time.RFC3339Nano), WaitedMs: time.Since(w.Since).Milliseconds(), Ended: why, Sent: []result.Frame{}, Received: []result.Frame{}}
	if w.Request.Seq > 0 {
		request := rule.Cite(w.Request)
		h.Request = &request
	}
	sent, received := c.LastLines()
	for _, f := range sent {
		h.Sent = append(h.Sent, rule.Cite(f))
	}
	for _, f := range received {
		h.Received = append(h.Received, rule.Cite(f))
	}
	h.Processes = lookAt(c.Peer)
	if tail := lastLines(c.Peer.Stderr(), hangStderr); tail != "" {
		for l := range strings.SplitSeq(tail, "\n") {
			h.Stderr = append(h.Stderr, result.Short(l))
		}
	}
	s.mu.Lock()
	s.hangs = append(s.hangs, h)
	s.mu.Unlock()
}

// lookAt gives the processes of an agent, if they can be seen in time: a system under load may be slow to tell.
func lookAt(p wire.Peer) []result.Process {
	agent, ok := p.(interface {
		Pid() int
		marked
	})
	if !ok {
		return nil
	}
	seen := make(chan []result.Process, 1)
	go func() {
		var all []result.Process
		for _, r := range wire.Family(agent.Pid(), agent.Mark()) {
			all = append(all, result.Process{Pid: r.Pid, Parent: r.Parent, Depth: r.Depth, State: r.State, CPUMs: r.CPU.Milliseconds(), Command: r.Command})
		}
		seen <- all
	}()
	select {
	case all := <-seen:
		return all
	case <-time.After(lookTime):
		return nil
	}
}

// hangs are those of the run: of the survey, and of the rules that did not come to a good end, in their order. A rule that is kept has
// waited for what need not come.
func (r *run) hangs(survey *stage, outcomes []result.Outcome) []result.Hang {
	all := survey.hung()
	for _, o := range outcomes {
		if e, ok := r.book.entries[o.ID]; ok && e.stage != nil && o.Verdict != result.Pass && o.Verdict != result.Skipped {
			all = append(all, e.stage.hung()...)
		}
	}
	return all[:min(len(all), mostHangs)]
}

func (s *stage) hung() []result.Hang {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]result.Hang(nil), s.hangs...)
}
