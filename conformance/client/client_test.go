package client

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/acp-conform/acp-conform/conformance/wire"
)

// script is an agent that answers by what it reads: the function is given each line and returns the lines to write.
// It says when it is idle, unless mute.
type script struct {
	on   func(m message) []string
	mute bool
}

type message struct {
	ID     json.RawMessage
	Method string
	Params json.RawMessage
	Result json.RawMessage
	Error  *Error
}

func (s script) serve(_ context.Context, r io.Reader, w io.Writer) error {
	var read, written int64
	quiet := func() {
		if q, ok := w.(interface{ Quiet(read, written int64) }); ok && !s.mute {
			q.Quiet(read, written)
		}
	}
	in := bufio.NewReader(r)
	for quiet(); ; quiet() {
		line, err := in.ReadString('\n')
		if err != nil {
			return nil
		}
		read += int64(len(line))
		var m message
		_ = json.Unmarshal([]byte(line), &m)
		for _, l := range s.on(m) {
			if l == "exit" {
				return errors.New("gave up")
			}
			n, _ := io.WriteString(w, l+"\n")
			written += int64(n)
		}
	}
}

func result(m message, r string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, r)
}

func refusal(m message, code int) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":"no"}}`, m.ID, code)
}

// connect starts the script; what the suite remarked is collected in remarks.
func connect(t *testing.T, s script, tweak ...func(*Options)) (*Client, *[]string) {
	t.Helper()
	var mu sync.Mutex
	var remarks []string
	tap := func(f wire.Frame, _ wire.Envelope) {
		if f.From == wire.Suite {
			mu.Lock()
			defer mu.Unlock()
			remarks = append(remarks, string(f.Line))
		}
	}
	return dial(t, s.serve, append([]func(*Options){func(o *Options) { o.Taps = []wire.Tap{tap} }}, tweak...)...), &remarks
}

// dial starts an agent and connects to it.
func dial(t *testing.T, agent wire.Serve, tweak ...func(*Options)) *Client {
	t.Helper()
	peer, err := wire.InProcess(agent)(t.Context(), wire.Launch{})
	if err != nil {
		t.Fatal(err)
	}
	dir, err := RealDir(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Timeouts: DefaultTimeouts(), Dir: dir, Now: time.Now}
	for _, f := range tweak {
		f(&o)
	}
	c := Dial(t.Context(), peer, o)
	t.Cleanup(func() { c.End() })
	return c
}

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestCallHasThreeAnswers(t *testing.T) {
	on := func(m message) []string {
		switch m.Method {
		case "ok":
			return []string{"noise", result(m, `{"a":1}`)}
		case "no":
			return []string{refusal(m, -32602)}
		case "exit":
			return []string{"exit"}
		}
		return nil // silence
	}
	c, _ := connect(t, script{on: on})
	if a := c.Call("ok", nil); !a.OK() || a.Member("a").Of != 1.0 || len(a.Frames()) != 2 {
		t.Errorf("%+v", a)
	}
	if a := c.Call("no", nil); a.OK() || a.Code() != -32602 || a.String() != "error -32602 (no)" {
		t.Errorf("%+v", a)
	}
	if a := c.Call("silence", nil); a.State != Never || a.Why != "the agent has nothing left to do" {
		t.Errorf("an agent that is idle was waited for: %+v", a)
	}
	if a := c.Call("exit", nil); a.State != Never || !strings.Contains(a.Why, "gave up") {
		t.Errorf("%+v", a)
	}
	muted, _ := connect(t, script{on: on, mute: true}, func(o *Options) { o.Timeouts.Start, o.Timeouts.Request = time.Millisecond, time.Millisecond })
	if a := muted.Call("silence", nil); a.State != NotYet || !strings.Contains(a.Why, "1ms") {
		t.Errorf("%+v", a)
	}
}

// While a rule waits its place is free for another.
func TestWaitingGivesThePlaceBack(t *testing.T) {
	parked := 0
	c, _ := connect(t, script{on: func(message) []string { return nil }, mute: true}, func(o *Options) {
		o.Timeouts.Start, o.Timeouts.Request = time.Millisecond, time.Millisecond
		o.Park = func() func() { parked++; return func() {} }
	})
	c.Call("silence", nil)
	if parked == 0 {
		t.Error("the wait was not announced")
	}
}

func TestAgentsRequestsAreAnswered(t *testing.T) {
	permission := `{"jsonrpc":"2.0","id":"p","method":"session/request_permission","params":{"sessionId":"s","toolCall":{"toolCallId":"t"},` +
		`"options":[{"optionId":"y","name":"Yes","kind":"allow_once"},{"optionId":"n","name":"No","kind":"reject_once"}]}}`
	var replies []message
	on := func(m message) []string {
		switch {
		case m.Method == "go":
			return []string{permission, `{"jsonrpc":"2.0","id":7,"method":"_x/unknown","params":{}}`, `{"jsonrpc":"2.0","id":8,"method":"elicitation/create","params":{}}`}
		case m.Method == "":
			replies = append(replies, m)
		case m.Method == "report":
			return []string{result(m, "{}")}
		}
		return nil
	}
	c, _ := connect(t, script{on: on})
	_ = c.Notify("go", struct{}{})
	c.Window() // over when the agent is idle and we owe it nothing
	c.Call("report", nil)
	got := map[string]string{}
	for _, m := range replies {
		got[string(m.ID)] = string(m.Result)
		if m.Error != nil {
			got[string(m.ID)] = fmt.Sprint(m.Error.Code)
		}
	}
	want := map[string]string{`"p"`: `{"outcome":{"optionId":"n","outcome":"selected"}}`, "7": "-32601", "8": `{"action":"decline"}`}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("answered %v, want %v", got, want)
	}
}

