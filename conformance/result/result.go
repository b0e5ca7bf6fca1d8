// Package result is what a run found out, as plain values: a report is a function of a Run and of nothing else.
//
// The JSON names and their meanings are stable; additions are allowed.
package result

// Schema names the shape of the JSON report.
const Schema = "acp-conform/report/1"

// Verdict is the one outcome of a rule.
type Verdict string

// The verdicts of a rule, as they stand in every report.
const (
	Pass        Verdict = "pass"         // at least one occasion, none broken
	Fail        Verdict = "fail"         // the worst observation is a failure
	Warn        Verdict = "warn"         // the worst observation is a warning
	Skipped     Verdict = "skipped"      // the gate of the rule is closed
	NotObserved Verdict = "not-observed" // nothing led to an occasion, or a preparing step did not succeed
	Error       Verdict = "error"        // the suite itself failed; never blamed on the agent
)

// Verdicts lists every verdict in the order in which reports count them.
func Verdicts() []Verdict { return []Verdict{Pass, Fail, Warn, Skipped, NotObserved, Error} }

// Concluded tells whether the rule met an occasion and was judged by it.
func (v Verdict) Concluded() bool { return v == Pass || v == Fail || v == Warn }

// Severity is the weight of one observation.
type Severity string

// The severities, mildest first. A note never changes a verdict.
const (
	Noted  Severity = "note"
	Warned Severity = "warn"
	Failed Severity = "fail"
)

// Frame is a cited line: evidence that a reader can check without the transcript.
type Frame struct {
	Seq  int    `json:"seq"`            // position in the transcript of its connection, from 1
	From string `json:"from"`           // client, agent, agent-stderr or suite
	Line string `json:"line,omitempty"` // the raw line without its line end, cut at 2 KB (Cut is then the number of bytes left out)
	Cut  int    `json:"cut,omitempty"`
	// Base64 stands in place of Line where the bytes are not UTF-8.
	Base64     string `json:"base64,omitempty"`
	Deliberate bool   `json:"deliberate,omitempty"` // bad on purpose
}

// Observation is one thing that was seen, with the lines that prove it.
type Observation struct {
	Severity    Severity `json:"severity"`
	Explanation string   `json:"explanation"`
	Expected    string   `json:"expected,omitempty"`
	Actual      string   `json:"actual,omitempty"`
	Oracle      string   `json:"oracle,omitempty"`  // the comparison that showed it, such as "O4 prompt gate"
	Control     string   `json:"control,omitempty"` // what that comparison's positive control showed
	SeenIn      string   `json:"seenIn"`            // the acting rule, or "survey", in whose conversation it was seen
	Frames      []Frame  `json:"frames,omitempty"`
}

// Outcome is what became of one rule.
type Outcome struct {
	ID         string        `json:"id"`
	Area       string        `json:"area"`
	Level      string        `json:"level"`
	Basis      string        `json:"basis"`
	Stability  string        `json:"stability"`
	Kind       string        `json:"kind"`    // act or watch
	Subject    string        `json:"subject"` // agent or client
	Title      string        `json:"title"`
	Ref        string        `json:"ref"`
	Verdict    Verdict       `json:"verdict"`
	Reason     string        `json:"reason"`
	Occasions  int           `json:"occasions"`
	DurationMs int64         `json:"durationMs"`
	Advice     string        `json:"advice,omitempty"`
	Known      string        `json:"known,omitempty"` // why the baseline expects the rule to fail or warn
	Owed       bool          `json:"owed,omitempty"`  // the suite owed an occasion: not seen makes the run incomplete
	Evidence   []Observation `json:"evidence,omitempty"`
	// Suppressed counts further observations of the same kind that are not in Evidence.
	Suppressed int    `json:"suppressed,omitempty"`
	Rerun      string `json:"rerun"`
}

// Tool is the program that made the report.
type Tool struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// Protocol says which version was asked for and which was agreed (0 when none was).
type Protocol struct {
	Requested        int    `json:"requested"`
	Negotiated       int    `json:"negotiated"`
	StatusVocabulary string `json:"statusVocabulary,omitempty"`
	Spoken           []int  `json:"spoken,omitempty"` // of a client: the versions in which it was judged
}

// Info is the agent's own name and version.
type Info struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// Agent is the program under test, which is a client if Run.Subject says so, and what it said of itself.
type Agent struct {
	Command      []string       `json:"command"`
	Info         *Info          `json:"info,omitempty"`
	Capabilities map[string]any `json:"capabilities"`
}

// Survey is what the first conversation of the run found out.
type Survey struct {
	Handshake     bool   `json:"handshake"`     // initialize was answered with a version that we speak
	Session       bool   `json:"session"`       // session/new opened a session
	SessionReason string `json:"sessionReason"` // why not
	Turn          bool   `json:"turn"`          // a turn ended by itself
	TurnReason    string `json:"turnReason"`    // why not
	Fence         string `json:"fence"`         // how absence is proved
	RoundTripMs   int64  `json:"roundTripMs"`
}

