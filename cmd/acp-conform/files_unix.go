//go:build unix

package main

import "syscall"

// withoutWaiting opens a pipe that nobody is at the other end of, in place of waiting for somebody.
const withoutWaiting = syscall.O_NONBLOCK
