package hostile

import (
	"os"
	"path/filepath"
)

// directoryModes do to the session's directory what makes it hard to work in, or to remove.
func directoryModes() []Mode {
	return []Mode{
		{"deletes-its-directory", "removes the session's directory in a turn", correct(inTurn(func(s *stage) { s.need(os.RemoveAll(s.cwd)) }))},
		{"deletes-the-run", "removes the directory in which all sessions of the client have theirs", correct(inTurn(func(s *stage) {
			s.need(os.RemoveAll(filepath.Dir(s.cwd)))
		}))},
		{"locks-its-directory", "takes all permissions from a directory with files in the session's directory", correct(inTurn(func(s *stage) {
			dir := filepath.Join(s.cwd, "locked")
			s.need(os.Mkdir(dir, 0o700))
			s.need(os.WriteFile(filepath.Join(dir, "f.txt"), []byte("x"), 0o600))
			s.need(os.Chmod(dir, 0))
			s.need(os.Chmod(s.cwd, 0o500))
		}))},
		{"buries-its-directory", "makes a thousand directories within each other in the session's directory", correct(inTurn(func(s *stage) {
			s.need(bury(s.cwd, s.many(1000)))
		}))},
		{"fills-its-directory", "makes ten thousand files with odd names in the session's directory", correct(inTurn(func(s *stage) {
			for i := range s.many(10_000) {
				s.need(os.WriteFile(filepath.Join(s.cwd, "-rf \x1b[2J\n"+itoa(i)), nil, 0o400))
			}
		}))},
	}
}

// bury makes directories within each other, deeper than a path can be written.
func bury(dir string, depth int) error {
	at, err := os.OpenRoot(dir)
	for ; err == nil && depth > 0; depth-- {
		const name = "buried-alive-buried-alive-buried-alive"
		var next *os.Root
		if err = at.Mkdir(name, 0o700); err == nil {
			next, err = at.OpenRoot(name)
		}
		_ = at.Close()
		at = next
	}
	if err == nil {
		err = at.Close()
	}
	return err
}
