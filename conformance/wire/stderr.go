package wire

import (
	"bytes"
	"io"
	"sync"
)

// StderrTap splits an agent's stderr into lines and puts them into a transcript. It exists before the transcript does, since
// an agent may write to stderr as soon as it is started; what comes before Bind is kept for it.
type StderrTap struct {
	Copy io.Writer // receives the raw bytes as well; nil = none

	mu   sync.Mutex
	t    *Transcript
	rest []byte
}

const maxStderrLine = 64 << 10

func (s *StderrTap) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.Copy != nil {
		_, _ = s.Copy.Write(b)
	}
	s.rest = append(s.rest, b...)
	s.flush()
	return len(b), nil
}

// Bind gives the tap its transcript.
func (s *StderrTap) Bind(t *Transcript) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.t = t
	s.flush()
}

func (s *StderrTap) flush() {
	for s.t != nil {
		i := bytes.IndexByte(s.rest, '\n')
		switch {
		case i >= 0:
			s.t.Add(Frame{From: AgentStderr, Line: bytes.Clone(s.rest[:i])})
			s.rest = s.rest[i+1:]
		case len(s.rest) > maxStderrLine:
			s.t.Add(Frame{From: AgentStderr, Line: s.rest, Unended: true})
			s.rest = nil
		default:
			return
		}
	}
	if over := len(s.rest) - maxStderrLine; over > 0 {
		s.rest = s.rest[over:]
	}
}
