package engine

import (
	"context"
	"fmt"
	"slices"

	"github.com/acp-conform/acp-conform/conformance/result"
	"github.com/acp-conform/acp-conform/conformance/rule"
)

// Session judges an agent by one rule at a time, all after the same survey. Between the calls it holds neither an agent nor
// a directory, so it need not be closed.
type Session struct {
	cfg    Config
	survey *survey
	turns  *turns // the limit of prompts holds for all of the session
}

// Survey begins a session with the survey, which the watching rules of the configuration look at. When the context ends
// before the survey does there is no session.
func Survey(ctx context.Context, cfg Config) (*Session, error) {
	r, end, err := open(ctx, cfg)
	if err != nil {
		return nil, err
	}
	defer end()
	s := r.survey(ctx)
	if ctx.Err() != nil {
		return nil, fmt.Errorf("the survey was interrupted: %w", context.Cause(ctx))
	}
	r.facts = s.facts
	r.tidy(ctx, s.stage.sessions.ids)
	s.stage.sessions.ids = nil
	return &Session{cfg: cfg, survey: s, turns: r.turns}, nil
}

// Judge judges by one rule of the configuration: an acting rule acts, a watching rule looks at the survey.
func (v *Session) Judge(ctx context.Context, id string) (result.Run, error) {
	cfg := v.cfg
	cfg.Rules = slices.DeleteFunc(slices.Clone(cfg.Rules), func(r rule.Rule) bool { return r.ID != id })
	r, end, err := open(ctx, cfg)
	if err != nil {
		return result.Run{}, err
	}
	defer end()
	r.turns = v.turns
	return r.judge(ctx, v.survey), nil
}
