package fuzz

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/acp-conform/acp-conform/conformance/wire"
	"github.com/acp-conform/acp-conform/schemas"
)

// player plays steps on a connection and keeps what was sent.
type player struct {
	*connection
	edition *schemas.Edition
	facts   *facts
	pace    *pace
	hurried bool // one fence without an answer is enough
	// expected tells whether it is known that the line of a step is not answered; nil = nothing is known.
	expected func(Step) bool
	start    time.Duration // how long the answer to initialize may take

	sent    []*sent            // the lines of the steps that are being played
	asked   map[string][]*sent // all lines of the connection with an id, by their keys
	own     map[string]bool    // keys of the requests that are not in the script
	nextOwn int
	// ownAnswers counts their answers.
	ownAnswers map[string]int
	garbled    bool // a line has been sent that is no message
	garbage    []*sent
	doubts     []*sent // lines with something invalid in them
	lost       bool    // a fence was not answered, and the next one was
	after      *sent   // the line behind which the agent ended or stopped answering
	together   int     // how many lines were written in one piece with it
	held       []*sent // lines that are part of the same write as the fence behind them
	refused    string  // why a line could not be written
}

// firstOwn is the first id of the requests that are not in the script, out of the way of those that are.
const firstOwn = 900_000_001

// play plays the steps, and sees to it that all that is owed can be answered. It returns met if the agent still lives and answers, and
// otherwise how it does not.
func (p *player) play(ctx context.Context, steps []Step) state {
	p.sent, p.held, p.together, p.lost = nil, nil, 0, false
	last := -1
	for i, step := range steps {
		if step.Reply {
			p.mu.Lock()
			p.replies.scripted = append(p.replies.scripted, step.Send)
			p.mu.Unlock()
			continue
		}
		last = i
	}
	var piece []*sent
	for i, step := range steps {
		if step.Reply {
			continue
		}
		s := p.note(step, i)
		if piece = append(piece, s); step.Then == Join && (i < last || p.facts.Fence.Method != "") {
			continue
		}
		how := p.say(ctx, piece)
		p.together = len(piece)
		if piece = nil; how == met {
			how = p.wait(ctx, step, s)
		}
		if how != met {
			p.after = s
			return how
		}
	}
	if len(p.sent) == 0 {
		return met
	}
	if p.held = piece; len(piece) > 0 {
		p.together = len(piece)
	}
	return p.behind(p.settle(ctx))
}

// behind notes that it was behind the last line that the agent ended or stopped answering.
func (p *player) behind(how state) state {
	if how != met {
		p.after = p.lastSent()
	}
	return how
}

// note reads a line of the script before it is sent.
func (p *player) note(step Step, i int) *sent {
	s := look(expand(step.Send, p.lookUp), i, p.edition)
	s.made, s.named, s.known = step, step.Name, s.known && p.facts.has(s.Name)
	if s.prompt && !p.facts.Turn && !p.facts.CancelEnds {
		s.owed = false // no turn ends here
	}
	p.sent = append(p.sent, s)
	if s.clarity != plain || s.known && !s.valid {
		p.doubts = append(p.doubts, s)
	}
	p.garbled = p.garbled || s.clarity == broken
	switch {
	case s.clarity == broken, s.Kind == wire.Response:
		p.garbage = append(p.garbage, s)
	case s.Kind == wire.Request:
		p.sameID(s)
		p.asked[s.key] = append(p.asked[s.key], s)
	}
	return s
}

// sameID finds lines with the same id, of which nobody can say which one an answer is for: none of them is owed one.
func (p *player) sameID(s *sent) {
	for _, before := range p.asked[s.key] {
		before.owed, s.owed = false, false
	}
}

// sentAt is the line of a step of those that were played last, nil if it was not reached.
func (p *player) sentAt(step int) *sent {
	for _, s := range p.sent {
		if s.step == step {
			return s
		}
	}
	return nil
}

// say writes lines in one piece.
func (p *player) say(ctx context.Context, piece []*sent) state {
	var lines [][]byte
	p.mu.Lock()
	for _, s := range piece {
		s.from, s.at = p.got.count, p.now()
		lines = append(lines, s.text)
	}
	p.mu.Unlock()
	return p.unwritten(ctx, p.write(lines...))
}

