package fuzz

import (
	"context"
	"encoding/base64"
	"regexp"
	"time"
	"unicode/utf8"

	"github.com/acp-conform/acp-conform/conformance/result"
	"github.com/acp-conform/acp-conform/conformance/wire"
)

// resultSchema names the form of a Result as JSON.
const resultSchema = "acp-conform/fuzz/1"

// Verdict is what a run of the fuzzer says of an agent.
type Verdict string

// The verdicts.
const (
	Passed       Verdict = "passed"       // no failure was found
	Failed       Verdict = "failed"       // at least one was
	Inconclusive Verdict = "inconclusive" // the agent could not be started or did not shake hands, or no script was played
	Interrupted  Verdict = "interrupted"
)

// Result is what a run found out.
type Result struct {
	Schema      string    `json:"schema"`
	Verdict     Verdict   `json:"verdict"`
	ExitCode    int       `json:"exitCode"`
	ExitReason  string    `json:"exitReason"`
	Command     []string  `json:"command"`
	Protocol    int       `json:"protocol"`
	Seed        uint64    `json:"seed"`
	StartedAt   time.Time `json:"startedAt"`
	DurationMs  int64     `json:"durationMs"`
	Scripts     int       `json:"scripts"` // that were made and played
	Lines       int       `json:"lines"`   // of theirs
	Methods     []string  `json:"methods"` // that were sent
	Session     string    `json:"session"` // why no session could be opened, "" if one could
	Fence       string    `json:"fence"`   // the request by which it is seen that the agent lives, "" if it answers none
	Findings    []Finding `json:"findings"`
	Notes       []Note    `json:"notes"`       // what is lenient, and no fault
	Unconfirmed []Note    `json:"unconfirmed"` // what happened once and not again
	Hints       []string  `json:"hints"`       // about this machine, and not the agent
}

// Finding is something that the agent does wrong whenever the script is played.
type Finding struct {
	Number   int      `json:"number"`
	Kind     Kind     `json:"kind"`
	Severity Severity `json:"severity"`
	Why      string   `json:"why"`
	Found    int      `json:"found"` // the number of the script in which it was found first; 0 = in what every connection begins with
	Seen     int      `json:"seen"`  // in how many scripts it was seen
	Script   Script   `json:"script"`
	File     string   `json:"file"`  // where the script is kept, "" = nowhere
	Rerun    string   `json:"rerun"` // the command that plays it again
	Once     bool     `json:"once"`  // it was seen once: playing the script again does not show it
	Frames   []Frame  `json:"frames"`
	Stderr   string   `json:"stderr"` // the last of it

	cause string
	sent  *sent   // the line that led to it, nil if none is known
	marks []marks // what is special about its steps
}

// Frame is a line of the conversation that shows a finding.
type Frame struct {
	From   string `json:"from"`             // client or agent
	Line   string `json:"line,omitempty"`   // cut if it is long
	Base64 string `json:"base64,omitempty"` // in its place, if the line is not UTF-8
	Bytes  int    `json:"bytes,omitempty"`  // how long it was, if it is cut
	Fence  bool   `json:"fence,omitempty"`  // a harmless request that is not in the script, or its answer
}

// Note is something that happened so many times.
type Note struct {
	Text  string `json:"text"`
	Times int    `json:"times"`
}

const (
	longestLine = 2 << 10 // bytes of a line that are shown
	mostFrames  = 60      // lines that are shown
	mostStderr  = 2 << 10 // bytes of stderr that are shown
)

// ownID is the id of a request that is not in a script; see firstOwn.
var ownID = regexp.MustCompile(`"id":\s?9000\d{5}[,}]`)

// frameOf is a line as it is shown.
func frameOf(f wire.Frame) Frame {
	out, text := Frame{From: string(f.From), Fence: ownID.Match(f.Line)}, f.Line
	if len(text) > longestLine {
		out.Bytes, text = len(f.Line), text[:longestLine]
		for len(text) > 0 && !utf8.Valid(text) && utf8.Valid(f.Line) { // a character that was cut
			text = text[:len(text)-1]
		}
	}
	if utf8.Valid(text) {
		out.Line = string(text)
	} else {
		out.Base64 = base64.StdEncoding.EncodeToString(text)
	}
	return out
}

// result is what is known now.
func (r *run) result(ctx context.Context, problem string) Result {
	res := Result{Schema: resultSchema, Command: r.Command, Protocol: r.Protocol, Seed: r.Seed, StartedAt: r.began,
		DurationMs: r.Now().Sub(r.began).Milliseconds(), Session: r.facts.SessionReason, Fence: r.facts.Fence.Method, Methods: []string{}}
	for _, m := range r.facts.methods {
		res.Methods = append(res.Methods, m.name)
	}
	r.book.into(&res)
	failures := 0
	for _, f := range res.Findings {
		if f.Severity == Failure {
			failures++
		}
	}
	switch {
	case ctx.Err() != nil:
		res.Verdict, res.ExitCode, res.ExitReason = Interrupted, result.ExitInterrupted, "the run was interrupted; the report holds what was known by then"
	case failures > 0:
		res.Verdict, res.ExitCode = Failed, result.ExitFailed
	case problem != "":
		res.Verdict, res.ExitCode, res.ExitReason = Inconclusive, result.ExitInconclusive, problem
	default:
		res.Verdict, res.ExitCode = Passed, result.ExitOK
	}
	return res
}
