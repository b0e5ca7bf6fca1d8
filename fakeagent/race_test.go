//go:build race

package fakeagent

// raced: the race detector makes a script many times slower, and what one fault shows about races its neighbour shows as well.
const raced = true
