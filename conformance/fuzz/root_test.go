package fuzz

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// What an agent has locked is removed all the same, and what cannot be is told of.
func TestTheDirectoryOfTheRunIsRemoved(t *testing.T) {
	r, err := begin(Config{Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	locked := filepath.Join(r.work(), "locked")
	if err := os.MkdirAll(filepath.Join(locked, "inside"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(locked, 0); err != nil { // which is nothing to root
		t.Fatal(err)
	}
	if hints := r.finish(); len(hints) > 0 {
		t.Errorf("hints: %q", hints)
	}
	if _, err := os.Lstat(r.root); err == nil {
		t.Errorf("%s is still there", r.root)
	}
	r.remove = func(string) error { return errors.New("it is busy") }
	if hints := r.finish(); len(hints) != 1 || !strings.Contains(hints[0], r.root+", could not be removed: it is busy") {
		t.Errorf("hints: %q", hints)
	}
}
