//go:build unix

package main

import (
	"os"
	"syscall"
)

// ofWrites are the signals of a write that fails.
var ofWrites = []os.Signal{syscall.SIGPIPE, syscall.SIGXFSZ}
