package rules

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/acp-conform/acp-conform/conformance/client"
	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/wire"
)

// windows are how many windows with a question there are, each with one without a question before it, and each about a session that
// was not asked about before: what a question loads or attaches shows once. quietWindow is the length of each where the agent may act
// late; all of them together are 2 s at least.
const (
	windows     = 3
	quietWindow = 350 * time.Millisecond
)

// quiet is oracle O1: nothing comes but the answer. It has one half for what the agent reports and one for what it asks for.
type quiet struct{ updates, requests oracle }

// heard are the messages of the agent behind a mark that name a session, or that ask for something without naming any.
func heard(cl *client.Client, m client.Mark, session string) (updates, requests []wire.Frame, history bool) {
	for _, l := range cl.Since(m) {
		id, named := text(wire.Member(l.Params, "sessionId"))
		switch {
		case l.Kind == wire.Request && (id == session || !named):
			requests = append(requests, l.Frame)
		case l.Kind == wire.Notification && id == session:
			updates = append(updates, l.Frame)
			kind, _ := text(wire.Member(wire.Member(l.Params, "update"), "sessionUpdate"))
			history = history || strings.HasPrefix(kind, "user_message") || strings.HasPrefix(kind, "agent_message")
		}
	}
	return updates, requests, history
}

// listener counts in how many windows something was heard.
type listener struct {
	c                *rule.Case
	asked, controls  int // windows
	updates          int // with a question, in which something was reported
	requests         int // with a question, in which something was asked for
	works            int // messages that came when there was something to say: silence proves something only where they do
	working          string
	stray            bool
	strayRequest     bool
	history          bool
	cite, citeAsking []wire.Frame
}

// round listens to a session without a question and then with one, for a time that differs from round to round: what comes by the
// clock must not fall into the same windows each time.
func (l *listener) round(v shelved, s *client.Session) {
	long := max(quietWindow, v.Timeouts.Window)
	long += time.Duration(rand.Int64N(int64(long)))
	m := v.Mark()
	v.others(1)
	v.Wait(long)
	updates, requests, _ := heard(v.Client, m, s.ID)
	l.controls++
	l.stray, l.strayRequest = l.stray || len(updates) > 0, l.strayRequest || len(requests) > 0
	m = v.Mark()
	st := ask(l.c, v.Client, s.ID)
	v.others(1)
	v.Wait(long)
	updates, requests, history := heard(v.Client, m, s.ID)
	l.asked++
	if len(updates) > 0 {
		l.updates++
		l.history = l.history || history
		l.cite = append(st.Frames(), updates[:min(len(updates), 3)]...)
	}
	if len(requests) > 0 {
		l.requests++
		l.citeAsking = append(st.Frames(), requests[:min(len(requests), 3)]...)
	}
}

// prove is the positive control: where nothing was heard, it listens on the same connection to a new session, and to a turn in it.
// What that takes is not spent where questions have shown something.
func (l *listener) prove(cl *client.Client) {
	if l.updates+l.requests > 0 {
		return
	}
	m := cl.Mark()
	s := l.c.NewSessionOn(cl)
	cl.Fenced()
	l.working = "when it was created"
	if l.works = spoken(s, m); l.works == 0 && l.c.Env.Facts.Turn {
		l.working = "in its turn"
		l.c.Prompt(s, rule.ShortTurn).Ran()
		cl.Fenced()
		l.works = spoken(s, m)
	}
}

// spoken counts the messages about a session, or that ask for something.
func spoken(s *client.Session, m client.Mark) int {
	updates, requests, _ := heard(s.Client(), m, s.ID)
	return len(updates) + len(requests)
}

// control says what the windows without a question and the positive control showed.
func (l *listener) control() string {
	without := fmt.Sprintf("in %d windows without a question nothing about the session came, in each of as many one with a question was listened to", l.controls)
	if l.stray || l.strayRequest {
		without = "in windows without a question something about the session came, too"
	}
	switch {
	case l.updates+l.requests > 0:
		return without + "; the positive control was not needed: something was heard"
	case l.works > 0:
		return fmt.Sprintf("%s; the positive control fired: messages about a new session were heard %s", without, l.working)
	}
	return without + "; the positive control did not fire"
}

