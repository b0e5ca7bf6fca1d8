package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"sync"
	"time"
)

// Serve is an agent as a function: it reads messages from r and writes them to w until r ends.
type Serve func(ctx context.Context, r io.Reader, w io.Writer) error

// InProcess is a Launcher for an agent that lives in this process, over a pair of os.Pipe: unlike io.Pipe they have a buffer,
// as an agent's pipes do. The return of serve counts as its exit.
func InProcess(serve Serve) Launcher {
	return func(ctx context.Context, l Launch) (Peer, error) {
		inR, inW, err := os.Pipe()
		if err != nil {
			return nil, err
		}
		outR, outW, err := os.Pipe()
		if err != nil {
			return nil, errors.Join(err, inR.Close(), inW.Close())
		}
		ctx, cancel := context.WithCancel(context.WithValue(context.WithoutCancel(ctx), launchKey{}, l))
		p := &inProcess{in: inW, out: outR, cancel: cancel, exited: make(chan struct{}), agentIn: inR, agentOut: outW, read: -1}
		go p.run(ctx, serve)
		return p, nil
	}
}

type launchKey struct{}

// LaunchOf is how an agent in this process was asked to start: from the context that it serves under.
func LaunchOf(ctx context.Context) Launch {
	l, _ := ctx.Value(launchKey{}).(Launch)
	return l
}

type inProcess struct {
	in, out           *os.File
	agentIn, agentOut *os.File
	cancel            context.CancelFunc
	exited            chan struct{}
	exit              Exit

	mu            sync.Mutex
	read, written int64
	onQuiet       func()
}

// quietPipe is the agent's stdout; a fake that knows when it is idle says so to it.
type quietPipe struct {
	io.Writer
	p *inProcess
}

// Quiet records that the agent has nothing left to do, having taken read bytes and written the others.
func (q quietPipe) Quiet(read, written int64) { q.p.quiet(read, written) }

func (p *inProcess) run(ctx context.Context, serve Serve) {
	p.exit = Exit{Code: 2, Err: errors.New("the agent's function ended without returning")}
	defer func() {
		if r := recover(); r != nil {
			p.exit.Err = fmt.Errorf("the agent's function panicked: %v\n%s", r, debug.Stack())
		}
		_ = p.agentOut.Close()
		_ = p.agentIn.Close()
		close(p.exited)
	}()
	err := serve(ctx, p.agentIn, quietPipe{p.agentOut, p})
	p.exit = Exit{Err: err}
	var coder interface{ ExitCode() int }
	if errors.As(err, &coder) {
		p.exit = Exit{Code: coder.ExitCode()}
	} else if err != nil {
		p.exit.Code = 1
	}
}

func (p *inProcess) quiet(read, written int64) {
	p.mu.Lock()
	p.read, p.written = read, written
	f := p.onQuiet
	p.mu.Unlock()
	if f != nil {
		f()
	}
}

func (p *inProcess) QuietAt() (int64, int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.read, p.written
}

func (p *inProcess) OnQuiet(f func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.onQuiet = f
}

func (p *inProcess) Input() io.WriteCloser   { return p.in }
func (p *inProcess) Output() io.Reader       { return p.out }
func (p *inProcess) Stderr() []byte          { return nil }
func (p *inProcess) Exited() <-chan struct{} { return p.exited }
func (p *inProcess) Exit() Exit              { return p.exit }
func (p *inProcess) Name() string            { return "the agent in this process" }

func (p *inProcess) End(grace time.Duration) Ending {
	_ = p.in.Close()
	end := Ending{Willing: true}
	if !waitFor(p.exited, grace) {
		end.Willing, end.Forced = false, "cancel"
		p.cancel()
		_ = p.agentIn.SetReadDeadline(time.Now()) // a function cannot be killed; what it reads can be ended
		if !waitFor(p.exited, grace) {
			_ = p.out.Close() // it may be busy writing
		}
		if !waitFor(p.exited, grace) {
			end.Escaped = true
			return end
		}
	}
	p.cancel()
	end.Exit = p.exit
	return end
}

func waitFor(done <-chan struct{}, d time.Duration) bool {
	select {
	case <-done:
		return true
	default:
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-done:
		return true
	case <-t.C:
		return false
	}
}
