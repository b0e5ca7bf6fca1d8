package fakeagent

import (
	"context"
	"errors"
	"io"
	"os"
	"sync"
	"time"
)

// maxLine is the longest line the agent takes in; the protocol sets no limit, memory does.
const maxLine = 64 << 20

// Conn is one connection: the client at the other end, what it advertised, and everything that runs or waits.
type Conn struct {
	a       *Agent
	b       *Behaviour
	ctx     context.Context
	in      io.Reader
	out     io.Writer
	quieter Quieter

	handling sync.Mutex // one line is handled at a time
	wg       sync.WaitGroup
	stop     chan struct{} // closed when a fault ends the agent

	mu       sync.Mutex
	busy     int // goroutines that are neither reading nor waiting for the client
	read     int64
	reads    int  // how often bytes arrived, so that a fault can tell what came in one piece
	closed   bool // nothing will be taken in any more
	exit     *ExitError
	readErr  error
	waiters  map[*waiter]bool
	pending  map[string]*waiter // our open requests, by the text of their id
	late     map[string]func(Object)
	servers  map[*Session][]*server
	calls    int
	starting []*Turn
	turns    map[*Turn]bool
	held     [][]byte // lines that a fault keeps back while a turn runs

	initialized bool
	client      Object   // what it advertised
	d           *dialect // of the version

	output output
	tapMu  sync.Mutex
}

// waiter is a goroutine that waits for the client. Whoever wakes it counts it as busy again before it runs, so that the
// agent never looks idle in between.
type waiter struct {
	ch    chan answer
	woken bool
}

type answer struct {
	result    any
	err       *Error
	cancelled bool // the turn was cancelled while it waited
	gone      bool // the connection ended
}

// Serve speaks the protocol until r ends. It returns nil at the end of r, after the running turns have ended, an
// *ExitError when a fault ends the agent, and the error of ctx when that is done first. A reader with read deadlines
// (such as a pipe) lets it return at once in the last two cases; any other keeps one goroutine until its Read returns.
func (a *Agent) Serve(ctx context.Context, r io.Reader, w io.Writer) error {
	c := &Conn{
		a: a, b: a.Behaviour, d: dialect1(a.Behaviour), ctx: ctx, in: r, out: w, stop: make(chan struct{}), busy: 1,
		waiters: map[*waiter]bool{}, pending: map[string]*waiter{}, late: map[string]func(Object){}, servers: map[*Session][]*server{}, turns: map[*Turn]bool{},
	}
	c.quieter, _ = w.(Quieter)
	a.enter()
	defer a.exit()
	done := make(chan struct{})
	go func() {
		defer close(done)
		c.readLoop()
	}()
	select {
	case <-done:
	case <-c.stop:
	case <-ctx.Done():
	}
	stopped := c.exitError() != nil || ctx.Err() != nil
	c.close()
	if stopped {
		defer c.abandon(done)()
	}
	c.endServers()
	c.wg.Wait()
	if exit := c.exitError(); exit != nil {
		return exit
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return c.readErr
}

// abandon ends reads and writes that would otherwise block for ever; what it returns puts the deadlines back.
func (c *Conn) abandon(done chan struct{}) (restore func()) {
	restore = func() {}
	past := time.Unix(1, 0)
	if w, ok := c.out.(interface{ SetWriteDeadline(time.Time) error }); ok && w.SetWriteDeadline(past) == nil {
		restore = func() { _ = w.SetWriteDeadline(time.Time{}) }
	}
	r, ok := c.in.(interface{ SetReadDeadline(time.Time) error })
	if ok && r.SetReadDeadline(past) == nil {
		<-done
		_ = r.SetReadDeadline(time.Time{})
	}
	return restore
}

func (c *Conn) readLoop() {
	c.b.Start(c)
	buf, chunk := []byte(nil), make([]byte, 32<<10)
	for !c.isClosed() {
		c.launch()
		c.leave()
		n, err := c.in.Read(chunk)
		if c.arrived(n) {
			return
		}
		buf = append(buf, chunk[:n]...)
		if n > 0 {
			c.terminateLine()
			buf = c.takeLines(buf)
		}
		if err != nil {
			c.launch()
			c.ended(err)
			return
		}
	}
}

// takeLines handles every complete line in buf and returns what is left.
func (c *Conn) takeLines(buf []byte) []byte {
	size := len(buf)
	for !c.isClosed() {
		line, rest, ok := c.b.Split(buf)
		if !ok {
			break
		}
		c.takeLine(line)
		buf = rest
	}
	if len(buf) > maxLine {
		c.sayError(nil, &Error{Code: codeInvalidRequest, Message: "Line too long"}, "")
		buf = nil
	}
	if len(buf) == size {
		return buf
	}
	return append([]byte(nil), buf...)
}

func (c *Conn) ended(err error) {
	if !errors.Is(err, io.EOF) && !errors.Is(err, os.ErrClosed) && !errors.Is(err, os.ErrDeadlineExceeded) {
		c.mu.Lock()
		c.readErr = err
		c.mu.Unlock()
	}
	c.b.EOF(c)
}

// arrived counts what a read brought and makes the reader busy again; it reports whether the connection has closed.
func (c *Conn) arrived(n int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.busy++
	if c.closed {
		return true
	}
	c.read += int64(n)
	if n > 0 {
		c.reads++
	}
	return false
}

// leave says that a goroutine has nothing to do; the last one to leave makes the agent quiet.
func (c *Conn) leave() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.leaveLocked()
}

func (c *Conn) leaveLocked() {
	c.busy--
	if c.busy == 0 && !c.closed && c.quieter != nil {
		c.quieter.Quiet(c.read, c.output.written.Load())
	}
}

func (c *Conn) newWaiterLocked() *waiter {
	w := &waiter{ch: make(chan answer, 1)}
	c.waiters[w] = true
	return w
}

func (c *Conn) wakeLocked(w *waiter, ans answer) {
	if w.woken {
		return
	}
	w.woken = true
	delete(c.waiters, w)
	c.busy++
	w.ch <- ans
}

// park waits until somebody wakes w.
func (c *Conn) park(w *waiter) answer {
	c.leave()
	return <-w.ch
}

// launch starts the turns of the prompts that have been read. It runs when everything that arrived has been looked at,
// so that a cancel in the same write as its prompt always finds a turn that has not begun.
func (c *Conn) launch() {
	c.mu.Lock()
	turns := c.starting
	c.starting = nil
	c.busy += len(turns)
	c.mu.Unlock()
	for _, t := range turns {
		c.wg.Add(1)
		go func() {
			defer c.wg.Done()
			defer c.leave()
			t.run()
		}()
	}
}

func (c *Conn) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	for w := range c.waiters {
		c.wakeLocked(w, answer{gone: true})
	}
}

// Exit ends the agent with a code; Serve returns an *ExitError. Nothing more is taken in or written.
func (c *Conn) Exit(code int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.exit == nil {
		c.exit = &ExitError{Code: code}
		c.closed = true
		close(c.stop)
	}
}

func (c *Conn) exitError() *ExitError {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.exit
}

func (c *Conn) isClosed() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.closed
}

// pause waits for d or until the connection ends; only slow variants and faults use it.
func (c *Conn) pause(d time.Duration) {
	if c.a.onPause != nil {
		c.a.onPause(d)
		return
	}
	if pace := c.a.cfg.Pace; pace > 0 {
		d = time.Duration(pace * float64(d))
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-c.stop:
	case <-c.ctx.Done():
	}
}

// Log writes a line to the agent's standard error.
func (c *Conn) Log(text string) { _, _ = io.WriteString(c.a.cfg.Stderr, text+"\n") }
