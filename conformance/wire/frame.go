// Package wire is about lines and processes: it writes down every line on an agent's pipes before it tries to understand it.
//
// A Peer is the agent: a process, or a function over a pair of pipes. A Stream taps raw lines, checks how far each climbs
// the ladder of envelope rules, and hands on only what a JSON-RPC library can digest, so that one bad line costs the agent
// a finding and not the conversation.
package wire

import "time"

// Side says who wrote a line.
type Side string

// The sides of a transcript.
const (
	Client      Side = "client"
	Agent       Side = "agent"
	AgentStderr Side = "agent-stderr"
	Suite       Side = "suite" // remarks of the suite itself, such as the end of a process
)

// A Frame is one line as it crossed a pipe, before anything parsed it.
type Frame struct {
	Seq        int       // position in its transcript, from 1
	At         time.Time // when it was read or written
	From       Side
	Line       []byte // without its line end
	Deliberate bool   // bad input that the suite sent on purpose
	Unended    bool   // the stream ended before the line's LF
	Dropped    int    // bytes beyond the cap on line length, which were read and thrown away
}

// A Tap sees every frame of a connection in the order of its transcript. It must not block.
type Tap func(Frame, Envelope)
