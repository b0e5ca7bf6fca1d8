package main

import (
	"fmt"
	"io"
	"sync"

	"github.com/acp-conform/acp-conform/conformance"
)

// progress is the one line on a terminal that says how far the run is.
type progress struct {
	mu sync.Mutex
	w  io.Writer
}

const clearLine = "\r\x1b[K"

// progress shows nothing unless stderr is a terminal in front of a person.
func (p *program) progress(o *options) *progress {
	if o.quiet || p.env("CI") != "" || !p.terminal(p.stderr) {
		return &progress{w: io.Discard}
	}
	return &progress{w: p.stderr}
}

func (g *progress) show(e conformance.Event) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if e.Total == 0 {
		_, _ = fmt.Fprintf(g.w, "%s%s", clearLine, e.Rule)
		return
	}
	_, _ = fmt.Fprintf(g.w, "%s%d/%d %s", clearLine, e.Done, e.Total, e.Rule)
}

func (g *progress) clear() {
	g.mu.Lock()
	defer g.mu.Unlock()
	_, _ = io.WriteString(g.w, clearLine)
}
