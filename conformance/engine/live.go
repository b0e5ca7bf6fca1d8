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
	agents   map[wire.Peer]talk
	starting sync.WaitGroup  // launches under way
	over     bool            // no agent is started any more
	stopped  <-chan struct{} // closed when the run is interrupted
	done     chan struct{}
	seen     chan struct{} // closed when it has been taken down what an interrupted run was waiting for
	gone     chan struct{} // closed when nobody ends agents any more
	counted  chan struct{} // closed when nobody counts their processes any more
}

// talk is who speaks to an agent; the zero value is nobody, yet.
type talk struct {
	client *client.Client
	stage  *stage
}

const interruptGrace = 200 * time.Millisecond

var errInterrupted = errors.New("the run was interrupted")

// newLive ends every agent when the context ends, and calls ended when nothing is left of them.
func newLive(ctx context.Context, ended func()) *live {
	l := &live{agents: map[wire.Peer]talk{}, stopped: ctx.Done(), done: make(chan struct{}), seen: make(chan struct{}), gone: make(chan struct{}), counted: make(chan struct{})}
	go func() {
		defer close(l.gone)
		select {
		case <-ctx.Done():
			l.takeDown()
			close(l.seen)
			l.endAll()
			ended()
		case <-l.done:
			close(l.seen)
		}
	}()
	return l
}

// looked returns at once, unless the run is interrupted: then when it has been taken down what it was waiting for, which has to be done
// before the agents end.
func (l *live) looked() {
	select {
	case <-l.stopped:
		<-l.seen
	default:
	}
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
	l.agents[p] = talk{}
	over := l.over
	l.mu.Unlock()
	if over {
		p.End(interruptGrace)
	}
	return p, nil
}

// attach notes who speaks to an agent: the agent is in the table until that connection has ended.
func (l *live) attach(p wire.Peer, c *client.Client, s *stage) {
	l.mu.Lock()
	l.agents[p] = talk{c, s}
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

// finished tells whether no agent is started any more.
func (l *live) finished() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.over
}

// endAll ends every agent and what runs for it, also those that are just being started.
func (l *live) endAll() {
	l.mu.Lock()
	l.over = true
	all := maps.Clone(l.agents)
	l.mu.Unlock()
	var wg sync.WaitGroup
	for p, t := range all {
		wg.Go(func() {
			p.End(interruptGrace)
			if t.client != nil {
				t.client.EndTerminals()
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
