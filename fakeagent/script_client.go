package fakeagent

import (
	"os"
	"slices"
)

// Script is a part that the agent plays for a client under test: one or more odd but deliberate answers, after which it can be
// seen what the client makes of them. Apart from those the agent is a correct one. Every script has a session that the client
// finds in session/list and has neither made nor resumed; its id is ScriptSession.
type Script struct {
	Name        string
	Description string // one sentence
	Subject     string // who is judged by it: "client"
	Protocols   []int  // the protocol versions in which it exists
	Actions     string // what the user of the client does meanwhile: one of ScriptActions
	Break       func(b *Behaviour)
}

// ScriptSession is the id of the session of every script; those that have more number them from it.
const ScriptSession = "sess_script"

// What a user does during a script.
const (
	Visit = "visit" // list the sessions, look at the status three times, prompt, look again, delete
	Look  = "look"  // list the sessions, look at the status once
	Peek  = "peek"  // start a session, prompt, and look at its status while the turn runs; look again and delete after its end
	Many  = "many"  // list the sessions, and look at the status of all of them at once
)

// ScriptActions lists what Script.Actions may be.
func ScriptActions() []string { return []string{Visit, Look, Peek, Many} }

// Scripts lists the parts that the agent can play for a client under test. The first is that of a correct agent.
func Scripts() []Script {
	all := slices.Concat(
		[]Script{{Name: "plain", Description: "answers as a correct agent: the session is inactive until it is resumed", Break: func(*Behaviour) {}}},
		pacedScripts(), markerScripts(), wordScripts(), stateScripts(), errorScripts())
	for i := range all {
		s := &all[i]
		s.Subject = "client"
		if s.Protocols == nil {
			s.Protocols = []int{firstVersion, latestVersion}
		}
		if s.Actions == "" {
			s.Actions = Visit
		}
		s.Break = together(seeded(ScriptSession), s.Break)
	}
	return all
}

// play gives the agent the part of this name; "" is none.
func (a *Agent) play(name string) error {
	if name == "" {
		return nil
	}
	var known []string
	for _, s := range Scripts() {
		if s.Name == name {
			s.Break(a.Behaviour)
			return nil
		}
		known = append(known, s.Name)
	}
	return unknownName("script", name, known)
}

// seeded gives the agent sessions that it knows and does not have in memory, as if they were from another day.
func seeded(ids ...string) func(*Behaviour) {
	return func(b *Behaviour) {
		before := b.Start
		b.Start = func(c *Conn) {
			for _, id := range ids {
				if c.a.lookUp(id) == nil {
					c.seed(id)
				}
			}
			before(c)
		}
	}
}

func (c *Conn) seed(id string) {
	s := c.a.create(c.a.directory(), func(*Agent, int) string { return id })
	c.a.change(s, func() {
		s.Title, s.Turns = "An earlier conversation", 1
		s.History = []Object{
			chunk("user_message_chunk", textBlock("hello"), "msg_user_1"),
			chunk("agent_message_chunk", textBlock("You said: hello"), "msg_agent_1"),
		}
	})
	c.a.release(s)
}

// answering lets answer have the requests for the status of the script's session; what it returns is written as it is.
func answering(answer func(c *Conn, active, inactive string) (any, *Error)) func(*Behaviour) {
	return func(b *Behaviour) {
		known := b.Status
		status := func(c *Conn, r *Request) (any, *Error) {
			if text(r.Params, "sessionId") != ScriptSession {
				return known(c, r)
			}
			active, inactive := c.b.StatusWords(c.a)
			return answer(c, active, inactive)
		}
		other := b.Status2
		b.Status = status
		b.Status2 = func(c *Conn, r *Request) (any, *Error) {
			if text(r.Params, "sessionId") != ScriptSession {
				return other(c, r)
			}
			return status(c, r)
		}
	}
}

// answeringWith answers every request for the status of the script's session with the same result.
func answeringWith(result any) func(*Behaviour) {
	return answering(func(*Conn, string, string) (any, *Error) { return result, nil })
}

// directory is where the agent works when no session says so.
func (a *Agent) directory() string {
	if a.cfg.Dir != "" {
		return a.cfg.Dir
	}
	dir, err := os.Getwd()
	if err != nil {
		return os.TempDir()
	}
	return dir
}
