package rule

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/acp-conform/acp-conform/conformance/client"
	"github.com/acp-conform/acp-conform/conformance/result"
	"github.com/acp-conform/acp-conform/conformance/wire"
	"github.com/acp-conform/acp-conform/schemas"
)

// Env is what a run offers to a rule that acts.
type Env struct {
	// Dial starts an agent and connects to it; nothing is sent yet.
	Dial func(ctx context.Context, l wire.Launch) (*client.Client, error)
	// Protocol is the version that is spoken; 0 = client.Version.
	Protocol int
	// Facts are what the survey found out.
	Facts Facts
	// Edition is what the run judges by: what it does not know is not asked for.
	Edition *schemas.Edition
	// Stimuli finds a task that brings a stimulus about.
	Stimuli Stimuli
	// Fixture gives what make makes, made once in a run for all the rules that ask for that name, on agents of its own that are
	// ended then; whoever asks meanwhile waits. The reason says why there is nothing, if there is nothing.
	Fixture func(name string, make func(*Case) any) (made any, reason string)
	// OwnHome makes a fresh HOME that no other agent of the run has; ok is false where the agents have to share one.
	OwnHome func() (dir string, ok bool)
	// Profile is what the user says about the agent.
	Profile Profile
	// Canary is the command that runs our own MCP server, before its arguments; nil = there is none.
	Canary []string
	// Seed is what is random comes from; it is never 0 in a run.
	Seed int64
	// Remembered tells that the agents may know what was asked for in an earlier run.
	Remembered bool
	// Share is how much a rule does of what it does again and again, for whoever has many agents to try; 0 = all of it.
	Share float64
	// Sequences is how many sequences of requests a rule tries that makes them up; 0 = as many as it thinks right.
	Sequences int
	// Limit is the time that a rule may take; 0 = any.
	Limit time.Duration
	// Pure forbids what a conforming client would not send.
	Pure bool
	// TempDir makes a fresh directory that is removed at the end of the run.
	TempDir func() (string, error)
}

// Times is how often a rule repeats what it would do n times, at least as often as it needs to say anything.
func (e *Env) Times(n, least int) int {
	if e.Share == 0 {
		return n
	}
	return max(least, int(e.Share*float64(n)))
}

// Version is the protocol version that the rules speak.
func (e *Env) Version() int { return cmp.Or(e.Protocol, client.Version) }

// Facts are what the survey found out about this agent.
type Facts struct {
	Init          client.Initialized
	Handshake     bool   // a version was agreed on
	Session       bool   // a session opened
	Auth          bool   // the agent asks for authentication first
	SessionReason string // why none opened
	Turn          bool   // a turn ended by itself
	CancelEnds    bool   // a turn ended after it was cancelled
	TurnReason    string // why none ended
	RoundTrip     time.Duration
	StartTook     time.Duration // from the start to the answer to initialize
	Fence         client.Fence
	Dies          string // how the agent ended by itself during the survey, "" if it did not
	Lingers       bool   // the agent did not end when its input was closed
	Vocabulary    string // of session/status, by the name of client.Vocabularies; "" where no word was heard
	Fake          bool   // the agent takes directives: what it is asked to do, it surely does
}

// Case is an acting rule at work.
type Case struct {
	context.Context
	Log  *Log
	Env  *Env
	rule *Rule

	clients []*client.Client
	behind  bool // one of those that have ended was behind its agent
	main    *client.Client
	random  *rand.Rand
}

// stopped ends a rule early, with a verdict that is not a judgement.
type stopped struct {
	verdict result.Verdict
	reason  string
}

// NotObserved ends the rule: nothing led to an occasion. What was observed before keeps its weight.
func (c *Case) NotObserved(format string, args ...any) {
	panic(stopped{result.NotObserved, fmt.Sprintf(format, args...)})
}

// Skip ends the rule: its gate turns out to be closed, because the agent does not offer what the rule is about.
func (c *Case) Skip(format string, args ...any) {
	panic(stopped{result.Skipped, fmt.Sprintf(format, args...)})
}

// Require ends the rule as not observed unless ok: for steps that only prepare.
func (c *Case) Require(ok bool, format string, args ...any) {
	if !ok {
		c.NotObserved(format, args...)
	}
}

// Dial starts an agent of the rule's own and connects to it; nothing is sent yet.
func (c *Case) Dial() *client.Client { return c.DialWith(wire.Launch{}) }

// DialWith is Dial with a launch of the rule's choice.
func (c *Case) DialWith(l wire.Launch) *client.Client {
	cl, err := c.Env.Dial(c, l)
	if err != nil {
		c.NotObserved("the agent could not be started: %v", err)
	}
	c.clients = append(c.clients, cl)
	return cl
}

