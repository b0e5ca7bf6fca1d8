package steady

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"go.uber.org/goleak"

	"github.com/acp-conform/acp-conform/conformance/engine"
	"github.com/acp-conform/acp-conform/conformance/result"
	"github.com/acp-conform/acp-conform/conformance/wire"
)

const (
	executions = 2000    // of acting rules
	warmUp     = 800     // of them, before the first measurement: every kind of agent has come up by then
	growth     = 2 << 10 // bytes of the heap for each of them: a connection that is left takes several times that, what is remembered of schemas less
)

// bad are agents that come to no good end.
var bad = map[string]wire.Serve{
	"panics": func(_ context.Context, r io.Reader, _ io.Writer) error {
		line, _ := bufio.NewReader(r).ReadString('\n')
		panic(line)
	},
	"hangs": func(ctx context.Context, _ io.Reader, _ io.Writer) error {
		<-ctx.Done()
		return ctx.Err()
	},
	"is silent": func(_ context.Context, r io.Reader, _ io.Writer) error {
		_, err := io.Copy(io.Discard, r)
		return err
	},
	"floods": func(_ context.Context, _ io.Reader, w io.Writer) error {
		_, err := io.WriteString(w, strings.Repeat(`{"jsonrpc":"2.0","method":"_x"}`+"\n", 20_000))
		return err
	},
	"asks without end": func(_ context.Context, r io.Reader, w io.Writer) error {
		for i := range 2000 {
			if _, err := fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%d,"method":"terminal/create","params":{"sessionId":"s","command":"true"}}`+"\n", i); err != nil {
				return err
			}
		}
		_, err := io.Copy(io.Discard, r)
		return err
	},
	"breaks off": func(_ context.Context, _ io.Reader, w io.Writer) error {
		_, err := io.WriteString(w, `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":`)
		return err
	},
}

// once behaves in the survey, so that there is something to judge afterwards.
func once(then wire.Serve) wire.Launcher {
	well, ill := inProcess(), wire.InProcess(then)
	return func(ctx context.Context, l wire.Launch) (wire.Peer, error) {
		if l.For == "survey" {
			return well(ctx, l)
		}
		return ill(ctx, l)
	}
}

// cheap are rules that take milliseconds, and few some of them for agents that do not answer.
var (
	cheap = []string{"transport", "jsonrpc", "init", "prompt", "cancel", "update", "session-new", "!transport.large-message"}
	few   = []string{"jsonrpc.parse-error", "jsonrpc.concurrent-requests", "cancel.during-tool", "cancel.double", "prompt.text-supported", "session-new.unique-id"}
)

// soak is the nth of a series of runs without end: correct agents, and between them ones with a fault and ones that come to no good end.
func soak(t *testing.T, n int) engine.Config {
	t.Helper()
	cfg := engine.Config{Rules: all(t, 1, cheap...), MaxPrompts: -1, Timeouts: impatient(), Jobs: 4, Launch: inProcess()}
	if n%2 == 0 {
		return cfg
	}
	var kinds []wire.Launcher
	for _, fault := range []string{"parse-error-fatal", "prompt-unanswered", "cancel-unanswered", "invalid-params-fatal", "jsonrpc-missing"} {
		kinds = append(kinds, inProcess(fault))
	}
	for _, name := range slices.Sorted(maps.Keys(bad)) {
		kinds = append(kinds, once(bad[name]))
	}
	kind := n / 2 % (len(kinds) + 1)
	cfg.Rules = all(t, 1, few...)
	if kind == len(kinds) {
		cfg.Launch, cfg.Process = ownProcess("parse-error-fatal", "ignores-eof"), true
	} else {
		cfg.Launch = kinds[kind]
	}
	return cfg
}

// Thousands of rules later there are no more open files and goroutines than at the beginning, and no more memory is in use.
func TestNothingGrows(t *testing.T) {
	total, first := executions, warmUp
	if raced {
		total, first = total/4, first/4
	}
	mark(t)
	temp := t.TempDir()
	var ran atomic.Int64
	n := 0
	until := func(many int) {
		for ; ran.Load() < int64(many); n++ {
			cfg := soak(t, n)
			cfg.TempDir = temp
			cfg.Progress = func(e engine.Event) {
				if e.Verdict != "" && e.Verdict != result.Skipped {
					ran.Add(1)
				}
			}
			run(t, cfg)
		}
	}
	until(first)
	before, known, heap := holds(t), goleak.IgnoreCurrent(), inUse()
	until(total)
	if err := goleak.Find(known); err != nil {
		t.Error(err)
	}
	for _, what := range holds(t).beyond(before) {
		t.Errorf("left: %s", what)
	}
	after := inUse()
	t.Logf("%d rules in %d runs: %d KiB in use after %d of them, %d KiB at the end", ran.Load(), n, heap>>10, first, after>>10)
	if !raced && after > heap+growth*uint64(total-first) { // the detector has a memory of its own
		t.Errorf("the heap has grown from %d to %d bytes", heap, after)
	}
}

// inUse is what the heap holds that somebody needs.
func inUse() uint64 {
	var m runtime.MemStats
	for range 3 { // what a finalizer or a pool lets go is found the next time
		runtime.GC()
	}
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
