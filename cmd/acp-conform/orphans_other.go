//go:build !linux

package main

// adopt and endOrphans find what agents leave behind on Linux only.
func adopt() {}

func endOrphans() int { return 0 }
