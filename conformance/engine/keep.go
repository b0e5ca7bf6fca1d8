package engine

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/acp-conform/acp-conform/conformance/client"
	"github.com/acp-conform/acp-conform/conformance/wire"
)

// kept is what became of the files of --keep. That one cannot be written, because the disk is full or the folder has gone, changes no
// verdict: it is told at the end.
type kept struct {
	mu      sync.Mutex
	problem error // the first
}

func (k *kept) lacks(err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.problem == nil {
		k.problem = err
	}
}

// lack says why the files lack something, "" if they do not.
func (k *kept) lack() string {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.problem == nil {
		return ""
	}
	return k.problem.Error()
}

// keptFile is a file of --keep.
type keptFile struct {
	*os.File
	kept *kept
}

func (f keptFile) Write(b []byte) (int, error) {
	n, err := f.File.Write(b)
	if err != nil {
		f.kept.lacks(err)
	}
	return n, err
}

func (f keptFile) end() {
	if err := f.Close(); err != nil {
		f.kept.lacks(err)
	}
}

// cleaned changes what is written to a file line by line: a secret may come in two pieces.
type cleaned struct {
	mu     sync.Mutex
	to     keptFile
	change func([]byte) []byte
	rest   []byte
}

// longestRest is how many bytes of a line without an end are held back.
const longestRest = 64 << 10

func (c *cleaned) Write(b []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.rest = append(c.rest, b...)
	end := bytes.LastIndexByte(c.rest, '\n') + 1
	if len(c.rest)-end > longestRest {
		end = len(c.rest)
	}
	if end > 0 {
		_, _ = c.to.Write(c.change(c.rest[:end]))
		c.rest = append([]byte(nil), c.rest[end:]...)
	}
	return len(b), nil
}

// end writes what is left.
func (c *cleaned) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.rest) > 0 {
		_, _ = c.to.Write(c.change(c.rest))
		c.rest = nil
	}
}

// keep opens the files of --keep for a connection, as far as that is possible.
func (s *stage) keep(n int, o *client.Options, tap *wire.StderrTap) {
	base := filepath.Join(s.r.Keep, fmt.Sprintf("%s-%d", s.name, n))
	open := func(name string) (keptFile, bool) {
		file, err := os.Create(name)
		if err != nil {
			s.r.kept.lacks(err)
			return keptFile{}, false
		}
		f := keptFile{file, &s.r.kept}
		s.closers = append(s.closers, f.end)
		return f, true
	}
	if t, ok := open(base + ".jsonl"); ok {
		o.Keep, o.Redact = t, s.r.Redact
	}
	if e, ok := open(base + ".stderr"); ok {
		tap.Copy = e
		if s.r.Redact != nil {
			clean := &cleaned{to: e, change: s.r.Redact()}
			s.closers = append([]func(){clean.end}, s.closers...)
			tap.Copy = clean
		}
	}
}
