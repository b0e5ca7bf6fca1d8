package fuzz

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/acp-conform/acp-conform/conformance/result"
	"github.com/acp-conform/acp-conform/conformance/wire"
)

// fate is what a line does to a clerk.
type fate int

const (
	well  fate = iota
	dead       // it ends at once
	dying      // it ends in a moment, or behind three more lines if they come sooner; until then it answers
)

// moment is how long a clerk takes to die.
const moment = 10 * time.Millisecond

var errDead = errors.New("it is dead")

// clerk is an agent with sessions that answers whatever it is asked, for as long as it lives. upon tells what a line does to it, and is
// told how many prompts there were on its connection; connection counts those, from 1.
func clerk(upon func(e wire.Envelope, prompts int, connection int64) fate) wire.Launcher {
	var connections atomic.Int64
	return wire.InProcess(func(_ context.Context, r io.Reader, w io.Writer) error {
		connection := connections.Add(1)
		lines := make(chan []byte)
		done := make(chan struct{})
		defer close(done)
		go func() {
			defer close(lines)
			in := bufio.NewScanner(r)
			for in.Buffer(nil, longest); in.Scan(); {
				select {
				case lines <- append([]byte(nil), in.Bytes()...):
				case <-done:
					return
				}
			}
		}()
		var end <-chan time.Time
		var read, written int64
		prompts, left := 0, -1
		for {
			select {
			case <-end:
				return errDead
			case line, open := <-lines:
				if !open {
					return nil
				}
				read += int64(len(line) + 1)
				e := wire.Inspect(line)
				if e.Name == "session/prompt" {
					prompts++
				}
				if left--; left == 0 {
					return errDead
				}
				switch upon(e, prompts, connection) {
				case dead:
					return errDead
				case dying:
					if end == nil {
						end, left = time.After(moment), 3
					}
				}
				if answer := clerical(e); answer != "" {
					n, _ := fmt.Fprintln(w, answer)
					written += int64(n)
				}
				if end == nil {
					w.(interface{ Quiet(read, written int64) }).Quiet(read, written)
				}
			}
		}
	})
}

// clerical is the answer of a clerk.
func clerical(e wire.Envelope) string {
	result := "{}"
	switch {
	case e.Broken != wire.Whole:
		return `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no message"}}`
	case e.Kind != wire.Request:
		return ""
	case e.Name == "initialize":
		result = `{"protocolVersion":1,"agentCapabilities":{}}`
	case e.Name == "session/new":
		result = `{"sessionId":"clerk"}`
	case e.Name == "session/prompt":
		result = `{"stopReason":"end_turn"}`
	default:
		return `{"jsonrpc":"2.0","id":` + string(e.ID) + `,"error":{"code":-32601,"message":"no such method"}}`
	}
	return `{"jsonrpc":"2.0","id":` + string(e.ID) + `,"result":` + result + `}`
}

// badCancel is a notification whose params are no object.
func badCancel(e wire.Envelope) bool {
	return e.Name == "session/cancel" && e.Broken == wire.Whole && (len(e.Params) == 0 || e.Params[0] != '{')
}

// The lines of the scripts.
const (
	cancelLine = `{"jsonrpc":"2.0","method":"session/cancel","params":false}`
	strayLine  = `{"jsonrpc":"2.0","id":8000003,"result":{}}`
	promptLine = `{"jsonrpc":"2.0","id":%d,"method":"session/prompt","params":{"sessionId":"${s1.sessionId}","prompt":[{"type":"text","text":"x"}]}}`
)

func promptStep(id int, then Then) Step { return Step{Send: fmt.Sprintf(promptLine, id), Then: then} }

// looked plays a script as a leg does, and gives what is found out about the end of the agent.
func looked(t *testing.T, launch wire.Launcher, change func(*run), steps ...Step) Result {
	t.Helper()
	return examined(t, launch, gone, change, steps...)
}

