package fuzz

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/acp-conform/acp-conform/conformance/client"
	"github.com/acp-conform/acp-conform/conformance/wire"
	"github.com/acp-conform/acp-conform/schemas"
)

// facts are what a first conversation shows: what the agent offers, and what can be asked of it.
type facts struct {
	Init          client.Initialized
	Fence         client.Fence // Method "" = it answers none
	Session       bool
	SessionReason string
	Turn          bool     // a turn ends by itself
	CancelEnds    bool     // a turn ends when it is cancelled
	Modes         []string // of a new session
	Options       []option
	Directives    []string // words by which a fake agent says that its turns can be steered
	methods       []method
}

// option is a configuration option and its values.
type option struct {
	ID     string
	Values []string
}

// method is what may be sent.
type method struct {
	name   string
	kind   schemas.Kind
	weight int
}

// methodRow is a method with the capability that offers it, as version 1 names that; "" means that every agent has it.
type methodRow struct {
	method
	capability string
}

// offered are the methods that agents are asked for. What logs in or out, or changes the user's accounts, is not among them: it is
// never sent, whatever is advertised.
var offered = []methodRow{
	{method{"initialize", schemas.Request, 1}, ""},
	{method{"session/new", schemas.Request, 2}, ""},
	{method{"session/prompt", schemas.Request, 8}, ""},
	{method{"session/cancel", schemas.Notification, 4}, ""},
	{method{"$/cancel_request", schemas.Notification, 2}, ""},
	{method{"session/load", schemas.Request, 3}, "loadSession"},
	{method{"session/list", schemas.Request, 3}, "sessionCapabilities.list"},
	{method{"session/resume", schemas.Request, 3}, "sessionCapabilities.resume"},
	{method{"session/close", schemas.Request, 2}, "sessionCapabilities.close"},
	{method{"session/delete", schemas.Request, 1}, "sessionCapabilities.delete"},
	{method{"session/fork", schemas.Request, 2}, "sessionCapabilities.fork"},
	{method{"session/status", schemas.Request, 2}, "sessionCapabilities.status"},
	{method{"session/set_title", schemas.Request, 2}, "sessionCapabilities.title"},
	{method{"session/archive", schemas.Request, 1}, "sessionCapabilities.archive"},
	{method{"session/unarchive", schemas.Request, 1}, "sessionCapabilities.archive"},
	{method{"session/set_mode", schemas.Request, 2}, "modes"},
	{method{"session/set_config_option", schemas.Request, 3}, "configOptions"},
}

// has tells whether the agent has a method.
func (f *facts) has(name string) bool {
	return slices.ContainsFunc(f.methods, func(m method) bool { return m.name == name })
}

// choose finds the methods that may be sent.
func (f *facts) choose(e *schemas.Edition) {
	f.methods = nil
	for _, row := range offered {
		if _, known := e.Lookup(row.name, schemas.Client, row.kind); known && f.advertises(row.capability) {
			f.methods = append(f.methods, row.method)
		}
	}
}

func (f *facts) advertises(capability string) bool {
	switch capability {
	case "":
		return true
	case "modes":
		return len(f.Modes) > 0
	case "configOptions":
		return len(f.Options) > 0
	case "loadSession":
		raw, _ := f.Init.Capability(capability)
		return string(raw) == "true"
	}
	_, ok := f.Init.Capability(capability)
	return ok
}

// survey has the first conversation. The problem says why there can be no others, "" if nothing is in the way.
func (f *facts) survey(ctx context.Context, p *player, protocol int, prompt bool) (problem string) {
	f.choose(p.edition)
	how := p.put(ctx, hello(protocol), p.start)
	f.Init = client.ReadInitialize(client.Answer{Result: p.known[helloName]})
	switch x := p.stopped(); {
	case x != nil:
		return "the agent " + x.Error()
	case how == gone:
		return "the agent did not shake hands: it " + cmp.Or(p.ending(), "closed its output")
	case f.Init.Answer.Result == nil:
		return "the agent did not answer initialize with a result"
	case f.Init.Version != protocol:
		return fmt.Sprintf("the agent answered initialize with version %d of the protocol, not %d", f.Init.Version, protocol)
	}
	f.readDirectives()
	for _, fence := range client.Fences() {
		if fence.Method == "session/list" && !f.advertises("sessionCapabilities.list") {
			continue
		}
		if p.ask(ctx, fence.Method, fence.Params, p.limit) == met {
			f.Fence = fence
			break
		}
	}
	f.surveySession(ctx, p)
	if x := p.stopped(); x != nil {
		return "the agent " + x.Error()
	}
	if f.Session && prompt {
		f.surveyTurn(ctx, p)
	}
	f.choose(p.edition)
	switch {
	case p.stopped() != nil: // in a turn, without which there is something to be said as well
	case over(p.peer) || p.outputEnded():
		return "the agent did not stay: it " + cmp.Or(p.ending(), "closed its output")
	case f.mute(p):
		return "the agent answers nothing but initialize"
	}
	return ""
}

