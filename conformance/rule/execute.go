package rule

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/acp-conform/acp-conform/conformance/client"
	"github.com/acp-conform/acp-conform/conformance/result"
	"github.com/acp-conform/acp-conform/conformance/wire"
)

// Judgement is what an acting rule came to.
type Judgement struct {
	Verdict result.Verdict
	Reason  string
	Log     *Log
}

// Gate tells whether the rule can act on this agent: an empty verdict means that it can.
func Gate(r *Rule, f Facts) (result.Verdict, string) {
	if f.Dies != "" {
		return result.NotObserved, "the agent does not stay: during the survey it " + f.Dies
	}
	for _, path := range r.Needs.Agent {
		if _, ok := f.Init.Capability(path); !ok {
			return result.Skipped, "the agent does not advertise " + path
		}
	}
	if (r.Needs.Session || r.Needs.Turn) && !f.Session {
		if f.Auth {
			return result.Skipped, "the agent asks for authentication first"
		}
		return result.NotObserved, "no session opens here: " + f.SessionReason
	}
	if r.Needs.Turn && !f.Turn {
		return result.NotObserved, "no turn ends here: " + f.TurnReason
	}
	return "", ""
}

// Execute runs an acting rule on agents of its own and turns whatever happens into a judgement.
func Execute(ctx context.Context, r *Rule, env *Env) (j Judgement) {
	j.Log = NewLog(r, r.ID)
	if v, why := Gate(r, env.Facts); v != "" {
		j.Verdict, j.Reason = v, why
		return j
	}
	c := &Case{Context: ctx, Log: j.Log, Env: env, rule: r}
	if r.Needs.Stimulus != None {
		if _, ok := env.Stimuli(r.Needs.Stimulus, ""); !ok {
			j.Verdict, j.Reason = result.NotObserved, fmt.Sprintf("nothing here can bring about %s", r.Needs.Stimulus)
			return j
		}
	}
	early := c.run()
	for _, cl := range slices.Clone(c.clients) {
		c.End(cl)
	}
	j.conclude(ctx, early)
	if c.behind {
		j.doubt()
	}
	return j
}

// Prepare makes something for several rules on agents of its own, which it ends. The reason says why nothing came of it; a fault
// of ours is a reason as well.
func Prepare(ctx context.Context, name string, env *Env, make func(*Case) any) (made any, reason string) {
	r := &Rule{ID: name}
	c := &Case{Context: ctx, Log: NewLog(r, name), Env: env, rule: r}
	r.Act = func(c *Case) { made = make(c) }
	early := c.run()
	for _, cl := range c.clients {
		cl.End()
	}
	if c.Log.Internal != "" {
		return nil, c.Log.Internal
	}
	return made, strings.TrimSpace(early.reason)
}

// run calls the rule and returns how it ended early, if it did.
func (c *Case) run() (early stopped) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case stopped:
			early = p
		default:
			c.Log.Fault("%v\n%s", p, debug.Stack())
		}
	}()
	c.rule.Act(c)
	return stopped{}
}

// doubt takes back what a rule accuses the agent of without a line of the agent that proves it, because it waited in vain while lines of
// the agent were waiting for us.
func (j *Judgement) doubt() {
	if j.Verdict != result.Fail && j.Verdict != result.Warn {
		return
	}
	j.Log.Seen = slices.DeleteFunc(j.Log.Seen, func(o result.Observation) bool { return o.Severity != result.Noted && !proved(o) })
	if j.Verdict = result.Worst(j.Log.Occasions, j.Log.Seen); j.Verdict != result.Fail && j.Verdict != result.Warn {
		j.Verdict, j.Reason = result.NotObserved, "what did not come in time may have been waiting for us: the agent writes faster than its lines are handled"
	}
}

func proved(o result.Observation) bool {
	return slices.ContainsFunc(o.Frames, func(f result.Frame) bool { return f.From == string(wire.Agent) })
}

func (j *Judgement) conclude(ctx context.Context, early stopped) {
	switch {
	case j.Log.Internal != "":
		j.Verdict, j.Reason = result.Error, j.Log.Internal
		return
	case ctx.Err() != nil:
		j.Verdict, j.Reason = result.NotObserved, client.Interrupted(ctx)+" before the rule concluded"
		return
	}
	j.Verdict = result.Worst(j.Log.Occasions, j.Log.Seen)
	switch {
	case j.Verdict == result.Fail || j.Verdict == result.Warn:
	case early.verdict != "":
		// A rule that was stopped in the middle has not seen all that it came for: it cannot pass by what it saw before.
		j.Verdict, j.Reason = early.verdict, strings.TrimSpace(early.reason)
	case j.Verdict == result.NotObserved:
		j.Reason = "no occasion arose"
	}
}
