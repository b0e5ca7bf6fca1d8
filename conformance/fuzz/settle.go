package fuzz

import (
	"context"
	"time"

	"github.com/acp-conform/acp-conform/conformance/wire"
)

// settle gives the agent the time to answer all that it owes an answer, and makes sure that it lives. A turn that still runs is cancelled:
// how long it would have taken is not the question.
func (p *player) settle(ctx context.Context) state {
	if how := p.fence(ctx); how != met {
		return how
	}
	prompts := p.open(true)
	for range len(prompts) + 1 { // a prompt may have waited for the end of another one's turn
		if len(prompts) == 0 || ctx.Err() != nil {
			break
		}
		p.cancel(prompts)
		if how := p.fence(ctx); how != met {
			return how
		}
		n := len(prompts)
		if p.await(ctx, p.limit, func() bool { return len(p.openLocked(true)) < n }) == gone {
			return gone
		}
		prompts = p.open(true)
	}
	if p.await(ctx, p.forLate(p.open(false)), func() bool { return len(p.openLocked(false)) == 0 }) == gone {
		return gone
	}
	for _, s := range p.sent {
		p.keep(s)
	}
	return met
}

// forLate is how long the answers to these lines are waited for. It is not all the time that there is where their absence is known
// already, or would be no failure.
func (p *player) forLate(open []*sent) time.Duration {
	for _, s := range open {
		if p.weightOf(s) == Failure && (p.expected == nil || !p.expected(s.made)) {
			return p.limit
		}
	}
	return p.pace.short(p.limit)
}

// open are the lines that are owed an answer and have none yet: prompts, or all others.
func (p *player) open(prompts bool) []*sent {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.openLocked(prompts)
}

func (p *player) openLocked(prompts bool) []*sent {
	var all []*sent
	for _, s := range p.sent {
		if s.owed && s.prompt == prompts && p.answerTo(s) == nil {
			all = append(all, s)
		}
	}
	return all
}

// watch waits for the end of an agent that has answered everything: it may take a while to end, and answer others meanwhile.
func (p *player) watch(ctx context.Context, long time.Duration) state {
	if long <= 0 || p.await(ctx, long, func() bool { return false }) != gone {
		return met
	}
	return p.behind(gone)
}

// lag is how long before the end of the agent a line was written.
func (p *player) lag(s *sent) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.endedAt.IsZero() {
		return 0
	}
	return max(0, p.endedAt.Sub(s.at))
}

// lags are those of all lines, by the steps that they were made of.
func (p *player) lags() map[int]time.Duration {
	all := map[int]time.Duration{}
	for _, s := range p.sent {
		all[s.step] = p.lag(s)
	}
	return all
}

// cancel ends the turns of prompts that are open, as a client would.
func (p *player) cancel(open []*sent) {
	done := map[string]bool{}
	for _, s := range open {
		id := string(wire.Member(s.Params, "sessionId"))
		if _, text := unquote(id); text && !done[id] {
			done[id] = true
			_ = p.write([]byte(`{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":` + id + `}}`)) // a fence comes next
		}
	}
}
