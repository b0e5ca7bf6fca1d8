package fuzz

import (
	"context"
	"slices"
)

// survey has the first conversation, and a second one on a fresh agent if something is wrong with what was seen in the first.
func (r *run) survey(ctx context.Context) (problem string) {
	problem, first := r.converse(ctx)
	if len(first) == 0 || ctx.Err() != nil {
		return problem
	}
	r.facts = &facts{}
	problem, second := r.converse(ctx)
	if ctx.Err() != nil {
		return problem
	}
	for _, e := range first {
		switch i := slices.IndexFunc(second, func(o evidence) bool { return o.same(e.suspect) }); {
		case i >= 0:
			r.book.add(r.opening(second[i]))
		case provesItself[e.kind]:
			r.book.sawOnce(r.opening(e))
		default:
			r.book.unconfirmed(e.suspect)
		}
	}
	return problem
}

// converse has one first conversation. The problem says why there can be no others, "" if nothing is in the way; what is found is only
// what a script cannot show, because there are none.
func (r *run) converse(ctx context.Context) (problem string, found []evidence) {
	var said frames
	p, err := r.start(ctx, r.Request, said.see)
	if err != nil {
		return err.Error(), nil
	}
	problem = r.facts.survey(ctx, p, r.Protocol, r.prompts.take(1, r.Prompts))
	all := p.floods()
	if problem != "" && len(all) == 0 && r.facts.mute(p) && !p.outputEnded() && !over(p.peer) {
		all = append(all, suspect{kind: Hang, severity: Failure, sent: p.lastSent(),
			why: "the agent answers nothing but initialize: neither a harmless request nor session/new, which had all the time that an agent may take"})
	}
	p.end(exitGrace)
	for _, s := range all {
		found = append(found, evidence{suspect: s, where: -1, said: &said, stderr: p.peer.Stderr()})
	}
	return problem, found
}

// opening is a finding about a first conversation.
func (r *run) opening(e evidence) *Finding {
	steps := []Step{hello(r.Protocol), session("s1", 2)}
	if e.sent != nil && e.sent.prompt {
		steps = append(steps, Step{Send: promptCall, Then: Answer})
	}
	return r.finding(e, steps, trial{suspect: e.suspect, frames: e.said.all(), stderr: e.stderr})
}

// promptCall is what a turn is asked for with in a first conversation.
const promptCall = `{"jsonrpc":"2.0","id":3,"method":"session/prompt","params":{"sessionId":"${s1.sessionId}","prompt":[{"type":"text","text":"hello"}]}}`
