package client

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
)

// An agent that exchanges its directory for a symlink, and back, all the time gets at nothing behind it.
func TestADirectoryThatIsExchangedLeadsNowhere(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("symlinks need a privilege there")
	}
	_, root := servedFiles(t)
	away := t.TempDir()
	put(t, filepath.Join(away, "secret"), "secret")
	session := filepath.Join(root, "session")
	if err := os.Mkdir(session, 0o700); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(session, "secret"), "ours")
	f := &files{}
	f.add(session)
	stop := make(chan struct{})
	var busy sync.WaitGroup
	busy.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
			}
			_ = os.Rename(session, session+".away")
			_ = os.Symlink(away, session)
			_ = os.Remove(session)
			_ = os.Rename(session+".away", session)
		}
	})
	served := 0
	for i := 0; i < 20_000 && (i < 2000 || served == 0); i++ {
		if got, failure := f.load(filepath.Join(session, "secret")); failure == nil {
			if served++; got != "ours" {
				t.Fatalf("%q was read from outside", got)
			}
		}
		_ = f.store(filepath.Join(session, "written"), "x")
		_, _ = WriteFile(session, "written", "x")
	}
	close(stop)
	busy.Wait()
	if served == 0 {
		t.Error("nothing was ever served, so nothing is shown")
	}
	if _, err := os.Lstat(filepath.Join(away, "written")); err == nil {
		t.Error("something was written outside")
	}
}

// A path is looked into without much work however long it is.
func TestLongPathsCostLittle(t *testing.T) {
	f, root := servedFiles(t)
	_, failure := f.load(root + strings.Repeat("/x", 2_000_000))
	wantCode(t, failure, CodeInvalidParams, "this client serves paths of at most 4096")
	_, failure = f.load(root + strings.Repeat("/x", depthLimit))
	wantCode(t, failure, CodeInvalidParams, "has more than 256 names")
	deep := root + strings.Repeat("/d", depthLimit/2)
	if err := os.MkdirAll(deep, 0o700); err != nil {
		t.Fatal(err)
	}
	_, failure = f.load(deep + strings.Repeat("/x", depthLimit/3))
	wantCode(t, failure, CodeNotFound, "there is no file")
	if failure := f.store(deep+"/x/y/z", "text"); failure != nil {
		t.Error(failure)
	}
	if got, failure := f.load(filepath.Join(deep, "x", "y", "z")); failure != nil || got != "text" {
		t.Errorf("%q, %v", got, failure)
	}
}
