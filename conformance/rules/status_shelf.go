package rules

import (
	"os"
	"time"

	"github.com/acp-conform/acp-conform/conformance/client"
	"github.com/acp-conform/acp-conform/conformance/rule"
)

// The shelf holds sessions that the agent knows and does not have in memory: what session/status must not bring there. It is filled
// once in a run, and each rule opens it in agents of its own.

// recipe is a way by which a session gets inactive.
type recipe string

// The recipes, the best first.
const (
	byRelaunch recipe = "the agent was ended and started again"
	byClose    recipe = "the session was closed"
	byEviction recipe = "the session was evicted"
	byProfile  recipe = "the configuration names it"
)

// shelf says how sessions get inactive here, and holds those that are.
type shelf struct {
	recipe   recipe
	home     string // what holds the store; it is copied for each agent. "" = all agents share one
	own      bool   // there is such a HOME
	kept     []kept
	restores bool   // an agent that is started again has them in memory by itself
	forgets  bool   // an agent that is started again says that it does not know them
	why      string // no recipe works
}

// kept is a session that a turn was completed in.
type kept struct{ id, dir string }

// shelved are the sessions of the shelf as an agent has them that has not been asked about any of them.
type shelved struct {
	*client.Client
	sessions []*client.Session
	dialled  time.Time
}

const (
	shelfSessions = 4 // on the shelf: each window after a probe is about another one
	shelfPrompts  = shelfSessions + 1
)

// onShelf gives the shelf of the run, or ends the rule as not observed.
func onShelf(c *rule.Case) *shelf {
	sh := anyShelf(c)
	c.Require(sh.why == "", "no inactive session could be made: %s", sh.why)
	return sh
}

// anyShelf gives the shelf of the run, also where nothing on it is inactive.
func anyShelf(c *rule.Case) *shelf {
	made, reason := c.Env.Fixture("status-shelf", func(c *rule.Case) any { return fillShelf(c) })
	c.Require(reason == "", "no inactive session could be made: %s", reason)
	return made.(*shelf)
}

// fillShelf makes sessions, completes turns in them, and finds out how they get inactive.
func fillShelf(c *rule.Case) *shelf {
	sh := &shelf{}
	if !c.Env.Facts.Turn {
		return sh.fromProfile(c, "no turn ends here, and only sessions with a turn are sure to be kept")
	}
	sh.home, sh.own = c.Env.OwnHome()
	cl := c.ConnectAt(sh.home)
	for i := range shelfSessions {
		s := c.NewSessionOn(cl)
		if i == 0 { // the first one has more to lose
			change(c, s)
			keep(c, s)
		}
		sh.kept = append(sh.kept, keep(c, s))
	}
	c.End(cl)
	said := map[recipe]client.Status{}
	for _, r := range []recipe{byRelaunch, byClose, byEviction} {
		sh.recipe = r
		if !sh.serves(c) {
			continue
		}
		said[r] = sh.scout(c)
		sh.forgets = said[byRelaunch].Standing == client.Unknown
		if said[r].Standing == client.Inactive {
			return sh
		}
	}
	sh.recipe, sh.restores = byRelaunch, said[byRelaunch].Standing == client.Active
	if sh.restores {
		return sh
	}
	why := "when " + string(byRelaunch) + " session/status was answered by " + said[byRelaunch].String()
	if s, ok := said[byClose]; ok {
		why += "; when " + string(byClose) + ", by " + s.String()
	}
	return sh.fromProfile(c, why)
}

// keep completes a turn in a session: agents need not keep one in which nothing was said.
func keep(c *rule.Case, s *client.Session) kept {
	c.Ran(c.Prompt(s, rule.ShortTurn))
	return kept{s.ID, s.Dir}
}

func (sh *shelf) serves(c *rule.Case) bool {
	switch sh.recipe {
	case byClose:
		return c.Advertises("sessionCapabilities.close")
	case byEviction:
		_, ok := c.Env.Stimuli(rule.Evict, "")
		return ok
	}
	return true
}

// scout asks once: whichever recipe is answered by the inactive word works. A close may take its time.
func (sh *shelf) scout(c *rule.Case) client.Status {
	v := sh.open(c, 1)
	defer c.End(v.Client)
	st := v.sessions[0].Status()
	for range closePolls {
		if sh.recipe == byRelaunch || st.Standing != client.Active {
			break
		}
		v.Window()
		st = v.sessions[0].Status()
	}
	return st
}

// closePolls is how often a session that was closed is asked about until it is no longer active; the windows between are at least
// 5 s in all where the agent is a process.
const closePolls = 25

// fromProfile takes the session that the configuration names; without one there is none, for the reason why.
func (sh *shelf) fromProfile(c *rule.Case, why string) *shelf {
	p := c.Env.Profile
	if p.Session == "" {
		sh.why = why + "; a configuration file can name one (inactiveSession)"
		return sh
	}
	return &shelf{recipe: byProfile, kept: []kept{{p.Session, p.SessionDir}}}
}

// open starts an agent for which n sessions of the shelf are inactive, or as many as there are. It knows none of them yet.
func (sh *shelf) open(c *rule.Case, n int) shelved {
	v := shelved{dialled: time.Now()}
	home := ""
	if sh.own {
		home, _ = c.Env.OwnHome()
	}
	if sh.recipe == byRelaunch && sh.own {
		err := os.CopyFS(home, os.DirFS(sh.home))
		c.Require(err == nil, "the agent's HOME could not be copied: %v", err)
	}
	v.Client = c.ConnectAt(home)
	if sh.recipe == byRelaunch || sh.recipe == byProfile {
		for _, k := range sh.kept[:min(n, len(sh.kept))] {
			v.sessions = append(v.sessions, v.Adopt(k.id, k.dir))
		}
		return v
	}
	for range n {
		s := c.NewSessionOn(v.Client)
		keep(c, s)
		sh.putAway(c, s)
		v.sessions = append(v.sessions, s)
	}
	v.Fenced()
	return v
}

// putAway makes a session inactive in the process that has it.
func (sh *shelf) putAway(c *rule.Case, s *client.Session) {
	if sh.recipe == byEviction {
		c.Ran(c.Prompt(s, rule.Evict))
		return
	}
	a := s.Close()
	c.Require(a.OK(), "session/close: %s", a)
}
