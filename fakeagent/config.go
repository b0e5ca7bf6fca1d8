package fakeagent

import (
	"fmt"
	"io"
	"sort"
	"strings"
	"time"

	"github.com/agnivade/levenshtein"
)

// Direction tells who wrote a line.
type Direction int

// The two directions of a connection.
const (
	FromClient Direction = iota
	FromAgent
)

func (d Direction) String() string {
	if d == FromClient {
		return "client"
	}
	return "agent"
}

// Config says what kind of agent New makes. The zero value is a correct agent that keeps its sessions in memory.
type Config struct {
	Faults   []string // names from Faults and InputFaults, applied in this order after the variants
	Variants []string // names from Variants: legal behaviours that differ from the default
	Without  []string // names from Capabilities: optional capabilities to leave out
	Script   string   // a name from Scripts: a part to play for a client under test; "" = none
	Store    string   // directory in which sessions are kept; "" keeps them in memory
	Pace     float64  // factor on the pauses that slow faults and variants make; 0 = 1
	Dir      string   // the directory that the agent takes for its own where it ignores a session's; "" = that of the process
	Salt     string   // part of every session id, so that two instances never give out the same one

	StatusVocabulary string        // "active" or "open": the words of session/status; "" = "active"
	EvictAfter       time.Duration // evict sessions that were not used for so long; 0 = never
	Stderr           io.Writer     // where the agent logs; nil discards

	// OnLine, if set, sees every line without its line feed: a client's line before it is handled, the agent's own
	// before it is written. Calls are serialised. It must not keep the slice.
	OnLine func(dir Direction, line []byte)
}

// ExitError is what Serve returns when a fault ends the agent; a command should exit with Code.
type ExitError struct{ Code int }

// ExitCode is the exit status that a process would have.
func (e *ExitError) ExitCode() int { return e.Code }

func (e *ExitError) Error() string { return fmt.Sprintf("the agent exits with code %d", e.Code) }

// Quieter is implemented by a writer that wants to know when the agent has nothing left to do until more bytes arrive.
// read and written are the total bytes taken from the reader and written to the writer of Serve. Calls are serialised;
// an implementation must return soon and must not wait for the agent.
type Quieter interface{ Quiet(read, written int64) }

// capabilityNames are the paths below agentCapabilities that can be left out. In version 2 they take away what has the
// same last name there; what every agent of that version has stays.
// See https://agentclientprotocol.com/protocol/v1/initialization#agent-capabilities.
var capabilityNames = [...]string{
	"loadSession",
	"promptCapabilities.audio",
	"promptCapabilities.embeddedContext",
	"promptCapabilities.image",
	archiveCapability,
	"sessionCapabilities.close",
	"sessionCapabilities.delete",
	"sessionCapabilities.list",
	"sessionCapabilities.resume",
	statusCapability,
}

// Capabilities lists the names that Config.Without accepts.
func Capabilities() []string { return append([]string(nil), capabilityNames[:]...) }

// Agent is a fake agent. It may serve several connections, one after the other or at once; sessions outlive a connection.
type Agent struct {
	// Behaviour is what the agent does. Change it only before Serve.
	Behaviour *Behaviour

	cfg     Config
	without map[string]bool
	store   *store
	onPause func(time.Duration) // takes the place of waiting in tests
	clock   func() time.Time
	conns   int // guarded by the lock of the store
}

// New makes an agent. An unknown fault, variant or capability is an error that suggests the nearest name;
// so is a store that cannot be read.
func New(cfg Config) (*Agent, error) {
	a := &Agent{Behaviour: defaultBehaviour(), cfg: cfg, without: map[string]bool{}, clock: time.Now}
	if cfg.StatusVocabulary == "" {
		a.cfg.StatusVocabulary = statusVocabularyNames[0]
	}
	if !contains(statusVocabularyNames[:], a.cfg.StatusVocabulary) {
		return nil, unknownName("status vocabulary", cfg.StatusVocabulary, statusVocabularyNames[:])
	}
	for _, name := range cfg.Without {
		if !contains(capabilityNames[:], name) {
			return nil, unknownName("capability", name, capabilityNames[:])
		}
		a.without[name] = true
	}
	if err := a.apply(variantTable, cfg.Variants); err != nil {
		return nil, err
	}
	if err := a.apply(faultTable, cfg.Faults); err != nil {
		return nil, err
	}
	if err := a.play(cfg.Script); err != nil {
		return nil, err
	}
	store, err := openStore(cfg.Store, func(s *Session) bool { return a.Behaviour.Keeps(s) })
	if err != nil {
		return nil, err
	}
	a.store, store.left = store, a.unlock
	if a.cfg.Stderr == nil {
		a.cfg.Stderr = io.Discard
	}
	return a, nil
}

// apply makes the named changes.
func (a *Agent) apply(t *table, names []string) error {
	for _, name := range names {
		f, err := t.find(name)
		if err != nil {
			return err
		}
		f.Break(a.Behaviour)
	}
	return nil
}

func contains(names []string, name string) bool {
	for _, n := range names {
		if n == name {
			return true
		}
	}
	return false
}

func unknownName(kind, name string, known []string) error {
	best := append([]string(nil), known...)
	distance := func(known string) int {
		return levenshtein.ComputeDistance(strings.ToLower(name), strings.ToLower(known))
	}
	sort.SliceStable(best, func(i, j int) bool { return distance(best[i]) < distance(best[j]) })
	if len(best) == 0 {
		return fmt.Errorf("unknown %s %q", kind, name)
	}
	return fmt.Errorf("unknown %s %q; did you mean %q?", kind, name, best[0])
}