// TryDial is DialWith for a launch that may not suit the agent, such as another working directory when its command line holds
// relative paths: the rule goes on without it.
func (c *Case) TryDial(l wire.Launch) (*client.Client, error) {
	cl, err := c.Env.Dial(c, l)
	if err == nil {
		c.clients = append(c.clients, cl)
	}
	return cl, err
}

// Connect starts an agent of the rule's own and shakes hands, with all that the client can serve.
func (c *Case) Connect() *client.Client { return c.ConnectWith(client.Everything(c.Env.Version())) }

// ConnectAt is Connect for an agent with this HOME; "" is the one that the agents of the run share.
func (c *Case) ConnectAt(home string) *client.Client {
	cl := c.DialWith(wire.Launch{Home: home})
	c.shakeHands(cl, client.Everything(c.Env.Version()))
	return cl
}

// Advertises tells whether the agent advertises the capability at a dotted path of version 1.
func (c *Case) Advertises(path string) bool { _, ok := c.Env.Facts.Init.Capability(path); return ok }

// ConnectWith is Connect with other client capabilities; nil leaves the member out.
func (c *Case) ConnectWith(capabilities map[string]any) *client.Client {
	cl := c.Dial()
	c.shakeHands(cl, capabilities)
	return cl
}

func (c *Case) shakeHands(cl *client.Client, capabilities map[string]any) {
	in := cl.Initialize(c.Env.Version(), capabilities)
	c.Require(in.Answer.OK(), "initialize: %s", in.Answer)
	c.Require(in.Version == c.Env.Version(), "initialize was answered with protocol version %d", in.Version)
}

// Client is the rule's main connection, made on first use.
func (c *Case) Client() *client.Client {
	if c.main == nil {
		c.main = c.Connect()
	}
	return c.main
}

// NewSession opens a session on the main connection.
func (c *Case) NewSession() *client.Session { return c.NewSessionOn(c.Client()) }

// NewSessionOn opens a session on a connection.
func (c *Case) NewSessionOn(cl *client.Client) *client.Session {
	s, ok := cl.NewSession()
	c.Require(ok, "session/new: %s", s.Answer)
	return s
}

// Task finds a prompt that brings the stimulus about, or ends the rule as not observed.
func (c *Case) Task(s Stimulus, arg ...string) Task {
	a := ""
	if len(arg) > 0 {
		a = arg[0]
	}
	t, ok := c.Env.Stimuli(s, a)
	c.Require(ok, "nothing here can bring about %s", s)
	return t
}

// Prompt starts a turn that brings the stimulus about.
func (c *Case) Prompt(s *client.Session, st Stimulus, arg ...string) *client.Turn {
	return c.PromptTask(s, c.Task(st, arg...))
}

// PromptTask starts a turn with a task.
func (c *Case) PromptTask(s *client.Session, t Task) *client.Turn {
	turn := s.Prompt(t.Prompt, t.Certain)
	if err := turn.Refused(); err != nil {
		c.NotObserved("%v", err)
	}
	return turn
}

// Ran waits for the end of a turn that only prepares, or ends the rule as not observed.
func (c *Case) Ran(t *client.Turn) client.Answer {
	a, ok, why := t.Ran()
	c.Require(ok, "%s", why)
	return a
}

// Alive judges that the agent still answers after what it was sent. Whether it answers by a result or by an error is all one.
func (c *Case) Alive(cl *client.Client, certain bool, why string, cite ...wire.Frame) bool {
	ok, a := cl.Alive()
	c.Log.Occasion()
	if !ok {
		c.Log.BrokenIf(certain, Finding{Why: why, Expected: "an answer to the next request", Found: a.String(), Cite: append(append(c.circumstances(), cite...), a.Frames()...)})
	}
	return ok
}

// circumstances are the lines of the rule's last connection that explain what came back.
func (c *Case) circumstances() []wire.Frame {
	if len(c.clients) == 0 {
		return nil
	}
	return c.clients[len(c.clients)-1].Circumstances()
}

// End ends one of the rule's agents before the rule is over.
func (c *Case) End(cl *client.Client) wire.Ending {
	if c.main == cl {
		c.main = nil
	}
	c.clients = slices.DeleteFunc(c.clients, func(o *client.Client) bool { return o == cl })
	c.behind = c.behind || cl.Behind()
	return cl.End()
}

// Fixture makes a fresh directory outside of any session.
func (c *Case) Fixture() string {
	dir, err := c.Env.TempDir()
	c.Require(err == nil, "no directory could be made: %v", err)
	return dir
}

// JSON encodes a value that surely encodes.
func JSON(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}
