package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/acp-conform/acp-conform/conformance/result"
	"github.com/acp-conform/acp-conform/reports"
)

// sink is a report with the place that it goes to.
type sink struct {
	format  string
	write   func(io.Writer, result.Run) error
	path    string   // "" = stdout
	file    *os.File // open from before the agent is started, so that no report is lost for want of a place
	created bool     // the file was not there before
	behind  bool     // it is written behind what is there
	live    bool     // it grows while the run goes on
	mu      sync.Mutex
	begun   bool  // something has been written to it; guarded by mu
	whole   int64 // how many bytes of it are whole lines; guarded by mu
	lost    error // why events are missing; guarded by mu
}

// event writes a line of a report that grows.
func (s *sink) event(stdout io.Writer, l reports.Live) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.path == "":
		_ = guarded(func() error { return reports.JSONLive(stdout, l) })
		return
	case s.file == nil: // the report is complete
		return
	}
	if !s.begun {
		_ = s.file.Truncate(0)
	}
	s.begun = true
	if err := guarded(func() error { return reports.JSONLive(s.file, l) }); err != nil {
		s.lost = cmp.Or(s.lost, err)
		s.cut()
		return
	}
	s.whole, _ = s.file.Seek(0, io.SeekCurrent)
}

// cut takes away a line of which only the beginning found room: whoever reads the report meanwhile meets whole lines only. In a pipe that
// cannot be done.
func (s *sink) cut() {
	if s.file.Truncate(s.whole) == nil {
		_, _ = s.file.Seek(s.whole, io.SeekStart)
	}
}

// stepSummary is the variable that names the file of GitHub's summary of a step, which takes Markdown.
const stepSummary = "GITHUB_STEP_SUMMARY"

// sinks says which reports the run writes. At most one goes to stdout: text, unless another format names no file.
func (p *program) sinks(o *options) ([]*sink, error) {
	var all []*sink
	var toStdout *sink
	for _, arg := range o.reports {
		name, path, named := strings.Cut(arg, "=")
		f, err := reports.Lookup(name)
		if err != nil {
			return nil, fmt.Errorf("--report %s: %w%s", arg, err, didYouMean(name, reports.Names()))
		}
		if named && path == "" {
			return nil, fmt.Errorf("--report %s: no file is named; write --report %s=FILE", arg, name)
		}
		s := &sink{format: name, write: f.Write, path: path, live: name == "jsonl"}
		switch {
		case name == "text":
			s.write = p.text(o, s)
		case name == "badge" && strings.EqualFold(filepath.Ext(path), ".svg"):
			s.write = reports.BadgeSVG
		case name == "github" && p.env(stepSummary) != "":
			all = append(all, &sink{format: "markdown", write: reports.Markdown, path: p.env(stepSummary), behind: true})
		}
		if path == "" {
			if toStdout != nil {
				return nil, fmt.Errorf("the reports %s and %s would both go to stdout; name a file for one of them: --report %s=FILE", toStdout.format, name, name)
			}
			toStdout = s
		}
		all = append(all, s)
	}
	if toStdout == nil {
		s := &sink{format: "text"}
		s.write = p.text(o, s)
		all = append(all, s)
	}
	if o.quiet {
		all = withoutText(all)
	}
	if p.amend != nil {
		p.amend(all)
	}
	return all, nil
}

func withoutText(all []*sink) []*sink {
	var kept []*sink
	for _, s := range all {
		if s.path != "" || s.format != "text" {
			kept = append(kept, s)
		}
	}
	return kept
}

// text writes the text report as the options and the place of the sink want it.
func (p *program) text(o *options, s *sink) func(io.Writer, result.Run) error {
	return func(w io.Writer, r result.Run) error {
		colour := s.path == "" && !o.noColor && p.env("NO_COLOR") == "" && p.terminal(p.stdout)
		return reports.Text(w, r, reports.TextOptions{Color: colour, Verbose: o.verbose})
	}
}

