package hostile

import (
	"os"

	"github.com/acp-conform/acp-conform/fakeagent"
)

// exitModes end, in each way and at each moment, or do not end.
func exitModes() []Mode {
	ways := []struct {
		name, says string
		end        func(*stage)
	}{
		{"exits-0", "exits with status 0", func(s *stage) { s.exit(0) }},
		{"exits-1", "exits with status 1", func(s *stage) { s.exit(1) }},
		{"killed", "is ended by a signal", func(*stage) { killSelf() }},
	}
	moments := []struct {
		name, says string
		play       func(end func(*stage)) func(*stage) error
	}{
		{"at-start", "before it reads anything", func(end func(*stage)) func(*stage) error { return correct(atStart(end)) }},
		{"in-frame", "in the middle of its answer to initialize", func(end func(*stage)) func(*stage) error { return correct(inFrame(end)) }},
		{"after-initialize", "behind its answer to initialize", func(end func(*stage)) func(*stage) error { return correct(afterInitialize(end)) }},
		{"in-turn", "in a turn", func(end func(*stage)) func(*stage) error {
			return correct(inTurn(func(s *stage) {
				s.say(s.chunk("about to"))
				end(s)
			}))
		}},
		{"at-end", "when its input has ended", func(end func(*stage)) func(*stage) error { return correct(atEnd(end)) }},
	}
	var all []Mode
	for _, m := range moments {
		for _, w := range ways {
			all = append(all, Mode{w.name + "-" + m.name, w.says + " " + m.says, m.play(w.end)})
		}
	}
	return append(all,
		Mode{"ignores-eof", "does not end when its input ends", correct(atEnd((*stage).stay))},
		Mode{"ignores-sigterm", "ends neither when its input ends nor by SIGTERM", correct(atEnd(func(*stage) { stayForEver() }),
			func(*stage, *fakeagent.Behaviour) { ignoreSignals() })},
		Mode{"stops-itself", "stops itself in a turn, as Ctrl-Z does", correct(inTurn(func(s *stage) {
			s.need(stopSelf())
			stayForEver()
		}))},
	)
}

// inFrame does something in the middle of the answer to initialize.
func inFrame(do func(*stage)) change {
	return saying(func(s *stage, m *fakeagent.Message, line []byte) [][]byte {
		if isAnswer(m, "initialize") {
			_, _ = s.Write(line[:len(line)/2])
			do(s)
		}
		return [][]byte{line}
	})
}

// killSelf ends this process by SIGKILL and does not return.
func killSelf() {
	if p, err := os.FindProcess(os.Getpid()); err == nil {
		_ = p.Kill()
	}
	stayForEver()
}
