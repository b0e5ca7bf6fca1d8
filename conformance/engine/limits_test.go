package engine

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	. "github.com/onsi/gomega"

	"github.com/acp-conform/acp-conform/conformance/client"
	"github.com/acp-conform/acp-conform/conformance/result"
	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/wire"
)

// crossings is a watching rule that notes the limits that were crossed.
type crossings struct {
	mu  sync.Mutex
	all []wire.Limit
}

func (c *crossings) rule() rule.Rule {
	return rule.Rule{ID: "z.limits", Title: "z", Level: rule.Should, Basis: rule.Derived, Versions: rule.Only(1), Occasion: rule.Always,
		Watch: rule.EachFrame(func(l *rule.Log, r *rule.Reading) {
			if r.Remark == nil || r.Remark.Limit == "" {
				return
			}
			c.mu.Lock()
			defer c.mu.Unlock()
			c.all = append(c.all, r.Remark.Limit)
			l.Broken(rule.Finding{Why: r.Remark.Why})
		})}
}

// rests is a rule that waits for very long.
func rests(id string) rule.Rule {
	return acting(id, func(c *rule.Case) {
		c.Client().Rest(time.Hour)
		c.Expect(1).To(Equal(1))
	})
}

func TestTheTimeOfARuleIsLimited(t *testing.T) {
	seen := &crossings{}
	r := runRules(t, correct, func(c *Config) { c.Limits.Rule, c.Jobs = time.Second, 1 }, rests("a.rests"), acting("b.passes", passes), seen.rule())
	if got := verdicts(r); got != "a.rests=not-observed b.passes=pass z.limits=warn" {
		t.Errorf("got %s", got)
	}
	if !strings.Contains(r.Rules[0].Reason, `crossed the limit "rule-time"`) || r.Verdict == result.Interrupted {
		t.Errorf("the reason is %q, the verdict %s", r.Rules[0].Reason, r.Verdict)
	}
	if !slices.Equal(seen.all, []wire.Limit{wire.LimitRule}) {
		t.Errorf("crossed %v", seen.all)
	}
}

func TestTheTimeOfARunIsLimited(t *testing.T) {
	seen := &crossings{}
	last := acting("b.passes", passes)
	last.Last = true // so that it does not begin while the other rule rests
	r := runRules(t, correct, func(c *Config) { c.Limits.Run = 300 * time.Millisecond }, rests("a.rests"), last, seen.rule())
	if got := verdicts(r); got != "a.rests=not-observed b.passes=not-observed z.limits=warn" {
		t.Errorf("got %s", got)
	}
	for _, o := range r.Rules[:2] {
		if !strings.Contains(o.Reason, `crossed the limit "run-time"`) {
			t.Errorf("the reason of %s is %q", o.ID, o.Reason)
		}
	}
	if len(seen.all) == 0 || slices.ContainsFunc(seen.all, func(l wire.Limit) bool { return l != wire.LimitRun }) || r.Verdict == result.Interrupted {
		t.Errorf("crossed %v, the verdict is %s", seen.all, r.Verdict)
	}
}

func TestWhatARuleRecordsIsLimited(t *testing.T) {
	seen := &crossings{}
	chatty := correct.with("x/chatter", `"result":"`+strings.Repeat("x", 3000)+`"`)
	talks := acting("a.talks", func(c *rule.Case) {
		for range 10 {
			if a := c.Client().Call("x/chatter", nil); !a.OK() {
				c.Require(false, "%s", a)
			}
		}
		c.Expect(1).To(Equal(1))
	})
	r := runRules(t, chatty, func(c *Config) { c.Limits.Recorded = 20_000 }, talks, acting("b.passes", passes), seen.rule())
	if got := verdicts(r); got != "a.talks=not-observed b.passes=pass z.limits=warn" {
		t.Errorf("got %s", got)
	}
	if !strings.Contains(r.Rules[0].Reason, `crossed the limit "recorded"`) {
		t.Errorf("the reason is %q", r.Rules[0].Reason)
	}
}

func TestTheProcessesOfAnAgentAreLimited(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("processes can be counted on Linux only")
	}
	seen := &crossings{}
	r := runRules(t, nil, func(c *Config) {
		c.Launch, c.Process, c.Limits.Children = wire.Command([]string{"sh", "-c", "sleep 60 & sleep 60 & sleep 60 & cat >/dev/null"}), true, 2
	}, seen.rule())
	if !slices.Equal(seen.all, []wire.Limit{wire.LimitChildren}) {
		t.Errorf("crossed %v; %s", seen.all, verdicts(r))
	}
	if r.DurationMs > 10_000 {
		t.Errorf("the agent was waited for: %d ms", r.DurationMs)
	}
}

// chatters is the correct agent, which has much to say before it answers the method, and says nothing of when it is idle.
func chatters(method string, lines int) wire.Launcher {
	return wire.InProcess(func(ctx context.Context, r io.Reader, w io.Writer) error {
		in, out := io.Pipe()
		go func() {
			ours := bufio.NewScanner(r)
			for ours.Scan() {
				if strings.Contains(ours.Text(), `"`+method+`"`) {
					_, _ = io.WriteString(w, strings.Repeat(`{"jsonrpc":"2.0","method":"_x/y"}`+"\n", lines))
				}
				_, _ = fmt.Fprintln(out, ours.Text())
			}
			_ = out.Close()
		}()
		return correct.serve(ctx, in, deaf{w})
	})
}

// Silence that may be ours is held against nobody; what a line proves is.
func TestAnAgentThatWritesFasterThanItIsReadIsNotSilent(t *testing.T) {
	accuses := func(id, method string) rule.Rule {
		return acting(id, func(c *rule.Case) {
			a := c.Client().Call(method, nil)
			c.Expect(a.Is(a.State == client.Met)).To(BeTrue(), "no answer")
		})
	}
	proves := acting("b.proved", func(c *rule.Case) {
		a := c.Client().Call("_test/first", nil)
		c.Client().Call("_test/much", nil)
		c.Expect(a.Is("what it said")).To(Equal("something else"))
	})
	for lines, want := range map[int]string{500: "a.slow=not-observed b.proved=fail", 1: "a.slow=pass b.proved=fail"} {
		r := runRules(t, correct, func(c *Config) {
			c.Launch, c.Limits.Frames, c.Timeouts.Request = chatters("_test/much", lines), 50, time.Second
		}, accuses("a.slow", "_test/much"), proves)
		if got := verdicts(r); got != want || lines > 1 && (!strings.Contains(r.Rules[0].Reason, "may have been waiting for us") || len(r.Rules[0].Evidence) > 0) {
			t.Errorf("%d lines: %s, %+v", lines, got, r.Rules[0])
		}
	}
}