func TestFence(t *testing.T) {
	late := `{"jsonrpc":"2.0","method":"_late","params":{}}`
	c, _ := connect(t, script{on: func(m message) []string {
		switch m.Method {
		case "go":
			return []string{late}
		case "_acp_conform/fence":
			return []string{refusal(m, -32601)}
		}
		return nil
	}})
	c.Fence = Fences()[0]
	m := c.Mark()
	_ = c.Notify("go", struct{}{})
	if !c.Fenced() || c.Since(m)[0].Name != "_late" {
		t.Errorf("since the mark: %v", c.Since(m))
	}
	c.Fence = Fence{}
	if c.Fenced() {
		t.Error("a window is no proof")
	}
}

func TestCapabilityPaths(t *testing.T) {
	in := ReadInitialize(Answer{Result: json.RawMessage(`{"protocolVersion":1,"agentCapabilities":{"loadSession":false,"a":{"b":{},"c":null}}}`)})
	for path, want := range map[string]bool{"loadSession": false, "a.b": true, "a.c": false, "a": true, "x": false, "a.b.c": false} {
		if _, ok := in.Capability(path); ok != want {
			t.Errorf("%s: %v", path, ok)
		}
	}
	if in.Version != 1 {
		t.Error(in.Version)
	}
}

// An agent that asks and asks and never reads the answers blocks every write; the suite gives up after one patience, not one
// for each answer.
func TestAgentThatAsksAndDoesNotRead(t *testing.T) {
	big := strings.Repeat("x", 200)
	peer, err := wire.InProcess(func(ctx context.Context, _ io.Reader, w io.Writer) error {
		for i := range 2000 {
			if _, err := fmt.Fprintf(w, `{"jsonrpc":"2.0","id":"%d%s","method":"_x/unknown","params":{}}`+"\n", i, big); err != nil {
				return err
			}
		}
		<-ctx.Done()
		return ctx.Err()
	})(t.Context(), wire.Launch{})
	if err != nil {
		t.Fatal(err)
	}
	limits := DefaultTimeouts()
	limits.Start, limits.Request, limits.Exit = 50*time.Millisecond, 50*time.Millisecond, 50*time.Millisecond
	c := Dial(t.Context(), peer, Options{Timeouts: limits, Dir: t.TempDir(), Now: time.Now})
	var a Answer
	for begun := time.Now(); !strings.Contains(a.Why, "does not read"); { // until the pipe is full
		if a = c.Call("ping", nil); a.State == Met || time.Since(begun) > 30*time.Second {
			t.Fatalf("%+v", a)
		}
	}
	if end := c.End(); end.Escaped {
		t.Errorf("%+v", end)
	}
}

// What a command leaves behind outside of its process group is ended with the connection.
func TestNothingOfATerminalIsLeftBehind(t *testing.T) {
	if _, err := os.Stat("/proc/self/environ"); err != nil {
		t.Skip("only Linux shows the environment of other processes")
	}
	terms := newTerminals(func(string) string { return t.TempDir() }, time.Minute, 32, nil)
	pidFile := filepath.Join(t.TempDir(), "pid")
	script := "setsid sh -c 'echo $$ > " + pidFile + ".new; mv " + pidFile + ".new " + pidFile + "; exec sleep 1000' & wait"
	if _, e := terms.create(json.RawMessage(fmt.Sprintf(`{"sessionId":"s","command":"sh","args":["-c",%q]}`, script))); e != nil {
		t.Fatal(e)
	}
	var pid string
	for deadline := time.Now().Add(30 * time.Second); pid == "" && time.Now().Before(deadline); {
		b, _ := os.ReadFile(pidFile)
		pid = strings.TrimSpace(string(b))
	}
	terms.close()
	for deadline := time.Now().Add(30 * time.Second); ; {
		stat, err := os.ReadFile("/proc/" + pid + "/stat")
		if err != nil || strings.Contains(string(stat), ") Z ") {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("process %s is still there", pid)
		}
	}
}

// However much an agent has said before, what it says now is seen; marks stay where they were.
func TestRecordForgetsTheOldestLines(t *testing.T) {
	var r record
	line := func(i int) Line { return Line{Frame: wire.Frame{Seq: i, Line: []byte("x")}} }
	for i := range keptLines {
		r.receive(line(i))
	}
	m := r.mark()
	for i := range keptLines / 4 {
		r.receive(line(keptLines + i))
	}
	got := r.since(m)
	if len(r.agent) > keptLines || len(got) != keptLines/4 || got[0].Seq != keptLines || r.bytes != len(r.agent) {
		t.Errorf("%d lines of %d bytes are kept; %d behind the mark", len(r.agent), r.bytes, len(got))
	}
	if all := r.since(0); len(all) != len(r.agent) {
		t.Errorf("%d lines behind a forgotten mark", len(all))
	}
}

// A session that another connection opened works in a directory of the run, which is the agent's; one that the user names is not.
func TestAdoptedSessionsAreServedInsideTheRun(t *testing.T) {
	c := &Client{Options: Options{Dir: t.TempDir()}, dirOf: map[string]string{}, files: &files{}}
	inside, outside := filepath.Join(c.Dir, "s1"), t.TempDir()
	if err := os.Mkdir(inside, 0o700); err != nil {
		t.Fatal(err)
	}
	c.Adopt("a", inside)
	c.Adopt("b", outside)
	if failure := c.files.store(filepath.Join(inside, "f"), "text"); failure != nil {
		t.Errorf("inside the run: %v", failure)
	}
	if failure := c.files.store(filepath.Join(outside, "f"), "text"); failure == nil {
		t.Error("a directory of the user was written to")
	}
}
