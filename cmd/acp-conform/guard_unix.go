//go:build unix

package main

import (
	"os"
	"syscall"
)

// ofStrangers are signals by which an agent, or whoever else may, would end the program so that it leaves everything behind. Nobody can
// do anything about SIGKILL and SIGSTOP, and the signals that stop a program at a terminal are left to do so.
var ofStrangers = []os.Signal{syscall.SIGABRT, syscall.SIGALRM, syscall.SIGBUS, syscall.SIGFPE, syscall.SIGILL, syscall.SIGSEGV, syscall.SIGSYS,
	syscall.SIGTRAP, syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGVTALRM, syscall.SIGXCPU}

// ofWrites are the signals of a write that fails.
var ofWrites = []os.Signal{syscall.SIGPIPE, syscall.SIGXFSZ}
