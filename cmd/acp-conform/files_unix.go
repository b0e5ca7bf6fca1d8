//go:build unix

package main

import (
	"io/fs"
	"os"
	"syscall"
)

// withoutWaiting opens a pipe that nobody is at the other end of, in place of waiting for somebody.
const withoutWaiting = syscall.O_NONBLOCK

// keepOwner gives a file the owner of another one, if this user may: in a container the user of the run is often not the one of the files.
func keepOwner(f *os.File, of fs.FileInfo) {
	if s, ok := of.Sys().(*syscall.Stat_t); ok {
		_ = f.Chown(int(s.Uid), int(s.Gid))
	}
}