// Frames says how many frames, of either side and on all connections, were compared with the definitions of an edition of
// the protocol.
type Frames struct {
	Edition    string `json:"edition"`          // v1, v1-unstable, …
	Source     string `json:"source,omitempty"` // the directory of the schemas, "" = those of this program
	Checked    int    `json:"checked"`          // compared with the definition of their method
	Invalid    int    `json:"invalid"`          // of these, not valid by the strict reading
	Extensions int    `json:"extensions"`       // of a method that begins with an underscore, which no edition defines
	Undefined  int    `json:"undefined"`        // of another method, or an answer to another method, that the edition does not define
	Unreadable int    `json:"unreadable"`       // no message at all
	Deliberate int    `json:"deliberate"`       // bad on purpose, sent by the suite
}

// Add adds the numbers of another connection.
func (f *Frames) Add(more Frames) {
	f.Checked += more.Checked
	f.Invalid += more.Invalid
	f.Extensions += more.Extensions
	f.Undefined += more.Undefined
	f.Unreadable += more.Unreadable
	f.Deliberate += more.Deliberate
}

// Moment is something that happened in the first conversation of a run.
type Moment struct {
	AtMs int64  `json:"atMs"` // since the agent was started
	Kind string `json:"kind"` // start, message, turn, stderr or exit
	What string `json:"what"`
}

// mostShort is how many characters a text has at most of which only the beginning is shown.
const mostShort = 120

// Short is the beginning of a text that others have written, such as a name, with a sign that it goes on.
func Short(s string) string {
	if r := []rune(s); len(r) > mostShort {
		return string(r[:mostShort]) + "…"
	}
	return s
}

// Hang is what was going on when the suite gave up waiting for an agent, taken down while the agent was still there.
type Hang struct {
	Rule      string `json:"rule"`      // the acting rule that waited, or "survey"
	WaitedFor string `json:"waitedFor"` // as a person would say it
	Since     string `json:"since"`     // RFC 3339
	WaitedMs  int64  `json:"waitedMs"`
	Ended     string `json:"ended"` // why nobody waits any longer
	// Request is the line that should have led to it; absent where there is none.
	Request *Frame `json:"request,omitempty"`
	// Sent and Received are the last lines of each side before that, in their order.
	Sent     []Frame `json:"sent"`
	Received []Frame `json:"received"`
	// Processes are those of the agent, children behind their parents; none where the system does not show them.
	Processes []Process `json:"processes,omitempty"`
	Stderr    []string  `json:"stderr,omitempty"` // its last lines
}

// Process is a process of an agent at one moment.
type Process struct {
	Pid     int    `json:"pid"`
	Parent  int    `json:"parent"`
	Depth   int    `json:"depth"` // 0 = the agent's own, 1 = its children, …
	State   string `json:"state"`
	CPUMs   int64  `json:"cpuMs"` // that it had used
	Command string `json:"command"`
}

// Baseline is how a run compares with a list of known failures.
type Baseline struct {
	File    string   `json:"file"`
	Known   []string `json:"known"`   // rules that fail or warn as the list says
	Unknown []string `json:"unknown"` // rules that fail and are not on the list
	Stale   []Stale  `json:"stale"`   // entries that are no longer right
}

// Stale is an entry of a baseline that is no longer right.
type Stale struct {
	Rule string `json:"rule"`
	Why  string `json:"why"`
}

// Run is a whole run: what every report is made from.
type Run struct {
	Schema     string          `json:"schema"`
	Tool       Tool            `json:"tool"`
	Subject    string          `json:"subject,omitempty"` // who was judged: client; "" = agent
	Verdict    RunVerdict      `json:"verdict"`
	ExitCode   int             `json:"exitCode"`
	ExitReason string          `json:"exitReason"`
	Problem    string          `json:"problem,omitempty"` // why the run is inconclusive, for a person
	Protocol   Protocol        `json:"protocol"`
	Agent      Agent           `json:"agent"`
	StartedAt  string          `json:"startedAt"` // RFC 3339
	DurationMs int64           `json:"durationMs"`
	Counts     map[Verdict]int `json:"counts"`
	Survey     Survey          `json:"survey"`
	Frames     Frames          `json:"frames"`
	Prompts    int             `json:"prompts"`               // turns that were started
	LeftBehind int             `json:"leftBehind,omitempty"`  // sessions of ours that the agent keeps
	Interrupt  bool            `json:"interrupted,omitempty"` // Ctrl-C or SIGTERM ended the run
	Transcript string          `json:"transcripts,omitempty"` // the folder of --keep
	Baseline   *Baseline       `json:"baseline,omitempty"`    // how the run compares with what was known before
	Timeline   []Moment        `json:"timeline,omitempty"`    // of the first conversation
	Hangs      []Hang          `json:"hangs,omitempty"`       // the survey first, then in the order of the rules
	Hints      []string        `json:"hints,omitempty"`       // about how the run was made, for a person; they change nothing
	Rules      []Outcome       `json:"rules"`
	// TranscriptProblem says why the transcripts are not complete, such as a full disk; "" if they are.
	TranscriptProblem string `json:"transcriptsProblem,omitempty"`
}
