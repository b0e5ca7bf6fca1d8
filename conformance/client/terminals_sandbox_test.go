package client

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// An agent may put a symlink in the place of a directory that was made for it: neither its commands nor the suite go where it leads.
func TestADirectoryThatWasReplacedLeadsNowhere(t *testing.T) {
	base, err := RealDir(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	dir, elsewhere := filepath.Join(base, "session"), filepath.Join(base, "elsewhere")
	for _, d := range []string{dir, elsewhere} {
		if err := os.Mkdir(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	terms := newTerminals(func(string) string { return dir }, time.Minute, 4, nil)
	defer terms.close()
	if path, err := WriteFile(dir, "a", "text"); err != nil || path != filepath.Join(dir, "a") {
		t.Fatal(path, err)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(elsewhere, dir); err != nil {
		t.Skip("no symlinks here")
	}
	if path, err := WriteFile(dir, "a", "text"); err == nil {
		t.Errorf("%s was written", path)
	}
	if _, failure := terms.create([]byte(`{"sessionId":"s","command":"true"}`)); failure == nil {
		t.Error("a command was started")
	}
	if left, _ := os.ReadDir(elsewhere); len(left) > 0 {
		t.Errorf("%v was made elsewhere", left)
	}
}
