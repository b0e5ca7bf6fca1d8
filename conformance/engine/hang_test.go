package engine

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"time"

	. "github.com/onsi/gomega"

	"github.com/acp-conform/acp-conform/conformance/client"
	"github.com/acp-conform/acp-conform/conformance/result"
	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/wire"
)

// hangsOn is the correct agent, but for a method that it never answers; nobody can see that it is idle then.
func hangsOn(method string) wire.Launcher {
	return wire.InProcess(func(ctx context.Context, r io.Reader, w io.Writer) error {
		in, out := io.Pipe()
		go func() {
			lines := bufio.NewScanner(r)
			for lines.Scan() {
				if !strings.Contains(lines.Text(), `"`+method+`"`) {
					_, _ = fmt.Fprintln(out, lines.Text())
				}
			}
			_ = out.Close()
		}()
		return correct.serve(ctx, in, deaf{w})
	})
}

// deaf is an output that nobody can tell of silence.
type deaf struct{ io.Writer }

func (deaf) Quiet(int64, int64) {}

func asks(id, method string) rule.Rule {
	return acting(id, func(c *rule.Case) {
		c.Require(c.Client().Call(method, nil).OK(), "no answer")
	})
}

func TestWhatIsWaitedForInVainIsTakenDown(t *testing.T) {
	r := runRules(t, correct, func(c *Config) {
		c.Launch, c.Timeouts = hangsOn("_test/never"), client.Timeouts{Request: 50 * time.Millisecond, Window: time.Millisecond}
	}, asks("a.never", "_test/never"), acting("b.passes", func(c *rule.Case) {
		c.Client().Call("_test/never", nil)
		c.Expect(1).To(Equal(1))
	}), acting("c.short", func(c *rule.Case) {
		c.Client().Start("_test/never", nil).WaitFor(time.Millisecond)
		c.NotObserved("it did not wait")
	}))
	if len(r.Hangs) != 1 {
		t.Fatalf("%d hangs: %+v", len(r.Hangs), r.Hangs)
	}
	h := r.Hangs[0]
	if h.Rule != "a.never" || h.WaitedFor != "the answer to _test/never (id 2)" || h.Ended != "the 50ms for it are over" || h.WaitedMs < 50 || h.Since == "" || h.Processes != nil {
		t.Errorf("%+v", h)
	}
	if len(h.Sent) != 2 || !strings.Contains(h.Sent[1].Line, "_test/never") || len(h.Received) != 1 || !strings.Contains(h.Received[0].Line, "protocolVersion") {
		t.Errorf("sent %v, received %v", h.Sent, h.Received)
	}
}

// However much was sent behind it, the request that has no answer is shown.
func TestTheRequestThatHasNoAnswerIsTakenDown(t *testing.T) {
	r := runRules(t, correct, func(c *Config) {
		c.Launch, c.Timeouts = hangsOn("_test/never"), client.Timeouts{Request: 50 * time.Millisecond, Window: time.Millisecond}
	}, acting("a.ticks", func(c *rule.Case) {
		call := c.Client().Start("_test/never", nil)
		for range 5 {
			_ = c.Client().Notify("_test/tick", nil)
		}
		c.Require(call.Wait().OK(), "no answer")
	}))
	if len(r.Hangs) != 1 || r.Hangs[0].Request == nil || !strings.Contains(r.Hangs[0].Request.Line, "_test/never") || !strings.Contains(r.Hangs[0].Sent[0].Line, "_test/tick") {
		t.Errorf("%+v", r.Hangs)
	}
}

func TestARuleThatHasNoMoreTimeTellsWhatItWaitedFor(t *testing.T) {
	for _, c := range []struct {
		rule rule.Rule
		want string
	}{
		{asks("a.never", "_test/never"), "the answer to _test/never (id 2)"},
		{rests("a.rests"), "its own end, and for nothing that the agent owes"},
	} {
		r := runRules(t, correct, func(cfg *Config) {
			cfg.Launch, cfg.Limits.Rule, cfg.Timeouts.Request = hangsOn("_test/never"), time.Second, time.Minute
		}, c.rule)
		if len(r.Hangs) != 1 || r.Hangs[0].WaitedFor != c.want || !strings.Contains(r.Hangs[0].Ended, `crossed the limit "rule-time"`) {
			t.Errorf("%s: %+v", c.rule.ID, r.Hangs)
		}
	}
}

// A process that hangs is looked at before it is ended, at an interrupt as well.
func TestAnInterruptTellsWhatIsWaitedFor(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux shows processes")
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	launch := wire.Command([]string{"sh", "-c", "echo thinking >&2; sleep 1000; exit"})
	said := func(ctx context.Context, l wire.Launch) (wire.Peer, error) {
		p, err := launch(ctx, l)
		if err == nil {
			go func() {
				for pid := p.(interface{ Pid() int }).Pid(); ctx.Err() == nil; time.Sleep(time.Millisecond) {
					f := wire.Family(pid, "none")
					if len(p.Stderr()) > 0 && len(f) == 2 && f[1].Command == "sleep 1000" && f[1].State == "sleeping" {
						break
					}
				}
				cancel()
			}()
		}
		return p, err
	}
	r, err := Run(ctx, Config{Launch: said, Process: true, Rules: []rule.Rule{acting("a.passes", passes)}, MaxPrompts: -1})
	if err != nil {
		t.Fatal(err)
	}
	if r.Verdict != result.Interrupted || len(r.Hangs) != 1 {
		t.Fatalf("%s, %+v", r.Verdict, r.Hangs)
	}
	h := r.Hangs[0]
	if h.Rule != surveyName || h.WaitedFor != "the answer to initialize (id 1)" || h.Ended != "the run was interrupted" || len(h.Sent) != 1 || len(h.Stderr) != 1 || h.Stderr[0] != "thinking" {
		t.Errorf("%+v", h)
	}
	if len(h.Processes) != 2 || h.Processes[1].Depth != 1 || h.Processes[1].Command != "sleep 1000" || h.Processes[1].State != "sleeping" {
		t.Errorf("%+v", h.Processes)
	}
}
