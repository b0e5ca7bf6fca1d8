package judge

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/acp-conform/acp-conform/conformance/result"
	"github.com/acp-conform/acp-conform/conformance/rules"
	"github.com/acp-conform/acp-conform/conformance/wire"
)

// Script is a part that the fake agent plays.
type Script struct {
	Name        string
	Description string // what is odd about the agent
	Protocols   []int  // the versions in which it exists
	Actions     string // what the user of the client does: visit, look, peek or many
}

// Take is a script as a client has played it.
type Take struct {
	Script      Script
	Protocol    int
	Connections [][]wire.Frame // each start of the agent, in the order in which they began, without those in which nothing was said
	Started     bool           // the client started an agent, though perhaps nothing was said
	Steps       []Step
	Exit        *rules.ClientExit // nil: the client did not get so far
	ExitAt      time.Time
	Problem     string // why the client could not be started

	habits rules.ClientHabits
}

// Step is a line in which the client says what its user sees.
type Step struct {
	End  int64 // how many bytes the client had printed with it
	Line json.RawMessage
}

const (
	stepBytes = 64 << 10 // of one step; longer lines are none
	stepsMost = 10_000   // of one client; more of them tell nothing more
)

// ReadSteps reads what a client has printed. Lines that are no steps are its own affair.
func ReadSteps(printed []byte) (steps []Step) {
	end := int64(0)
	for line := range bytes.Lines(printed) {
		end += int64(len(line))
		line = bytes.TrimSpace(line)
		if len(line) == 0 || len(line) > stepBytes || line[0] != '{' || len(steps) >= stepsMost {
			continue
		}
		var s rules.ClientStep
		if json.Unmarshal(line, &s) == nil && s.Step != "" {
			steps = append(steps, Step{end, slices.Clone(line)})
		}
	}
	return steps
}

// Printed is a remark in the transcript of an agent: how many bytes its client had printed before the next line was read or
// written. So it is known which lines can have led to a step, however late the steps are read.
type Printed struct {
	Printed int64 `json:"printed"`
}

// seenIn names the take in a report.
func (t Take) seenIn() string { return fmt.Sprintf("%s, version %d", t.Script.Name, t.Protocol) }

// info is what the client calls itself in initialize.
func (t Take) info() *result.Info {
	for _, c := range t.Connections {
		for _, f := range c {
			e := wire.Inspect(f.Line)
			if f.From != wire.Client || e.Name != "initialize" {
				continue
			}
			for _, member := range []string{"clientInfo", "info"} {
				var i result.Info
				if raw := wire.Member(e.Params, member); raw != nil && json.Unmarshal(raw, &i) == nil && i.Name != "" {
					return &result.Info{Name: result.Short(i.Name), Version: result.Short(i.Version)}
				}
			}
		}
	}
	return nil
}

// entries are the frames of one connection as the rules see them: first what is played, then the lines of both sides with the
// steps of the client between them, and last how the client ended. A step stands behind everything that can have led to it.
func (t Take) entries(n int, script rules.ClientScript) []wire.Frame {
	script.Name, script.Actions, script.Last = t.Script.Name, t.Script.Actions, n == len(t.Connections)-1
	frames := t.Connections[n]
	var all []wire.Frame
	add := func(f wire.Frame) {
		f.Seq = len(all) + 1
		all = append(all, f)
	}
	remark := func(at time.Time, m any) {
		b, err := json.Marshal(m)
		if err != nil { // made of texts, numbers and JSON
			panic(err)
		}
		add(wire.Frame{At: at, From: wire.Suite, Line: b})
	}
	begin := t.ExitAt
	if len(frames) > 0 {
		begin = frames[0].At
	}
	remark(begin, rules.ClientRemark{Script: &script})
	steps := t.stepsOf(n)
	print := func(at time.Time, before int64) {
		for len(steps) > 0 && steps[0].End <= before {
			remark(at, map[string]any{"step": steps[0].Line})
			steps = steps[1:]
		}
	}
	for _, f := range frames {
		if f.From != wire.Suite {
			add(f)
			continue
		}
		var p Printed
		if json.Unmarshal(f.Line, &p) == nil {
			print(f.At, p.Printed)
		}
	}
	print(t.ExitAt, math.MaxInt64)
	remark(t.ExitAt, rules.ClientRemark{Exit: t.Exit})
	remark(t.ExitAt, map[string]any{"ended": "the connection is over"})
	return all
}

// stepsOf are the steps of the client if they can only belong to this connection.
func (t Take) stepsOf(n int) []Step {
	for i, c := range t.Connections {
		if i != n && slices.ContainsFunc(c, aboutSession) {
			return nil
		}
	}
	return t.Steps
}

// aboutSession tells whether the client says something about a session.
func aboutSession(f wire.Frame) bool {
	if f.From != wire.Client {
		return false
	}
	e := wire.Inspect(f.Line)
	return wire.Member(e.Params, "sessionId") != nil || e.Name == "session/new"
}
