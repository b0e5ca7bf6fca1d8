package engine

import (
	"context"
	"slices"
	"sync"

	"github.com/acp-conform/acp-conform/conformance/client"
	"github.com/acp-conform/acp-conform/conformance/wire"
)

// sessions notes the ids of the sessions that the agent opened for us.
type sessions struct {
	mu    sync.Mutex
	asked map[string]bool
	ids   []string
}

func (s *sessions) tap(f wire.Frame, e wire.Envelope) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case f.From == wire.Client && e.Name == "session/new":
		if s.asked == nil {
			s.asked = map[string]bool{}
		}
		s.asked[e.Key()] = true
	case f.From == wire.Agent && e.Kind == wire.Response && s.asked[e.Key()]:
		delete(s.asked, e.Key()) // one request opens one session, however often it is answered
		if id := client.SessionID(e.Result); id != "" {
			s.ids = append(s.ids, id)
		}
	}
}

// tidy deletes the sessions that the suite made, where the agent keeps sessions and can delete them, and returns how many
// are left behind. An agent in process or with a HOME of its own keeps nothing. It takes no longer than a rule may, or than the run has
// left, and gives up at the first request that is not answered: nobody waits for the suite to be tidy.
func (r *run) tidy(ctx context.Context, surveyed []string) int {
	ids := surveyed
	for _, e := range r.book.entries {
		if e.stage != nil {
			ids = append(ids, e.stage.sessions.ids...)
		}
	}
	keeps := false
	for _, path := range []string{"loadSession", "sessionCapabilities.list", "sessionCapabilities.resume"} {
		_, ok := r.facts.Init.Capability(path)
		keeps = keeps || ok
	}
	if !keeps || !r.Process || len(ids) == 0 || r.ownHome() {
		return 0
	}
	if _, ok := r.facts.Init.Capability("sessionCapabilities.delete"); !ok || ctx.Err() != nil {
		return len(ids)
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	s := &stage{r: r, name: "tidy"}
	ctx, stop := s.clock(ctx)
	defer stop()
	c, err := s.dial(ctx, wire.Launch{})
	if err != nil {
		return len(ids)
	}
	defer s.close()
	defer c.End()
	if !c.Initialize(r.Protocol, client.Everything(r.Protocol)).Answer.OK() {
		return len(ids)
	}
	left := 0
	for i, id := range ids {
		a := c.Call("session/delete", map[string]any{"sessionId": id})
		if a.State != client.Met {
			return left + len(ids) - i
		}
		if !a.OK() {
			left++
		}
	}
	return left
}
