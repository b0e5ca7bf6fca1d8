package conformance_test

import (
	"context"
	"errors"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/acp-conform/acp-conform/conformance"
	"github.com/acp-conform/acp-conform/conformance/result"
	"github.com/acp-conform/acp-conform/fakeagent"
)

// tether is what agents in processes of their own stay connected to for as long as they live.
type tether struct {
	net.Listener
	done  chan struct{}
	conns []net.Conn
}

func newTether(t *testing.T) *tether {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	te := &tether{Listener: l, done: make(chan struct{})}
	go func() {
		defer close(te.done)
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			te.conns = append(te.conns, c)
		}
	}()
	return te
}

// left counts the agents that were started and those that still live.
func (te *tether) left(t *testing.T) (started, alive int) {
	t.Helper()
	_ = te.Close()
	<-te.done
	for _, c := range te.conns {
		_ = c.SetReadDeadline(time.Now().Add(10 * time.Second))
		if _, err := c.Read(make([]byte, 1)); errors.Is(err, os.ErrDeadlineExceeded) {
			alive++
		}
		_ = c.Close()
	}
	return len(te.conns), alive
}

func TestInterruptKeepsWhatIsKnown(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	te := newTether(t)
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	known := map[string]result.Verdict{}
	var mu sync.Mutex
	got, err := conformance.Run(ctx, conformance.Config{
		Command: []string{self(t)}, Env: []string{child{Part: "agent", Tether: te.Addr().String()}.variable(t)}, Jobs: 1,
		Log: func(e conformance.Event) {
			mu.Lock()
			defer mu.Unlock()
			if e.Verdict != "" && ctx.Err() == nil {
				known[e.Rule] = e.Verdict
				interrupt()
			}
		}})
	if err != nil {
		t.Fatal(err)
	}
	if got.Verdict != result.Interrupted || got.ExitCode != result.ExitInterrupted {
		t.Errorf("%s, exit code %d", got.Verdict, got.ExitCode)
	}
	if len(known) != 1 {
		t.Errorf("known before the interrupt: %v", known)
	}
	for id, v := range known {
		if o := outcome(t, got, id); o.Verdict != v {
			t.Errorf("%s was %s and is %s: %s", id, v, o.Verdict, o.Reason)
		}
	}
	cut := 0
	for _, o := range got.Rules {
		if o.Kind == "act" && o.Verdict == result.NotObserved {
			cut++
		}
	}
	if cut == 0 {
		t.Error("the interrupt came too late: every rule concluded")
	}
	wantNoBlame(t, got)
	if started, alive := te.left(t); started == 0 || alive > 0 {
		t.Errorf("%d agents were started and %d are left", started, alive)
	}
}

func TestInterruptAfterTheSurvey(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	te := newTether(t)
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	got, err := conformance.Run(ctx, conformance.Config{
		Command: []string{self(t)}, Env: []string{child{Part: "agent", Tether: te.Addr().String()}.variable(t)},
		Log: func(conformance.Event) { interrupt() }})
	if err != nil {
		t.Fatal(err)
	}
	if got.Verdict != result.Interrupted || !got.Survey.Handshake {
		t.Errorf("%s, %+v", got.Verdict, got.Survey)
	}
	if v := outcome(t, got, "jsonrpc.version-field").Verdict; v != result.Pass {
		t.Errorf("what the survey showed is lost: jsonrpc.version-field is %s", v)
	}
	wantNoBlame(t, got)
	if started, alive := te.left(t); started != 1 || alive > 0 {
		t.Errorf("%d agents were started, the survey's among them, and %d are left", started, alive)
	}
}

func TestInterruptAtAnyMomentBlamesNobody(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	for moment := int64(1); moment <= 40; moment++ {
		ctx, interrupt := context.WithCancel(t.Context())
		var lines atomic.Int64
		serve := fake(t, fakeagent.Config{OnLine: func(fakeagent.Direction, []byte) {
			if lines.Add(1) == moment {
				interrupt()
			}
		}})
		got, err := conformance.Run(ctx, conformance.Config{Serve: serve})
		if err != nil {
			t.Fatal(err)
		}
		if got.Verdict != result.Interrupted {
			t.Errorf("interrupted at line %d: %s", moment, got.Verdict)
		}
		wantNoBlame(t, got)
		if t.Failed() {
			t.Fatalf("interrupted at line %d", moment)
		}
	}
}

// wantNoBlame checks that no rule has anything against a correct agent.
func wantNoBlame(t *testing.T, r result.Run) {
	t.Helper()
	for _, o := range r.Rules {
		if o.Verdict == result.Fail || o.Verdict == result.Warn || o.Verdict == result.Error {
			t.Errorf("%s: %s: %s %v", o.ID, o.Verdict, o.Reason, o.Evidence)
		}
	}
}
