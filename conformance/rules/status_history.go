package rules

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/acp-conform/acp-conform/conformance/client"
	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/wire"
)

// replayed is what a session shows of its history, without what may differ each time: ids, and how texts are cut into chunks.
func replayed(lines []client.Line, session string) (story []string, cite []wire.Frame) {
	last := ""
	for _, l := range lines {
		body := wire.Member(l.Params, "update")
		kind, _ := text(wire.Member(body, "sessionUpdate"))
		if id, _ := text(wire.Member(l.Params, "sessionId")); l.Name != "session/update" || id != session {
			continue
		}
		who := strings.TrimSuffix(kind, "_chunk")
		switch {
		case strings.HasPrefix(kind, "user_message"), strings.HasPrefix(kind, "agent_message"), strings.HasPrefix(kind, "agent_thought"):
			said := saidIn(wire.Member(body, "content"))
			if who == last {
				story[len(story)-1] += said
			} else {
				story = append(story, who+": "+said)
			}
		case kind == "tool_call" || kind == "tool_call_update":
			title, _ := text(wire.Member(body, "title"))
			story = append(story, "tool call "+title)
		default:
			continue // what is announced of a session is not its history
		}
		last, cite = who, append(cite, l.Frame)
	}
	return story, cite
}

// saidIn is the text of a block, or of a list of blocks.
func saidIn(content []byte) string {
	if t, ok := text(wire.Member(content, "text")); ok {
		return t
	}
	if !strings.HasPrefix(string(content), "[") {
		return ""
	}
	said := ""
	for _, b := range itemsOf(content) {
		said += saidIn(b)
	}
	return said
}

// reading is how a session of the shelf looks when it is started again: its history, or its settings.
type reading struct {
	story    []string
	cite     []wire.Frame
	problem  string
	settings settings
}

// loaded loads a session and reads its history.
func loaded(v shelved, s *client.Session) reading {
	m := v.Mark()
	a := s.Load()
	if !a.OK() {
		m = v.Mark()
		a = s.Load()
	}
	if !a.OK() {
		return reading{problem: "the session cannot be loaded: " + a.String()}
	}
	v.Fenced()
	story, cite := replayed(v.Since(m), s.ID)
	return reading{story: story, cite: append(a.Frames(), cite[:min(len(cite), 6)]...), settings: settingsOf(a.Result)}
}

// resumed starts a session again and reads its settings.
func resumed(s *client.Session) reading {
	a := reattach(s)
	if !a.OK() {
		return reading{problem: "the session cannot be started again: " + a.String()}
	}
	return reading{cite: a.Frames(), settings: settingsOf(a.Result)}
}

// twins reads a session in two agents, of which the second was asked about it before, and once more in the first: what differs there
// differs by itself.
func twins(c *rule.Case, pace time.Duration, read func(shelved, *client.Session) reading) (without, again, with reading, lasted time.Duration) {
	sh := onShelf(c)
	alone := sh.open(c, 1)
	defer c.End(alone.Client)
	alone.othersFor(probes(c), pace)
	without = read(alone, alone.sessions[0])
	if without.problem != "" {
		return without, without, without, 0
	}
	third := sh.open(c, 1)
	defer c.End(third.Client)
	again = read(third, third.sessions[0])
	v := sh.open(c, 1)
	defer c.End(v.Client)
	began := time.Now()
	v.questions(c, v.sessions[0], probes(c))
	lasted = time.Since(began)
	return without, again, read(v, v.sessions[0]), lasted
}

// history is oracle O10: the history that a session shows is the same with and without questions.
func history(c *rule.Case, pace time.Duration) oracle {
	if !c.Env.Facts.Init.CanLoad() {
		return oracle{unusable: "no history is shown here: there is no way to load a session"}
	}
	without, again, with, lasted := twins(c, pace, func(v shelved, s *client.Session) reading {
		r := loaded(v, s)
		if r.problem == "" { // once more, now that it is in memory and was asked about
			v.questions(c, s, probes(c))
		}
		return r
	})
	switch {
	case without.problem != "":
		return oracle{unusable: without.problem}
	case len(without.story) == 0:
		return oracle{unusable: "a session that is loaded shows no history"}
	case !slices.Equal(without.story, again.story):
		return oracle{unusable: "the history that a session shows differs by itself"}
	}
	o := oracle{lasted: lasted, control: fmt.Sprintf("two agents that were not asked show the same %d parts of a history", len(without.story))}
	if with.problem != "" {
		with.story = []string{with.problem}
	}
	if !slices.Equal(without.story, with.story) {
		o.shown = true
		o.finding = rule.Finding{Why: "a session shows another history when its status was asked for before", Expected: without.story, Found: with.story, Cite: with.cite}
	}
	return o
}

// configuration is oracle O13: the settings of a session are the same with and without questions.
func configuration(c *rule.Case, pace time.Duration) oracle {
	without, again, with, lasted := twins(c, pace, func(_ shelved, s *client.Session) reading { return resumed(s) })
	switch {
	case without.problem != "":
		return oracle{unusable: without.problem}
	case len(without.settings) == 0:
		return oracle{unusable: "sessions have neither options nor modes here"}
	case len(without.settings.differing(again.settings)) > 0:
		return oracle{unusable: "the settings of a session differ by themselves"}
	}
	o := oracle{lasted: lasted, control: fmt.Sprintf("two agents that were not asked report the same %d settings", len(without.settings))}
	if with.problem != "" || len(without.settings.differing(with.settings)) > 0 {
		o.shown = true
		o.finding = rule.Finding{Why: "a session has other settings when its status was asked for before", Expected: without.settings.plain(), Found: with.settings.plain(), Cite: with.cite}
	}
	return o
}
