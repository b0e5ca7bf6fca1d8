package hostile

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
)

// readModes ask for files that they must not get.
func readModes() []Mode {
	reads := func(path func(*stage) string) func(*stage) error {
		return correct(inTurn(func(s *stage) { s.mustNotRead(path(s)) }))
	}
	fixed := func(path string) func(*stage) string { return func(*stage) string { return path } }
	return []Mode{
		{"reads-shadow", "asks for /etc/shadow", reads(fixed("/etc/shadow"))},
		{"reads-device", "asks for /dev/zero", reads(fixed("/dev/zero"))},
		{"reads-environment", "asks for the environment of the client, by way of /proc", reads(func(*stage) string {
			return "/proc/" + itoa(os.Getppid()) + "/environ"
		})},
		{"reads-dotdot", "asks for /etc/passwd by way of the session's directory", reads(func(s *stage) string {
			return s.cwd + strings.Repeat("/..", 1+strings.Count(s.cwd, "/")) + "/etc/passwd"
		})},
		{"reads-symlink", "asks for a symlink in the session's directory that leads to /etc/passwd", reads(func(s *stage) string {
			return s.link("innocent.txt", "/etc/passwd")
		})},
		{"reads-through-symlink", "asks for a file below a symlink in the session's directory that leads to /etc", reads(func(s *stage) string {
			return filepath.Join(s.link("innocent", "/etc"), "passwd")
		})},
		{"reads-fifo", "asks for a FIFO in the session's directory that nobody writes to", reads(func(s *stage) string {
			path := filepath.Join(s.cwd, "fifo")
			s.need(makeFIFO(path))
			return path
		})},
		{"reads-directory", "asks for the session's directory as a file", reads(func(s *stage) string { return s.cwd })},
		{"reads-sparse", "asks for a file of 10 GB that takes no room on disk", reads(func(s *stage) string {
			path := filepath.Join(s.cwd, "sparse")
			s.need(os.WriteFile(path, nil, 0o600))
			s.need(os.Truncate(path, 10_000_000_000))
			return path
		})},
		{"swaps-symlink", "asks for a file a thousand times while it becomes a symlink to /etc/passwd and a file again", correct(inTurn((*stage).swap))},
		{"reads-long-path", "asks for files, and for a command in a directory, whose paths have two million names", correct(inTurn(func(s *stage) {
			path := s.cwd + strings.Repeat("/x", 2_000_000) // at any scale: a shorter one takes no time whatever is done with it
			s.mustNotRead(path)
			s.mustNotWrite(path, "x")
			s.ask("terminal/create", map[string]any{"sessionId": s.session, "command": "true", "cwd": path})
		}))},
		{"reads-nonsense", "asks for paths that are empty, relative, a mebibyte long or hold a NUL, and with lines that no file has", correct(inTurn(func(s *stage) {
			for _, p := range []string{"", "relative.txt", "/" + strings.Repeat("x", s.many(mebibyte)), "/a\x00b", "file:///etc/passwd", "~/.ssh/id_rsa"} {
				s.mustNotRead(p)
			}
			for _, n := range []any{-1, 0, 1 << 40, json.RawMessage(hugeNumber), "1"} {
				s.ask("fs/read_text_file", map[string]any{"sessionId": s.session, "path": filepath.Join(s.cwd, "none"), "line": n, "limit": n})
			}
		}))},
	}
}

// mustNotRead asks for a file, and says so if it comes.
func (s *stage) mustNotRead(path string) {
	m := s.ask("fs/read_text_file", map[string]any{"sessionId": s.session, "path": path})
	var got struct{ Content string }
	if json.Unmarshal(m.Result, &got) == nil && m.Error == nil {
		s.gaveIn("it let " + path + " be read")
	}
}

// link makes a symlink in the session's directory.
func (s *stage) link(name, target string) string {
	path := filepath.Join(s.cwd, name)
	s.need(os.Symlink(target, path))
	return path
}

