package engine

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/acp-conform/acp-conform/conformance/client"
	"github.com/acp-conform/acp-conform/conformance/result"
	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/stimulus"
	"github.com/acp-conform/acp-conform/conformance/wire"
)

// SurveyPrompts is how many turns the survey starts at most: a short one, one that may ask for permission, one that is
// cancelled. An agent that takes directives is asked for more.
func SurveyPrompts(fake bool) int {
	if fake {
		return 3 + len(fakeSteps())
	}
	return 3
}

// surveyName is how findings name the survey.
const surveyName = "survey"

// survey is the first conversation of a run: it finds out what kind of agent this is.
type survey struct {
	stage     *stage
	c         *client.Client
	facts     rule.Facts
	find      rule.Stimuli
	announced []string
	answered  bool // initialize got some answer: rules about it can be judged
	handshake bool
	problem   string
	took      time.Duration
	moments   []result.Moment
	asked     bool // the status of a session, while the agent was there
}

// survey runs the fixed conversation: handshake, session, a turn, a tool and a permission, cancel, end.
func (r *run) survey(ctx context.Context) *survey {
	started := r.Now()
	s := &survey{stage: r.stage(surveyName)}
	start, end := r.turns.of(ctx, func() func() { return func() {} })
	s.stage.turn = start
	defer end()
	defer s.stage.close()
	ctx, stop := s.stage.clock(ctx)
	defer stop()
	s.stage.timeline = newTimeline(started)
	c, err := s.stage.dial(ctx, wire.Launch{})
	if err != nil {
		s.facts.SessionReason, s.facts.TurnReason = "the agent could not be started", "the agent could not be started"
		s.problem = notStarted(err)
		return s
	}
	s.c = c
	s.converse(r)
	if !s.answered {
		c.Timeouts.Exit = min(c.Timeouts.Exit, lingerGrace) // it had the time to start, and has done nothing with it
	}
	if c.Gone() && !s.asked { // one that goes because of what it is asked last is the business of the rules about that
		s.facts.Dies = strings.TrimPrefix(c.GoneBecause(), "the agent ")
	}
	ending := c.End()
	s.moments = s.stage.timeline.end(r.Now(), ending.String())
	s.facts.Lingers = !ending.Willing
	switch {
	case ctx.Err() != nil:
		s.problem = "Nothing can be said of the agent: " + client.Interrupted(ctx) + "."
	case !s.handshake || s.facts.Dies != "":
		s.problem = s.explain(r.Protocol, ending)
	case !s.facts.Session:
		s.problem = s.noSession()
	}
	s.took = r.Now().Sub(started)
	r.Progress(Event{Rule: surveyName})
	return s
}

func (s *survey) converse(r *run) {
	in := s.c.Initialize(r.Protocol, client.Everything(r.Protocol))
	s.facts.Init, s.answered = in, in.Answer.State == client.Met
	s.facts.StartTook = in.Answer.Took
	s.handshake = in.Answer.OK() && in.Version == r.Protocol
	s.facts.Handshake = s.handshake
	if !s.handshake {
		s.facts.SessionReason, s.facts.TurnReason = "the agent did not shake hands", "the agent did not shake hands"
		return
	}
	if s.c.Window(); s.c.Gone() { // an agent that goes now was not driven away by what it is asked next
		s.facts.SessionReason, s.facts.TurnReason = "the agent did not stay", "the agent did not stay"
		return
	}
	s.announced = stimulus.Directives(in)
	s.facts.Fake = len(s.announced) > 0
	s.find = stimulus.For(s.announced, r.Prompts)
	s.fence(r)
	session, ok := s.c.NewSession()
	if !ok {
		s.facts.Auth = session.Answer.Auth()
		s.facts.SessionReason = session.Answer.String()
		if session.Answer.OK() {
			s.facts.SessionReason += " that has no usable sessionId"
		}
		s.facts.TurnReason = "no session opened"
		return
	}
	s.facts.Session = true
	defer s.status(r) // behind all else: an agent may do more than answer
	if !s.shortTurn(session) {
		return
	}
	for _, step := range s.more() {
		if t, ok := s.find(step.what, step.arg); ok {
			if session.Prompt(t.Prompt, t.Certain).End().State != client.Met {
				return // a turn without an end is waited for once
			}
		}
	}
	s.cancelledTurn(session, rule.LongTurn)
	if s.facts.Fake {
		if other, ok := s.c.NewSession(); ok {
			s.cancelledTurn(other, rule.LongTool)
		}
	}
}

