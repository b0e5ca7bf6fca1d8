package main

import (
	"fmt"
	"io"
	"os"
	"os/signal"
	"sync"
	"sync/atomic"
	"time"
)

// guard keeps the program from ending before the agents that it has started, which would outlive it. A nil guard does nothing.
type guard struct {
	agents  sync.RWMutex  // held for reading while there may be agents
	adopted atomic.Bool   // there have been some
	writing sync.Mutex    // held while a report is written
	left    func()        // what to do about reports that nobody will write; guarded by writing
	reading chan struct{} // gives something for as long as something is read that may never come
}

func newGuard() *guard { return &guard{reading: make(chan struct{})} }

// read reads what the program needs before it starts anything, such as a file that is a pipe. An interrupt ends the program then.
func (g *guard) read(do func() ([]byte, error)) ([]byte, error) {
	if g == nil {
		return do()
	}
	done := make(chan struct{})
	defer close(done)
	go func() {
		select {
		case g.reading <- struct{}{}:
		case <-done:
		}
	}()
	return do()
}

// leave says what is to be done about reports that nobody will write because the program ends at once.
func (g *guard) leave(do func()) {
	if g == nil {
		return
	}
	g.writing.Lock()
	defer g.writing.Unlock()
	g.left = do
}

// write writes a report, which the end of the program then waits for.
func (g *guard) write(do func() error) error {
	if g != nil {
		g.writing.Lock()
		defer g.writing.Unlock()
	}
	return do()
}

// writingTime is how long the end of the program waits for a report that is being written: its reader may never come.
const writingTime = 2 * time.Second

// abandon removes what would be empty reports. No other report is written afterwards.
func (g *guard) abandon() {
	done := make(chan struct{})
	go func() {
		defer close(done)
		g.writing.Lock()
		if g.left != nil {
			g.left()
		}
	}()
	select {
	case <-done:
	case <-time.After(writingTime):
	}
}

// endingTime is how long the end of agents is waited for at most: those that can be ended take a part of a second.
const endingTime = 8 * time.Second

// hold says that agents run until what it returns is called, be it more than once. From then on a pipe that nobody reads any more,
// as of `| head`, makes a write fail, where it would otherwise end the program without a word; so does a limit on the size of files.
func (g *guard) hold() (release func()) {
	if g == nil {
		return func() {}
	}
	signal.Notify(make(chan os.Signal, 1), ofWrites...) // if they were ignored, agents would ignore them as well
	if !g.adopted.Swap(true) {
		adopt()
	}
	g.agents.RLock()
	return sync.OnceFunc(g.agents.RUnlock)
}

// endOrphans ends what agents have left behind, when all of them have ended, and says so.
func (g *guard) endOrphans(stderr io.Writer) {
	if left := g.leftBehind(); left != "" {
		_, _ = fmt.Fprintf(stderr, "%s: %s\n", programName, left)
	}
}

// leftBehind ends what agents have left behind, when all of them have ended, and tells of it, "" if there is nothing to tell.
func (g *guard) leftBehind() string {
	if g == nil || !g.adopted.Load() {
		return ""
	}
	n := endOrphans()
	if n == 0 {
		return ""
	}
	return processes(n) + " that the agent had left behind, hidden from the suite, had to be ended"
}

func processes(n int) string {
	if n == 1 {
		return "1 process"
	}
	return fmt.Sprintf("%d processes", n)
}

// wait waits until all agents have ended, but no longer than the limit. Nobody starts one afterwards.
func (g *guard) wait(limit time.Duration) {
	ended := make(chan struct{})
	go func() {
		g.agents.Lock()
		close(ended)
	}()
	select {
	case <-ended:
	case <-time.After(limit):
	}
}
