package engine

import (
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
		o.Keep = t
	}
	if e, ok := open(base + ".stderr"); ok {
		tap.Copy = e
	}
}