// examined plays a script as a leg does, after which the agent has to stand as it is said, and gives what is found out.
func examined(t *testing.T, launch wire.Launcher, stands state, change func(*run), steps ...Step) Result {
	t.Helper()
	r, err := begin(Config{Launch: launch, Prompts: -1, Request: time.Minute, Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	defer r.finish()
	if problem := r.survey(t.Context()); problem != "" {
		t.Fatal(problem)
	}
	l := r.begin(t.Context())
	r.playing.start(r.Now)
	how := l.play(t.Context(), steps)
	if how != stands {
		t.Fatalf("the agent stands as %d, not %d", how, stands)
	}
	found, _ := l.judge(how)
	from := l.note(steps)
	l.end(0)
	if change != nil {
		change(r)
	}
	r.book.played(len(steps), nil)
	r.examine(t.Context(), l.evidence(0, from), found)
	return r.result(t.Context(), "")
}

// Each row is what an agent does not survive, what it is sent, what is found, and how many lines show it, with the handshake.
func TestTheLineThatEndsTheAgentIsNamed(t *testing.T) {
	const why = "the agent does not survive "
	for name, c := range map[string]struct {
		upon  func(wire.Envelope, int, int64) fate
		say   []Step
		want  Severity
		why   string
		lines int
	}{
		"in one piece with others": {func(e wire.Envelope, _ int, _ int64) fate { return when(badCancel(e), dead) },
			[]Step{{Send: "x"}, {Send: cancelLine, Then: Join}, promptStep(20, Join), {Send: "42", Then: Join}, {Send: strayLine}}, Failure, why + `a notification "session/cancel"`, 2},
		"some lines before": {func(e wire.Envelope, _ int, _ int64) fate { return when(badCancel(e), dying) },
			[]Step{{Send: "x"}, {Send: cancelLine}, promptStep(20, Answer), {Send: "42"}, promptStep(21, Answer), promptStep(22, Answer)}, Failure, why + `a notification "session/cancel"`, 2},
		"the third of its kind": {func(_ wire.Envelope, prompts int, _ int64) fate { return when(prompts == 3, dead) },
			[]Step{promptStep(20, Answer), promptStep(21, GoOn), {Send: strayLine, Then: Fence}, promptStep(22, Join), {Send: "x"}}, Failure, why + `a request "session/prompt"`, 4},
		"the third of its kind, a little later": {func(_ wire.Envelope, prompts int, _ int64) fate { return when(prompts == 3, dying) },
			[]Step{promptStep(20, Answer), promptStep(21, GoOn), promptStep(22, GoOn), {Send: "x", Then: Fence}, {Send: "42", Then: Fence}}, Failure, why + `a request "session/prompt"`, 4},
		"a response": {func(e wire.Envelope, _ int, _ int64) fate {
			return when(e.Kind == wire.Response && e.Broken == wire.Whole, dead)
		},
			[]Step{promptStep(20, Join), {Send: strayLine, Then: Join}, {Send: "x"}}, Failure, why + "a response that nobody waits for", 2},
		"no message, though messages are near": {func(e wire.Envelope, _ int, _ int64) fate { return when(e.Broken != wire.Whole, dead) },
			[]Step{promptStep(20, Join), {Send: "x", Then: Join}, promptStep(21, Join), {Send: strayLine}}, Warning, why + "a line that is no message", 2},
		"no message, some lines before": {func(e wire.Envelope, _ int, _ int64) fate { return when(e.Broken != wire.Whole, dying) },
			[]Step{{Send: "x"}, promptStep(21, Answer), promptStep(22, Answer), promptStep(23, Answer)}, Warning, why + "a line that is no message", 2},
		"a message as well as what is none": {func(e wire.Envelope, _ int, _ int64) fate { return when(e.Broken != wire.Whole || badCancel(e), dead) },
			[]Step{promptStep(20, Join), {Send: "x", Then: Join}, {Send: cancelLine, Then: Join}, {Send: "42"}}, Failure, why + `a notification "session/cancel"`, 2},
	} {
		t.Run(name, func(t *testing.T) {
			launch := clerk(c.upon)
			res := looked(t, launch, nil, c.say...)
			if len(res.Findings) != 1 {
				t.Fatalf("%d findings\n%s", len(res.Findings), res.show())
			}
			f := res.Findings[0]
			if f.Severity != c.want || len(f.Script.Steps) != c.lines || head(f.Why, len(c.why)) != c.why+"…" || f.Once {
				t.Errorf("%s\nwant a %s: %s", res.show(), c.want, c.why)
			}
			again, err := Play(t.Context(), Config{Launch: launch, Prompts: -1, Request: time.Minute, Now: time.Now}, f.Script)
			if err != nil || len(again.Findings) != 1 || again.Findings[0].Severity != c.want || again.Findings[0].Why != f.Why {
				t.Errorf("played again: %v\n%s", err, again.show())
			}
		})
	}
}

func when(is bool, f fate) fate {
	if is {
		return f
	}
	return well
}

// What ends a conversation is one finding, however often and in whatever script it is met.
func TestOneCauseIsOneFinding(t *testing.T) {
	for name, upon := range map[string]func(wire.Envelope, int, int64) fate{
		"cancel":       func(e wire.Envelope, _ int, _ int64) fate { return when(badCancel(e), dead) },
		"late cancel":  func(e wire.Envelope, _ int, _ int64) fate { return when(badCancel(e), dying) },
		"third prompt": func(_ wire.Envelope, prompts int, _ int64) fate { return when(prompts == 3, dead) },
	} {
		t.Run(name, func(t *testing.T) {
			res := fuzz(t, Config{Launch: clerk(upon), Seed: 2, Prompts: -1, Request: time.Minute, Scripts: 100, Now: time.Now})
			if len(res.Findings) != 1 || res.Findings[0].Severity != Failure || res.ExitCode != result.ExitFailed || res.Findings[0].Once {
				t.Errorf("%d scripts: exit code %d\n%s", res.Scripts, res.ExitCode, res.show())
			}
		})
	}
}

// An agent that has ended has not passed, even if nobody can say on what.
func TestAnEndThatIsSeenOnceFails(t *testing.T) {
	second := func(_ wire.Envelope, prompts int, connection int64) fate {
		return when(connection == 2 && prompts == 2, dead)
	}
	for name, change := range map[string]func(*run){
		"it is tried again":           nil,
		"there is no time to try it":  func(r *run) { r.For, r.overtime = time.Nanosecond, 0 },
		"what is known is of no help": func(r *run) { r.book.add(&Finding{Kind: Crash, Severity: Warning, marks: []marks{{"!raw {": true}}}) },
	} {
		res := looked(t, clerk(second), change, promptStep(20, Answer), promptStep(21, Answer), Step{Send: "x"})
		f := res.Findings[0]
		if f.Severity != Failure || !f.Once || res.Verdict != Failed || len(f.Script.Steps) != 4 || len(f.Frames) < 4 || !strings.HasSuffix(f.Why, "does not survive: it ended: it is dead") {
			t.Errorf("%s: %s\n%s", name, res.Verdict, res.show())
		}
	}
	garbage := func(e wire.Envelope, _ int, connection int64) fate {
		return when(connection == 2 && e.Broken != wire.Whole, dead)
	}
	if res := looked(t, clerk(garbage), nil, Step{Send: "x"}); res.Verdict != Passed || len(res.Findings) != 1 || !res.Findings[0].Once {
		t.Errorf("nothing but what is no message: %s\n%s", res.Verdict, res.show())
	}
}
