package rules

import (
	"fmt"

	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/wire"
)

// transportWithinLimits is ours: the protocol sets no limits. Who crosses them floods, forks or takes for ever, or is an agent for which
// a limit has to be raised; so it is a warning.
var transportWithinLimits = rule.Rule{
	ID:    "transport.within-limits",
	Title: "the agent stays within the limits of this suite",
	Level: rule.Should, Basis: rule.Derived, Versions: both,
	Ref:      rule.Ref{Page: "transports", Anchor: "stdio"},
	Advice:   "Write less, in smaller pieces, and start no more than you need; where this is what the agent is for, raise the limit: --limit NAME=VALUE.",
	Occasion: rule.Always,
	Watch:    func() rule.Watcher { return limitWatch{} },
}

type limitWatch struct{}

func (limitWatch) See(l *rule.Log, r *rule.Reading) {
	if r.Remark == nil || r.Remark.Limit == "" {
		return
	}
	f := rule.Finding{Why: fmt.Sprintf("the limit %q was crossed: the agent %s", r.Remark.Limit, r.Remark.Why)}
	if r.Remark.Limit == wire.LimitStderr { // what is said there has no meaning in the protocol
		l.Note(f)
		return
	}
	l.Broken(f)
}

// End is the occasion: the agent was there and ended.
func (limitWatch) End(l *rule.Log, _ *rule.Conversation) { l.Occasion() }
