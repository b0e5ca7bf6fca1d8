package client

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

func TestALockedDirectoryIsRemoved(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("nothing is locked for root")
	}
	root := filepath.Join(t.TempDir(), "root")
	locked := filepath.Join(root, "locked")
	if err := os.MkdirAll(filepath.Join(locked, "inside"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(locked, 0); err != nil {
		t.Fatal(err)
	}
	if err := RemoveDir(root); err != nil {
		t.Error(err)
	}
	if _, err := os.Lstat(root); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("it is still there: %v", err)
	}
}
