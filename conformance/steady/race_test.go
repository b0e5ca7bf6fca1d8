//go:build race

package steady

// raced: the race detector makes everything ten times slower; with it less is tried.
const raced = true
