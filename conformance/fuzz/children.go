package fuzz

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/acp-conform/acp-conform/conformance/wire"
)

// herd are the connections to agents that run now, whose processes are counted.
type herd struct {
	mu      sync.Mutex
	all     []*connection
	done    chan struct{}
	counted chan struct{} // closed when nobody counts any more
}

// countEvery is how often the processes of the agents are counted, as in a run.
const countEvery = 500 * time.Millisecond

func (h *herd) add(c *connection) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.all = append(h.all, c)
}

func (h *herd) remove(c *connection) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.all = slices.DeleteFunc(h.all, func(o *connection) bool { return o == c })
}

// count begins to end agents that have too many processes.
func (h *herd) count(most int64) {
	h.done, h.counted = make(chan struct{}), make(chan struct{})
	go func() {
		defer close(h.counted)
		tick := time.NewTicker(countEvery)
		defer tick.Stop()
		for {
			select {
			case <-h.done:
				return
			case <-tick.C:
				h.thin(most)
			}
		}
	}()
}

// thin ends the agents that have too many processes now.
func (h *herd) thin(most int64) {
	h.mu.Lock()
	all := slices.Clone(h.all)
	h.mu.Unlock()
	if len(all) == 0 {
		return
	}
	n := wire.Marked()
	for _, c := range all {
		if m, ok := c.peer.(interface{ Mark() string }); ok && int64(n[m.Mark()]) > most {
			c.cross(&wire.Crossed{Limit: wire.LimitChildren, Why: fmt.Sprintf("has more than %d processes", most)})
			c.peer.End(0)
		}
	}
}

func (h *herd) stop() {
	if h.done != nil {
		close(h.done)
		<-h.counted
		h.done = nil
	}
}
