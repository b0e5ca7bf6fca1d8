package rule

import (
	"fmt"
	"runtime/debug"
	"unicode/utf8"

	"github.com/acp-conform/acp-conform/conformance/wire"
	"github.com/acp-conform/acp-conform/schemas"
)

// Watcher looks at every frame of one connection, in order, in constant memory.
type Watcher interface {
	// See is shown each reading until the suite sends something bad on purpose.
	See(*Log, *Reading)
	// End is called once, when the connection is over.
	End(*Log, *Conversation)
}

// Each is a Watcher that judges every frame by itself.
type Each func(*Log, *Reading)

// See judges one frame.
func (e Each) See(l *Log, r *Reading) { e(l, r) }

// End has nothing to add.
func (Each) End(*Log, *Conversation) {}

// EachFrame makes the Watch function of a rule that judges every frame by itself.
func EachFrame(see func(*Log, *Reading)) func() Watcher {
	return func() Watcher { return Each(see) }
}

// Audience are the watchers of one connection.
type Audience struct {
	Conversation *Conversation
	Logs         []*Log // one for each rule, in the order of the rules
	watchers     []Watcher
	ended        bool
}

// NewAudience starts the watchers of the rules for one connection of the conversation that seenIn names.
func NewAudience(e *schemas.Edition, rules []*Rule, seenIn string) *Audience {
	a := &Audience{Conversation: NewConversation(e)}
	a.Conversation.Watching = make(map[string]bool, len(rules))
	for _, r := range rules {
		a.Conversation.Watching[r.ID] = true
		a.Logs = append(a.Logs, NewLog(r, seenIn))
		a.watchers = append(a.watchers, r.Watch())
	}
	return a
}

// Tap shows a frame to the watchers. The transcript calls it for one frame at a time.
func (a *Audience) Tap(f wire.Frame, e wire.Envelope) {
	if a.ended || f.From == wire.AgentStderr && utf8.Valid(f.Line) {
		return // whoever floods stderr does not keep everybody busy
	}
	c := a.Conversation
	r := c.Read(f, e)
	if !c.Tainted && !r.Deliberate {
		for i, w := range a.watchers {
			if r.Version == 0 || a.Logs[i].rule.For(r.Version) {
				a.see(i, w, r)
			}
		}
	}
	c.Apply(r)
	if r.Remark != nil && r.Remark.Ended != "" {
		a.end()
	}
}

func (a *Audience) see(i int, w Watcher, r *Reading) {
	defer a.rescue(i)
	w.See(a.Logs[i], r)
}

// rescue turns a panic of a watcher into a fault of the suite: the agent is not to blame, and the others go on.
func (a *Audience) rescue(i int) {
	if p := recover(); p != nil {
		a.Logs[i].Fault("%v\n%s", p, debug.Stack())
	}
}

func (a *Audience) end() {
	a.ended = true
	for i, w := range a.watchers {
		func() {
			defer a.rescue(i)
			w.End(a.Logs[i], a.Conversation)
		}()
	}
	a.watchers = nil // they and the conversation hold lines, which may be long
	a.Conversation.forget()
}

// Fault is what the suite itself did wrong on this connection, "" if nothing.
func (a *Audience) Fault() string {
	if a.Conversation.Fault != "" {
		return a.Conversation.Fault
	}
	for _, l := range a.Logs {
		if l.Internal != "" {
			return fmt.Sprintf("%s: %s", l.rule.ID, l.Internal)
		}
	}
	return ""
}
