package fakeagent

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
)

// sessionFile is how the name of a session's file ends; it begins with the session's id, escaped.
const sessionFile = ".session.json"

func (st *store) file(id string) string {
	return filepath.Join(st.dir, url.PathEscape(id)+sessionFile)
}

// files lists the files of the store.
func (st *store) files() ([]string, error) {
	entries, err := os.ReadDir(st.dir)
	var files []string
	for _, entry := range entries {
		if strings.HasSuffix(entry.Name(), sessionFile) {
			files = append(files, filepath.Join(st.dir, entry.Name()))
		}
	}
	return files, err
}

// readSession reads a file of the store. Numbers stay as they were written.
func readSession(file string) (*Session, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	s := &Session{}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	if err := dec.Decode(s); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if s.Order == 0 {
		s.Order = s.Number
	}
	s.saved = true
	return s, nil
}

// save needs the lock. It puts the whole file in its place at once, because another process may read it just then. A store
// that cannot be written behaves like memory.
func (st *store) save(s *Session) {
	if st.dir == "" || st.sessions[s.ID] != s || s.child || !st.keeps(s) {
		return
	}
	data, err := json.Marshal(s)
	if err != nil {
		return
	}
	file := st.file(s.ID)
	if os.WriteFile(file+".new", data, 0o600) == nil && os.Rename(file+".new", file) == nil {
		s.saved = true
	}
}

// find needs the lock. What is in memory is known; anything else may have come or gone with another process.
func (st *store) find(id string) *Session {
	s := st.sessions[id]
	switch {
	case st.dir == "" || s != nil && (s.active || s.turn != nil || !s.saved):
		return s
	case s == nil:
		found, err := readSession(st.file(id))
		if err != nil || found.ID != id {
			return nil
		}
		st.sessions[id] = found
		return found
	}
	if _, err := os.Stat(st.file(id)); errors.Is(err, fs.ErrNotExist) {
		delete(st.sessions, id)
		return nil
	}
	return s
}

// scan finds the sessions that other processes made or deleted. It needs the lock.
func (st *store) scan() {
	if st.dir == "" {
		return
	}
	files, _ := st.files()
	for _, file := range files {
		id, err := url.PathUnescape(strings.TrimSuffix(filepath.Base(file), sessionFile))
		if err == nil && st.sessions[id] == nil {
			st.find(id)
		}
	}
	for id := range st.sessions {
		st.find(id)
	}
}

// refresh reads a session again that is not in use, because another process may have used it. It needs the lock.
func (st *store) refresh(s *Session) {
	if st.dir == "" || s.active || s.turn != nil || !s.saved {
		return
	}
	if fresh, err := readSession(st.file(s.ID)); err == nil && fresh.ID == s.ID {
		fresh.live = s.live
		*s = *fresh
	}
}
