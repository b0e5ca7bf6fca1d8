package reports

import (
	"slices"
	"strings"

	"github.com/acp-conform/acp-conform/conformance/result"
)

// stuck is a hang as a page shows it.
type stuck struct {
	Rule, Waited, Since string
	Linked              bool // the rule stands on the page
	Frames              []frame
	Processes, Stderr   string
}

// hang shows a hang, with its lines as they were written or without.
func (p *page) hang(h result.Hang, raw bool) stuck {
	listed := slices.ContainsFunc(p.Rules, func(o result.Outcome) bool { return o.ID == h.Rule })
	s := stuck{Rule: h.Rule, Waited: Printable(waited(h)), Since: h.Since, Linked: listed}
	s.Frames = p.finding(result.Observation{Severity: result.Noted, Frames: lastFrames(h, len(h.Sent)+len(h.Received))}, raw).Frames
	for _, r := range h.Processes {
		s.Processes += strings.Repeat("  ", r.Depth) + Printable(about(r)) + "\n"
	}
	for _, l := range h.Stderr {
		s.Stderr += Printable(l) + "\n"
	}
	return s
}
