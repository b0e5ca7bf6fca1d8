//go:build race

package selftest

// raced: the race detector makes the selftest ten times slower; with it only some of the faults are tried.
const raced = true
