package rules

import (
	"bytes"
	"encoding/json"
	"strings"

	. "github.com/onsi/gomega"

	"github.com/acp-conform/acp-conform/conformance/client"
	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/wire"
	"github.com/acp-conform/acp-conform/schemas"
)

var initClientOmittedCapsUnsupported = rule.Rule{
	ID:    "init.client-omitted-caps-unsupported",
	Title: "what a client did not advertise is not used",
	Level: rule.Must, Basis: rule.Stated, Versions: v1,
	Ref: rule.Ref{Page: "initialization", Anchor: "capabilities"},
	Advice: "Before each fs/*, terminal/* or elicitation/* request, notice, compaction update or boolean option, look at clientCapabilities; " +
		"what is missing there is not supported.",
	Prompts: 14,
	Needs:   rule.Needs{Turn: true},
	Act: func(c *rule.Case) {
		initBareClient(c, map[string]any{}, "with empty capabilities")
		initBareClient(c, nil, "without clientCapabilities")
	},
}

// initTasks are what tempts an agent to use what its client may not have.
var initTasks = []struct {
	stimulus rule.Stimulus
	arg      string
}{
	{rule.ReadFile, initReadName},
	{rule.WriteFile, "acp-conform-write.txt"},
	{rule.RunCommand, "echo acp-conform-run"},
	{rule.ShortTurn, ""},
	{rule.Elicitation, ""},
	{rule.GatedUpdates, ""},
	{rule.Chat, ""},
}

const initReadName = "acp-conform-read.txt"

// initBareClient works with the agent for a while as a client that has advertised nothing, and judges what came of it.
func initBareClient(c *rule.Case, capabilities map[string]any, how string) {
	cl := c.ConnectWith(capabilities)
	s := c.NewSessionOn(cl)
	promptFile(c, s, initReadName, "one line\n")
	ran, why := false, "there is nothing to ask for"
	for _, t := range initTasks {
		task, ok := c.Env.Stimuli(t.stimulus, t.arg)
		if !ok {
			continue
		}
		cl.On("session/request_permission", initAllow(t.arg))
		_, ended, lack := s.Prompt(task.Prompt, task.Certain).Ran()
		ran = ran || ended
		if !ended {
			why = lack
		}
	}
	cl.Fenced()
	seen := map[string]bool{}
	for _, l := range cl.Since(0) {
		what := initUnadvertised(l)
		if what == "" || seen[what] {
			continue
		}
		seen[what] = true
		c.Log.Occasion()
		c.Log.Broken(rule.Finding{Why: "a client " + how + " got " + what, Expected: "nothing that needs a capability of the client",
			Found: head(l.Line), Cite: []wire.Frame{cl.Init.Answer.Request, l.Frame}})
	}
	c.Require(ran, "no turn ended for a client %s: %s", how, why)
	c.Log.Occasion()
	c.End(cl)
}

// initAllow permits only what names the thing that the prompt asked for.
func initAllow(name string) client.Policy {
	return func(a *client.Ask) (any, *client.Error) {
		if name != "" && bytes.Contains(a.Params, []byte(name)) {
			return client.AllowPermission(a)
		}
		return client.RejectPermission(a)
	}
}

// initUnadvertised says what in a line of the agent needs a capability of the client, "" if nothing does.
func initUnadvertised(l client.Line) string {
	update := wire.Member(l.Params, "update")
	kind, _ := text(wire.Member(update, "sessionUpdate"))
	switch {
	case l.Kind == wire.Response && initBoolean(l.Result), l.Name == "session/update" && initBoolean(update):
		return "a boolean configuration option"
	case l.Name == "session/update" && kind == "notice":
		return "a notice"
	case l.Name == "session/update" && strings.HasPrefix(kind, "compaction_"):
		return "a report of a compaction"
	}
	for _, area := range []string{"fs/", "terminal/", "elicitation/"} {
		if strings.HasPrefix(l.Name, area) {
			return "a message " + l.Name
		}
	}
	return ""
}

// initBoolean tells whether a boolean option is among the configOptions of a result or update.
func initBoolean(part json.RawMessage) bool {
	for _, option := range initElements(wire.Member(part, "configOptions")) {
		if kind, _ := text(wire.Member(option, "type")); kind == "boolean" {
			return true
		}
	}
	return false
}

// initElements gives the elements of a JSON array, none if it is no array.
func initElements(raw json.RawMessage) []json.RawMessage {
	var list []json.RawMessage
	if len(raw) == 0 || raw[0] != '[' || json.Unmarshal(raw, &list) != nil {
		return nil
	}
	return list
}

