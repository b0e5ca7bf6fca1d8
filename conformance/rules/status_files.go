package rules

import (
	"fmt"
	"slices"
	"time"

	"github.com/acp-conform/acp-conform/conformance/client"
	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/wire"
)

// openFiles is oracle O14: the agent's processes and the files that they hold open do not grow with the inactive sessions that are
// asked about. What a session is kept open for is no business of ours, so more than a hint it is not.
func openFiles(c *rule.Case) oracle {
	return compare("O14 process footprint", func(time.Duration) oracle {
		sh := onShelf(c)
		v := sh.open(c, shelfSessions)
		defer c.End(v.Client)
		before, ok := footprintOf(v.Client)
		if !ok {
			return oracle{unusable: "the agent's open files cannot be counted here"}
		}
		if st := ask(c, v.Client, v.sessions[0].ID); st.Standing != client.Inactive {
			return oracle{unusable: "the first answer after " + string(sh.recipe) + " is " + st.String()}
		}
		v.others(probes(c) * len(v.sessions))
		v.Window()
		idle, _ := footprintOf(v.Client)
		var asked []client.Status
		for _, s := range v.sessions {
			asked = append(asked, v.questions(c, s, probes(c))...)
		}
		v.Window()
		after, ok := footprintOf(v.Client)
		if !ok {
			return oracle{unusable: "the agent has gone"}
		}
		o := oracle{control: fmt.Sprintf("as many other requests: %d files more", idle.Files-before.Files), softly: true, remark: true}
		if grown := after.Files - idle.Files; grown >= len(v.sessions)-1 && grown > 2*max(idle.Files-before.Files, 0) {
			o.shown = true
			o.finding = rule.Finding{Why: "the agent holds more files open since it was asked about inactive sessions, as if it had loaded them",
				Expected: fmt.Sprintf("%d files", idle.Files), Found: fmt.Sprintf("%d files", after.Files), Cite: asked[len(asked)-1].Frames()}
		}
		return o
	})
}

// footprintOf counts what the agent's processes hold open.
func footprintOf(cl *client.Client) (wire.Footprint, bool) {
	p, ok := cl.Peer.(interface{ Pid() int })
	if !ok {
		return wire.Footprint{}, false
	}
	var seen []wire.Footprint // the least of three: files come and go
	for range 3 {
		f, ok := wire.FootprintOf(p.Pid())
		if !ok {
			return f, false
		}
		seen = append(seen, f)
	}
	return slices.MinFunc(seen, func(a, b wire.Footprint) int { return a.Files - b.Files }), true
}
