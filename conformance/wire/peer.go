package wire

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"
)

// A Peer is the agent at the other end: lines in and out, stderr, and an end that can be waited for.
type Peer interface {
	// Input is the agent's stdin; closing it is the orderly way to ask it to end.
	Input() io.WriteCloser
	// Output is the agent's stdout.
	Output() io.Reader
	// Stderr is the tail of what the agent wrote to stderr so far.
	Stderr() []byte
	// Exited is closed when the agent has ended; Exit is valid from then on.
	Exited() <-chan struct{}
	Exit() Exit
	// End brings the agent to its end, by force in the end, and returns how it went. It is safe to call more than once.
	End(grace time.Duration) Ending
	// Name says what was started, for a person.
	Name() string
}

// Quieter is a Peer that knows when the agent has nothing left to do until it is given more input.
type Quieter interface {
	// QuietAt gives the bytes that the agent had taken and written when it last had nothing left to do; onQuiet, set
	// before the conversation starts, is called at each such moment.
	QuietAt() (read, written int64)
	OnQuiet(func())
}

// Exit is how an agent ended.
type Exit struct {
	Code   int    // exit status, -1 when a signal ended it
	Signal string // the signal that ended it, if one did
	Err    error  // for an agent in process: the error that its function returned
}

// String says how the agent ended, for a person.
func (e Exit) String() string {
	switch {
	case e.Signal != "":
		return "ended by signal: " + e.Signal
	case e.Err != nil:
		return "ended: " + e.Err.Error()
	}
	return fmt.Sprintf("exited with status %d", e.Code)
}

// Ending is what it took to end an agent.
type Ending struct {
	Exit    Exit
	Willing bool   // it ended by itself after its input was closed (or before)
	Forced  string // the strongest signal that was needed, "" if none
	Strays  []int  // process ids that the agent left behind and that were ended by us
	Escaped bool   // it could not be ended at all
}

// String says how the agent ended and what it took, for a person.
func (e Ending) String() string {
	switch {
	case e.Escaped:
		return "could not be ended"
	case e.Forced != "":
		return "did not end when its input was closed; it took " + e.Forced
	}
	return e.Exit.String()
}

// Launch says how to start a peer.
type Launch struct {
	For  string   // the rule that starts it, or "survey"
	Env  []string // added to the environment, the last of equal names wins
	Dir  string   // working directory, "" = the caller's
	Home string   // HOME of the agent, "" = inherited
	// Stderr receives a copy of the agent's stderr; nil = none.
	Stderr io.Writer
	// Stdout, if not nil, takes the place of the pipe behind Peer.Output, of a process.
	Stdout *os.File
}

// Launcher starts one agent.
type Launcher func(ctx context.Context, l Launch) (Peer, error)
