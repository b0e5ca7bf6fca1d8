// Package reference is the client of the driver contract in conformance/judge: right by default, and wrong or legally different
// on request in ways that have names. It shows what a driver has to do, and that the rules about clients can be broken.
package reference

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"time"

	"github.com/acp-conform/acp-conform/conformance/client"
	"github.com/acp-conform/acp-conform/conformance/wire"
)

// Client is a client with its user. A Client is used once.
type Client struct {
	Launch   wire.Launcher // starts the agent
	Actions  string        // what the user does: visit, look, peek or many
	Session  string        // the session that the user comes back to
	Protocol int           // the version to ask for, 0 = 1
	Words    [2]string     // what a session is called that is in memory, and one that is only known; "" = active and inactive
	Faults   []string      // names from Faults
	Variants []string      // names from Variants
	Dir      string        // a directory for its sessions
	Out      io.Writer     // receives what the user sees, a line of JSON for each step
	Timeouts client.Timeouts
}

// ErrWaiting is that the client waits for something that will not come. A process would wait until it is ended by force.
var ErrWaiting = errors.New("the client waits for something that does not come")

// Run does what the user does, and returns the exit code of the client.
func (c Client) Run(ctx context.Context) (code int, err error) {
	r := &run{Client: c, b: correct(), opened: map[string]bool{}, known: map[string]answer{}}
	if err := r.b.apply(c.Variants, c.Faults); err != nil {
		return 0, err
	}
	if r.Protocol == 0 {
		r.Protocol = 1
	}
	if r.Words == [2]string{} {
		r.Words = [2]string{"active", "inactive"}
	}
	if !r.b.Starts() {
		return r.b.ExitCode(0), nil
	}
	if err := r.connect(ctx); err != nil {
		return 1, err
	}
	defer func() {
		r.cl.End()
		var e ended
		switch p := recover().(type) {
		case nil:
			code = r.b.ExitCode(0)
		case error:
			if !errors.As(p, &e) {
				panic(p)
			}
			code, err = r.b.ExitCode(e.code), e.err
		default:
			panic(p)
		}
	}()
	r.play()
	return 0, nil
}

// ended is thrown where a client ends early.
type ended struct {
	code int
	err  error
}

func (ended) Error() string { return "the client has ended" }

// run is a client at work.
type run struct {
	Client
	b           *Behaviour
	cl          *client.Client
	in          client.Initialized
	marker      json.RawMessage   // the capability for session/status
	known       map[string]answer // the last answer about each session
	opened      map[string]bool   // the sessions that this connection has made or resumed
	dirs        map[string]string
	looks       int
	completions int
	usage       float64
}

func (r *run) connect(ctx context.Context) error {
	peer, err := r.Launch(ctx, wire.Launch{For: "client"})
	if err != nil {
		return err
	}
	r.cl = client.Dial(ctx, peer, client.Options{Timeouts: r.Timeouts, Dir: r.Dir, Name: "client", Now: time.Now})
	return nil
}

// play is one script. An agent of another version than was asked for is left alone.
func (r *run) play() {
	if r.in = r.cl.Initialize(r.Protocol, map[string]any{}); !r.in.Answer.OK() || r.in.Version != r.Protocol {
		r.say(step{Step: "open", Error: r.in.Answer.String()})
		return
	}
	if r.b.LeavesAtOnce() {
		return
	}
	r.marker, _ = r.in.Capability("sessionCapabilities.status")
	sessions := r.list()
	if r.b.LeavesEarly() {
		return
	}
	switch r.Actions {
	case "look":
		r.look(r.Session)
	case "peek":
		r.peek()
	case "many":
		r.lookAtAll(sessions)
	default:
		r.visit(r.Session)
	}
}

// offers tells whether the agent serves what a capability of sessions stands for.
func (r *run) offers(name string) bool {
	_, ok := r.in.Capability("sessionCapabilities." + name)
	return ok && r.b.Trusts(r.marker, name)
}

// list gives the ids of all sessions, or of the one that the user knows where the agent has no list.
func (r *run) list() []string {
	r.dirs = map[string]string{}
	if !r.offers("list") || !r.b.Lists() {
		return []string{r.Session}
	}
	rows, a, ok := r.cl.List()
	var ids []string
	for _, row := range rows {
		ids = append(ids, row.ID)
		r.dirs[row.ID] = row.Cwd
	}
	s := step{Step: "list"}
	if !ok {
		s.Error = a.String()
	}
	r.say(s)
	return ids
}

func (r *run) visit(id string) {
	if r.b.OpensAtOnce() {
		r.open(id)
	}
	for range 3 {
		r.look(id)
	}
	r.prompt(id)
	r.look(id)
	r.remove(id)
}

func (r *run) peek() {
	s, ok := r.cl.NewSession()
	if !ok {
		r.say(step{Step: "open", Error: s.Answer.String()})
		return
	}
	r.opened[s.ID] = true
	t := s.Prompt(client.Text("hello"), false)
	t.Started()
	if a := r.look(s.ID); !r.b.EndsTurn(a) {
		r.finish(t, s.ID)
	} else {
		r.say(step{Step: "prompt", SessionID: s.ID})
	}
	r.look(s.ID)
	r.remove(s.ID)
}

func (r *run) lookAtAll(ids []string) {
	if !r.b.Asks(r.marker) {
		return
	}
	var answers []client.Answer
	if r.b.OneByOne() {
		for _, id := range ids {
			answers = append(answers, r.cl.Call("session/status", client.StatusParams(id)))
		}
	} else {
		var calls []*client.Call
		for _, id := range ids {
			calls = append(calls, r.cl.Start("session/status", client.StatusParams(id)))
		}
		for _, c := range calls {
			answers = append(answers, c.Wait())
		}
	}
	answers = r.b.Match(answers)
	for i, id := range ids {
		r.known[id] = r.read(answers[i])
		r.show(id)
	}
}

// look asks for the status of a session, if that can be asked for, and shows what is known of it.
func (r *run) look(id string) answer {
	if !r.b.Asks(r.marker) {
		r.say(step{Step: "status", SessionID: id, Shown: r.shown(id)})
		return answer{}
	}
	var calls []*client.Call
	for range r.b.Probes(r.looks) {
		calls = append(calls, r.cl.Start("session/status", client.StatusParams(id)))
	}
	var a answer
	for _, c := range calls {
		a = r.read(c.Wait())
	}
	r.looks++
	r.known[id] = a
	if r.b.Crashes(a) {
		panic(ended{code: 70})
	}
	turns, tokens := r.b.Counts(r.in.Version, a)
	r.completions += turns
	r.usage += tokens
	r.show(id)
	r.react(id, a)
	return a
}

// react does what an answer makes a client do by itself: by default nothing.
func (r *run) react(id string, a answer) {
	if r.b.WaitsFor(a) && !r.opened[id] {
		_, state, _ := r.cl.AwaitTurnLine(r.cl.Mark(), func(l client.Line) bool { return l.Name == "session/update" })
		if state != client.Met {
			panic(ended{code: 75, err: ErrWaiting})
		}
	}
	if r.b.Resumes(a) && !r.opened[id] {
		r.open(id)
	}
}
