package fakeagent

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sort"
	"sync"
	"time"
)

// Session is a conversation that the agent knows. Its members are guarded by the lock of its store.
type Session struct {
	ID       string   `json:"sessionId"`
	Number   int      `json:"number"`
	Order    int      `json:"order"` // its place in the list
	Cwd      string   `json:"cwd"`
	Servers  []any    `json:"mcpServers"` // those that it was started with, for a resume that names none
	Title    string   `json:"title"`
	Updated  string   `json:"updatedAt"`
	Mode     string   `json:"mode"`
	Model    string   `json:"model"`
	Verbose  bool     `json:"verbose"`
	Always   bool     `json:"always"` // the user allowed the tool for good
	History  []Object `json:"history"`
	Tools    int      `json:"tools"`
	Message  int      `json:"messages"`
	Turns    int      `json:"turns"`
	Archived bool     `json:"archived,omitempty"`

	live
}

// live is what a session is besides what the store keeps.
type live struct {
	active  bool
	evicted bool      // it left memory, and not by session/close
	saved   bool      // there is a file of it
	used    time.Time // for the last time; zero unless sessions are evicted by time
	turn    *Turn
	doomed  bool // the next turn begins cancelled; only a fault sets this

	cancelled bool       // the last turn was cancelled
	child     bool       // it is the session of a sub-agent
	children  []*Session // those of its sub-agents that are live

	foreground
}

// store keeps the sessions, in memory and, if it has a directory, in one file each. Other processes may use the
// directory, too: a session that is not in memory is looked for there.
type store struct {
	mu       sync.Mutex
	dir      string
	keeps    func(s *Session) bool
	left     func(id string) // called when a session has left memory
	sessions map[string]*Session
	made     int
	ticks    int
}

func openStore(dir string, keeps func(s *Session) bool) (*store, error) {
	st := &store{dir: dir, keeps: keeps, left: func(string) {}, sessions: map[string]*Session{}}
	if dir == "" {
		return st, nil
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("the session store: %w", err)
	}
	files, err := st.files()
	if err != nil {
		return nil, fmt.Errorf("the session store: %w", err)
	}
	for _, file := range files {
		s, err := readSession(file)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("the session store: %w", err)
		}
		st.sessions[s.ID] = s
		st.made = max(st.made, s.Number)
		st.ticks += s.Turns + 1
	}
	return st, nil
}

// now is a clock that moves one second whenever something happens, so that runs are reproducible.
func (st *store) now() string {
	st.ticks++
	return time.Date(2026, 1, 1, 0, 0, st.ticks, 0, time.UTC).Format(time.RFC3339)
}

// end is the place behind the last session of the list. It needs the lock.
func (st *store) end() int {
	last := 0
	for _, s := range st.sessions {
		last = max(last, s.Order)
	}
	return last + 1
}

// leave takes a session out of memory; one that is not kept is forgotten. It needs the lock.
func (st *store) leave(s *Session, kept bool) {
	s.active = false
	st.left(s.ID)
	for _, child := range s.children {
		st.leave(child, false)
	}
	s.children = nil
	if s.turn == nil {
		s.foreground = foreground{} // a turn does it at its end
	}
	if !kept || !st.keeps(s) {
		st.forget(s)
	}
}

func keeps(*Session) bool { return true }

// forget needs the lock.
func (st *store) forget(s *Session) {
	if st.sessions[s.ID] != s {
		return
	}
	delete(st.sessions, s.ID)
	if st.dir != "" {
		_ = os.Remove(st.file(s.ID))
	}
}

// update changes a session under the lock.
func (a *Agent) update(change func()) {
	a.store.mu.Lock()
	defer a.store.mu.Unlock()
	change()
}

// change changes a session and saves it.
func (a *Agent) change(s *Session, change func()) {
	a.update(func() {
		change()
		a.store.save(s)
	})
}

// lookUp finds a known session, active or not.
func (a *Agent) lookUp(id string) *Session {
	a.store.mu.Lock()
	defer a.store.mu.Unlock()
	return a.store.find(id)
}