// unproven is why silence says nothing here, "" where it does.
func (l *listener) unproven() string {
	if l.updates+l.requests+l.works > 0 || l.stray || l.strayRequest {
		return ""
	}
	return "the positive control did not fire: nothing was heard of a new session either"
}

// conclude makes the oracle of what was heard.
func (l *listener) conclude(name, what string) quiet {
	control := l.control()
	var q quiet
	q.updates = oracle{name: name, control: control, unusable: l.unproven(), shown: l.updates == l.asked && !l.stray}
	if l.stray && l.updates > 0 {
		q.updates.unusable = "the agent reports about the session by itself"
	}
	if l.history && !l.stray { // what was said before does not come by itself
		q.updates.shown = true
	}
	q.updates.finding = rule.Finding{Why: "asking for the status of " + what + " made the agent report about it", Expected: "the answer and nothing else",
		Found: fmt.Sprintf("updates in %d of %d windows", l.updates, l.asked), Cite: l.cite}
	q.requests = oracle{name: name, control: control, unusable: l.unproven(), shown: l.requests == l.asked && !l.strayRequest}
	if l.strayRequest && l.requests > 0 {
		q.requests.unusable = "the agent asks for something by itself"
	}
	q.requests.finding = rule.Finding{Why: "asking for the status of " + what + " made the agent ask the client for something", Expected: "the answer and nothing else",
		Found: fmt.Sprintf("requests in %d of %d windows", l.requests, l.asked), Cite: l.citeAsking}
	return q
}

// quietOf is asked once in a run, for all rules that look at it.
func quietOf(c *rule.Case, name string, listen func(*rule.Case) quiet) quiet {
	made, reason := c.Env.Fixture(name, func(c *rule.Case) any {
		q := listen(c)
		if q.updates.shown || q.requests.shown {
			again := listen(c)
			q.updates, q.requests = q.updates.confirmed(again.updates), q.requests.confirmed(again.requests)
		}
		return q
	})
	if reason != "" {
		o := oracle{name: "O1 quiet window", unusable: reason}
		return quiet{o, o}
	}
	return made.(quiet)
}

// confirmed is an oracle that has shown something only if it shows it again.
func (o oracle) confirmed(again oracle) oracle {
	if o.unusable == "" && o.shown && (again.unusable != "" || !again.shown) {
		return oracle{name: o.name, unusable: "what it showed was not there a second time"}
	}
	return o
}

// quietInactive listens to inactive sessions.
func quietInactive(c *rule.Case) quiet {
	return quietOf(c, "status-quiet-inactive", func(c *rule.Case) quiet {
		sh := onShelf(c)
		l := &listener{c: c}
		for l.asked < windows {
			v := sh.open(c, windows)
			for _, s := range v.sessions {
				l.round(v, s)
			}
			if l.asked >= windows {
				l.prove(v.Client)
			}
			c.End(v.Client)
		}
		return l.conclude("O1 quiet window", "an inactive session")
	})
}

// quietActive listens to new sessions, when they have said what new sessions say.
func quietActive(c *rule.Case) quiet {
	return quietOf(c, "status-quiet-active", func(c *rule.Case) quiet {
		l := &listener{c: c}
		v := shelved{Client: c.Connect()}
		for range windows {
			v.sessions = append(v.sessions, c.NewSessionOn(v.Client))
		}
		v.others(windows)
		v.Wait(max(quietWindow, v.Timeouts.Window))
		for _, s := range v.sessions {
			l.round(v, s)
		}
		l.prove(v.Client)
		return l.conclude("O1 quiet window", "a session in memory")
	})
}

// quietUnknown listens to sessions that do not exist.
func quietUnknown(c *rule.Case) quiet {
	return quietOf(c, "status-quiet-unknown", func(c *rule.Case) quiet {
		l := &listener{c: c}
		v := shelved{Client: c.Connect()}
		for range windows {
			l.round(v, v.Adopt(c.UnknownID(), v.Dir))
		}
		l.prove(v.Client)
		return l.conclude("O1 quiet window", "a session that does not exist")
	})
}
