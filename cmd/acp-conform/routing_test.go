package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/acp-conform/acp-conform/conformance/client"
	"github.com/acp-conform/acp-conform/conformance/wire"
)

// A routing layer stands in front of several instances of one agent that share a store. Before it forwards a session/resume it
// asks each instance for the status of the session, as https://agentclientprotocol.com/rfds/session-status wants it: that must
// not bring the session into memory anywhere else.

// router knows an instance by its place.
type router []*client.Client

// holders are the instances that have a session in memory, as far as they say.
func (r router) holders(t *testing.T, id string) []int {
	t.Helper()
	var found []int
	for i, instance := range r {
		switch st := instance.Status(id); st.Standing {
		case client.Active:
			found = append(found, i)
		case client.Inactive:
		default:
			t.Fatalf("instance %d: %s", i, st)
		}
	}
	return found
}

// resume finds the instance that has the session and resumes it there. One that nobody has goes to the first instance.
func (r router) resume(t *testing.T, id, dir string) (*client.Session, int) {
	t.Helper()
	at := 0
	if found := r.holders(t, id); len(found) > 0 {
		at = found[0]
	}
	s := r[at].Adopt(id, dir)
	if a := s.Resume(); !a.OK() {
		t.Fatalf("session/resume at instance %d: %s", at, a)
	}
	return s, at
}

// instances starts a fake agent over the store for each list of further flags. They end with the test, and leave nothing.
func instances(t *testing.T, version int, store string, flags ...[]string) router {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	var r router
	for i, more := range flags {
		peer, err := wire.Command(append([]string{self, "fake-agent", "--store", store}, more...))(t.Context(), wire.Launch{For: t.Name()})
		if err != nil {
			t.Fatal(err)
		}
		cl := client.Dial(context.WithoutCancel(t.Context()), peer,
			client.Options{Timeouts: client.DefaultTimeouts(), Dir: dir, Name: fmt.Sprint("instance", i), Now: time.Now})
		t.Cleanup(func() {
			cl.CloseInput()
			if end := cl.End(); !end.Willing || len(end.Strays) > 0 {
				t.Errorf("instance %d: %s, left behind: %v", i, end, end.Strays)
			}
		})
		in := cl.Initialize(version, client.Everything(version))
		if _, ok := in.Capability("sessionCapabilities.status"); !ok || in.Version != version {
			t.Fatalf("instance %d: %s", i, in.Answer)
		}
		r = append(r, cl)
	}
	return r
}

// ran has a turn in a session, which has to end by itself.
func ran(t *testing.T, s *client.Session, text string) {
	t.Helper()
	turn := s.Prompt(client.Text("/say "+text), false)
	if _, ok, why := turn.Ran(); !ok || turn.Said().Of != text {
		t.Fatalf("the turn said %q: %s", turn.Said().Of, why)
	}
}

func TestARouterAsksForTheStatusBeforeItResumes(t *testing.T) {
	loads := []string{"--fault", "status-loads"}
	for _, c := range []struct {
		name  string
		flags [3][]string
		want  string
	}{
		{"asking changes nothing", [3][]string{}, "[1]"},
		{"one instance loads what it is asked about", [3][]string{loads, nil, nil}, "[0 1]"},
		{"every instance does", [3][]string{loads, loads, loads}, "[0 1 2]"},
	} {
		for version := 1; version <= client.Latest; version++ {
			t.Run(fmt.Sprintf("%s/v%d", c.name, version), func(t *testing.T) {
				t.Parallel()
				r := instances(t, version, t.TempDir(), c.flags[:]...)
				s, ok := r[1].NewSession()
				if !ok {
					t.Fatal(s.Answer)
				}
				ran(t, s, "before")
				routed, at := r.resume(t, s.ID, s.Dir)
				if at != 1 {
					t.Errorf("it was found at instance %d", at)
				}
				ran(t, routed, "behind the router")
				if got := fmt.Sprint(r.holders(t, s.ID)); got != c.want {
					t.Errorf("the session is in memory at the instances %s, not at %s", got, c.want)
				}
			})
		}
	}
}

// A session that no instance has in memory is started once, where the router says.
func TestARouterStartsASessionThatNobodyHas(t *testing.T) {
	for version := 1; version <= client.Latest; version++ {
		t.Run(fmt.Sprintf("v%d", version), func(t *testing.T) {
			t.Parallel()
			r := instances(t, version, t.TempDir(), nil, nil, nil)
			s, ok := r[2].NewSession()
			if !ok {
				t.Fatal(s.Answer)
			}
			ran(t, s, "before")
			if a := s.Close(); !a.OK() {
				t.Fatal(a)
			}
			if found := r.holders(t, s.ID); len(found) > 0 {
				t.Errorf("it is in memory at %v", found)
			}
			routed, _ := r.resume(t, s.ID, s.Dir)
			ran(t, routed, "behind the router")
			if got := fmt.Sprint(r.holders(t, s.ID)); got != "[0]" {
				t.Errorf("the session is in memory at the instances %s", got)
			}
		})
	}
}
