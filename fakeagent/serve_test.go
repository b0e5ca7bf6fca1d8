package fakeagent

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"
)

func TestQuiet(t *testing.T) {
	p := connect(t, Config{})
	id := p.open(everything)
	steps := []func(){
		func() { p.write(`{"jsonrpc":`) }, // half a line
		func() { p.write("\n") },
		func() { p.write(`{"jsonrpc":"2.0","method":"_x/none"}` + "\n") },
		func() {
			p.write(`{"jsonrpc":"2.0","id":1,"method":"session/prompt","params":` + promptParams(id, "/wait") + "}\n")
		},
		func() { p.write(`{"jsonrpc":"2.0","id":2,"method":"_x/ping"}` + "\n") },
		func() {
			p.write(fmt.Sprintf(`{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":%q}}`, id) + "\n")
		},
		func() {
			p.write(`{"jsonrpc":"2.0","id":3,"method":"session/prompt","params":` + promptParams(id, "/permission") + "}\n")
		},
	}
	want := []int{0, 1, 0, 1, 1, 1, 2}
	for i, step := range steps {
		step()
		if lines := p.settle(); len(lines) != want[i] {
			t.Errorf("step %d: quiet after %q", i, lines)
		}
	}
}

func TestServeEnds(t *testing.T) {
	before := runtime.NumGoroutine()
	open := func(cfg Config, words string) *peer {
		p := connect(t, cfg)
		p.prompt(p.open(everything), words)
		return p
	}
	if err := open(Config{}, "/wait").close(); err != nil {
		t.Errorf("at the end of the input: %v", err)
	}
	p := open(Config{}, "/permission")
	p.stop()
	if err := <-p.done; !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	} else {
		p.done <- err
	}
	p = open(Config{Faults: []string{"exits-in-turn"}}, "hello")
	var exit *ExitError
	if err := <-p.done; !errors.As(err, &exit) || exit.Code != 1 {
		t.Errorf("exit: %v", err)
	} else {
		p.done <- err
	}
	for deadline := time.Now().Add(30 * time.Second); runtime.NumGoroutine() > before; runtime.Gosched() {
		if time.Now().After(deadline) {
			t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), before)
		}
	}
}

func TestAnswersWhatCameBeforeTheEnd(t *testing.T) {
	p := connect(t, Config{})
	id := p.open(everything)
	p.write(`{"jsonrpc":"2.0","id":"last","method":"session/prompt","params":` + promptParams(id, "hello") + "}\n")
	p.close()
	if got := kinds(p.settle()); !strings.HasSuffix(got, "result end_turn") {
		t.Errorf("got %s", got)
	}
}

func TestOnLine(t *testing.T) {
	var seen []string
	p := connect(t, Config{OnLine: func(dir Direction, line []byte) { seen = append(seen, dir.String()+" "+string(line)) }})
	p.raw(`{"jsonrpc":"2.0","id":1,"method":"_x/ping"}` + "\n")
	p.close()
	want := []string{`client {"jsonrpc":"2.0","id":1,"method":"_x/ping"}`,
		`agent {"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found: _x/ping"}}`}
	if !reflect.DeepEqual(seen, want) {
		t.Errorf("got %q", seen)
	}
}

func TestPausesAndPieces(t *testing.T) {
	agent, err := New(Config{Faults: []string{"cancel-slow"}, Variants: []string{"slow-start", "one-byte-writes"}})
	if err != nil {
		t.Fatal(err)
	}
	var pauses []time.Duration
	agent.onPause = func(d time.Duration) { pauses = append(pauses, d) }
	p := serve(t, agent)
	id := p.open(everything)
	p.prompt(id, "/wait")
	p.notify("session/cancel", fmt.Sprintf(`{"sessionId":%q}`, id))
	if len(pauses) != 2 || pauses[1] != lateness {
		t.Errorf("paused %v", pauses)
	}
	if pieces := agent.Behaviour.Frame(&Conn{}, &Message{}, []byte("ab")); len(pieces) != 3 {
		t.Errorf("wrote %q", pieces)
	}
}

func TestFaultsOfTheEnd(t *testing.T) {
	for _, name := range []string{"ignores-eof", "ignores-eof-in-turn"} {
		p := connect(t, Config{Faults: []string{name}})
		p.prompt(p.open(everything), "/wait")
		p.in.Close()
		p.stop()
		if err := <-p.done; !errors.Is(err, context.Canceled) {
			t.Errorf("%s: Serve returned %v", name, err)
		} else {
			p.done <- err
		}
	}
}
