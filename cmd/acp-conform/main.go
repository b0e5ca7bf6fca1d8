// Command acp-conform starts an agent of the Agent Client Protocol, talks to it as an editor would, and says which rules of
// the protocol it keeps and which it breaks, with the lines that prove it.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/acp-conform/acp-conform/conformance/result"
)

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memoryLimit)
	}
	ctx, cancel := context.WithCancel(context.Background())
	g := newGuard()
	go obey(watched(), cancel, g)
	code := run(ctx, g, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	g.endOrphans(os.Stderr)
	os.Exit(code)
}

// gcPercent trades memory, of which a run needs little, for time: most of what a run allocates is a message that is soon gone.
const gcPercent = 400

// memoryLimit is where that trade ends: an agent that floods us is not given more memory, but more of our time.
const memoryLimit = 200 << 20

// watched are the signals that end a run: Ctrl-C, SIGTERM, SIGQUIT (Ctrl-\), those of strangers, and SIGHUP, which stays ignored under nohup.
func watched() <-chan os.Signal {
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, append([]os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGQUIT}, ofStrangers...)...)
	if !signal.Ignored(syscall.SIGHUP) {
		signal.Notify(signals, syscall.SIGHUP)
	}
	return signals
}

// obey ends the run in order at the first signal: the report is still written. The second one ends the program at once, but
// not before the agents, which would otherwise outlive it. Reports that are not written then are not there. Where the program
// waits for something to read, nothing has been started, and the first signal ends it.
func obey(signals <-chan os.Signal, cancel context.CancelFunc, g *guard) {
	<-signals
	cancel()
	select {
	case <-signals:
		g.wait(endingTime)
	case <-g.reading:
	}
	g.abandon()
	g.endOrphans(os.Stderr)
	os.Exit(result.ExitInterrupted)
}
