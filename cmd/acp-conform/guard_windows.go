package main

import (
	"os"
	"syscall"
)

// ofStrangers are the signals of strangers, of which there are none here.
var ofStrangers []os.Signal

// ofWrites are the signals of a write that fails.
var ofWrites = []os.Signal{syscall.SIGPIPE}
