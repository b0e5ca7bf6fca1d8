package hostile

import (
	"os"
	"strings"

	"github.com/acp-conform/acp-conform/fakeagent"
)

// streamModes are about stdin, stdout and stderr as such.
func streamModes() []Mode {
	shut := func(files ...func(*stage) *os.File) func(*stage) {
		return func(s *stage) {
			for _, f := range files {
				_ = f(s).Close()
			}
			s.stay()
		}
	}
	in := func(s *stage) *os.File { return s.stdin }
	out := func(s *stage) *os.File { return s.stdout }
	return []Mode{
		{"closes-stdout-at-start", "closes stdout before it reads anything, and lives on", func(s *stage) error { shut(out)(s); return nil }},
		{"closes-stdout", "closes stdout behind the answer to initialize, and lives on", correct(afterInitialize(shut(out)))},
		{"closes-stdout-in-turn", "closes stdout in a turn, and lives on", correct(inTurn(func(s *stage) {
			s.say(s.chunk("about to"))
			shut(out)(s)
		}))},
		{"closes-stdin", "closes stdin behind the answer to initialize, and lives on", correct(afterInitialize(shut(in)))},
		{"closes-stdin-in-turn", "closes stdin in a turn, and lives on", correct(inTurn(shut(in)))},
		{"closes-everything", "closes stdin, stdout and stderr behind the answer to initialize, and lives on", correct(afterInitialize(
			shut(in, out, func(*stage) *os.File { return os.Stderr })))},
		{"stderr-flood", "writes a gigabyte of lines to stderr before it reads anything", correct(atStart(func(s *stage) {
			s.repeat(s.stderr, "hostile: something happened that nobody wants to know about\n", s.many(gibibyte/60))
		}))},
		{"stderr-line", "writes a gigabyte without a line end to stderr before it reads anything", correct(atStart(func(s *stage) {
			s.repeat(s.stderr, "x", s.many(gibibyte))
		}))},
		{"stderr-chatter", "writes 100 MiB of lines to stderr in a turn", correct(inTurn(func(s *stage) {
			s.repeat(s.stderr, "hostile: "+strings.Repeat("chatter ", 12)+"\n", s.many(mebibyte))
		}))},
		{"stderr-binary", "writes bytes that are no text, and control codes, to stderr", correct(atStart(func(s *stage) {
			s.repeat(s.stderr, "\xff\xfe\x00\x1b[2J\x1b]0;hostile\x07\r\n", s.many(10_000))
		}))},
		{"stderr-in-place-of-stdout", "speaks the protocol on stderr and says nothing on stdout", correct(saying(
			func(s *stage, _ *fakeagent.Message, line []byte) [][]byte {
				_, _ = s.stderr.Write(line)
				return nil
			}))},
	}
}
