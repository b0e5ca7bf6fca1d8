package client

import (
	"encoding/json"
	"time"

	"github.com/acp-conform/acp-conform/conformance/wire"
)

// Line is a frame of the transcript with its envelope.
type Line struct {
	wire.Frame
	wire.Envelope
}

// What a connection remembers of an agent that never stops talking. When it is more, the older half is forgotten: what comes
// now must be seen, or its answer would be called missing. The transcript sees every line.
const (
	keptLines = 50_000
	keptBytes = 4 << 20
)

// A long line does not crowd out the others: it counts as this many bytes, and of those that are longer only the last few are kept whole,
// of the earlier ones their beginnings.
const longLine = 64 << 10

const keptAnswers = 10 // responses to one request: one is right, two are a finding, and more add nothing; of long ones two are kept

const keptStderr = 3 // lines of stderr that are shown as evidence

const keptBad = 3 // of the lines that we sent bad on purpose: evidence for what came back

// record is what a connection remembers of the agent's lines, for values and waits. Guarded by Client.mu.
type record struct {
	bytes        int                   // of the lines in agent, of each longLine at most
	long         kept                  // long lines in agent
	longAnswers  kept                  // long answers that somebody has
	taken        map[string]bool       // the requests whose answer somebody has
	forgotten    int                   // lines of the agent before those in agent
	agent        []Line                // the last lines of the agent, in order
	sent         map[string]Line       // our requests by id
	answers      map[string][]Line     // responses by id, in order
	bad          []wire.Frame          // the last lines that we sent bad on purpose
	unanswerable int                   // requests of the agent that the library cannot digest, or that are not answered
	refused      bool                  // some were not answered because there were too many
	stderr       []wire.Frame          // the last lines on the agent's stderr
	cancels      map[string]wire.Frame // our last session/cancel by session
	lastRequest  Line                  // the agent's last request that the library could digest
	lastSent     []wire.Frame          // the last lines of either side
	lastReceived []wire.Frame
}

// see is the tap of the connection itself.
func (c *Client) see(f wire.Frame, e wire.Envelope) {
	if f.From == wire.AgentStderr {
		c.mu.Lock()
		c.record.stderr = append(c.record.stderr, f)
		c.record.stderr = c.record.stderr[max(0, len(c.record.stderr)-keptStderr):]
		c.mu.Unlock()
	}
	if f.From != wire.Agent && f.From != wire.Client {
		return
	}
	l := Line{f, e}
	c.mu.Lock()
	if f.From == wire.Client {
		c.record.lastSent = latest(c.record.lastSent, f)
		c.record.send(l)
		c.mu.Unlock()
		return
	}
	c.record.lastReceived = latest(c.record.lastReceived, f)
	c.record.receive(l)
	switch {
	case f.Dropped > 0 || e.Deep: // it may have been the answer to anything
		c.record.unanswerable++
	case e.Kind != wire.Request:
	case string(e.ID) == "null" || f.Dropped > 0 || !e.Digestible():
		c.record.unanswerable++
	default:
		c.record.lastRequest = l
		c.busy++ // until the handler has answered or holds the request
	}
	c.mu.Unlock()
	c.wake()
}

func (r *record) send(l Line) {
	if l.Deliberate {
		r.bad = append(r.bad, l.Frame)
		r.bad = r.bad[max(0, len(r.bad)-keptBad):]
	}
	if l.Name == "session/cancel" {
		if r.cancels == nil {
			r.cancels = map[string]wire.Frame{}
		}
		r.cancels[text(wire.Member(l.Params, "sessionId"))] = l.Frame
	}
	if l.Kind == wire.Request && !l.Deliberate {
		if r.sent == nil {
			r.sent = map[string]Line{}
		}
		r.sent[l.Key()] = l
	}
}

func (r *record) receive(l Line) {
	if len(r.agent) >= keptLines || r.bytes > keptBytes {
		r.forget(r.older())
	}
	r.agent = append(r.agent, l)
	r.bytes += min(len(l.Line), longLine)
	if len(l.Line) > longLine {
		at := r.forgotten + len(r.agent) - 1
		r.long.add(len(l.Line), func() {
			if i := at - r.forgotten; i >= 0 {
				r.bytes -= min(len(r.agent[i].Line), longLine)
				r.agent[i] = r.agent[i].stub()
				r.bytes += len(r.agent[i].Line)
			}
		})
	}
	most := keptAnswers
	if len(l.Line) > keptBytes/1000 {
		most = 2
	}
	// A response counts as the answer even where its envelope is broken: that is a finding of its own, not a second one.
	if _, ours := r.sent[l.Key()]; ours && len(r.answers[l.Key()]) < most && l.Kind == wire.Response && l.ID != nil && (l.Result != nil || l.Error != nil || l.Broken == wire.RungShape) {
		r.answers[l.Key()] = append(r.answers[l.Key()], l)
	}
}

