package rules

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/acp-conform/acp-conform/conformance/client"
	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/wire"
)

var statusWholeConversation = rule.Rule{
	ID:    "status.sidefx.whole-conversation",
	Title: "a conversation goes the same way whether or not the status is asked for at each step of it",
	Level: rule.Must, Basis: rule.Stated, Stability: rule.Unstable, Versions: both,
	Ref:      statusPage("contract"),
	Advice:   "A question may change nothing at all; the step that is named is the first one that went differently.",
	Prompts:  shelfPrompts + 24,
	Needs:    storedNeeds(),
	Optional: true, // only an agent that does the same each time can be compared with itself
	Act: func(c *rule.Case) {
		c.Require(c.Env.Facts.Fake, "nothing says that the agent does the same each time, so that two conversations cannot be compared")
		judgeAll(c, compare("O5 twin conversation", func(time.Duration) oracle { return twinConversations(c) }))
	},
}

// filling is what a conversation is filled up with at each step.
type filling int

const (
	withQuestions filling = iota
	withOthers            // other requests in the place of questions: an agent may count them
	withNothing
)

// twinConversations is oracle O5: the same script without questions, in two ways, and with them, all messages of the agent compared.
func twinConversations(c *rule.Case) oracle {
	sh := onShelf(c)
	without, again := converse(c, sh, withOthers), converse(c, sh, withNothing)
	if i := without.differs(again); i >= 0 {
		return oracle{unusable: "two conversations without questions differ by themselves at the step: " + without.steps[i].name}
	}
	o := oracle{control: fmt.Sprintf("two conversations without questions had the same %d messages in %d steps", without.messages(), len(without.steps))}
	with := converse(c, sh, withQuestions)
	if i := without.differs(with); i >= 0 {
		o.shown = true
		found := []string{"nothing"}
		if i < len(with.steps) {
			found = with.steps[i].said
		}
		o.finding = rule.Finding{Why: "a conversation in which the status was asked for at each step went differently at the step: " + without.steps[i].name,
			Expected: without.steps[i].said, Found: found, Cite: with.cite(i)}
	}
	return o
}

// twin is a conversation under way: what the agent said in each step, in a form that can be compared.
type twin struct {
	c     *rule.Case
	v     shelved
	fill  filling
	mark  client.Mark
	asks  []string // sessions that are asked about
	names []string // ids and what stands for them, for a replacer
	steps []twinStep
	// answers are the ids of questions and of what stands in their place: the answers to them are all that may be more.
	answers map[string]bool
}

type twinStep struct {
	name  string
	said  []string
	lines []wire.Frame
}

// stepProbes is how often each session is asked about in a step.
const stepProbes = 3

// probe asks about all sessions, or makes as many other requests. Where few questions are to do, the newest session is asked about, and
// the others in turns.
func (s *twin) probe() {
	often := s.c.Env.Times(stepProbes, 1)
	for i, id := range s.asks {
		if often == 1 && i < len(s.asks)-1 && i != len(s.steps)%len(s.asks) {
			continue
		}
		for range often {
			switch s.fill {
			case withQuestions:
				s.answers[key(ask(s.c, s.v.Client, id).Answer)] = true
			case withOthers:
				if f := s.v.Fence; f.Method != "" {
					s.answers[key(s.v.Call(f.Method, f.Params))] = true
				}
			}
		}
	}
}

// key is the id of a request, as its answer has it.
func key(a client.Answer) string { return string(wire.Member(a.Request.Line, "id")) }

// settle lets come what is on its way: what follows a turn, or comes beside the answer to a fence.
func (s *twin) settle() {
	s.v.Fenced()
	if _, knows := s.v.Peer.(wire.Quieter); knows { // any other agent would have to be given a window at each step
		s.v.Window()
	}
}

// step notes what the agent said since the last step, and asks.
func (s *twin) step(name string) {
	s.probe()
	s.settle()
	st := twinStep{name: name}
	replace := strings.NewReplacer(s.names...)
	for _, l := range s.v.Since(s.mark) {
		if said := s.canonical(l, replace); said != "" {
			st.said, st.lines = append(st.said, said), append(st.lines, l.Frame)
		}
	}
	slices.Sort(st.said) // what is said at the same time may come in either order
	s.mark = s.v.Mark()
	s.steps = append(s.steps, st)
}

// knows gives a session a name, under which those of two agents can be compared, and has it asked about from now on.
func (s *twin) knows(id, name string) {
	s.names, s.asks = append(s.names, id, name), append(s.asks, id)
}

