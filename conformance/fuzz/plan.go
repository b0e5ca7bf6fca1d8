package fuzz

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/acp-conform/acp-conform/schemas"
)

// planner decides what is said on a connection: it knows which sessions live, and whatever it makes can be made again from the seed.
type planner struct {
	*rand.Rand // of the episode
	facts      *facts
	edition    *schemas.Edition
	prompts    func() bool // whether one more prompt may be sent

	sessions []*planned
	cursors  []string // names of steps whose results hold one
	nextID   int
	names    int
	zero     bool     // the id 0 has been used
	ids      []string // of requests
	ops      []op     // of the episode
	forced   string   // the session that is meant, "" = any
}

// planned is a session that a step opens.
type planned struct {
	name  string
	state string // live, closed or gone
}

// op is what a step does to a session if it succeeds.
type op struct {
	step   int
	method string
	name   string // of the session
}

// firstID is the first id behind those of the preamble.
const firstID = 10

func newPlanner(f *facts, e *schemas.Edition, prompts func() bool) *planner {
	g := &planner{facts: f, edition: e, prompts: prompts, nextID: firstID, names: 1}
	if f.Session {
		g.open("s1")
	}
	return g
}

// episode makes a short piece of conversation.
func (g *planner) episode(r *rand.Rand) []Step {
	g.Rand, g.ops = r, nil
	var steps []Step
	if g.facts.Session && len(g.in("live")) == 0 {
		g.names++
		s := session(fmt.Sprintf("s%d", g.names), g.id())
		steps = append(steps, s)
		g.open(s.Name)
	}
	for range 1 + g.IntN(4) {
		steps = append(steps, g.some(len(steps))...)
	}
	if last := &steps[len(steps)-1]; last.Then == Join {
		last.Then = GoOn
	}
	return steps
}

// some makes a step, or a few that belong together.
func (g *planner) some(at int) []Step {
	switch n := g.IntN(40); {
	case n < 4:
		line := strings.ReplaceAll(pick(g.Rand, rawLines), "FRAME", "\x00")
		for strings.Contains(line, "\x00") {
			line = strings.Replace(line, "\x00", g.message(at, pick(g.Rand, g.methods()), true).String(), 1)
		}
		return []Step{{Send: line, Then: g.then(false)}}
	case n < 5:
		return []Step{{Send: pick(g.Rand, strays), Then: g.then(false)}}
	case n < 6:
		return []Step{{Send: g.reply(), Reply: true}}
	case n < 9 && g.facts.Session && g.facts.has("session/prompt") && g.prompts():
		return g.cancelled(at)
	case n < 11 && g.facts.Session && g.facts.has("session/prompt") && g.prompts():
		return g.life(at)
	case n < 13:
		t := message(fmt.Sprint(g.id()), pick(g.Rand, unknownMethods), treeOf((&maker{Rand: g.Rand}).own(1)))
		if g.IntN(3) == 0 {
			t.drop("id")
		}
		return []Step{{Send: form(g.Rand, t), Then: g.then(t.index("id") >= 0)}}
	}
	return []Step{g.single(at)}
}

// methods are those that may be sent now, as often as they weigh.
func (g *planner) methods() []method {
	var all []method
	for _, m := range g.facts.methods {
		if m.name == "session/prompt" && !g.prompts() || m.name == "session/new" && len(g.in("live")) > 5 {
			continue
		}
		for range m.weight {
			all = append(all, m)
		}
	}
	return all
}

// single makes one message: valid, or with something wrong in it.
func (g *planner) single(at int) Step {
	m := pick(g.Rand, g.methods())
	valid := g.IntN(9) < 4
	t := g.message(at, m, false)
	if !valid {
		switch params := t.get("params"); {
		case g.IntN(4) == 0:
			mutateEnvelope(g.Rand, t)
		default:
			mutate(g.Rand, params, 1+g.IntN(2))
		}
		tame(t)
	}
	step := Step{Send: form(g.Rand, t), Then: g.then(m.kind == schemas.Request)}
	switch {
	case !valid:
	case m.name == "session/new":
		g.names++
		step.Name = fmt.Sprintf("s%d", g.names)
		g.open(step.Name)
	case m.name == "session/list":
		g.names++
		step.Name = fmt.Sprintf("l%d", g.names)
	}
	return step
}

