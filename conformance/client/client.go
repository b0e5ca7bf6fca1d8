// Package client is the editor at the other end of an agent: well behaved by default, and able to misbehave on request.
//
// It never decides what an answer means for a rule; it sends, waits, answers what the agent asks, and returns values that
// carry the lines they came from.
package client

import (
	"context"
	"encoding/json"
	"io"
	"log"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/acp-conform/acp-conform/conformance/wire"
)

// Timeouts are how long the client waits, in wall time.
type Timeouts struct {
	Start   time.Duration // for the answer to initialize
	Request time.Duration // for the answer to any other request
	Turn    time.Duration // for the end of a turn
	Exit    time.Duration // for the agent to end after its input was closed
	Window  time.Duration // a quiet window, where absence cannot be fenced
}

// DefaultTimeouts are the timeouts of a run that asks for none.
func DefaultTimeouts() Timeouts {
	return Timeouts{Start: 30 * time.Second, Request: 10 * time.Second, Turn: time.Minute, Exit: 5 * time.Second, Window: 200 * time.Millisecond}
}

// Options say how one connection is made.
type Options struct {
	Timeouts Timeouts
	Dir      string // the directory of the run: sessions work in fresh folders inside it
	Name     string // of this connection: its folders begin with it
	Keep     io.Writer
	Redact   func() func([]byte) []byte // makes what changes the lines of a side for Keep; nil = nothing
	Taps     []wire.Tap
	Now      func() time.Time
	// Park is called before the client begins to wait and returns what is called when it goes on; nil = nothing.
	Park func() (resume func())
	// StartTurn waits for permission to begin a turn and returns what is called when it has ended; an error means that no
	// more prompts are allowed. nil = always allowed.
	StartTurn func() (done func(), err error)
	Fence     Fence
	// Rests has the client act only when an agent that knows when it is idle is idle, so that two runs are alike line by line.
	Rests bool
	// Stuck is told of what did not come in time from an agent that is still there, before anything else is done; nil = nobody is.
	Stuck func(*Client, Waiting)
	// Ending is called before the agent is asked to end; nil = nothing.
	Ending func()
	// Limits bound what the agent can cost, Budget what the agents of one rule may write; nil = no limit.
	Limits wire.Limits
	Budget *wire.Budget
	// Heavy is held while a long line is handled; nil = nothing.
	Heavy sync.Locker
}

// Client is one connection to one agent.
type Client struct {
	Options
	Peer       wire.Peer
	Transcript *wire.Transcript
	Init       Initialized // what the agent said in its answer to initialize

	ctx     context.Context
	cancel  context.CancelFunc
	stream  *wire.Stream
	conn    *jsonrpc2.Conn
	nextID  uint64
	dirs    int
	files   *files
	terms   *terminals
	asks    asks
	mu      sync.Mutex
	changed chan struct{} // closed and replaced whenever something happened
	record  record
	waits   []*Waiting    // oldest first
	ended   bool          // the agent's output has ended
	crossed *wire.Crossed // the limit for which nothing more is read, or wanted, from the agent
	paced   bool          // the agent writes faster than we handle it: what does not come may be waiting
	behind  bool          // something was waited for in vain while lines of the agent were waiting for us
	drained chan struct{} // closed with it
	closed  bool          // we have closed its input
	busy    int           // requests of the agent that we are about to answer
	lasting int           // those of them that are answered when something outside has happened
	ending  *wire.Ending
	dirOf   map[string]string // session id → working directory

	goneOnce sync.Once
	goneWhy  string // what GoneBecause found

	finish   sync.Once
	finished chan struct{} // closed when everything has ended
}

