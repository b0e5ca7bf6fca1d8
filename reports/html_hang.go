package reports

import (
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

func (p *page) stuck() {
	listed := map[string]bool{}
	for _, o := range p.Rules {
		listed[o.ID] = true
	}
	for _, h := range p.Hangs {
		s := stuck{Rule: h.Rule, Waited: Printable(waited(h)), Since: h.Since, Linked: listed[h.Rule]}
		s.Frames = p.finding(result.Observation{Severity: result.Noted, Frames: lastFrames(h, len(h.Sent)+len(h.Received))}).Frames
		for _, r := range h.Processes {
			s.Processes += strings.Repeat("  ", r.Depth) + Printable(about(r)) + "\n"
		}
		for _, l := range h.Stderr {
			s.Stderr += Printable(l) + "\n"
		}
		p.Stuck = append(p.Stuck, s)
	}
}
