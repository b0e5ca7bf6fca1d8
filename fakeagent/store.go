package fakeagent

import (
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"sort"
	"sync"
	"time"
)

// Session is a conversation that the agent knows. Its members are guarded by the lock of its store.
type Session struct {
	ID      string   `json:"sessionId"`
	Number  int      `json:"number"`
	Cwd     string   `json:"cwd"`
	Title   string   `json:"title"`
	Updated string   `json:"updatedAt"`
	Mode    string   `json:"mode"`
	Model   string   `json:"model"`
	Verbose bool     `json:"verbose"`
	Always  bool     `json:"always"` // the user allowed the tool for good
	History []Object `json:"history"`
	Tools   int      `json:"tools"`
	Message int      `json:"messages"`
	Turns   int      `json:"turns"`

	active bool
	turn   *Turn
	doomed bool // the next turn begins cancelled; only a fault sets this

	cancelled bool // the last turn was cancelled
}

// store keeps the sessions, in memory and, if it has a directory, in one file each.
type store struct {
	mu       sync.Mutex
	dir      string
	sessions map[string]*Session
	made     int
	ticks    int
}

func openStore(dir string) (*store, error) {
	st := &store{dir: dir, sessions: map[string]*Session{}}
	if dir == "" {
		return st, nil
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("the session store: %w", err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.session.json"))
	if err != nil {
		return nil, fmt.Errorf("the session store: %w", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("the session store: %w", err)
		}
		s := &Session{}
		if err := json.Unmarshal(data, s); err != nil {
			return nil, fmt.Errorf("the session store: %s: %w", file, err)
		}
		st.sessions[s.ID] = s
		st.made = max(st.made, s.Number)
		st.ticks += s.Turns + 1
	}
	return st, nil
}

// save needs the lock. A store that cannot be written behaves like memory.
func (st *store) save(s *Session) {
	if st.dir == "" || st.sessions[s.ID] != s {
		return
	}
	if data, err := json.Marshal(s); err == nil {
		_ = os.WriteFile(st.file(s), data, 0o600)
	}
}

func (st *store) file(s *Session) string {
	return filepath.Join(st.dir, url.PathEscape(s.ID)+".session.json")
}

// now is a clock that moves one second whenever something happens, so that runs are reproducible.
func (st *store) now() string {
	st.ticks++
	return time.Date(2026, 1, 1, 0, 0, st.ticks, 0, time.UTC).Format(time.RFC3339)
}

// update changes a session under the lock.
func (a *Agent) update(change func()) {
	a.store.mu.Lock()
	defer a.store.mu.Unlock()
	change()
}

// lookUp finds a known session, active or not.
func (a *Agent) lookUp(id string) *Session {
	a.store.mu.Lock()
	defer a.store.mu.Unlock()
	return a.store.sessions[id]
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

func (a *Agent) create(cwd string, makeID func(a *Agent, n int) string) *Session {
	a.store.mu.Lock()
	defer a.store.mu.Unlock()
	a.store.made++
	n := a.store.made
	s := &Session{ID: makeID(a, n), Number: n, Cwd: cwd, Mode: "ask", Model: "small", active: true, Updated: a.store.now()}
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

// evict forgets a session that is in use; with a directory it stays there and can be loaded.
func (a *Agent) evict(s *Session) {
	a.store.mu.Lock()
	defer a.store.mu.Unlock()
	s.active = false
	if a.store.dir == "" {
		delete(a.store.sessions, s.ID)
	}
}

func (a *Agent) remove(id string) {
	a.store.mu.Lock()
	defer a.store.mu.Unlock()
	s := a.store.sessions[id]
	if s == nil {
		return
	}
	s.active = false
	delete(a.store.sessions, id)
	if a.store.dir != "" {
		_ = os.Remove(a.store.file(s))
	}
}

// all returns the known sessions, oldest first.
func (a *Agent) all() []*Session {
	a.store.mu.Lock()
	defer a.store.mu.Unlock()
	list := make([]*Session, 0, len(a.store.sessions))
	for _, s := range a.store.sessions {
		list = append(list, s)
	}
	sort.Slice(list, func(i, j int) bool { return list[i].Number < list[j].Number })
	return list
}
