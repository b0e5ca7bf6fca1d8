//go:build race

package fuzz

// raced: the race detector makes the fuzzer ten times slower; with it there is less of everything.
const raced = true
