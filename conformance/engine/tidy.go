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
		if id := client.SessionID(e.Result); id != "" {
			s.ids = append(s.ids, id)
		}
	}
}

// tidy deletes the sessions that the suite made, where the agent keeps sessions and can delete them, and returns how many
// are left behind. An agent in process or with a HOME of its own keeps nothing.
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
	s := &stage{r: r, name: "tidy"}
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
	for _, id := range slices.Compact(ids) {
		if !c.Call("session/delete", map[string]any{"sessionId": id}).OK() {
			left++
		}
	}
	return left
}
