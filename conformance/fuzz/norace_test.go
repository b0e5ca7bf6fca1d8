//go:build !race

package fuzz

// raced: see the other file.
const raced = false
