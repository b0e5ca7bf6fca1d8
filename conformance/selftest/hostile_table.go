package selftest

import (
	"maps"
	"sync"
	"time"

	"github.com/acp-conform/acp-conform/conformance/result"
)

// The rules that name most causes.
const (
	withinLimits = "transport.within-limits"
	oneResponse  = "jsonrpc.exactly-one-response"
	stdio        = "transport.stdio-supported"
	noNoise      = "transport.stdout-only-acp"
	onePerLine   = "transport.one-message-per-line"
	utf8Lines    = "transport.utf8"
	eofExit      = "transport.stdin-eof-exit"
	eofInTurn    = "transport.stdin-eof-during-turn"
)

// hostileRows is the table, by the name of the mode. Nobody changes it.
var hostileRows = sync.OnceValue(func() map[string]hostileRow {
	all := map[string]hostileRow{}
	for _, rows := range []map[string]hostileRow{byteRows(), textRows(), streamRows(), exitRows(), processRows(), answerRows(), claimRows(), askRows(),
		fileRows(), terminalRows(), sessionRows()} {
		maps.Copy(all, rows)
	}
	return all
})

// impatient are the flags of runs in which nothing comes, and everything that comes comes soon.
func impatient() []string {
	return []string{"--start-timeout", "5s", "--timeout", "4s", "--turn-timeout", "4s"}
}

// deaf are the flags of runs in which not even initialize is answered.
func deaf() []string { return []string{"--start-timeout", "4s"} }

// fine is a run on an agent that breaks nothing, whatever else it does.
func fine(acts ...string) hostileRow { return hostileRow{verdict: result.Conformant, acts: acts} }

// wrong is a run on an agent that breaks rules.
func wrong(fails ...string) hostileRow {
	return hostileRow{verdict: result.Nonconformant, fails: fails}
}

// unheard is a run on an agent that answers nothing.
func unheard(says string, fails ...string) hostileRow {
	return hostileRow{verdict: result.Inconclusive, fails: append(fails, oneResponse), warns: []string{stdio}, says: says, flags: deaf()}
}

// unanswered is a run on an agent that shakes hands and does not answer everything.
func unanswered(says string) hostileRow {
	return hostileRow{verdict: result.Nonconformant, fails: []string{oneResponse}, says: says, flags: impatient(), limit: 30 * time.Second}
}

// flood is a run on an agent that crosses limits.
func flood(verdict result.RunVerdict, names ...string) hostileRow {
	return hostileRow{verdict: verdict, warns: []string{withinLimits}, says: names[0], crosses: names, long: 15 * time.Minute}
}

// storm is a run on an agent that sends more than can be handled, or not, as fast as the machine is.
func storm() hostileRow {
	r := fine()
	r.may, r.crosses, r.long = []string{withinLimits}, []string{"frames"}, 15*time.Minute
	return r
}

// byteRows are about how much comes.
func byteRows() map[string]hostileRow {
	tiny := storm()
	tiny.verdict, tiny.fails, tiny.share = result.Nonconformant, []string{"jsonrpc.envelope-shape"}, 0.1
	blank := storm()
	blank.share = 0.1
	// Where it writes faster than it is handled, as the machine is, its answer may be waiting behind the rest: nobody calls it missing.
	yes := hostileRow{verdict: result.Inconclusive, fails: []string{noNoise}, may: []string{withinLimits, oneResponse, stdio},
		says: "is no ACP message", flags: deaf(), crosses: []string{"frames"}, long: 15 * time.Minute}
	noise := flood(result.Inconclusive, "recorded") // it is ended before anybody knows that nothing is answered
	noise.fails, noise.may = []string{utf8Lines}, []string{noNoise, onePerLine}
	deep := fine()
	deep.warns, deep.says = []string{withinLimits}, "nested deeper"
	return map[string]hostileRow{
		"gigabyte-line":         flood(result.Inconclusive, "line", "recorded"),
		"gigabyte-line-in-turn": flood(result.Incomplete, "line", "recorded"),
		"gigabyte-message":      flood(result.Incomplete, "line", "recorded"),
		"long-line":             flood(result.Conformant, "line"),
		"tiny-lines":            tiny,
		"blank-lines":           blank,
		"yes":                   yes,
		"noise":                 noise,
		"deep-message":          deep,
		"deep-object":           deep,
		"deep-and-open":         deep,
		"batch-bomb":            wrong("jsonrpc.agent-sends-no-batch"),
		"many-members":          fine(),
		"extra-members":         wrong("jsonrpc.no-extra-envelope-keys"),
		"same-member":           wrong("jsonrpc.envelope-shape"),
	}
}

// textRows are about numbers and characters.
func textRows() map[string]hostileRow {
	noVersion := hostileRow{verdict: result.Inconclusive, fails: []string{"schema.integer-ranges"}}
	half := fine()
	half.warns = []string{"schema.strict-optional"}
	held := unheard("without its line end")
	held.warns = append(held.warns, "transport.trailing-newline")
	headers := unheard("Content-Length", noNoise)
	headers.warns = append(headers.warns, "transport.trailing-newline")
	return map[string]hostileRow{
		"exponent-in-update":  wrong("schema.integer-ranges"),
		"exponent-in-meta":    fine(),
		"exponent-as-version": noVersion,
		"exponent-as-id":      unanswered("an id that no request can have"),
		"exponent-as-code":    wrong("jsonrpc.error-shape"),
		"digits":              wrong("schema.integer-ranges"),
		"invalid-utf8":        wrong(utf8Lines),
		"cut-utf8":            wrong(utf8Lines),
		"raw-surrogates":      wrong(utf8Lines),
		"lone-surrogates":     half,
		"nul-in-text":         wrong(onePerLine),
		"escaped-nul":         fine(),
		"separators":          fine(),
		"terminal-codes":      fine(),
		"right-to-left":       fine(),
		"nul-lines":           wrong(noNoise),
		"byte-order-marks":    unheard("hides behind other text", noNoise),
		"carriage-returns":    held,
		"utf16":               unheard("not one whole JSON value", onePerLine),
		"length-headers":      headers,
	}
}
