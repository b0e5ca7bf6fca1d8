package rules

import (
	"encoding/json"
	"math"
	"strconv"

	. "github.com/onsi/gomega"

	"github.com/acp-conform/acp-conform/conformance/client"
	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/wire"
)

// initialization is https://agentclientprotocol.com/protocol/v1/initialization.
func initialization() []rule.Rule {
	return []rule.Rule{
		initResponseRequiredFields,
		initVersionEchoSupported,
		initVersionFallbackLatest,
		initAgentInfo,
		initClientOmittedCapsUnsupported,
		initAnyCapabilityCombination,
		initBaselineMethods,
		initAdvertisedMethodsExist,
	}
}

var initResponseRequiredFields = rule.Rule{
	ID:    "init.response-required-fields",
	Title: "the answer to initialize names a protocol version, and nothing in it is beyond what readers can repair",
	Level: rule.Must, Basis: rule.Stated, Versions: v1,
	Ref:      rule.Ref{Page: "schema", Anchor: "InitializeResponse"},
	Advice:   "Answer initialize with an object whose protocolVersion is a whole number from 0 to 65535, such as 1; not a string or a date.",
	Occasion: rule.Always,
	Watch: rule.EachFrame(func(l *rule.Log, r *rule.Reading) {
		if !r.IsResult("initialize") {
			return
		}
		l.Occasion()
		for _, f := range owned(r, "init.response-required-fields") {
			l.Broken(finding(r, f))
		}
	}),
}

var initVersionEchoSupported = rule.Rule{
	ID:    "init.version-echo-supported",
	Title: "a protocol version that the agent supports is answered with the same version",
	Level: rule.Must, Basis: rule.Stated, Versions: v1,
	Ref:    rule.Ref{Page: "initialization", Anchor: "version-negotiation"},
	Advice: "If you speak the protocolVersion that the client asks for, answer with that number, also when you speak a newer one.",
	Act: func(c *rule.Case) {
		a := c.Dial().Initialize(client.Version, client.Everything(client.Version)).Answer
		c.Require(a.State == client.Met && !a.Auth(), "initialize: %s", a)
		if !c.Expect(a.Is(a.String())).To(Equal("a result"), "a request for protocol version %d was answered by %s", client.Version, a) {
			return
		}
		v, ok := initVersion(a)
		c.Require(ok, "the answer to initialize names no protocol version")
		c.Require(v != 2, "the agent answered with version 2, which may be the only one that it speaks")
		c.Expect(a.Is(v)).To(Equal(float64(client.Version)), "a request for protocol version %d was answered with version %v", client.Version, v)
	},
}

const (
	initNoVersion     = 65535 // the last number that a version may have: no agent speaks it
	initCodeNoVersion = -32022
)

var initVersionFallbackLatest = rule.Rule{
	ID:    "init.version-fallback-latest",
	Title: "a protocol version that the agent does not support is answered with one that it does",
	Level: rule.Must, Basis: rule.Stated, Versions: v1,
	Ref:    rule.Ref{Page: "initialization", Anchor: "version-negotiation"},
	Advice: "Answer an unknown protocolVersion by a result with the latest version that you support; the client decides whether it goes on.",
	Mild:   "the next version of the protocol has an error for this, which an agent that speaks both may use",
	Act: func(c *rule.Case) {
		a := c.Dial().Initialize(initNoVersion, client.Everything(client.Version)).Answer
		c.Require(a.State == client.Met && !a.Auth(), "initialize: %s", a)
		// The next version of the protocol has an error for it, which an agent that speaks both may use.
		if !c.ExpectIf(a.Code() != initCodeNoVersion, a.Is(a.String())).To(Equal("a result"),
			"a request for protocol version %d, which nobody speaks, was answered by %s", initNoVersion, a) {
			return
		}
		v, ok := initVersion(a)
		c.Require(ok, "the answer to initialize names no protocol version")
		c.Log.Occasion()
		if v < 1 || v >= initNoVersion {
			c.Log.Broken(rule.Finding{Why: "a request for a protocol version that nobody speaks was answered with a version that cannot be the agent's own",
				Expected: "a version from 1 to 65534", Found: wire.Member(a.Result, "protocolVersion"), Cite: a.Frames()})
			return
		}
		initNoteZero(c, v)
	},
}

// initNoteZero notes how a request for version 0 is answered: the specification says too little about it for a finding.
func initNoteZero(c *rule.Case, latest float64) {
	cl := c.Dial()
	a := cl.Start("initialize", client.InitializeParams(0, client.Everything(client.Version))).WaitFor(cl.Timeouts.Request)
	if v, ok := initVersion(a); !a.OK() || !ok || v != latest {
		found := a.String()
		if a.OK() {
			found = string(wire.Member(a.Result, "protocolVersion"))
		}
		c.Note(a.Is(found), "a request for protocol version 0 is answered otherwise than one for %d", initNoVersion)
	}
}

// initVersion reads the version of an answer to initialize, also where a whole number is written as 1.0.
func initVersion(a client.Answer) (float64, bool) {
	var n json.Number
	raw := wire.Member(a.Result, "protocolVersion")
	if len(raw) == 0 || raw[0] == '"' || json.Unmarshal(raw, &n) != nil {
		return 0, false
	}
	v, err := strconv.ParseFloat(n.String(), 64)
	return v, err == nil && v == math.Trunc(v)
}

var initAgentInfo = rule.Rule{
	ID:    "init.agent-info",
	Title: "the answer to initialize says the name and the version of the agent",
	Level: rule.Should, Basis: rule.Stated, Versions: v1,
	Ref:    rule.Ref{Page: "initialization", Anchor: "implementation-information"},
	Advice: "Give agentInfo with name and version: clients show it, and reports of faults are of little use without it.",
	Act: func(c *rule.Case) {
		in := c.Dial().Initialize(client.Version, client.Everything(client.Version))
		c.Require(in.Answer.OK() && in.Answer.Result[0] == '{', "initialize: %s", in.Answer)
		c.Require(in.Version <= client.Version, "initialize was answered with protocol version %d", in.Version)
		if in.Info == nil || string(in.Info) == "null" {
			c.Expect(in.Answer.Is("nothing")).To(Equal("agentInfo"), "the answer to initialize has no agentInfo")
			return
		}
		for _, name := range []string{"name", "version"} {
			s, _ := text(wire.Member(in.Info, name))
			c.Expect(in.Answer.Is(s)).NotTo(BeEmpty(), "agentInfo has no %s", name)
		}
	},
}

var initBaselineMethods = rule.Rule{
	ID:    "init.baseline-methods",
	Title: "session/new and session/prompt are implemented",
	Level: rule.Must, Basis: rule.Stated, Versions: v1,
	Ref:     rule.Ref{Page: "initialization", Anchor: "session-capabilities"},
	Advice:  "Implement session/new, session/prompt and session/cancel and send session/update: they need no capability, and clients rely on them.",
	Prompts: 1,
	Act: func(c *rule.Case) {
		s, ok := c.Client().NewSession()
		c.Require(s.Answer.State == client.Met, "session/new: %s", s.Answer)
		c.Expect(s.Answer.Is(s.Answer.Code())).NotTo(Equal(client.CodeMethodNotFound), "the agent does not know session/new")
		c.Require(ok, "session/new: %s", s.Answer)
		a := c.Prompt(s, rule.ShortTurn).End()
		c.Require(a.State == client.Met, "session/prompt: %s", a)
		c.Expect(a.Is(a.Code())).NotTo(Equal(client.CodeMethodNotFound), "the agent does not know session/prompt")
	},
}