var timestamps = regexp.MustCompile(`"\d{4}-\d\d-\d\dT[^"]*"`)

// canonical is a message without what differs between two agents: ids of requests, times, the order of members. Answers to questions
// and to what stands in their place are left out.
func (s *twin) canonical(l client.Line, names *strings.Replacer) string {
	var v map[string]any
	if json.Unmarshal(l.Line, &v) != nil {
		return string(l.Line)
	}
	if l.Kind == wire.Response && s.answers[string(l.ID)] {
		return ""
	}
	delete(v, "id")
	out, _ := json.Marshal(v)
	return names.Replace(timestamps.ReplaceAllString(string(out), `"a time"`))
}

func (s *twin) messages() (n int) {
	for _, st := range s.steps {
		n += len(st.said)
	}
	return n
}

// differs is the first step in which two conversations are not the same, -1 if there is none.
func (s *twin) differs(other *twin) int {
	for i, st := range s.steps {
		if i >= len(other.steps) || !slices.Equal(st.said, other.steps[i].said) {
			return i
		}
	}
	return -1
}

// cite are lines of a step.
func (s *twin) cite(i int) []wire.Frame {
	if i >= len(s.steps) {
		return nil
	}
	return s.steps[i].lines[:min(len(s.steps[i].lines), 6)]
}

// converse plays the script: a new session with settings, turns, a permission and a cancel, which is closed and opened again, and an
// inactive one, which is prompted, loaded and prompted again.
func converse(c *rule.Case, sh *shelf, fill filling) *twin {
	s := &twin{c: c, v: sh.open(c, 2), fill: fill, answers: map[string]bool{}}
	defer c.End(s.v.Client)
	for i, k := range s.v.sessions {
		s.knows(k.ID, fmt.Sprintf("<inactive %d>", i+1))
	}
	s.knows(c.UnknownID(), "<unknown>")
	list := c.Advertises("sessionCapabilities.list")
	lists := func(when string) {
		if list {
			s.v.List()
			s.step("the list " + when)
		}
	}
	lists("before anything was asked")
	s.step("questions about what is not in memory")
	lists("after the first questions")
	a := c.NewSessionOn(s.v.Client)
	s.knows(a.ID, "<new>")
	s.names = append(s.names, a.Dir, "<directory>")
	s.step("session/new")
	change(c, a)
	s.step("other settings")
	s.turns(a)
	lists("after the turns")
	s.reopen(a)
	for i, k := range s.v.sessions {
		c.Prompt(k, rule.ShortTurn).End()
		s.step(fmt.Sprintf("a prompt for inactive session %d", i+1))
		if c.Env.Facts.Init.CanLoad() && i == 0 {
			k.Load()
		} else if c.Env.Facts.Init.CanReattach() {
			k.Reattach()
		}
		s.step(fmt.Sprintf("inactive session %d is started again", i+1))
		c.Prompt(k, rule.ShortTurn).End()
		s.step(fmt.Sprintf("a prompt for session %d when it was started again", i+1))
	}
	lists("in the end")
	return s
}

// turns has a short turn, one with a permission and one that is cancelled, each with questions while it runs.
func (s *twin) turns(a *client.Session) {
	s.c.Prompt(a, rule.ShortTurn).End()
	s.step("a short turn")
	s.v.HoldAll(permissionMethod)
	if t, ok := s.c.Env.Stimuli(rule.Permission, ""); ok {
		turn := s.c.PromptTask(a, t)
		if held, ok := s.v.AwaitAsk(permissionMethod, turn); ok {
			s.probe()
			if answer, failure := client.AllowPermission(held); failure == nil {
				held.Reply(answer)
			}
		}
		turn.End()
		s.step("a turn with a permission")
	}
	if t, ok := s.c.Env.Stimuli(rule.LongTurn, ""); ok {
		turn := s.c.PromptTask(a, t)
		turn.Started()
		s.settle() // a turn has begun before it has said that it waits
		s.probe()
		turn.Cancel()
		turn.End()
		s.step("a turn that is cancelled")
	}
}

// reopen closes the session and starts it again.
func (s *twin) reopen(a *client.Session) {
	if !s.c.Advertises("sessionCapabilities.close") {
		return
	}
	a.Close()
	s.step("session/close")
	if s.c.Env.Facts.Init.CanLoad() {
		a.Load()
		s.step("the closed session is loaded")
		s.c.Prompt(a, rule.ShortTurn).End()
		s.step("a prompt for it")
	}
}
