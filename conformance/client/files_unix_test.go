//go:build unix

package client

import (
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

func fifo(t *testing.T, name string) string {
	t.Helper()
	if err := syscall.Mkfifo(name, 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestSpecialFilesAreRefusedAndDoNotBlock(t *testing.T) {
	f, root := servedFiles(t)
	// A socket's path is short on some systems, so the name is relative to the directory.
	t.Chdir(root)
	l, err := net.Listen("unix", "sock")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	for _, path := range []string{fifo(t, filepath.Join(root, "fifo")), filepath.Join(root, "sock")} {
		_, failure := f.read(readParams(t, path))
		wantCode(t, failure, CodeInvalidParams, "not a regular file")
		_, failure = f.write(writeParams(t, path, "x"))
		wantCode(t, failure, CodeInvalidParams, "not a regular file")
	}
	devices := &files{}
	devices.add(filepath.Dir(os.DevNull))
	_, failure := devices.read(readParams(t, os.DevNull))
	wantCode(t, failure, CodeInvalidParams, "not a regular file")
}

func TestUnreadableFileSaysWhy(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root reads everything")
	}
	f, root := servedFiles(t)
	path := put(t, filepath.Join(root, "a"), "x")
	if err := os.Chmod(path, 0); err != nil {
		t.Fatal(err)
	}
	_, failure := f.read(readParams(t, path))
	wantCode(t, failure, CodeInternal, "permission denied")
}
