// Package conformance is the suite as a library: it judges an agent of the Agent Client Protocol by the contract.
//
// Run returns the result as a value. Test makes it part of a Go test, Register a part of a Ginkgo suite. Importing the
// package has no effect.
package conformance

import (
	"context"
	"io"

	"github.com/acp-conform/acp-conform/conformance/client"
	"github.com/acp-conform/acp-conform/conformance/engine"
	"github.com/acp-conform/acp-conform/conformance/result"
	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/rules"
	"github.com/acp-conform/acp-conform/conformance/wire"
	"github.com/acp-conform/acp-conform/schemas"
)

// Timeouts are how long the suite waits for an agent.
type Timeouts = client.Timeouts

// Limits bound what an agent may cost the suite; crossing one is a finding of transport.within-limits.
type Limits = wire.Limits

// DefaultLimits are the limits of a run that asks for none.
func DefaultLimits() Limits { return wire.DefaultLimits() }

// Profile is what you know about an agent that cannot be found out from outside.
type Profile = rule.Profile

// HomeOf is the HOME that a run gives to an agent in this process, from the context of its Serve: an agent that keeps its sessions
// below it finds them again when it is started again. It is "" where the agent has none to itself.
func HomeOf(ctx context.Context) string { return wire.LaunchOf(ctx).Home }

// Event is a step of a run.
type Event = engine.Event

// Config says which agent is judged, and how. Only the agent must be given: exactly one of Command and Serve.
type Config struct {
	// Command starts the agent as a process; its first word is looked up as a shell would.
	Command []string
	// Serve is an agent as a function. It is called once for each connection, several of them at the same time, and must
	// return when r ends.
	Serve func(ctx context.Context, r io.Reader, w io.Writer) error
	// Name is how reports and rerun lines call an agent given by Serve; "" = "agent" in reports, and no rerun line.
	Name string

	Protocol int      // the protocol version, 1 or 2; 0 = 1
	Rules    []string // ids, areas and globs, a leading ! leaves out; none = all rules
	// StableOnly leaves out the rules of unstable features and compares frames with the stable edition.
	StableOnly bool
	// StatusVocabulary are the words that the agent is held to in session/status: "active" for active and inactive, "open" for open
	// and saved, "" for those that it uses first.
	StatusVocabulary string
	// Profile is what you know about the agent.
	Profile Profile
	// Canary is the command that runs this program's MCP server, before its arguments, such as acp-conform mcp-canary: by it is seen
	// whether an agent starts the servers of a session. nil = no such server; rules that need one are not observed.
	Canary []string
	// ConfigFile is where that was read from, for the rerun line; "" = nowhere.
	ConfigFile string
	// Schemas are the definitions that every frame is compared with; nil = those of this program. See schemas.Open.
	Schemas *schemas.Book
	// SchemaDir is where Schemas were read from, for the rerun line; "" = nowhere.
	SchemaDir string

	Env      []string // added to the agent's environment, NAME=value
	Dir      string   // the agent's working directory, "" = ours
	Home     string   // the agent's HOME: "" = inherited, "temp" = an empty one for this run, else a directory
	Timeouts Timeouts // zero values mean the defaults
	Limits   Limits   // what an agent may cost; zero values mean the defaults
	Slow     float64  // a factor on all timeouts and on the limits of time, at most a million; 0 = 1
	Jobs     int      // rules that work at the same time, 0 = number of CPUs

	// Prompts are the user's own, by what they bring about: short, long, tool, permission, read, write, run, say, thought.
	Prompts map[string]string
	// PromptLimit is how many turns may be started; nil = no limit, 0 = none. Under Register it holds for each spec.
	PromptLimit *int

	Strict         bool // warnings and an incomplete run are failures
	AllowNoSession bool // judge an agent that opens no session by what can be seen without one
	Pure           bool // send nothing that a conforming client would not send
	// Keep is a folder for transcripts, "" = none. Under Register each spec has a folder of its own inside.
	Keep string

	// ModelSequences is how many sequences of requests status.model tries, at most MaxModelSequences; 0 leaves that to the rule, which
	// tries 20 at most.
	ModelSequences int

	Redact  func() func([]byte) []byte  // makes what takes secrets out of the lines of one stream in Keep; nil = nothing
	Log     func(Event)                 // progress; called from several goroutines; nil = none
	Begun   func(rule string)           // told of each acting rule that begins; called from several goroutines; nil = none
	Version string                      // of the tool, for the report
	Seed    int64                       // != 0: acting rules run in a random order made from it, and status.model draws other sequences
	Rerun   func(rules []string) string // the command that runs these rules again; nil = CommandLine

	// AgentsEnded is called when the context has ended and no agent, and nothing that runs for one, is left: whoever wants to be gone
	// need not wait for the result. nil = nobody does.
	AgentsEnded func()
}

// MaxModelSequences is how many sequences of requests a run tries at most: on an agent that is a process they take hours.
const MaxModelSequences = 10_000

// UsageError says that a Config cannot be used, and why. It is found before an agent is started.
type UsageError struct{ Err error }

func (e UsageError) Error() string { return e.Err.Error() }

// Unwrap gives the cause.
func (e UsageError) Unwrap() error { return e.Err }

// Rules is the contract, in the order of the specification.
func Rules() []rule.Rule { return rules.All() }

// Run judges the agent. It can be called any number of times, also at the same time. When the context ends, the agents are
// ended and the result holds what was known by then; nil is a context that does not end. The error is about the run, never about the agent: a UsageError, or a
// directory that could not be made.
func Run(ctx context.Context, cfg Config) (result.Run, error) {
	e, err := cfg.engine()
	if err != nil {
		return result.Run{}, err
	}
	if ctx == nil {
		ctx = context.Background()
	}
	return engine.Run(ctx, e)
}