// open opens the files, of which none may be an input of the run. What is in them stays until the new report is complete.
func (p *program) open(all []*sink, inputs []input) error {
	for i, s := range all {
		if s.path == "" {
			continue
		}
		info, err := os.Stat(s.path)
		s.created = errors.Is(err, fs.ErrNotExist)
		s.file, err = os.OpenFile(s.path, s.mode(info), 0o644)
		if err != nil && piped(info) {
			return fmt.Errorf("the report %s cannot be written: this is a named pipe that nobody reads; start its reader first, or name a regular file", s.path)
		}
		if err != nil {
			s.created = false
			return fmt.Errorf("the report %s cannot be written: %w; name a file in a folder that exists and that you may write to", s.path, cause(err))
		}
		if err := cmp.Or(s.apart(inputs), s.beside(p.streams(all))); err != nil {
			return err
		}
		for _, before := range all[:i] {
			if before.file != nil && sameFile(before.file, s.file) {
				return fmt.Errorf("two reports would go to %s; name a file for each", s.path)
			}
		}
	}
	return nil
}

// apart refuses a report in the place of a file that the run reads, or keeps.
func (s *sink) apart(inputs []input) error {
	info, err := s.file.Stat()
	if err != nil {
		return nil
	}
	if in, same := inputAt(inputs, info); same {
		return fmt.Errorf("a report would go to %s, which is the file that %s names; name a file for each", s.path, in.by)
	}
	return nil
}

// stream is where the program writes to by itself.
type stream struct {
	name string
	to   io.Writer
}

func (p *program) streams(all []*sink) []stream {
	streams := []stream{{"stderr", p.stderr}}
	if slices.ContainsFunc(all, func(s *sink) bool { return s.path == "" }) {
		streams = append(streams, stream{"stdout", p.stdout})
	}
	return streams
}

// beside refuses a report in a file that a stream of ours goes to: each would be written over the other. What is added behind is not.
func (s *sink) beside(streams []stream) error {
	for _, st := range streams {
		if f, ok := st.to.(*os.File); ok && !s.behind && sameFile(f, s.file) {
			return fmt.Errorf("a report would go to %s, where %s goes as well; name another file", s.path, st.name)
		}
	}
	return nil
}

// mode is how the file is opened; info is what is there, nil = nothing. A pipe that nobody reads would be waited for.
func (s *sink) mode(info fs.FileInfo) int {
	mode := os.O_WRONLY | os.O_CREATE
	if s.behind {
		mode |= os.O_APPEND
	}
	if piped(info) {
		mode |= withoutWaiting
	}
	return mode
}

func piped(info fs.FileInfo) bool { return info != nil && info.Mode()&fs.ModeNamedPipe != 0 }

func sameFile(a, b *os.File) bool {
	ia, errA := a.Stat()
	ib, errB := b.Stat()
	return errA == nil && errB == nil && ia.Mode().IsRegular() && os.SameFile(ia, ib)
}

// discard closes what is still open and removes the files that would stay empty.
func discard(all []*sink) {
	for _, s := range all {
		s.mu.Lock()
		file, empty := s.file, s.created && !s.begun
		s.file = nil
		s.mu.Unlock()
		if file == nil {
			continue
		}
		_ = file.Close()
		if empty {
			_ = os.Remove(s.path)
		}
	}
}

// keepDir makes the folder of --keep and tries whether files can be made in it.
func keepDir(dir string) error {
	if dir == "" {
		return nil
	}
	err := os.MkdirAll(dir, 0o755)
	if err == nil {
		var f *os.File
		if f, err = os.CreateTemp(dir, "try-"); err == nil {
			return errors.Join(f.Close(), os.Remove(f.Name()))
		}
	}
	return fmt.Errorf("--keep %s: %w; name a folder that you may write to", dir, cause(err))
}

// cause drops the operation and the path, which the message around it names already.
func cause(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	var le *os.LinkError
	if errors.As(err, &le) {
		return le.Err
	}
	return err
}
