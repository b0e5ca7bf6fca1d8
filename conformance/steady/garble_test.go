package steady

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"strings"
	"sync"

	"github.com/acp-conform/acp-conform/conformance/wire"
	"github.com/acp-conform/acp-conform/fakeagent"
)

// garbler is the fake agent whose lines are changed on their way out, in ways that a recipe says. What it does with a line depends on
// the recipe and on the lines before it on the same connection, and on nothing else.
type garbler struct {
	recipe recipe
	rule   bool // the connection is a rule's, not the survey's

	mu      sync.Mutex
	asked   map[string]string // methods of the client's requests by id
	matched []int             // how often each change has met its line
	rest    []byte            // a line that has not ended yet
	held    [][]byte          // lines that come behind the next one
	out     io.Writer
	written int64
	quiet   func(read, written int64)
	end     context.CancelFunc
	over    bool // nothing is said any more: the agent is about to end
}

// garbled is the launcher of such an agent, with the fault of the recipe.
func garbled(r recipe) wire.Launcher {
	return func(ctx context.Context, l wire.Launch) (wire.Peer, error) {
		g := &garbler{recipe: r, rule: l.For != "survey", asked: map[string]string{}, matched: make([]int, len(r.changes))}
		a, err := fakeagent.New(fakeagent.Config{Faults: r.faults, Salt: l.For, Store: l.Home, Dir: l.Dir, OnLine: g.line})
		if err != nil {
			return nil, err
		}
		return wire.InProcess(func(ctx context.Context, in io.Reader, out io.Writer) error {
			ctx, end := context.WithCancel(ctx)
			defer end()
			g.out, g.quiet, g.end = out, out.(fakeagent.Quieter).Quiet, end
			return a.Serve(ctx, in, g)
		})(ctx, l)
	}
}

// line notes the client's requests.
func (g *garbler) line(dir fakeagent.Direction, line []byte) {
	var m struct {
		ID     json.RawMessage
		Method string
	}
	if dir != fakeagent.FromClient || json.Unmarshal(line, &m) != nil || m.ID == nil {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.asked[string(m.ID)] = m.Method
}

// Quiet passes on that the fake is idle, having written what has become of its lines; one that is about to end is not.
func (g *garbler) Quiet(read, _ int64) {
	g.mu.Lock()
	written, over := g.written, g.over
	g.mu.Unlock()
	if !over {
		g.quiet(read, written)
	}
}

// Write changes the lines that have come to their end. It never fails: the fake does not look.
func (g *garbler) Write(b []byte) (int, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.rest = append(g.rest, b...)
	for {
		line, rest, whole := bytes.Cut(g.rest, []byte("\n"))
		if !whole {
			return len(b), nil
		}
		g.rest = bytes.Clone(rest)
		g.pass(bytes.Clone(line))
	}
}

// pass lets a line through, changed or not, and behind it the lines that were held back before.
func (g *garbler) pass(line []byte) {
	if g.over {
		return
	}
	name := g.name(line)
	behind := g.held
	g.held = nil
	lines := [][]byte{append(line, '\n')}
	for i, c := range g.recipe.changes {
		if c.rules != g.rule || !c.meets(name) {
			continue
		}
		if g.matched[i]++; c.nth == 0 || c.nth == g.matched[i] {
			lines = c.apply(g, lines)
		}
	}
	for _, l := range append(lines, behind...) {
		n, _ := g.out.Write(l)
		g.written += int64(n)
	}
	if g.over {
		g.end()
	}
}

// name is the method of a line, or of the request that it answers.
func (g *garbler) name(line []byte) string {
	var m struct {
		ID     json.RawMessage
		Method string
	}
	_ = json.Unmarshal(line, &m)
	if m.Method != "" {
		return m.Method
	}
	return g.asked[string(m.ID)]
}

// targets are the lines that a change can be about, by the beginning of their method.
var targets = []string{"", "initialize", "session/new", "session/prompt", "session/update", "session/load", "session/resume", "session/list",
	"session/status", "session/request_permission", "fs/", "terminal/", "session/set_", "session/close", "session/delete", "_"}

// change is something that happens to the lines of an agent.
type change struct {
	rules  bool   // on the connections of rules, not on that of the survey
	target string // the beginning of the method of the lines
	nth    int    // only the nth of them; 0 = all
	kind   int    // an index of kinds
	at, by int    // where, and what
	bytes  []byte
}

func (c change) meets(name string) bool { return strings.HasPrefix(name, c.target) }

func (c change) apply(g *garbler, lines [][]byte) [][]byte {
	if len(lines) == 0 {
		return lines
	}
	return kinds[c.kind](c, g, lines)
}

// recipe says which fault the fake has and what happens to its lines.
type recipe struct {
	protocol int
	acting   []string // patterns of the acting rules
	faults   []string
	changes  []change
}

// tape gives numbers and texts from the bytes of a recipe; behind their end there are only zeros.
type tape struct{ left []byte }

func (t *tape) number(below int) int {
	if len(t.left) == 0 {
		return 0
	}
	n := int(t.left[0])
	t.left = t.left[1:]
	return n % below
}

func (t *tape) text() []byte {
	n := min(t.number(64), len(t.left))
	b := t.left[:n]
	t.left = t.left[n:]
	return b
}

const mostChanges = 6

// The acting rules and the faults that a recipe can choose. The rules are those that take little time.
var (
	areas = [][]string{{"jsonrpc.*"}, {"cancel.*", "!cancel.updates-before-response"}, {"prompt.*", "update.*", "message.*"},
		{"init.*", "session-new.*", "error.*"}, {"transport.*", "!transport.large-message", "status.method.*", "status.request.meta-tolerated", "status.before-init"},
		{"status.unknown.*", "status.consistency.error-across-methods", "status.lazy.*"}}
	weaknesses = [][]string{nil, nil, {"cancel-unanswered"}, {"parse-error-fatal"}, {"late-chunk"}, {"id-as-string"}}
)

func read(b []byte) recipe {
	t := &tape{b}
	r := recipe{protocol: 1 + t.number(2), acting: areas[t.number(len(areas))], faults: weaknesses[t.number(len(weaknesses))]}
	for len(t.left) > 0 && len(r.changes) < mostChanges {
		r.changes = append(r.changes, change{rules: t.number(2) == 1, target: targets[t.number(len(targets))], nth: t.number(4), kind: t.number(len(kinds)),
			at: t.number(256), by: t.number(256), bytes: t.text()})
	}
	return r
}
