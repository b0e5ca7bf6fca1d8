package fuzz

import (
	"fmt"
	"slices"
	"strings"
)

// cancelled makes a prompt that is cancelled at some moment, in some way.
func (g *planner) cancelled(at int) []Step {
	name, stand := g.session()
	mk := &maker{Rand: g.Rand, facts: g.facts}
	text := pick(g.Rand, prompts)
	if len(g.facts.Directives) > 0 && g.IntN(2) == 0 {
		text = mk.directive()
	}
	id := fmt.Sprint(g.id())
	prompt := Step{Send: fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"session/prompt","params":{"sessionId":"%s","prompt":[{"type":"text","text":%s}]}}`, id, stand, quote(text)),
		Then: pick(g.Rand, []Then{Join, GoOn, Line, Fence})}
	var end string
	switch n := g.IntN(8); {
	case n == 0 && g.facts.has("session/close"):
		end = fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"session/close","params":{"sessionId":"%s"}}`, g.id(), stand)
		g.ops = append(g.ops, op{at + 1, "session/close", name})
	case n == 1:
		end = fmt.Sprintf(`{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":%s}}`, id)
	default:
		end = fmt.Sprintf(`{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"%s"}}`, stand)
	}
	steps := []Step{prompt, {Send: end, Then: pick(g.Rand, []Then{GoOn, Fence, Join})}}
	if g.IntN(4) == 0 && !strings.Contains(end, `"id"`) {
		steps = append(steps, Step{Send: end, Then: GoOn})
	}
	return steps
}

// life opens a session, has a turn in it, and looks at what has become of it.
func (g *planner) life(at int) []Step {
	g.names++
	s := session(fmt.Sprintf("s%d", g.names), g.id())
	g.open(s.Name)
	steps := []Step{s}
	g.forced = s.Name
	defer func() { g.forced = "" }()
	for _, name := range []string{"session/prompt", pick(g.Rand, []string{"session/list", "session/load", "session/resume", "session/status", "session/fork"}),
		pick(g.Rand, []string{"session/list", "session/list", "session/load", "session/prompt", "session/close"})} {
		if i := slices.IndexFunc(g.facts.methods, func(m method) bool { return m.name == name }); i >= 0 {
			t := g.message(at+len(steps), g.facts.methods[i], name == "session/list")
			steps = append(steps, Step{Send: form(g.Rand, t), Then: Answer})
		}
	}
	return steps
}

// reply answers the next request of the agent, in some way.
func (g *planner) reply() string {
	t, _ := read(pick(g.Rand, []string{`{"jsonrpc":"2.0","id":${id},"result":{"outcome":{"outcome":"cancelled"}}}`, `{"jsonrpc":"2.0","id":${id},"result":{}}`,
		`{"jsonrpc":"2.0","id":${id},"result":null}`, `{"jsonrpc":"2.0","id":${id},"error":{"code":-32603,"message":"x","data":{"x":[]}}}`,
		`{"jsonrpc":"2.0","id":${id},"result":{"outcome":{"outcome":"selected","optionId":"acp-conform"}}}`}))
	if params := t.get("result"); params != nil && g.IntN(2) == 0 {
		mutate(g.Rand, params, 1)
	}
	return t.String()
}