// active finds a session that is in use in this process.
func (a *Agent) active(id string) *Session {
	a.store.mu.Lock()
	defer a.store.mu.Unlock()
	if s := a.store.sessions[id]; s != nil && s.active {
		return s
	}
	return nil
}

func (a *Agent) isActive(s *Session) bool {
	a.store.mu.Lock()
	defer a.store.mu.Unlock()
	return s.active
}

func (a *Agent) create(cwd string, makeID func(a *Agent, n int) string) *Session {
	s := a.add(cwd, makeID, nil)
	_ = a.lock(s.ID)
	return s
}

// add makes a session; one that has a parent is that of a sub-agent.
func (a *Agent) add(cwd string, makeID func(a *Agent, n int) string, parent *Session) *Session {
	a.store.mu.Lock()
	defer a.store.mu.Unlock()
	a.store.made++
	n := a.store.made
	s := &Session{ID: makeID(a, n), Number: n, Order: a.store.end(), Cwd: cwd, Mode: "ask", Model: "small", Updated: a.store.now()}
	s.active, s.used, s.child = true, a.stamp(), parent != nil
	a.store.sessions[s.ID] = s
	a.store.save(s)
	return s
}

func sessionID(a *Agent, n int) string {
	if a.cfg.Salt == "" {
		return fmt.Sprintf("sess_%04d", n)
	}
	return fmt.Sprintf("sess_%s_%04d", a.cfg.Salt, n)
}

// activate brings a session into memory, as another process may have left it.
func (a *Agent) activate(s *Session) {
	a.store.mu.Lock()
	defer a.store.mu.Unlock()
	a.store.refresh(s)
	s.active, s.evicted, s.used = true, false, a.stamp()
}

// evict forgets a session that is in use; with a directory it stays there and can be loaded.
func (a *Agent) evict(s *Session) {
	a.store.mu.Lock()
	defer a.store.mu.Unlock()
	s.evicted = true
	a.store.leave(s, a.store.dir != "")
}

// release is evict for a session that was closed: it stays known without a directory, too.
func (a *Agent) release(s *Session) {
	a.store.mu.Lock()
	defer a.store.mu.Unlock()
	a.store.leave(s, true)
}

func (a *Agent) remove(id string) {
	a.store.mu.Lock()
	defer a.store.mu.Unlock()
	if s := a.store.sessions[id]; s != nil {
		a.store.leave(s, false)
	}
}

// stamp is the time, if anybody will ask for it.
func (a *Agent) stamp() time.Time {
	if a.cfg.EvictAfter <= 0 {
		return time.Time{}
	}
	return a.clock()
}

// use notes that a session was used just now.
func (a *Agent) use(s *Session) {
	now := a.stamp()
	a.update(func() { s.used = now })
}

// idleFor tells for how long a session has not been used; a turn that runs is a use of it.
func (a *Agent) idleFor(s *Session) time.Duration {
	now := a.stamp()
	a.store.mu.Lock()
	defer a.store.mu.Unlock()
	if s.turn != nil {
		return 0
	}
	return now.Sub(s.used)
}

// all returns the known sessions in the order of the list, which is that of their making.
func (a *Agent) all() []*Session {
	a.store.mu.Lock()
	defer a.store.mu.Unlock()
	a.store.scan()
	return a.store.sorted(func(s *Session) bool { return !s.child })
}

// inMemory returns the sessions that are in use in this process.
func (a *Agent) inMemory() []*Session {
	a.store.mu.Lock()
	defer a.store.mu.Unlock()
	return a.store.sorted(func(s *Session) bool { return s.active && !s.child })
}

// sorted needs the lock.
func (st *store) sorted(wanted func(*Session) bool) []*Session {
	list := make([]*Session, 0, len(st.sessions))
	for _, s := range st.sessions {
		if wanted(s) {
			list = append(list, s)
		}
	}
	sort.Slice(list, func(i, j int) bool {
		if list[i].Order != list[j].Order {
			return list[i].Order < list[j].Order
		}
		return list[i].ID < list[j].ID
	})
	return list
}

func (a *Agent) placeOf(s *Session) int {
	a.store.mu.Lock()
	defer a.store.mu.Unlock()
	return s.Order
}