// swap has a file change under the client's hands.
func (s *stage) swap() {
	path, other := filepath.Join(s.cwd, "f.txt"), filepath.Join(s.cwd, "other")
	s.need(os.WriteFile(path, []byte("innocent"), 0o600))
	defer meanwhile(func() {
		_ = os.Symlink("/etc/passwd", other)
		_ = os.Rename(other, path)
		_ = os.WriteFile(other, []byte("innocent"), 0o600)
		_ = os.Rename(other, path)
	})()
	for range 1000 { // at any scale: a few times meet no moment in which a client can be led astray
		m := s.ask("fs/read_text_file", map[string]any{"sessionId": s.session, "path": path})
		if strings.Contains(string(m.Result), "root:") {
			s.gaveIn("it let /etc/passwd be read while a file was exchanged")
		}
	}
}

// swapDirectory has the session's directory change under the client's hands. What is written outside is found there.
func (s *stage) swapDirectory() {
	home, away := s.home(), s.cwd+".away"
	defer meanwhile(func() {
		_ = os.Rename(s.cwd, away)
		_ = os.Symlink(home, s.cwd)
		_ = os.Remove(s.cwd)
		_ = os.Rename(away, s.cwd)
	})()
	for range 1000 { // at any scale as well
		s.ask("fs/write_text_file", map[string]any{"sessionId": s.session, "path": filepath.Join(s.cwd, "hostile.txt"), "content": "x"})
	}
}

// meanwhile does something again and again until what it returns is called.
func meanwhile(do func()) (end func()) {
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-stop:
				return
			default:
				do()
			}
		}
	}()
	return func() { close(stop); <-stopped }
}

// writeModes ask for files to be written where they must not be.
func writeModes() []Mode {
	writes := func(path func(*stage) string) func(*stage) error {
		return correct(inTurn(func(s *stage) { s.mustNotWrite(path(s), "a hostile agent was here\n") }))
	}
	return []Mode{
		{"writes-outside", "asks for a file in the directory in which it was started", writes(func(s *stage) string {
			return filepath.Join(s.home(), "hostile.txt")
		})},
		{"writes-dotdot", "asks for a file in the directory in which it was started, by way of the session's directory", writes(func(s *stage) string {
			return s.cwd + strings.Repeat("/..", 1+strings.Count(s.cwd, "/")) + filepath.Join(s.home(), "hostile.txt")
		})},
		{"writes-through-symlink", "asks for a file below a symlink in the session's directory that leads to where it was started", writes(func(s *stage) string {
			return filepath.Join(s.link("innocent", s.home()), "new", "hostile.txt")
		})},
		{"writes-symlink", "asks for a symlink to be written that leads to no file yet, where it was started", writes(func(s *stage) string {
			return s.link("innocent.txt", filepath.Join(s.home(), "hostile.txt"))
		})},
		{"writes-device", "asks for /dev/full to be written", writes(func(*stage) string { return "/dev/full" })},
		{"writes-fifo", "asks for a FIFO to be written that nobody reads", writes(func(s *stage) string {
			path := filepath.Join(s.cwd, "fifo")
			s.need(makeFIFO(path))
			return path
		})},
		{"swaps-directory", "asks for a file to be written a thousand times while the session's directory becomes a symlink to where it was started and a directory again",
			correct(inTurn((*stage).swapDirectory))},
		{"writes-giant", "asks for a file of 64 MiB to be written", correct(inTurn(func(s *stage) {
			s.post("fs/write_text_file", map[string]any{"sessionId": s.session, "path": filepath.Join(s.cwd, "giant.txt"), "content": strings.Repeat("x", s.many(64*mebibyte))})
		}))},
		{"writes-many", "asks for ten thousand files to be written", correct(inTurn(func(s *stage) {
			for i := range s.many(10_000) {
				s.ask("fs/write_text_file", map[string]any{"sessionId": s.session, "path": filepath.Join(s.cwd, "d"+itoa(i), "f.txt"), "content": "x"})
			}
		}))},
	}
}

// mustNotWrite asks for a file to be written, and says so if it is.
func (s *stage) mustNotWrite(path, content string) {
	m := s.ask("fs/write_text_file", map[string]any{"sessionId": s.session, "path": path, "content": content})
	if m.Error == nil {
		s.gaveIn("it wrote " + path)
	}
}

// home is the directory in which the agent was started.
func (s *stage) home() string {
	dir, err := os.Getwd()
	s.need(err)
	return dir
}
