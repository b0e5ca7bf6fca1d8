package wire

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/dustin/go-humanize"
)

// Limits bound what an agent can cost. A zero value means the one of DefaultLimits. Where an agent crosses one, that is a finding
// with the limit's name, and the suite goes on with what it has.
type Limits struct {
	Line      int64         // bytes of a line that are kept; what a line has beyond them is read and thrown away
	Frames    int64         // lines of one agent that are handled in a second; more of them wait in the pipe
	Recorded  int64         // bytes that the agents of one rule may write to stdout; then nothing more is read
	Stderr    int64         // bytes of one agent's stderr that are written down; the rest is thrown away
	Requests  int64         // requests of one agent that are answered; the others are left waiting
	Terminals int64         // terminals that one agent may leave unreleased
	Children  int64         // processes of one agent, itself included; where they are more, all are ended
	Rule      time.Duration // the wall time of one rule; then its agents are ended
	Run       time.Duration // the wall time of a run; then all agents are ended
}

// DefaultLimits are those of a run that asks for none: far from what an honest agent needs.
func DefaultLimits() Limits {
	return Limits{Line: 16 << 20, Frames: 50_000, Recorded: 256 << 20, Stderr: 8 << 20, Requests: 20_000, Terminals: 32, Children: 500,
		Rule: 5 * time.Minute, Run: time.Hour}
}

// Or fills in what is zero.
func (l Limits) Or(d Limits) Limits {
	standard := d.rows()
	for i, r := range l.rows() {
		r.set(cmp.Or(r.get(), standard[i].get()))
	}
	return l
}

// Limit is the name of a limit, as a flag and as a finding call it.
type Limit string

// The limits, in the order of the members of Limits.
const (
	LimitLine      Limit = "line" // also of a line that is nested too deep
	LimitFrames    Limit = "frames"
	LimitRecorded  Limit = "recorded"
	LimitStderr    Limit = "stderr"
	LimitRequests  Limit = "requests"
	LimitTerminals Limit = "terminals"
	LimitChildren  Limit = "children"
	LimitRule      Limit = "rule-time"
	LimitRun       Limit = "run-time"
)

// row is a limit as a number, of bytes, pieces or nanoseconds.
type row struct {
	name  Limit
	what  string // for a person
	count *int64
	time  *time.Duration
	bytes bool
}

func (r row) get() int64 {
	if r.time != nil {
		return int64(*r.time)
	}
	return *r.count
}

func (r row) set(n int64) {
	if r.time != nil {
		*r.time = time.Duration(n)
		return
	}
	*r.count = n
}

// String is the value as a flag takes it.
func (r row) String() string {
	switch {
	case r.time != nil:
		return r.time.String()
	case r.bytes && *r.count%1024 == 0:
		return strings.ReplaceAll(size(*r.count), " ", "")
	}
	return strconv.FormatInt(*r.count, 10)
}

func (l *Limits) rows() []row {
	return []row{
		{LimitLine, "bytes of a line that are read", &l.Line, nil, true},
		{LimitFrames, "lines of one agent that are handled in a second", &l.Frames, nil, false},
		{LimitRecorded, "bytes that agents may write to stdout during one rule", &l.Recorded, nil, true},
		{LimitStderr, "bytes of one agent's stderr that are written down", &l.Stderr, nil, true},
		{LimitRequests, "requests of one agent that are answered", &l.Requests, nil, false},
		{LimitTerminals, "terminals that one agent may leave unreleased", &l.Terminals, nil, false},
		{LimitChildren, "processes of one agent", &l.Children, nil, false},
		{LimitRule, "time that one rule may take", nil, &l.Rule, false},
		{LimitRun, "time that the run may take", nil, &l.Run, false},
	}
}

// Set are the limits that are not zero, as NAME=VALUE.
func (l Limits) Set() []string {
	var all []string
	for _, r := range l.rows() {
		if r.get() != 0 {
			all = append(all, string(r.name)+"="+r.String())
		}
	}
	return all
}

// Negative is the first limit that is below zero, "" if there is none.
func (l Limits) Negative() Limit {
	for _, r := range l.rows() {
		if r.get() < 0 {
			return r.name
		}
	}
	return ""
}

// Describe lists the limits for a person: name, meaning and value.
func (l Limits) Describe() [][3]string {
	var all [][3]string
	for _, r := range l.rows() {
		all = append(all, [3]string{string(r.name), r.what, r.String()})
	}
	return all
}

// Parse sets a limit from NAME=VALUE: sizes take units such as MiB, times are written like 90s. The error says what is wrong and
// what is right.
func (l *Limits) Parse(text string) error {
	name, value, ok := strings.Cut(text, "=")
	if !ok {
		return errors.New("write NAME=VALUE, such as line=16MiB or rule-time=10m")
	}
	var names []string
	for _, r := range l.rows() {
		if string(r.name) == name {
			return r.parse(value)
		}
		names = append(names, string(r.name))
	}
	return fmt.Errorf("there is no limit %q; the limits are %s", name, strings.Join(names, ", "))
}

// mostBytes is more than any machine has to spare for an agent.
const mostBytes = 1 << 40

func (r row) parse(value string) error {
	switch {
	case r.time != nil:
		d, err := time.ParseDuration(value)
		if err != nil || d <= 0 {
			return fmt.Errorf("%q is no time; write it like 90s or 10m", value)
		}
		*r.time = d
	case r.bytes:
		n, err := humanize.ParseBytes(value)
		if err != nil || n == 0 || n > mostBytes {
			return fmt.Errorf("%q is no size up to 1 TiB; write it like 16MiB", value)
		}
		*r.count = int64(n)
	default:
		n, err := strconv.ParseInt(value, 10, 32)
		if err != nil || n <= 0 {
			return fmt.Errorf("%q is no number above 0", value)
		}
		*r.count = n
	}
	return nil
}

// Crossed is what an agent did when it crossed a limit. As an error it is why nothing more is read from it.
type Crossed struct {
	Limit Limit
	Why   string // what the agent did, as a clause whose subject is the agent
}

func (c *Crossed) Error() string { return fmt.Sprintf("crossed the limit %q: it %s", c.Limit, c.Why) }

// Budget is what the agents of one rule may still write. It may be used by several connections at the same time.
type Budget struct{ left atomic.Int64 }

// NewBudget allows so many bytes.
func NewBudget(bytes int64) *Budget {
	b := &Budget{}
	b.left.Store(bytes)
	return b
}

// take uses some of it, and tells whether that much was left.
func (b *Budget) take(n int) bool { return b == nil || b.left.Add(-int64(n)) >= 0 }

// pace holds an agent to so many frames in a second, for whoever has other things to do than to read what one agent writes.
type pace struct {
	most  int64
	n     int64
	since time.Time
}

// next tells how long the next frame has to wait. At most twice as many frames as allowed are handled in a second.
func (p *pace) next(now func() time.Time) time.Duration {
	if p.n++; p.n < p.most {
		return 0
	}
	at := now()
	wait := max(0, time.Second-at.Sub(p.since))
	p.n, p.since = 0, at.Add(wait)
	return wait
}

// size says how many bytes a limit has, for a person.
func size(n int64) string { return humanize.IBytes(uint64(max(n, 0))) }