// mute tells whether the agent has answered nothing but initialize, though it was asked for a session and for what costs it nothing.
func (f *facts) mute(p *player) bool {
	return f.Fence.Method == "" && p.last(2) == nil && len(p.known) > 0
}

func (f *facts) readDirectives() {
	_ = json.Unmarshal(wire.Member(wire.Member(f.Init.Capabilities, "_meta"), "acp-conform/directives"), &f.Directives)
}

func (f *facts) surveySession(ctx context.Context, p *player) {
	p.put(ctx, session("s1", 2), p.limit)
	result := p.known["s1"]
	if f.Session = client.SessionID(result) != ""; !f.Session {
		f.SessionReason = "session/new was not answered with a session"
		switch l := p.last(2); {
		case l == nil:
			f.SessionReason = "session/new was not answered"
		case l.Error != nil:
			f.SessionReason = "session/new was answered with the error " + head(string(l.Error), 200)
		}
		return
	}
	var state struct {
		Modes         struct{ AvailableModes []struct{ ID string } }
		ConfigOptions []struct {
			ID, ConfigID string
			Options      []struct{ Value string }
		}
	}
	_ = json.Unmarshal(result, &state)
	for _, m := range state.Modes.AvailableModes {
		if harmless(m.ID) {
			f.Modes = append(f.Modes, m.ID)
		}
	}
	for _, o := range state.ConfigOptions {
		known := option{ID: o.ID + o.ConfigID}
		for _, v := range o.Options {
			if harmless(v.Value) {
				known.Values = append(known.Values, v.Value)
			}
		}
		f.Options = append(f.Options, known)
	}
}

var permissive = regexp.MustCompile(`(?i)bypass|yolo|danger|full|auto|accept|allow|never|dont`)

// harmless tells whether a mode or value may be chosen: none that sounds as if the agent would do then what it is not permitted to.
func harmless(name string) bool { return !permissive.MatchString(name) }

// last finds the response to the request with this id.
func (p *player) last(id int) *line {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.answerTo(&sent{key: fmt.Sprintf("number %d", id)})
}

// surveyTurn finds out whether turns end, and how.
func (f *facts) surveyTurn(ctx context.Context, p *player) {
	id, _ := p.result("s1.sessionId")
	params := map[string]any{"sessionId": id, "prompt": client.Text("hello")}
	s, how := p.begin(ctx, "session/prompt", params)
	if how != met {
		return
	}
	if how = p.answered(ctx, s, p.limit); how == met {
		f.Turn, f.CancelEnds = true, true
		return
	}
	p.cancel([]*sent{s})
	if f.CancelEnds = p.answered(ctx, s, p.limit) == met; p.stopped() != nil {
		p.after = s
	}
}

// helloName is the name of the step that shakes hands.
const helloName = "init"

// hello shakes hands as a client without any capabilities.
func hello(protocol int) Step {
	params, _ := json.Marshal(client.InitializeParams(protocol, map[string]any{}))
	return Step{Send: `{"jsonrpc":"2.0","id":1,"method":"initialize","params":` + string(params) + `}`, Name: helloName, Then: Answer}
}

// sessionCall opens a session as any client would.
const sessionCall = `"method":"session/new","params":{"cwd":"${dir}","mcpServers":[]}}`

// session opens a session.
func session(name string, id int) Step {
	return Step{Send: fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,%s`, id, sessionCall), Name: name, Then: Answer}
}

func isSession(s Step) bool { return s.Name != "" && strings.HasSuffix(s.Send, sessionCall) }
