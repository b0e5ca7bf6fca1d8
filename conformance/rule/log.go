package rule

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/acp-conform/acp-conform/conformance/result"
	"github.com/acp-conform/acp-conform/conformance/wire"
)

const (
	keptObservations = 5    // per rule and connection; more of them add nothing
	citedBytes       = 2048 // of one cited line
)

// Log collects what one rule saw on one connection or in one act.
type Log struct {
	rule       *Rule
	seenIn     string
	Occasions  int
	Seen       []result.Observation
	Suppressed int
	Internal   string // a fault of the suite, not of the agent
}

// NewLog starts the log of a rule that looks at the conversation of the rule seenIn (or "survey").
func NewLog(r *Rule, seenIn string) *Log { return &Log{rule: r, seenIn: seenIn} }

// Occasion counts a chance for the agent to break the rule.
func (l *Log) Occasion() { l.Occasions++ }

// Broken records, with the rule's own severity, that the agent broke it.
func (l *Log) Broken(f Finding) { l.BrokenIf(true, f) }

// BrokenIf records a breach with the rule's own severity if certain, else as a warning.
func (l *Log) BrokenIf(certain bool, f Finding) {
	sev := result.Warned
	if certain && l.rule.Fails() {
		sev = result.Failed
	}
	l.add(sev, f)
}

// Soft records a breach that warns.
func (l *Log) Soft(f Finding) { l.add(result.Warned, f) }

// Contradiction records a breach that fails whatever the rule's own severity: it contradicts what a MUST of the same page says.
func (l *Log) Contradiction(f Finding) { l.add(result.Failed, f) }

// Note records something worth knowing that is no breach.
func (l *Log) Note(f Finding) { l.add(result.Noted, f) }

// Fault records that the suite itself went wrong.
func (l *Log) Fault(format string, args ...any) {
	if l.Internal == "" {
		l.Internal = fmt.Sprintf(format, args...)
	}
}

// Finding is an observation before it has a severity.
type Finding struct {
	Why             string // what is wrong, as a sentence for a stranger
	Expected, Found any    // strings are taken as they are, other values as JSON
	Cite            []wire.Frame
	Mild            string // why it is no failure if it warns, where that is something else than for the rule's other findings
	// Oracle is the comparison that showed it, where one did, and Control what its positive control showed: that the comparison
	// could have shown something at all.
	Oracle, Control string
}

func (l *Log) add(sev result.Severity, f Finding) {
	o := result.Observation{Severity: sev, Explanation: cutBytes(f.Why, citedBytes) + l.mildness(sev, f), Expected: show(f.Expected), Actual: show(f.Found), Oracle: f.Oracle, Control: f.Control, SeenIn: l.seenIn}
	for _, c := range f.Cite {
		if c.Seq > 0 {
			o.Frames = append(o.Frames, Cite(c))
		}
	}
	slices.SortStableFunc(o.Frames, func(a, b result.Frame) int { return a.Seq - b.Seq })
	o.Frames = slices.CompactFunc(o.Frames, func(a, b result.Frame) bool { return a == b })
	if len(l.Seen) >= keptObservations && !l.worse(sev) {
		l.Suppressed++
		return
	}
	l.Seen = append(l.Seen, o)
}

// mildness says why something only warns although the rule is a MUST: else a reader would have to guess.
func (l *Log) mildness(sev result.Severity, f Finding) string {
	if sev != result.Warned || l.rule.Level != Must {
		return ""
	}
	why := cmp.Or(f.Mild, l.rule.Mild)
	if l.rule.Basis != Stated {
		why = restsOn[l.rule.Basis]
	}
	return "; a warning and not a failure because " + cmp.Or(why, "it is not certain enough")
}

// restsOn says why the breach of a MUST warns that no sentence of the specification states.
var restsOn = map[Basis]string{
	Implied: "the specification only implies this rule",
	Derived: "this rule follows from another document than the specification",
	RFD:     "this rule is only proposed so far",
}

// worse tells whether nothing as severe has been kept yet: such an observation is kept beyond the limit.
func (l *Log) worse(sev result.Severity) bool {
	rank := func(s result.Severity) int {
		return slices.Index([]result.Severity{result.Noted, result.Warned, result.Failed}, s)
	}
	return !slices.ContainsFunc(l.Seen, func(o result.Observation) bool { return rank(o.Severity) >= rank(sev) })
}

func show(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return cutBytes(v, citedBytes)
	case json.RawMessage:
		return cutBytes(string(v), citedBytes)
	}
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return cutBytes(string(b), citedBytes)
}

// Cite turns a frame into evidence: long lines are cut and say so.
func Cite(f wire.Frame) result.Frame {
	out := result.Frame{Seq: f.Seq, From: string(f.From), Deliberate: f.Deliberate, Cut: f.Dropped}
	line := f.Line
	if !utf8.Valid(line) {
		out.Cut += max(0, len(line)-citedBytes)
		out.Base64 = base64.StdEncoding.EncodeToString(line[:min(len(line), citedBytes)])
		return out
	}
	out.Line = cutBytes(string(line), citedBytes)
	out.Cut += len(line) - len(out.Line)
	return out
}

// cutBytes cuts at a character boundary.
func cutBytes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
