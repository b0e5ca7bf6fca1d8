package wire

import (
	"bytes"
	"io"
	"sync"
)

// StderrTap splits an agent's stderr into lines and puts them into a transcript. It exists before the transcript does, since
// an agent may write to stderr as soon as it is started; what comes before Bind is kept for it.
type StderrTap struct {
	Copy  io.Writer // receives the raw bytes as well; nil = none
	Limit int64     // how many bytes are written down; 0 = all
	// Crossed is called, once, when there are more; nil = nobody is told.
	Crossed func(*Crossed)

	mu   sync.Mutex
	t    *Transcript
	rest []byte
	n    int64 // bytes so far
}

const maxStderrLine = 64 << 10

func (s *StderrTap) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	whole := len(b)
	b = b[:s.room(whole)]
	if s.Copy != nil {
		_, _ = s.Copy.Write(b)
	}
	s.rest = append(s.rest, b...)
	s.flush()
	return whole, nil
}

// room is how many of n more bytes are written down. Whoever crosses the limit is told of before the transcript is bound, too: then
// by Bind.
func (s *StderrTap) room(n int) int {
	before := s.n
	s.n += int64(n)
	if s.Limit == 0 || s.n <= s.Limit {
		return n
	}
	if before <= s.Limit {
		s.tell()
	}
	return int(max(0, s.Limit-before))
}

func (s *StderrTap) tell() {
	if s.t != nil && s.Crossed != nil {
		s.Crossed(&Crossed{LimitStderr, "wrote more than " + size(s.Limit) + " to stderr"})
	}
}

// Bind gives the tap its transcript.
func (s *StderrTap) Bind(t *Transcript) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.t = t
	s.flush()
	if s.Limit > 0 && s.n > s.Limit {
		s.tell()
	}
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
