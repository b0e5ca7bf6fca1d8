package judge

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/acp-conform/acp-conform/conformance/result"
	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/wire"
)

// qualify says what the counts do not say: why a run came to nothing, and that a client which came to a bad end was not judged by
// all that it does.
func (j *judgement) qualify(run *result.Run, seen []sight) {
	if run.Interrupt {
		return
	}
	if !run.Survey.Handshake {
		run.ExitReason = j.apart()
		if len(j.takes) > 0 {
			run.Problem = j.takes[0].trouble()
		}
		return
	}
	bad := j.unexplained(seen)
	if run.Verdict == result.Conformant && len(bad) > 0 {
		run.Verdict = result.Incomplete
		if run.ExitCode == result.ExitOK {
			run.ExitReason = "the client came to a bad end in " + scriptsOf(bad)
		}
		if run.ExitCode == result.ExitOK && j.Policy.Strict {
			run.ExitCode, run.ExitReason = result.ExitFailed, "--strict: "+run.ExitReason
		}
	}
	unclear := run.Verdict == result.Incomplete || run.Verdict == result.Inconclusive && run.Counts[result.Error] == 0
	if i := slices.IndexFunc(j.takes, Take.idle); unclear && i >= 0 {
		run.Problem = j.takes[i].trouble()
	} else if unclear && len(bad) > 0 {
		run.Problem = bad[0].trouble()
	}
}

// idle tells whether the client spoke a version and then did not do what it had to: nothing, or nothing that ended well.
func (t Take) idle() bool {
	return t.habits.Shook && !t.habits.Agreed || t.habits.Agreed && !t.habits.Well
}

// unexplained are the takes in which the client came to an end that is not how it always ends, and that no rule holds against it.
func (j *judgement) unexplained(seen []sight) (bad []Take) {
	for i, t := range j.takes {
		broken := slices.ContainsFunc(seen[i].logs, func(logs []*rule.Log) bool { return slices.ContainsFunc(logs, accuses) })
		if slices.Contains(j.spoken, t.Protocol) && !t.habits.Well && j.habits[t.Protocol].Ends && !broken {
			bad = append(bad, t)
		}
	}
	return bad
}

func accuses(l *rule.Log) bool {
	return slices.ContainsFunc(l.Seen, func(o result.Observation) bool { return o.Severity != result.Noted })
}

// shownScripts is how many scripts a reason names.
const shownScripts = 3

func scriptsOf(takes []Take) string {
	var names []string
	for _, t := range takes {
		names = append(names, fmt.Sprintf("%s (version %d)", t.Script.Name, t.Protocol))
	}
	if n := len(names) - shownScripts; n > 0 {
		names = append(names[:shownScripts], fmt.Sprintf("%d more", n))
	}
	word := "the script "
	if len(names) > 1 {
		word = "the scripts "
	}
	return word + strings.Join(names, ", ")
}

// apart says in a few words why the client has no version in common with the agent.
func (j *judgement) apart() string {
	switch {
	case len(j.takes) == 0:
		return "the run ended before the client had played a script"
	case j.takes[0].Problem != "":
		return "the client could not be started"
	case j.takes[0].alone():
		return "the client did not start the agent"
	}
	return "the client agreed on no version with the fake agent"
}

// alone tells whether the client never started an agent.
func (t Take) alone() bool { return len(t.Connections) == 0 && !t.Started }

// trouble says what a take came to that did not go well, for a person; "" if nothing is known.
func (t Take) trouble() string {
	switch {
	case t.Problem != "":
		return "The client could not be started: " + t.Problem
	case t.Exit == nil:
		return ""
	}
	how := ". "
	if t.Exit.Stderr == "" {
		how = " and wrote nothing to its stderr."
	} else {
		how += "The end of its stderr:\n" + t.Exit.Stderr
	}
	end := t.Exit.How()
	return t.extent() + " " + strings.ToUpper(end[:1]) + end[1:] + how
}

// extent says how far the client came.
func (t Take) extent() string {
	asked, answer := t.handshake()
	offered := wire.Member(answer.Result, "protocolVersion")
	switch {
	case t.alone():
		return "The client did not start the agent that the variable ACP_CONFORM_AGENT names."
	case t.habits.Agreed:
		return fmt.Sprintf("The client came to a bad end in the script %s, version %d.", t.Script.Name, t.Protocol)
	case t.habits.Shook:
		return fmt.Sprintf("The client agreed on version %d with the agent, and did nothing after that.", t.Protocol)
	case asked == nil:
		return "The client started the agent, and did not send initialize."
	case answer.Error != nil:
		return "The client sent initialize, which the agent answered with an error: " + string(answer.Error) + "."
	case offered == nil:
		return "The client sent initialize, and was gone before the answer."
	}
	return fmt.Sprintf("The client asked for version %s of the protocol, the agent has only %s, and the client left it at that.", asked, offered)
}

// handshake is the version that the client asked for first, nil where it sent no initialize, and the answer.
func (t Take) handshake() (asked json.RawMessage, answer wire.Envelope) {
	for _, frames := range t.Connections {
		for _, f := range frames {
			e := wire.Inspect(f.Line)
			switch {
			case asked == nil && f.From == wire.Client && e.Name == "initialize":
				if asked = wire.Member(e.Params, "protocolVersion"); asked == nil {
					asked = json.RawMessage("none")
				}
			case asked != nil && f.From == wire.Agent && e.Kind == wire.Response:
				return asked, e
			}
		}
	}
	return asked, answer
}
