package client

import (
	"slices"
	"sync"
)

// asks are the requests of the agent on one connection.
type asks struct {
	mu       sync.Mutex
	policies map[string]Policy
	all      []*Ask // those that were answered long ago without their text
	answered []*Ask // those that have been answered and still have it, the oldest first
	bytes    int    // of their lines
	open     int    // bytes of the lines of those that are not answered
	most     int    // of these bytes
	held     []*Ask
	revoked  map[string]bool // ids of requests that the agent has taken back
	running  sync.WaitGroup
	over     bool // no more are answered
}

// wait waits until what is being answered has been. What comes later, from whoever still holds the agent's output open, is not.
func (a *asks) wait() {
	a.mu.Lock()
	a.over = true
	a.mu.Unlock()
	a.running.Wait()
}

// add keeps a request; the lock is held.
func (a *asks) add(ask *Ask) {
	ask.at, ask.open = len(a.all), true
	a.all = append(a.all, ask)
	a.open += len(ask.Frame.Line)
}

// close notes that a request has been answered; the lock is held. Of what was answered long ago no more is kept than that it was asked;
// whoever has such a request still has all of it.
func (a *asks) close(ask *Ask) {
	if !ask.open {
		return
	}
	ask.open = false
	a.open -= len(ask.Frame.Line)
	a.answered = append(a.answered, ask)
	a.bytes += len(ask.Frame.Line)
	for a.bytes > keptBytes && a.answered[0].settled {
		old := a.answered[0]
		a.answered = a.answered[1:]
		a.bytes -= len(old.Frame.Line)
		a.all[old.at] = old.brief()
	}
}

// brief is a request with no more of a long line than its beginning, and no params in that case.
func (a *Ask) brief() *Ask {
	b := &Ask{c: a.c, id: slices.Clone(a.id), Method: a.Method, Params: a.Params, Session: a.Session, Frame: a.Frame, Brief: len(a.Frame.Line) > stubBytes,
		once: a.once, settled: true, at: a.at}
	if b.Brief {
		b.Params = nil
		b.Frame = (Line{Frame: a.Frame}).stub().Frame
	}
	return b
}
