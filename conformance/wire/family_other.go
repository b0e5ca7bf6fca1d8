//go:build !linux

package wire

// relatives sees nothing: only Linux shows processes as files.
func relatives(int, string) []Relative { return nil }
