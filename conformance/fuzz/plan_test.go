package fuzz

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/acp-conform/acp-conform/conformance/client"
	"github.com/acp-conform/acp-conform/schemas"
)

// everything are the facts of an agent that offers all there is.
func everything(version int) (*facts, *schemas.Edition) {
	e := schemas.Ours().Edition(version, false)
	caps := `{"loadSession":true,"sessionCapabilities":{"list":{},"resume":{},"close":{},"delete":{},"fork":{},"status":{},"title":{},"archive":{}}}`
	if version == 2 {
		caps = `{"session":{"delete":{},"fork":{},"status":{},"title":{},"archive":{}}}`
	}
	f := &facts{Session: true, Turn: true, Modes: []string{"ask"}, Options: []option{{"model", []string{"small"}}}, Directives: []string{"wait", "write", "terminal"},
		Init: client.Initialized{Version: version, Capabilities: []byte(caps)}}
	f.choose(e)
	return f, e
}

// episodes makes n pieces of conversation for an agent that never says anything.
func episodes(version, n int, seed uint64) (steps []Step) {
	f, e := everything(version)
	g := newPlanner(f, e, func() bool { return true })
	for i := range n {
		steps = append(steps, g.episode(rand.New(rand.NewPCG(seed, uint64(i))))...)
		for _, s := range g.sessions {
			s.state = []string{"live", "closed", "gone"}[i%3]
		}
		g.sessions = g.sessions[max(0, len(g.sessions)-3):]
	}
	return steps
}

func TestTheSameSeedMakesTheSameScripts(t *testing.T) {
	if one, two := fmt.Sprint(episodes(1, 300, 5)), fmt.Sprint(episodes(1, 300, 5)); one != two {
		t.Error("two runs differ")
	}
	if one, two := fmt.Sprint(episodes(1, 300, 5)), fmt.Sprint(episodes(1, 300, 6)); one == two {
		t.Error("two seeds make the same")
	}
}

// What is sent covers what it is meant to cover, and nothing is among it that does something outside of the run.
func TestWhatIsSent(t *testing.T) {
	for version := 1; version <= 2; version++ {
		_, e := everything(version)
		seen := map[string]int{}
		for _, s := range episodes(version, 1500, 1) {
			text := expand(s.Send, func(name string) (string, bool) { return "/x", true })
			l := look(text, 0, e)
			seen["lines"]++
			seen[string("then "+s.Then)]++
			switch {
			case s.Reply:
				seen["reply"]++
			case l.clarity == broken:
				seen["no message"]++
			case l.clarity == odd:
				seen["odd"]++
			case l.known && l.valid:
				seen["valid"]++
				seen["valid "+l.Name]++
			default:
				seen["invalid"]++
			}
			isHarmless(t, s, text)
		}
		for _, row := range offered {
			if _, known := e.Lookup(row.name, schemas.Client, row.kind); known && (version == 1 || row.capability != "modes") && seen["valid "+row.name] < 5 {
				t.Errorf("version %d: %s is sent %d times", version, row.name, seen["valid "+row.name])
			}
		}
		for what, least := range map[string]int{"reply": 10, "no message": 200, "odd": 50, "valid": 1500, "invalid": 500, "then join": 200, "then line": 40, "then fence": 300, "then answer": 600} {
			if seen[what] < least {
				t.Errorf("version %d: %s: %d of %d lines", version, what, seen[what], seen["lines"])
			}
		}
	}
}

// isHarmless looks for what an agent must not be made to do: log somebody in or out, or start a program.
func isHarmless(t *testing.T, step Step, text []byte) {
	for _, no := range []string{"login", "logout", "authenticate", "providers/", "auth/", "/write ", "/terminal "} {
		if strings.Contains(string(text), no) {
			t.Errorf("%s is sent: %.300s", no, text)
		}
	}
	tr, err := read(step.Send)
	if err != nil {
		return
	}
	for _, s := range tr.spots() {
		if s.member < 0 {
			continue
		}
		name, _ := unquote(s.parent.members[s.member].name)
		value, text := unquote(s.node.text)
		if strings.EqualFold(strings.TrimSpace(name), "command") && text && value != "" && value != "${dir}/acp-conform-no-such-program" {
			t.Errorf("the command %s", value)
		}
	}
}

func TestOnlyWhatIsAdvertisedIsSent(t *testing.T) {
	f, e := everything(1)
	f.Init.Capabilities, f.Modes, f.Options = []byte(`{"loadSession":"true","sessionCapabilities":{"list":{},"close":null,"delete":true}}`), nil, nil
	f.choose(e)
	var got []string
	for _, m := range f.methods {
		got = append(got, m.name)
	}
	want := []string{"initialize", "session/new", "session/prompt", "session/cancel", "$/cancel_request", "session/list"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

func TestModesThatPermitEverythingAreNotChosen(t *testing.T) {
	for mode, want := range map[string]bool{"ask": true, "code": true, "plan": true, "bypassPermissions": false, "yolo": false, "acceptEdits": false, "full-access": false, "auto": false} {
		if harmless(mode) != want {
			t.Errorf("%s: %v", mode, harmless(mode))
		}
	}
}
