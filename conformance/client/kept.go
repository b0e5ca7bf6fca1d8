package client

import (
	"slices"
	"strings"

	"github.com/acp-conform/acp-conform/conformance/wire"
)

// kept are long lines that are kept whole: the newest few.
type kept struct {
	bytes int
	lines []keptLine
}

type keptLine struct {
	bytes int
	stub  func() // makes a stub of it
}

// add notes a line that is kept whole, and makes stubs of those for which there is no more room. For the newest there always is.
func (k *kept) add(bytes int, stub func()) {
	k.lines = append(k.lines, keptLine{bytes, stub})
	for k.bytes += bytes; k.bytes > keptBytes && len(k.lines) > 1; k.lines = k.lines[1:] {
		k.lines[0].stub()
		k.bytes -= k.lines[0].bytes
	}
}

// stubBytes is how much is left of a line that is not kept whole, enough to tell which one it was.
const stubBytes = 2 << 10

// stub is the beginning of a line, as evidence. Of what was in it no more is known than what kind of message it was.
func (l Line) stub() Line {
	f := l.Frame
	f.Line = slices.Clone(l.Line[:min(len(l.Line), stubBytes)])
	f.Dropped += len(l.Line) - len(f.Line)
	return Line{f, wire.Envelope{Broken: l.Broken, Why: l.Why, Kind: l.Kind, ID: slices.Clone(l.ID), Method: slices.Clone(l.Method), Name: strings.Clone(l.Name)}}
}