// unwritten is how an agent stands that took something in, or did not.
func (p *player) unwritten(ctx context.Context, err error) state {
	if err == nil {
		return met
	}
	p.refused = err.Error()
	return p.await(ctx, exitPatience, func() bool { return false })
}

// wait waits for what the step waits for. An answer that does not come is no reason to stop as long as the agent lives: settle
// gives it all the time that it may take.
func (p *player) wait(ctx context.Context, step Step, s *sent) state {
	switch step.Then {
	case Answer:
		if !s.owed || s.prompt && !p.facts.Turn {
			return p.fence(ctx)
		}
		how := p.answered(ctx, s, p.patience(step, s))
		if how == silent {
			return p.fence(ctx)
		}
		p.keep(s)
		return how
	case Fence:
		return p.fence(ctx)
	case Settle:
		return p.settle(ctx)
	case Line:
		return p.pause(ctx, func() bool { return p.got.count > s.from })
	}
	return met
}

// put sends one step and waits for its answer, and for nothing else: it is not known yet what can be.
func (p *player) put(ctx context.Context, step Step, limit time.Duration) state {
	s := p.note(step, len(p.sent))
	how := p.say(ctx, []*sent{s})
	if how == met {
		how = p.answered(ctx, s, limit)
	}
	if p.keep(s); how != met {
		p.after = s
	}
	return how
}

// patience is how long the answer to a step is waited for before the next one.
func (p *player) patience(step Step, s *sent) time.Duration {
	switch {
	case s.Name == "initialize":
		return p.start
	case step.Name != "":
		return p.limit // later steps need it
	}
	return p.pace.short(p.limit)
}

func (p *player) answered(ctx context.Context, s *sent, limit time.Duration) state {
	return p.await(ctx, limit, func() bool { return p.answerTo(s) != nil })
}

// answerTo finds the response to a line; the lock is held.
func (p *player) answerTo(s *sent) *line { return p.got.answer(s.key, s.from) }

// keep notes the result of a step that has a name.
func (p *player) keep(s *sent) {
	if s.named == "" {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if l := p.answerTo(s); l != nil && l.Result != nil {
		p.known[s.named] = inBrief(l.Result)
	}
}

// result gives a string of a result that was kept, by NAME.member.
func (c *connection) result(name string) (string, bool) {
	step, member, _ := strings.Cut(name, ".")
	c.mu.Lock()
	defer c.mu.Unlock()
	return unquote(string(wire.Member(c.known[step], member)))
}

// ask sends a request of our own and waits for its answer.
func (p *player) ask(ctx context.Context, method string, params any, limit time.Duration) state {
	s, how := p.begin(ctx, method, params)
	if how != met {
		return how
	}
	begun := p.now()
	if how = p.answered(ctx, s, limit); how == met {
		p.pace.took(p.now().Sub(begun))
	}
	return how
}

// begin sends a request of our own.
func (p *player) begin(ctx context.Context, method string, params any) (*sent, state) {
	s := &sent{prompt: method == "session/prompt", clarity: plain}
	s.ID = json.RawMessage(strconv.Itoa(p.nextOwn))
	s.key = keyOf(s.ID)
	p.nextOwn++
	p.own[s.key] = true
	text := []byte("{}")
	if params != nil {
		text, _ = json.Marshal(params) // strings in maps always encode
	}
	s.text = []byte(`{"jsonrpc":"2.0","id":` + string(s.ID) + `,"method":` + quote(method) + `,"params":` + string(text) + `}`)
	s.Envelope = wire.Inspect(s.text)
	piece := append(p.held, s)
	p.held = nil
	return s, p.say(ctx, piece)
}

// fence finds out whether the agent still lives and answers.
func (p *player) fence(ctx context.Context) state {
	if p.facts.Fence.Method == "" {
		return p.pause(ctx, func() bool { return false })
	}
	how := p.ask(ctx, p.facts.Fence.Method, p.facts.Fence.Params, p.limit)
	if how == silent && !p.hurried {
		if how = p.ask(ctx, p.facts.Fence.Method, p.facts.Fence.Params, p.pace.short(p.limit)); how == met {
			p.lost = true
		}
	}
	return how
}

// pause waits a while for something that need not come.
func (p *player) pause(ctx context.Context, cond func() bool) state {
	if p.await(ctx, p.pace.short(p.limit), cond) == gone {
		return gone
	}
	return met
}
