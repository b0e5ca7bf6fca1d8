// Package rule is the vocabulary in which the contract is written: what a rule is, what an acting rule can do (Case), what a
// watching rule is shown (Reading), and how both turn what they saw into observations (Log).
package rule

import (
	"reflect"
	"runtime"
	"slices"
	"strings"
)

// Level is the strength of a rule's keyword.
type Level string

// The levels. A row of the catalogue that says MAY is a note of another rule, not a rule.
const (
	Must   Level = "MUST"
	Should Level = "SHOULD"
)

// Basis is what a rule rests on.
type Basis string

// The bases.
const (
	Stated  Basis = "stated"  // a sentence of the specification, or its schema
	Implied Basis = "implied" // a shape, an order or a diagram
	Derived Basis = "derived" // another document
	RFD     Basis = "rfd"     // a proposal only
)

// Stability is whether the feature is in the stable edition.
type Stability string

// The stabilities; the zero value of Rule.Stability means Stable.
const (
	Stable   Stability = "stable"
	Unstable Stability = "unstable"
)

// Occasion says who brings about what a watching rule looks at.
type Occasion string

// The occasions of a watching rule.
const (
	Always       Occasion = "always"         // every correct conversation offers one
	AgentsChoice Occasion = "agent's choice" // only some agents ever do it
	// ClientsChoice is the occasion of a rule about clients: only a client that asks is answered, and only then can it be wrong.
	ClientsChoice Occasion = "client's choice"
)

// Ref is where the specification says it.
type Ref struct {
	Page   string // the last part of the page's address, such as "prompt-turn"
	Anchor string // a heading of that page, or for Page "schema" the name of a definition
}

// URL is the address of the reference.
func (r Ref) URL() string {
	u := "https://agentclientprotocol.com/protocol/v1/" + r.Page
	if strings.HasPrefix(r.Page, "rfds/") {
		u = "https://agentclientprotocol.com/" + r.Page
	}
	if r.Page == "json-rpc" {
		u = "https://www.jsonrpc.org/specification"
	}
	if r.Anchor != "" {
		u += "#" + strings.ToLower(r.Anchor)
	}
	return u
}

// Needs is what must be so before a rule can act. It is checked in one place.
type Needs struct {
	Session bool // a session opens
	Turn    bool // a turn ends by itself (implies Session)
	// Agent names capability paths that the agent must advertise, such as "sessionCapabilities.list".
	Agent []string
	// Stimulus is what the rule wants the agent to do; without a way to bring it about the rule is not observed.
	Stimulus Stimulus
	// Process wants a real process: its exit, its signals or its working directory are what the rule looks at.
	Process bool
	// Exit gives the agent the whole exit timeout to end by itself: how it ends is what the rule looks at.
	Exit bool
}

// Rule is one statement of the contract. Its title is true of a conforming agent, so that the titles read as the contract.
type Rule struct {
	ID         string
	Subject    string // whom it binds: Agent, or Client; "" = Agent
	Title      string
	Level      Level
	Basis      Basis
	Stability  Stability
	Versions   []int // protocol versions that it belongs to
	Ref        Ref
	Advice     string // one sentence for whoever has to repair it
	Robustness bool   // its stimulus is something that a conforming client would not send; off with --pure
	Prompts    int    // how many turns it starts at most
	Needs      Needs
	Soft       bool     // its broken occasions warn, whatever level and basis say, because the catalogue decided so
	Mild       string   // why what it warns of is no failure, where level and basis do not say so: the end of a sentence behind "because"
	Occasion   Occasion // of a watching rule
	Optional   bool     // an agent need not offer the occasion, so it is not owed
	Last       bool     // it runs when all others are done

	Act   func(*Case)
	Watch func() Watcher
}

// The subjects of a rule.
const (
	Agent  = "agent"
	Client = "client"
)

// Binds is whom the rule binds: Agent or Client.
func (r Rule) Binds() string {
	if r.Subject == "" {
		return Agent
	}
	return r.Subject
}

// Only lists the versions that a rule belongs to.
func Only(versions ...int) []int { return versions }

// Area is the part of the id before the first dot.
func (r Rule) Area() string { area, _, _ := strings.Cut(r.ID, "."); return area }

// Fails tells whether a broken occasion fails the rule: MUST with a stated basis does, everything else warns.
func (r Rule) Fails() bool { return r.Level == Must && r.Basis == Stated && !r.Soft }

// Kind is act or watch.
func (r Rule) Kind() string {
	if r.Watch != nil {
		return "watch"
	}
	return "act"
}

// For tells whether the rule belongs to a protocol version.
func (r Rule) For(version int) bool { return slices.Contains(r.Versions, version) }

// Owed tells whether the suite owes the rule an occasion with any agent: then a run in which it was not observed is
// incomplete. What only a cooperating agent or model can be brought to do is not owed.
func (r Rule) Owed() bool {
	return r.Level == Must && !r.Optional && (r.Watch != nil && r.Occasion == Always || r.Act != nil && r.Needs.Stimulus.plain())
}

// Location is where the rule's function is written.
func (r Rule) Location() (file string, line int) {
	p := reflect.ValueOf(r.Act)
	if r.Watch != nil {
		p = reflect.ValueOf(r.Watch)
		if each, ok := r.Watch().(Each); ok {
			p = reflect.ValueOf(each) // EachFrame's own function is not where the rule is written
		}
	}
	return runtime.FuncForPC(p.Pointer()).FileLine(p.Pointer())
}
