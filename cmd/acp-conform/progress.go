package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"

	"golang.org/x/term"

	"github.com/acp-conform/acp-conform/conformance"
	"github.com/acp-conform/acp-conform/conformance/result"
)

// progress is the one line on a terminal that says how far the run is, what it has found and what it is at.
type progress struct {
	mu          sync.Mutex
	w           io.Writer
	done, total int
	found       map[result.Verdict]int
	running     []string // in the order in which they began
	columns     func() int
}

const (
	clearLine     = "\r\x1b[K"
	usualColumns  = 80
	fewestColumns = 10
)

// progress shows nothing unless stderr is a terminal in front of a person.
func (p *program) progress(o *options) *progress {
	if o.quiet || p.env("CI") != "" || !p.terminal(p.stderr) {
		return &progress{w: io.Discard, columns: func() int { return usualColumns }}
	}
	return &progress{w: p.stderr, columns: func() int { return columnsOf(p.stderr) }}
}

// columnsOf is how wide a terminal is now.
func columnsOf(stream any) int {
	if f, ok := stream.(*os.File); ok {
		if n, _, err := term.GetSize(int(f.Fd())); err == nil && n >= fewestColumns {
			return n
		}
	}
	return usualColumns
}

// begin shows what is begun.
func (g *progress) begin(rule string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.running = append(g.running, rule)
	g.draw()
}

// show notes what has concluded.
func (g *progress) show(e conformance.Event) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.running = slices.DeleteFunc(g.running, func(rule string) bool { return rule == e.Rule })
	if e.Total > 0 {
		if g.found == nil {
			g.found = map[result.Verdict]int{}
		}
		g.found[e.Verdict]++
		g.done, g.total = max(g.done, e.Done), e.Total
	}
	g.draw()
}

func (g *progress) draw() {
	line := ""
	if g.total > 0 {
		line = fmt.Sprintf("%d/%d ", g.done, g.total)
	}
	for _, v := range []result.Verdict{result.Fail, result.Warn, result.Error} {
		if n := g.found[v]; n > 0 {
			line += fmt.Sprintf(" %d %s ", n, v)
		}
	}
	line += " " + strings.Join(g.running, ", ")
	most := g.columns() - 1 // a line that wraps cannot be cleared
	if r := []rune(strings.TrimSpace(line)); len(r) > most {
		line = string(r[:most-1]) + "…"
	}
	_, _ = io.WriteString(g.w, clearLine+strings.TrimSpace(line))
}

func (g *progress) clear() {
	g.mu.Lock()
	defer g.mu.Unlock()
	_, _ = io.WriteString(g.w, clearLine)
}
