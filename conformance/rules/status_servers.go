package rules

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/acp-conform/acp-conform/conformance/canary"
	"github.com/acp-conform/acp-conform/conformance/client"
	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/wire"
)

// cage is a session with an MCP server of ours, which notes each of its starts.
type cage struct {
	c    *rule.Case
	sh   *shelf
	dir  string // of the log
	home string // of the agent that made it
	kept kept
}

func (g *cage) log() string { return filepath.Join(g.dir, "starts.log") }

// server is the entry of mcpServers.
func (g *cage) server() map[string]any {
	if g.c.Env.Version() == 2 {
		return canary.Server2(g.c.Env.Canary, g.log())
	}
	return canary.Server(g.c.Env.Canary, g.log())
}

// fill opens the session, has a turn in it and leaves it.
func (g *cage) fill(cl *client.Client) *client.Session {
	dir, err := cl.NewDir()
	g.c.Require(err == nil, "no directory could be made: %v", err)
	s, ok := cl.NewSessionWith(map[string]any{"cwd": dir, "mcpServers": []any{g.server()}}, dir)
	g.c.Require(ok, "session/new with an MCP server: %s", s.Answer)
	g.kept = keep(g.c, s)
	return s
}

// open starts an agent for which the session is inactive.
func (g *cage) open() shelved {
	home := ""
	if g.sh.own {
		home, _ = g.c.Env.OwnHome()
	}
	if g.sh.recipe != byRelaunch {
		v := shelved{Client: g.c.ConnectAt(home)}
		s := g.fill(v.Client)
		g.sh.putAway(g.c, s)
		v.Fenced()
		v.sessions = []*client.Session{s}
		return v
	}
	if g.sh.own {
		err := os.CopyFS(home, os.DirFS(g.home))
		g.c.Require(err == nil, "the agent's HOME could not be copied: %v", err)
	}
	v := shelved{Client: g.c.ConnectAt(home)}
	v.sessions = []*client.Session{v.Adopt(g.kept.id, g.kept.dir)}
	if g.c.Advertises("sessionCapabilities.list") {
		v.List() // an agent that starts the servers of what it lists does so now
	}
	return v
}

// starts is how often the server was started.
func (g *cage) starts() int {
	n, err := canary.Count(g.log())
	g.c.Require(err == nil, "the canary's log: %v", err)
	return n.Starts
}

// settled is how often the server was started, when whatever was started before has had the time to say so: other canaries have, and
// as much time has passed as a start has been seen to take, several times over.
func (g *cage) settled(v shelved, takes time.Duration) int {
	v.Window()
	v.Rest(startTimes * takes)
	err := canary.Fence(g.c, g.c.Env.Canary, g.dir)
	g.c.Require(err == nil, "the canary does not work here: %v", err)
	return g.starts()
}

// startTimes is how many times longer than a start that is expected takes one is waited for that is not.
const startTimes = 4

// resumeStarts is the positive control: whether a resume that names no servers starts the one of the session, and how long that takes.
func (g *cage) resumeStarts() (takes time.Duration, why string) {
	v := g.open()
	defer g.c.End(v.Client)
	before, asked := g.settled(v, 0), time.Now()
	a := v.sessions[0].Resume()
	if !a.OK() {
		a = v.sessions[0].Resume() // it may fail once
	}
	if !a.OK() {
		return 0, "the session cannot be resumed: " + a.String()
	}
	for range startPolls {
		if g.starts() > before {
			return time.Since(asked), ""
		}
		v.Rest(startPause)
	}
	return 0, "a resume that names no MCP servers starts none"
}

// startTakes is how long the agent takes to start an MCP server of a new session, 0 where it starts none.
func startTakes(c *rule.Case, cl *client.Client) time.Duration {
	g := &cage{c: c, dir: c.Fixture()}
	dir, err := cl.NewDir()
	c.Require(err == nil, "no directory could be made: %v", err)
	asked := time.Now()
	if _, ok := cl.NewSessionWith(map[string]any{"cwd": dir, "mcpServers": []any{g.server()}}, dir); !ok {
		return 0
	}
	for range startPolls {
		if g.starts() > 0 {
			return time.Since(asked)
		}
		cl.Rest(startPause)
	}
	return 0
}

// An MCP server that is expected to be started is waited for as long.
const (
	startPolls = 100
	startPause = 10 * time.Millisecond
)

// servers is oracle O7: no MCP server of an inactive session is started because somebody asks. Its positive control is a resume that
// names no servers: only then is it the agent that starts what it remembers, and not us.
func servers(c *rule.Case, pace time.Duration) oracle {
	sh := onShelf(c)
	switch {
	case c.Env.Canary == nil:
		return oracle{unusable: "this program cannot be started as an MCP server"}
	case c.Env.Version() == 2 && !c.Advertises("mcpCapabilities.stdio"):
		return oracle{unusable: "the agent starts no MCP servers by stdio"}
	case !c.Env.Facts.Init.CanResume():
		return oracle{unusable: "there is no session/resume, and session/load names the servers"}
	case sh.recipe == byProfile:
		return oracle{unusable: "the inactive session is not one of ours"}
	}
	g := &cage{c: c, sh: sh, dir: c.Fixture()}
	if sh.recipe == byRelaunch {
		if sh.own {
			g.home, _ = c.Env.OwnHome()
		}
		cl := c.ConnectAt(g.home)
		g.fill(cl)
		c.End(cl)
	}
	return g.compare(pace)
}

func (g *cage) compare(pace time.Duration) oracle {
	takes, why := g.resumeStarts()
	if why != "" {
		return oracle{unusable: why}
	}
	var lasted time.Duration
	started := func(asking bool) (int, []wire.Frame) {
		v := g.open()
		defer g.c.End(v.Client)
		before := g.settled(v, takes)
		if !asking {
			v.othersFor(probes(g.c), pace)
			return g.settled(v, takes) - before, nil
		}
		began := time.Now()
		asked := v.questions(g.c, v.sessions[0], probes(g.c))
		lasted = time.Since(began)
		return g.settled(v, takes) - before, asked[len(asked)-1].Frames()
	}
	if n, _ := started(false); n > 0 {
		return oracle{unusable: "the agent starts the servers of an inactive session by itself"}
	}
	o := oracle{control: "a resume that names no MCP servers starts the one of the session; without questions it is not started"}
	n, cite := started(true)
	o.lasted = lasted
	if n > 0 {
		o.shown = true
		o.finding = rule.Finding{Why: "an MCP server of an inactive session was started because its status was asked for", Expected: "no start",
			Found: fmt.Sprintf("%d starts", n), Cite: cite}
	}
	return o
}