// message makes a valid message of a method.
func (g *planner) message(at int, m method, plain bool) *tree {
	id := ""
	if m.kind == schemas.Request {
		id = fmt.Sprint(g.id())
		if !plain && g.IntN(6) == 0 {
			id = oddID(g.Rand, g.nextID)
			if id == "0" && g.zero {
				id = fmt.Sprint(g.id())
			}
			g.zero = g.zero || id == "0"
		}
		g.ids = append(g.ids, id)
	}
	params := g.params(at, m, plain)
	if m.name == "$/cancel_request" && len(g.ids) > 0 {
		params.put("requestId", scalar(g.ids[max(0, len(g.ids)-1-g.IntN(4))]))
	}
	return message(id, m.name, params)
}

// params makes valid params of a method.
func (g *planner) params(at int, m method, plain bool) *tree {
	def, _ := g.edition.Lookup(m.name, schemas.Client, m.kind)
	name, stand := g.session()
	mk := &maker{Rand: g.Rand, facts: g.facts, session: stand, option: g.IntN(8), plain: plain}
	if len(g.cursors) > 0 && g.IntN(2) == 0 {
		mk.cursor = "${" + pick(g.Rand, g.cursors) + ".nextCursor}"
	}
	v, err := g.edition.Make(def.Name, mk)
	if err != nil {
		return &tree{kind: '{'} // of a schema that this program does not bring
	}
	g.ops = append(g.ops, op{at, m.name, name})
	t := treeOf(v)
	if m.name == "session/prompt" && g.IntN(2) == 0 { // most prompts are nothing but a text
		text := mk.Text(schemas.Place{Def: "TextContent", Member: "text"})
		t.put("prompt", treeOf([]any{map[string]any{"type": "text", "text": text}}))
	}
	tame(t)
	if m.name == "initialize" {
		t.put("protocolVersion", scalar(fmt.Sprint(g.edition.Protocol())))
	}
	return t
}

// id gives an id that has not been used.
func (g *planner) id() int {
	g.nextID++
	return g.nextID
}

// session chooses a session, mostly one that lives, and gives what stands for its id.
func (g *planner) session() (name, stand string) {
	if g.forced != "" {
		return g.forced, "${" + g.forced + ".sessionId}"
	}
	all := g.in("live")
	if other := append(g.in("closed"), g.in("gone")...); len(other) > 0 && (g.IntN(5) == 0 || len(all) == 0) {
		all = other
	}
	if len(all) == 0 || g.IntN(30) == 0 {
		return "", pick(g.Rand, strangers)
	}
	name = pick(g.Rand, all)
	return name, "${" + name + ".sessionId}"
}

// in are the names of the sessions in a state.
func (g *planner) in(state string) []string {
	var all []string
	for _, s := range g.sessions {
		if s.state == state {
			all = append(all, s.name)
		}
	}
	return all
}

func (g *planner) open(name string) { g.sessions = append(g.sessions, &planned{name, "live"}) }

// then chooses what is waited for behind a line.
func (g *planner) then(answered bool) Then {
	switch n := g.IntN(20); {
	case n < 8 && answered:
		return Answer
	case n < 12:
		return Fence
	case n < 17:
		return GoOn
	}
	return Join
}

// learn takes note of what became of an episode.
func (g *planner) learn(p *player, steps []Step) {
	for _, s := range steps {
		if strings.HasPrefix(s.Name, "l") {
			if _, ok := p.result(s.Name + ".nextCursor"); ok {
				g.cursors = append(g.cursors, s.Name)
			}
		}
	}
	g.sessions = slices.DeleteFunc(g.sessions, func(s *planned) bool { _, ok := p.result(s.name + ".sessionId"); return !ok })
	for _, o := range g.ops {
		if s := p.sentAt(o.step); s != nil && s.ok && s.Name == o.method {
			g.becomes(o.name, o.method)
		}
	}
}

func (g *planner) becomes(name, method string) {
	state := map[string]string{"session/close": "closed", "session/delete": "gone", "session/load": "live", "session/resume": "live"}[method]
	for _, s := range g.sessions {
		if s.name == name && state != "" {
			s.state = state
		}
	}
}