// fence finds the cheapest request that the agent answers whatever it is, for later proofs of absence.
func (s *survey) fence(r *run) {
	if r.Pure {
		return
	}
	for _, f := range client.Fences() {
		if f.Method == "session/list" {
			if _, ok := s.facts.Init.Capability("sessionCapabilities.list"); !ok {
				continue
			}
		}
		if a := s.c.Checked(f.Method, f.Params); a.State == client.Met {
			s.facts.Fence, s.facts.RoundTrip = f, a.Took
			s.c.Fence = f
			return
		}
	}
}

// status finds out in which words the agent answers session/status: it is held to them for the rest of the run.
func (s *survey) status(r *run) {
	s.facts.Vocabulary = r.Vocabulary
	if _, ok := s.facts.Init.Capability("sessionCapabilities.status"); !ok || r.StableOnly {
		return
	}
	session, ok := s.c.NewSession()
	if !ok {
		return
	}
	s.c.Window() // one that goes now was not driven away by the question
	s.asked = !s.c.Gone()
	if v, ok := client.VocabularyOf(session.Status().Word); ok && s.facts.Vocabulary == "" {
		s.facts.Vocabulary = v.Name
	}
}

// shortTurn finds out whether a turn ends by itself here.
func (s *survey) shortTurn(session *client.Session) bool {
	t, _ := s.find(rule.ShortTurn, "")
	turn := session.Prompt(t.Prompt, t.Certain)
	a, ok, why := turn.Ran()
	s.facts.Turn, s.facts.TurnReason = ok, why
	s.facts.CancelEnds = turn.Cancelled && a.State == client.Met
	return ok
}

// step is a turn of the survey.
type step struct {
	what rule.Stimulus
	arg  string
}

// more are the steps beyond a short turn: with a model behind the agent each costs a prompt, so only one is tried there.
func (s *survey) more() []step {
	if s.facts.Fake {
		return fakeSteps()
	}
	return []step{{what: rule.Permission}}
}

// fakeSteps show everything that an agent can say, so that every watching rule meets its occasion.
func fakeSteps() []step {
	return []step{
		{rule.ToolTurn, ""}, {rule.Permission, ""}, {rule.Thought, ""}, {rule.Numbered, "5"}, {rule.RichContent, ""}, {rule.StateUpdates, ""},
		{rule.WriteFile, "survey.txt"}, {rule.ReadFile, "survey.txt"}, {rule.RunCommand, "true"}, {rule.Elicitation, ""}, {rule.GatedUpdates, ""}, {rule.FailedTurn, ""},
	}
}

func (s *survey) cancelledTurn(session *client.Session, st rule.Stimulus) {
	t, ok := s.find(st, "")
	if !ok {
		return
	}
	turn := session.Prompt(t.Prompt, t.Certain)
	if turn.Started() {
		turn.Cancel()
		a := turn.End()
		s.facts.CancelEnds = a.State == client.Met
		s.c.Fenced()
		return
	}
	turn.End()
}

const mostCapabilities = 64 << 10

func (s *survey) describe(out *result.Run) {
	f := s.facts
	out.Problem, out.Timeline = s.problem, s.moments
	out.Survey = result.Survey{Handshake: s.handshake, Session: f.Session, SessionReason: f.SessionReason, Turn: f.Turn,
		TurnReason: f.TurnReason, Fence: f.Fence.Method, RoundTripMs: f.RoundTrip.Milliseconds()}
	if out.Survey.Fence == "" {
		out.Survey.Fence = "a quiet window"
	}
	out.Protocol.Negotiated, out.Protocol.StatusVocabulary = f.Init.Version, f.Vocabulary
	if len(f.Init.Capabilities) <= mostCapabilities {
		_ = json.Unmarshal(f.Init.Capabilities, &out.Agent.Capabilities)
	}
	var info result.Info
	if json.Unmarshal(f.Init.Info, &info) == nil && info != (result.Info{}) {
		info.Name, info.Version = result.Short(info.Name), result.Short(info.Version)
		out.Agent.Info = &info
	}
}
