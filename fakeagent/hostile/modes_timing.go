package hostile

import (
	"strings"
	"time"

	"github.com/acp-conform/acp-conform/fakeagent"
)

// timingModes are about when something comes.
func timingModes() []Mode {
	return []Mode{
		{"silent", "reads everything and says nothing", func(s *stage) error { s.linger(); return nil }},
		{"half-frame", "writes half of its answer to initialize, and is silent then", correct(saying(func(s *stage, m *fakeagent.Message, line []byte) [][]byte {
			return [][]byte{line[:half(isAnswer(m, "initialize"), line)]}
		}), afterInitialize(silence))},
		{"half-frame-in-turn", "writes half of a message into a turn, and is silent then", correct(inTurn(func(s *stage) {
			text := s.chunk("half of this is never seen")
			s.say(text[:len(text)/2])
			silence(s)
		}))},
		{"byte-per-second", "writes one byte a second", correct(saying(func(s *stage, _ *fakeagent.Message, line []byte) [][]byte {
			for i := range line {
				if _, err := s.stdout.Write(line[i : i+1]); err != nil || !s.wait(time.Second) {
					return nil
				}
			}
			return nil
		}))},
		{"never-reads", "never reads its input and says nothing", func(s *stage) error { s.stay(); return nil }},
		{"stops-reading", "reads nothing any more after its answer to initialize", correct(afterInitialize((*stage).stay))},
		{"stops-reading-in-turn", "reads nothing any more once a turn has begun", correct(inTurn((*stage).stay))},
		{"writes-first", "writes a mebibyte of notifications before it reads each line", correct(func(s *stage, _ *fakeagent.Behaviour) {
			s.hear = func(message) bool {
				text := note("_hostile/first", map[string]any{"text": strings.Repeat("x", 8<<10)})
				s.repeat(s, text, s.many(128))
				return true
			}
		})},
		{"falls-silent", "answers one prompt, and nothing any more after that", correct(saying(func(s *stage, m *fakeagent.Message, line []byte) [][]byte {
			if s.fallen {
				return nil
			}
			s.fallen = isAnswer(m, "session/prompt")
			return [][]byte{line}
		}))},
		{"silent-turn", "answers no prompt, not even one that is cancelled", correct(func(s *stage, _ *fakeagent.Behaviour) {
			s.hear = func(m message) bool { return m.Method != "session/prompt" && m.Method != "session/cancel" }
		})},
	}
}

// half is the length of half a line, or of all of it.
func half(cut bool, line []byte) int {
	if cut {
		return len(line) / 2
	}
	return len(line)
}

// silence reads on and says nothing any more, until the input ends.
func silence(s *stage) {
	s.linger()
	s.exit(0)
}

// wait waits for a time; false if ctx ended before.
func (s *stage) wait(d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-s.ctx.Done():
		return false
	}
}