var initAnyCapabilityCombination = rule.Rule{
	ID:    "init.any-capability-combination",
	Title: "the agent works for clients with any combination of capabilities",
	Level: rule.Should, Basis: rule.Stated, Versions: v1,
	Ref:     rule.Ref{Page: "initialization", Anchor: "capabilities"},
	Advice:  "Treat each capability of the client as optional on its own, and do without it, or with your own means, where it is missing.",
	Prompts: 9,
	Act: func(c *rule.Case) {
		step, a := initWorks(c, client.Everything(client.Version)) // the control: what fails here says nothing about combinations
		c.Require(step == "", "%s does not work for a client that advertises everything: %s", step, a)
		for _, t := range initCombinations {
			step, a := initWorks(c, t.capabilities)
			if step != "" {
				step, a = initWorks(c, t.capabilities) // a backend may have failed once
			}
			if a.Auth() {
				continue
			}
			c.Expect(a.Is(initOutcome(step, a))).To(Equal("works"), "%s does not work for a client that advertises %s: %s", step, t.name, a)
		}
	},
}

var initCombinations = []struct {
	name         string
	capabilities map[string]any
}{
	{"nothing", map[string]any{}},
	{"only reading files", map[string]any{"fs": map[string]any{"readTextFile": true}}},
	{"only writing files", map[string]any{"fs": map[string]any{"writeTextFile": true}}},
	{"only terminals", map[string]any{"terminal": true}},
}

// initWorks goes as far with a client of these capabilities as the survey got: it names the step that fails, "" if none does,
// and gives the answer to the last step.
func initWorks(c *rule.Case, capabilities map[string]any) (step string, last client.Answer) {
	cl := c.Dial()
	defer c.End(cl)
	in := cl.Initialize(client.Version, capabilities)
	if !in.Answer.OK() || in.Version != client.Version {
		return "initialize", in.Answer
	}
	if !c.Env.Facts.Session {
		return "", in.Answer
	}
	s, ok := cl.NewSession()
	if !ok {
		return "session/new", s.Answer
	}
	if !c.Env.Facts.Turn {
		return "", s.Answer
	}
	if a, ok, _ := c.Prompt(s, rule.ShortTurn).Ran(); !ok {
		return "a short turn", a
	}
	return "", s.Answer
}

func initOutcome(step string, a client.Answer) string {
	if step == "" {
		return "works"
	}
	return a.String()
}

var initAdvertisedMethodsExist = rule.Rule{
	ID:    "init.advertised-methods-exist",
	Title: "every method that the agent advertises is implemented",
	Level: rule.Must, Basis: rule.Stated, Versions: v1,
	Ref:        rule.Ref{Page: "initialization", Anchor: "agent-capabilities"},
	Advice:     "Advertise a capability only where its method is implemented: a client offers its users what you advertise.",
	Robustness: true,
	Last:       true,
	Act: func(c *rule.Case) {
		cl := c.DialWith(wire.Launch{Home: c.Fixture()})
		in := cl.Initialize(client.Version, client.Everything(client.Version))
		c.Require(in.Answer.OK() && in.Version == client.Version, "initialize: %s", in.Answer)
		dir, err := cl.NewDir()
		c.Require(err == nil, "no directory could be made: %v", err)
		called := false
		for _, m := range initMethods {
			if _, known := c.Env.Edition.Lookup(m.method, schemas.Client, schemas.Request); !known || !initAdvertises(in, m.capability) {
				continue
			}
			called = true
			a := cl.Checked(m.method, m.params(dir))
			if a.State != client.Met || a.Auth() {
				continue // silence is a finding of its own; authentication may be asked for before anything else
			}
			c.Expect(a.Is(a.Code()), in.Answer.Frame).NotTo(Equal(client.CodeMethodNotFound), "the agent advertises %s and does not know %s", m.capability, m.method)
		}
		if !called {
			c.Skip("the agent advertises no methods beyond those that every agent has")
		}
	},
}

// initAdvertises reads a capability as a tolerant client does: a malformed one counts as absent.
func initAdvertises(in client.Initialized, path string) bool {
	raw, ok := in.Capability(path)
	if path == "loadSession" {
		return string(raw) == "true"
	}
	return ok && raw[0] == '{'
}

// initNoSession is the id of a session that no agent has.
const initNoSession = "5a0f3a3e-7f0c-4d55-9a0e-6d0f5b1c2e77"

// initMethods are the methods behind capabilities, with params that do nothing anywhere. Logging out, authentication and
// providers are left out: they would change what the user has set up.
var initMethods = []struct {
	capability, method string
	params             func(dir string) map[string]any
}{
	{"loadSession", "session/load", initReopen},
	{"sessionCapabilities.list", "session/list", func(string) map[string]any { return map[string]any{} }},
	{"sessionCapabilities.resume", "session/resume", initReopen},
	{"sessionCapabilities.close", "session/close", initOnly},
	{"sessionCapabilities.delete", "session/delete", initOnly},
	{"sessionCapabilities.fork", "session/fork", initReopen},
	{"sessionCapabilities.status", "session/status", initOnly},
	{"sessionCapabilities.title", "session/set_title", func(string) map[string]any {
		return map[string]any{"sessionId": initNoSession, "title": "none"}
	}},
	{"sessionCapabilities.archive", "session/archive", initOnly},
	{"sessionCapabilities.archive", "session/unarchive", initOnly},
}

func initOnly(string) map[string]any { return map[string]any{"sessionId": initNoSession} }

func initReopen(dir string) map[string]any {
	return map[string]any{"sessionId": initNoSession, "cwd": dir, "mcpServers": []any{}}
}
