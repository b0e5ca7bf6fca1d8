//go:build !linux

package steady

import "testing"

// holding is nothing: only Linux shows what a process holds.
type holding struct{}

func mark(*testing.T)                   {}
func holds(*testing.T) holding          { return holding{} }
func (holding) beyond(holding) []string { return nil }
