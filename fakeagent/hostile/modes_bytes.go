package hostile

import (
	"math/rand/v2"
	"strings"

	"github.com/acp-conform/acp-conform/fakeagent"
)

const (
	mebibyte = 1 << 20
	gibibyte = 1 << 30
)

// byteModes are about how much comes, and how it is cut into lines.
func byteModes() []Mode {
	return []Mode{
		{"gigabyte-line", "prints a gigabyte without a line end before it reads anything, and is silent then", func(s *stage) error {
			s.repeat(s, "x", s.many(gibibyte))
			s.linger()
			return nil
		}},
		{"gigabyte-line-in-turn", "prints a gigabyte without a line end in a turn, and is silent then", correct(inTurn(func(s *stage) {
			s.repeat(s, "x", s.many(gibibyte))
			s.linger()
			s.exit(0)
		}))},
		{"gigabyte-message", "says a gigabyte in one message of a turn", correct(inTurn(func(s *stage) { s.longMessage(gibibyte) }))},
		{"long-line", "says 64 MiB in one message of a turn", correct(inTurn(func(s *stage) { s.longMessage(64 * mebibyte) }))},
		{"tiny-lines", "writes ten million empty objects into a turn, a line each", correct(inTurn(func(s *stage) {
			s.repeat(s, "{}\n", s.many(10_000_000))
		}))},
		{"blank-lines", "writes ten million empty lines behind the answer to initialize", correct(afterInitialize(func(s *stage) {
			s.repeat(s, "\n", s.many(10_000_000))
		}))},
		{"yes", "prints lines of a single letter for ever and reads nothing", func(s *stage) error {
			for s.ctx.Err() == nil {
				if _, err := s.Write([]byte(strings.Repeat("y\n", 32<<10))); err != nil {
					return err
				}
			}
			return nil
		}},
		{"noise", "prints random bytes, a gigabyte of them, in place of every answer", correct(saying(func(s *stage, m *fakeagent.Message, line []byte) [][]byte {
			if isAnswer(m, "") {
				s.noise(s.many(gibibyte))
				return nil
			}
			return [][]byte{line}
		}))},
		{"deep-message", "says something with a _meta that is nested 100,000 levels deep", correct(inTurn(func(s *stage) {
			const n = 100_000
			s.sayWithMeta(strings.Repeat("[", n) + strings.Repeat("]", n))
		}))},
		{"deep-object", "says something with a _meta of 100,000 objects within each other", correct(inTurn(func(s *stage) {
			const n = 100_000
			s.sayWithMeta(strings.Repeat(`{"a":`, n) + "1" + strings.Repeat("}", n))
		}))},
		{"deep-and-open", "writes a line of 100,000 brackets that open and never close", correct(inTurn(func(s *stage) {
			s.repeat(s, "[", 100_000)
			s.say("\n")
		}))},
		{"batch-bomb", "writes a batch of 100,000 notifications", correct(inTurn(func(s *stage) {
			s.say("[")
			s.repeat(s, `{"jsonrpc":"2.0","method":"_hostile/note","params":{}},`, s.many(100_000))
			s.say(`{"jsonrpc":"2.0","method":"_hostile/note","params":{}}]` + "\n")
		}))},
		{"many-members", "says something with a _meta of 500,000 members", correct(inTurn(func(s *stage) {
			s.sayWithMeta("{" + s.members(500_000) + "}")
		}))},
		{"extra-members", "writes a notification with 100,000 members of its own at the root", correct(inTurn(func(s *stage) {
			s.say(`{"jsonrpc":"2.0","method":"_hostile/note","params":{},` + s.members(100_000) + "}\n")
		}))},
		{"same-member", "writes a notification in which one member stands 100,000 times", correct(inTurn(func(s *stage) {
			s.say(`{"jsonrpc":"2.0","method":"_hostile/note",` + strings.Repeat(`"params":{},`, s.many(100_000)) + `"params":{}}` + "\n")
		}))},
	}
}

// longMessage says size bytes in one message, without holding them in memory.
func (s *stage) longMessage(size int) {
	before, after, _ := strings.Cut(s.chunk("TEXT"), "TEXT")
	s.say(before)
	s.repeat(s, "x", s.many(size))
	s.say(after)
}

// sayWithMeta says something with this JSON as _meta.
func (s *stage) sayWithMeta(meta string) {
	s.say(strings.Replace(s.chunk("listen"), `"params":{`, `"params":{"_meta":{"hostile":`+meta+"},", 1))
}

// members are so many members of an object.
func (s *stage) members(full int) string {
	var b strings.Builder
	for i := range s.many(full) {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(`"m` + itoa(i) + `":` + itoa(i))
	}
	return b.String()
}

// noise writes random bytes, the same each time, whose last one ends a line.
func (s *stage) noise(size int) {
	r := rand.NewChaCha8([32]byte{1})
	chunk := make([]byte, 64<<10)
	for size > 0 {
		n, _ := r.Read(chunk[:min(size, len(chunk))])
		if _, err := s.stdout.Write(chunk[:n]); err != nil {
			return
		}
		size -= n
	}
	_, _ = s.stdout.Write([]byte("\n"))
}