// Dial connects to a peer. Nothing is sent yet.
func Dial(ctx context.Context, peer wire.Peer, o Options) *Client {
	ctx, cancel := context.WithCancel(ctx)
	c := &Client{Options: o, Peer: peer, ctx: ctx, cancel: cancel, changed: make(chan struct{}), drained: make(chan struct{}), dirOf: map[string]string{}}
	c.finished = make(chan struct{})
	c.record.answers = map[string][]Line{}
	c.files = &files{}
	c.Limits = o.Limits.Or(wire.DefaultLimits())
	c.terms = newTerminals(c.dir, max(terminalLimit, 3*o.Timeouts.Turn), int(c.Limits.Terminals), c.Cross)
	c.terms.home = filepath.Join(o.Dir, o.Name+"-home")
	c.terms.inside = func(path string) *Error { _, _, failure := c.files.locate(path); return failure }
	c.asks.policies, c.asks.most = defaultPolicies(c), openBytes
	c.Transcript = wire.NewTranscript(o.Now, o.Keep, append(append([]wire.Tap{}, o.Taps...), c.see)...)
	c.Transcript.Redact(o.Redact)
	if q, ok := peer.(wire.Quieter); ok {
		q.OnQuiet(c.wake)
	}
	c.stream = wire.NewStream(peer.Output(), peer.Input(), c.Transcript, wire.Terms{Patience: o.Timeouts.Request, Waiting: c.wake,
		Ended: c.outputEnded, Limits: c.Limits, Budget: o.Budget, Crossed: c.Cross, Heavy: o.Heavy, Stop: ctx.Done()})
	c.conn = jsonrpc2.NewConn(ctx, c.stream, handler{c}, jsonrpc2.SetLogger(log.New(io.Discard, "", 0)))
	go c.watchExit()
	return c
}

// terminalLimit is how long a command may run at least; where turns are given more time it is longer, so that it does not end one.
const terminalLimit = time.Minute

func (c *Client) watchExit() {
	select {
	case <-c.Peer.Exited():
		c.wake()
	case <-c.ctx.Done():
	}
}

func (c *Client) outputEnded(error) {
	c.mu.Lock()
	c.ended = true
	c.mu.Unlock()
	close(c.drained)
	c.wake()
}

// wake lets everyone who waits look again.
func (c *Client) wake() {
	c.mu.Lock()
	defer c.mu.Unlock()
	close(c.changed)
	c.changed = make(chan struct{})
}

// Exited tells whether the agent has ended and everything that it wrote has been read.
func (c *Client) Exited() bool {
	select {
	case <-c.Peer.Exited():
	default:
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.ended
}

// Gone tells whether the agent can say nothing any more: its output has ended.
func (c *Client) Gone() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.ended
}

// CloseInput closes the agent's stdin, the orderly way to ask it to end.
func (c *Client) CloseInput() {
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	_ = c.Peer.Input().Close()
}

// NewDir makes a fresh directory of this connection; its path is absolute and free of symlinks.
func (c *Client) NewDir() (string, error) {
	c.mu.Lock()
	c.dirs++
	dir := filepath.Join(c.Dir, c.Name+"-s"+strconv.Itoa(c.dirs))
	c.mu.Unlock()
	if err := os.Mkdir(dir, 0o700); err != nil {
		return "", err
	}
	c.files.add(dir)
	return dir, nil
}

func (c *Client) dir(session string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if d, ok := c.dirOf[session]; ok {
		return d
	}
	return c.Dir
}

// Remark writes a remark of the suite into the transcript, where watchers see it.
func (c *Client) Remark(r Remark) {
	b, err := json.Marshal(r)
	if err != nil {
		panic(err)
	}
	c.Transcript.Add(wire.Frame{From: wire.Suite, Line: b})
}

// A Remark is something that happened but was not a line: watchers judge by it what lines alone do not show.
type Remark struct {
	// Unanswered is the id of a request of ours that will get no answer, or got none in time; Why says how we know.
	Unanswered json.RawMessage `json:"unanswered,omitempty"`
	Why        string          `json:"why,omitempty"`
	// Partial is, where a request is unanswered, the beginning of a line whose end has not come.
	Partial string `json:"partial,omitempty"`
	// Closing tells that we begin to end the agent: what it leaves open or cuts off from here on is our doing.
	Closing bool `json:"closing,omitempty"`
	// Limit is a limit that the agent has crossed, and Why says what it did.
	Limit wire.Limit `json:"limit,omitempty"`
	// Ended says how the agent ended, and is the last entry.
	Ended string `json:"ended,omitempty"`
}
