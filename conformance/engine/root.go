package engine

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// restore makes the directory of the run, and the HOME in it, again if somebody has removed them: one agent that cleans up too much must
// not keep every other rule from being judged. When all agents have been ended it is gone for good, and by our own doing.
func (r *run) restore() {
	if _, err := os.Lstat(r.root); !errors.Is(err, fs.ErrNotExist) || r.live.finished() {
		return
	}
	if os.Mkdir(r.root, 0o700) != nil { // somebody else was faster, or it cannot be had: whoever needs it says so
		return
	}
	r.lost.Store(true)
	if r.ownHome() {
		_ = os.Mkdir(r.Home, 0o700)
	}
}

// losses are hints about what became of the directory of the run.
func (r *run) losses() []string {
	if !r.lost.Load() {
		return nil
	}
	return []string{fmt.Sprintf("the directory of the run, %s, was removed while it was in use, and made again: an agent should remove nothing but what it has made, and rules that lost their files are not observed",
		filepath.Base(r.root))}
}
