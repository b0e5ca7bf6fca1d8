package fuzz

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
)

// book is what is known so far.
type book struct {
	mu             sync.Mutex
	scripts, lines int
	findings       []*Finding
	lone           *Finding   // an end of the agent that was seen once
	lonely         []*Finding // what else was seen once, and proves itself
	notes, once    map[string]int
	echoes         map[string]int // causes of what is an echo of something invalid
	problem        string         // why the run cannot go on
}

// stand says why the run cannot go on, "" if it can.
func (b *book) stand() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.problem
}

// failed tells whether the agent has failed already.
func (b *book) failed() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.ContainsFunc(b.findings, func(f *Finding) bool { return f.Severity == Failure })
}

func (b *book) event(doing string) Event {
	b.mu.Lock()
	defer b.mu.Unlock()
	return Event{Scripts: b.scripts, Findings: len(b.findings), Doing: doing}
}

func (b *book) fail(problem string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.problem = cmp.Or(b.problem, problem)
}

// played counts a script.
func (b *book) played(lines int, notes []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.scripts++
	b.lines += lines
	if b.notes == nil {
		b.notes = map[string]int{}
	}
	for _, n := range notes {
		b.notes[n]++
	}
}

func (b *book) unconfirmed(s suspect) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if s.echo {
		return // whether something comes back may be a matter of moments
	}
	if b.once == nil {
		b.once = map[string]int{}
	}
	b.once[string(s.kind)+": "+masked(s.why)]++
}

// end notes an end of the agent that was seen once.
func (b *book) end(f *Finding) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.lone == nil || b.lone.Severity == Warning && f.Severity == Failure {
		b.lone, f = f, b.lone
	}
	if f != nil {
		b.lone.Seen += f.Seen
	}
}

// sawOnce notes what was seen once and is proved by that. One cause is one finding: the one that was found first.
func (b *book) sawOnce(f *Finding) {
	b.mu.Lock()
	defer b.mu.Unlock()
	f.Once, f.Severity = true, Warning
	alike := 0
	for i, known := range b.lonely {
		if known.Kind != f.Kind {
			continue
		}
		if alike++; known.cause == f.cause {
			if f.Found < known.Found {
				b.lonely[i] = f
			}
			b.lonely[i].Seen = known.Seen + f.Seen
			return
		}
	}
	if alike < mostAlike {
		b.lonely = append(b.lonely, f)
	}
}

// echo notes that something invalid comes back when it is accepted.
func (b *book) echo(s suspect) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.echoes == nil {
		b.echoes = map[string]int{}
	}
	b.echoes[s.cause]++
	b.notes["something invalid is accepted, and comes back: "+s.cause]++
}

// mostEchoes is after how many echoes of one cause it is taken for one without a closer look.
const mostEchoes = 4

// mostAlike is how many findings of one kind and cause are told apart; an agent that breaks on everything would never be done with.
const mostAlike = 8

// explains tells whether what was seen, which is no crash, is what is known already: the conversation has everything that a known one
// needs.
func (b *book) explains(e evidence, all []marks) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if e.echo && b.echoes[e.cause] >= mostEchoes {
		return true
	}
	alike := 0
	for _, f := range b.findings {
		if !f.alike(e.suspect) {
			continue
		}
		if alike++; e.kind == Invalid && e.cause != noOne || holds(all, f.marks) {
			f.Seen++
			return true
		}
	}
	return alike >= mostAlike
}

// missing tells whether a finding is about an answer that never comes to a line with these marks.
func (b *book) missing(all []marks) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.ContainsFunc(b.findings, func(f *Finding) bool { return f.Kind == Missing && holds(all, f.marks) })
}

// alike tells whether a suspicion may have the same cause.
func (f *Finding) alike(s suspect) bool {
	return f.Kind == s.kind && (f.Kind != Invalid && f.Kind != Flood || f.cause == s.cause)
}

// add adds a finding, unless another one shows the same: then the simpler one of them stays, or the one that was found first.
func (b *book) add(f *Finding) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for i, known := range b.findings {
		less, more := holds(known.marks, f.marks), holds(f.marks, known.marks)
		if !known.alike(suspect{kind: f.Kind, cause: f.cause}) || !less && !more && !known.sameLine(f) {
			continue
		}
		seen, found := known.Seen+f.Seen, min(known.Found, f.Found)
		simpler := less && !more || less && f.Found < known.Found
		if f.Severity != known.Severity {
			simpler = f.Severity == Failure // which a message has brought about
		}
		if simpler {
			b.findings[i] = f
		}
		b.findings[i].Seen, b.findings[i].Found = seen, found
		return
	}
	b.findings = append(b.findings, f)
}

// into gives what is known in an order that does not depend on which agent was quicker.
func (b *book) into(res *Result) {
	b.mu.Lock()
	defer b.mu.Unlock()
	res.Scripts, res.Lines = b.scripts, b.lines
	all := slices.Clone(b.findings)
	if f := b.lone; f != nil && !slices.ContainsFunc(all, func(g *Finding) bool { return g.Kind == Crash && g.Severity == Failure }) {
		all = append(all, f) // otherwise it is probably that one
	}
	for _, f := range b.lonely {
		if !slices.ContainsFunc(b.findings, func(g *Finding) bool { return g.alike(suspect{kind: f.Kind, cause: f.cause}) }) {
			all = append(all, f)
		}
	}
	res.Findings, res.Notes, res.Unconfirmed = []Finding{}, counted(b.notes), counted(b.once)
	slices.SortStableFunc(all, func(x, y *Finding) int {
		return cmp.Or(cmp.Compare(x.Severity, y.Severity), cmp.Compare(x.Found, y.Found))
	})
	for i, f := range all {
		f.Number = i + 1
		res.Findings = append(res.Findings, *f)
	}
}

func counted(m map[string]int) []Note {
	notes := []Note{}
	for _, text := range slices.Sorted(maps.Keys(m)) {
		notes = append(notes, Note{text, m[text]})
	}
	return notes
}

// finding is what a script shows.
func (r *run) finding(e evidence, steps []Step, t trial) *Finding {
	f := &Finding{Kind: e.kind, cause: e.cause, sent: t.suspect.sent, Severity: t.suspect.severity, Why: t.suspect.why, Found: e.where + 1, Seen: 1, Frames: t.frames, marks: essence(r.marksOf(steps, 0))}
	f.Script = Script{Schema: scriptSchema, Protocol: r.Protocol, Note: f.Why, Steps: steps}
	if t.suspect.watch > leastWatch {
		f.Script.WatchMs = t.suspect.watch.Milliseconds()
	}
	f.Stderr = head(string(t.stderr[max(0, len(t.stderr)-mostStderr):]), mostStderr)
	return f
}

// write keeps the script and the conversation of each finding in the folder for them.
func (r *run) write(res *Result) error {
	if r.Keep == "" {
		return nil
	}
	for i := range res.Findings {
		f := &res.Findings[i]
		f.File = filepath.Join(r.Keep, fmt.Sprintf("fuzz-%d.json", f.Number))
		if err := os.WriteFile(f.File, f.Script.Encode(), 0o644); err != nil {
			return err
		}
		if r.Rerun != nil {
			f.Rerun = r.Rerun(f.File)
		}
		if r.Redact != nil {
			f.File, f.Rerun = r.Redact.Shown(f.File), r.Redact.Shown(f.Rerun)
		}
	}
	return nil
}