// take gives the answer to a request, if there is one. Whoever has it needs it here no more, should it be long.
func (r *record) take(id string) (Line, bool) {
	got := r.answers[id]
	if len(got) == 0 {
		return Line{}, false
	}
	if n := len(got[0].Line); n > longLine && !r.taken[id] {
		if r.taken == nil {
			r.taken = map[string]bool{}
		}
		r.taken[id] = true
		r.longAnswers.add(n, func() { r.answers[id][0] = r.answers[id][0].stub() })
	}
	return got[0], true
}

// pending tells whether a request of ours has no answer.
func (r *record) pending() bool {
	for id := range r.sent {
		if len(r.answers[id]) == 0 {
			return true
		}
	}
	return false
}

// older is how many lines make up the older half of what is remembered, by number or by bytes.
func (r *record) older() int {
	n, bytes := 0, 0
	for ; n < len(r.agent) && (2*n < len(r.agent) || 2*(r.bytes-bytes) > keptBytes); n++ {
		bytes += min(len(r.agent[n].Line), longLine)
	}
	return n
}

// forget drops the n oldest lines.
func (r *record) forget(n int) {
	for _, l := range r.agent[:n] {
		r.bytes -= min(len(l.Line), longLine)
	}
	r.forgotten += n
	r.agent = append([]Line(nil), r.agent[n:]...)
}

// mark is the position behind the last line, and since what is remembered behind a position.
func (r *record) mark() Mark { return Mark(r.forgotten + len(r.agent)) }

func (r *record) since(m Mark) []Line {
	return r.agent[min(max(int(m)-r.forgotten, 0), len(r.agent)):]
}

// Circumstances are the lines that explain what came back: what was sent bad on purpose last, and, of an agent that has gone,
// the last lines of its stderr.
func (c *Client) Circumstances() []wire.Frame {
	gone := c.Gone()
	c.mu.Lock()
	defer c.mu.Unlock()
	lines := append([]wire.Frame(nil), c.record.bad...)
	if gone && !c.closed {
		lines = append(lines, c.record.stderr...)
	}
	return lines
}

// CancelOf is the last session/cancel for a session, as evidence; the zero frame if there was none.
func (c *Client) CancelOf(session string) wire.Frame {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.record.cancels[session]
}

// Mark is a position in what the agent has said so far.
type Mark int

// Mark gives the position behind the agent's last line.
func (c *Client) Mark() Mark {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.record.mark()
}

// Since gives the agent's lines behind a mark.
func (c *Client) Since(m Mark) []Line {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]Line(nil), c.record.since(m)...)
}

// patience is how long the client waits for an answer: longer for the first thing that an agent says, which may have to start
// up before.
func (c *Client) patience() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.record.agent) == 0 {
		return max(c.Timeouts.Start, c.Timeouts.Request)
	}
	return c.Timeouts.Request
}

// AwaitLine waits for a line of the agent behind the mark that satisfies is: for at most the request timeout, for the first
// thing that an agent says at most the start timeout.
func (c *Client) AwaitLine(m Mark, is func(Line) bool) (Line, State, string) {
	return c.awaitLine(c.patience(), m, is)
}

// AwaitTurnLine is AwaitLine for as long as a turn may take.
func (c *Client) AwaitTurnLine(m Mark, is func(Line) bool) (Line, State, string) {
	return c.awaitLine(max(c.Timeouts.Turn, c.Timeouts.Request), m, is)
}

func (c *Client) awaitLine(limit time.Duration, m Mark, is func(Line) bool) (Line, State, string) {
	var found Line
	state, why := c.awaitFor("", "a line that it should write", limit, func() (State, string) {
		c.mu.Lock()
		defer c.mu.Unlock()
		for _, l := range c.record.since(m) {
			if is(l) {
				found = l
				return Met, ""
			}
		}
		m = max(m, c.record.mark())
		return NotYet, ""
	})
	return found, state, why
}

// AwaitAny waits, for at most a long window, for a line behind the mark that satisfies is.
func (c *Client) AwaitAny(m Mark, is func(Line) bool) {
	c.awaitLine(longWindow*c.Timeouts.Window, m, is)
}

// Value is something that was read from lines, with those lines as its evidence.
type Value struct {
	Of   any
	Cite []wire.Frame
}

// Cited gives the value and its evidence.
func (v Value) Cited() (any, []wire.Frame) { return v.Of, v.Cite }

// text reads a JSON string: "" where it is none.
func text(raw json.RawMessage) string {
	var s string
	_ = json.Unmarshal(raw, &s)
	return s
}

// decode turns JSON into plain values for matchers and reports; numbers stay as they were written.
func decode(raw json.RawMessage) any {
	if raw == nil {
		return nil
	}
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return string(raw)
	}
	return v
}
