package selftest

import (
	"time"

	"github.com/acp-conform/acp-conform/conformance/result"
)

// streamRows are about when something comes, and on which stream.
func streamRows() map[string]hostileRow {
	gone := hostileRow{verdict: result.Inconclusive, says: "closed its output", flags: impatient()}
	falls := unanswered("session/prompt was never answered")
	falls.limit = 15 * time.Second
	late := fine() // what comes on stderr has no meaning
	late.says, late.crosses, late.long = "stderr", []string{"stderr"}, 5*time.Minute
	return map[string]hostileRow{
		"silent":                    unheard("wrote nothing to stdout"),
		"half-frame":                unheard("for it are over"),
		"half-frame-in-turn":        unanswered("session/prompt was never answered"),
		"byte-per-second":           unheard("for it are over"),
		"never-reads":               unheard("wrote nothing to stdout"),
		"stops-reading":             unanswered("session/new was never answered"),
		"stops-reading-in-turn":     unanswered("session/prompt was never answered"),
		"writes-first":              fine(),
		"falls-silent":              falls,
		"silent-turn":               unanswered("session/prompt was never answered"),
		"closes-stdout-at-start":    unheard("closed its output"),
		"closes-stdout":             gone,
		"closes-stdout-in-turn":     unanswered("closed its output"),
		"closes-stdin":              unanswered("session/new was never answered"),
		"closes-stdin-in-turn":      unanswered("session/prompt was never answered"),
		"closes-everything":         gone,
		"stderr-flood":              late,
		"stderr-line":               late,
		"stderr-chatter":            fine(),
		"stderr-binary":             fine(),
		"stderr-in-place-of-stdout": unheard("protocolVersion"),
	}
}

// exitRows are about how and when the agent ends.
func exitRows() map[string]hostileRow {
	rows := map[string]hostileRow{
		"ignores-eof":     {verdict: result.Conformant, warns: []string{eofExit, eofInTurn}, acts: []string{eofExit, eofInTurn}, says: "SIGTERM"},
		"ignores-sigterm": {verdict: result.Conformant, warns: []string{eofExit, eofInTurn}, acts: []string{eofExit, eofInTurn}, says: "SIGKILL"},
		"stops-itself":    unanswered("session/prompt was never answered"),
	}
	for way, says := range map[string]string{"exits-0": "exited with status 0", "exits-1": "exited with status 1", "killed": "ended by signal: killed"} {
		start := unheard(says)
		start.flags = nil
		rows[way+"-at-start"] = start
		frame := unheard(says, onePerLine)
		frame.flags = nil
		rows[way+"-in-frame"] = frame
		rows[way+"-after-initialize"] = hostileRow{verdict: result.Inconclusive, says: says}
		rows[way+"-in-turn"] = hostileRow{verdict: result.Nonconformant, fails: []string{oneResponse}, says: says}
		rows[way+"-at-end"] = hostileRow{verdict: result.Conformant, acts: []string{eofExit}}
	}
	return rows
}

// processRows are about processes that the agent starts, or meddles with.
func processRows() map[string]hostileRow {
	left := hostileRow{verdict: result.Conformant, warns: []string{eofExit}, acts: []string{eofExit}, says: "left", limit: 20 * time.Second}
	many := flood(result.Incomplete, "children")
	many.limit = 30 * time.Second
	prints := storm()
	prints.verdict, prints.fails, prints.acts, prints.flags = result.Nonconformant, []string{noNoise}, []string{eofExit}, impatient()
	prints.may = append(prints.may, oneResponse, eofExit)
	shed := hostileRow{verdict: result.Conformant, acts: []string{eofExit}, limit: 20 * time.Second} // it is found at the end of the run
	return map[string]hostileRow{
		"child-stays":                    left,
		"child-holds-stdout":             left,
		"child-leaves-group":             left,
		"child-leaves-group-with-stdout": left,
		"child-prints":                   prints,
		"child-respawns":                 left,
		"child-sheds-everything":         shed,
		"children":                       many,
		"zombies":                        fine(),
		"hands-over":                     fine(),
		"signals-the-suite":              {verdict: result.Interrupted},
		"aborts-the-suite":               {verdict: result.Interrupted},
	}
}
