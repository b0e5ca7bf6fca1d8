//go:build !race

package fakeagent

// raced: see the other file.
const raced = false
