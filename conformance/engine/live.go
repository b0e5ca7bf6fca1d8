package engine

import (
	"context"
	"errors"
	"maps"
	"sync"
	"time"

	"github.com/acp-conform/acp-conform/conformance/client"
	"github.com/acp-conform/acp-conform/conformance/wire"
)

// live is the table of the agents that run now, so that all of them can be ended at once, with the commands that run for them.
type live struct {
	mu       sync.Mutex
	agents   map[wire.Peer]*client.Client // nil: nobody speaks to it yet
	starting sync.WaitGroup               // launches under way
	over     bool                         // no agent is started any more
	done     chan struct{}
	gone     chan struct{} // closed when nobody ends agents any more
	counted  chan struct{} // closed when nobody counts their processes any more
}

const interruptGrace = 200 * time.Millisecond

var errInterrupted = errors.New("the run was interrupted")

// newLive ends every agent when the context ends, and calls ended when nothing is left of them.
func newLive(ctx context.Context, ended func()) *live {
	l := &live{agents: map[wire.Peer]*client.Client{}, done: make(chan struct{}), gone: make(chan struct{}), counted: make(chan struct{})}
	go func() {
		defer close(l.gone)
		select {
		case <-ctx.Done():
			l.endAll()
			ended()
		case <-l.done:
		}
	}()
	return l
}

// launch starts an agent, unless all of them have been or are being ended.
func (l *live) launch(start func() (wire.Peer, error)) (wire.Peer, error) {
	l.mu.Lock()
	if l.over {
		l.mu.Unlock()
		return nil, errInterrupted
	}
	l.starting.Add(1)
	l.mu.Unlock()
	defer l.starting.Done()
	p, err := start()
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	l.agents[p] = nil
	over := l.over
	l.mu.Unlock()
	if over {
		p.End(interruptGrace)
	}
	return p, nil
}

// attach notes who speaks to an agent: the agent is in the table until that connection has ended.
func (l *live) attach(p wire.Peer, c *client.Client) {
	l.mu.Lock()
	l.agents[p] = c
	over := l.over
	l.mu.Unlock()
	if over {
		c.EndTerminals()
	}
	go func() {
		<-c.Finished()
		l.mu.Lock()
		delete(l.agents, p)
		l.mu.Unlock()
	}()
}

// endAll ends every agent and what runs for it, also those that are just being started.
func (l *live) endAll() {
	l.mu.Lock()
	l.over = true
	all := maps.Clone(l.agents)
	l.mu.Unlock()
	var wg sync.WaitGroup
	for p, c := range all {
		wg.Go(func() {
			p.End(interruptGrace)
			if c != nil {
				c.EndTerminals()
			}
		})
	}
	wg.Wait()
	l.starting.Wait()
}

func (l *live) stop() {
	close(l.done)
	<-l.gone
	<-l.counted
}
