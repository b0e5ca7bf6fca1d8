package hostile

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"

	"github.com/acp-conform/acp-conform/fakeagent"
)

// Mode is one way to be hostile.
type Mode struct {
	Name        string
	Description string // one sentence, at the scale 1
	run         func(*stage) error
}

// Statuses with which a mode ends to say how it went.
const (
	GaveIn = 66 // the client gave what it must not give
	Unable = 67 // what the mode does could not be prepared
)

// Options say how a mode is played. The zero value plays it in full and starts no processes.
type Options struct {
	// Scale is a factor on sizes and counts; 0 = 1. At least one of everything is left.
	Scale float64
	// Child is the command that runs Child, before its argument. Modes that need processes are unable without it.
	Child []string
}

// Modes lists all modes, those that are alike together.
func Modes() []Mode {
	return slices.Concat(byteModes(), numberModes(), textModes(), timingModes(), streamModes(), exitModes(), processModes(), answerModes(),
		claimModes(), askModes(), readModes(), writeModes(), directoryModes(), terminalModes(), sessionModes(), endlessModes())
}

// Serve plays a mode on the pipes of this process until it ends by itself, the input ends or ctx does. An unknown name is an error
// that suggests the nearest one. The error is a *fakeagent.ExitError where the mode ends with a status of its own; a mode may
// also end the process itself by a signal, and have it ignore signals.
func Serve(ctx context.Context, name string, o Options, stdin, stdout *os.File, stderr io.Writer) error {
	m, err := Lookup(name)
	if err != nil {
		return err
	}
	if o.Scale == 0 {
		o.Scale = 1
	}
	s := newStage(ctx, o, stdin, stdout, stderr)
	done := make(chan error, 1)
	go func() { done <- m.run(s) }()
	select {
	case err = <-done:
	case err = <-s.over:
	case <-ctx.Done():
		err = ctx.Err()
	}
	return err
}

// Lookup finds a mode. The error suggests the nearest name.
func Lookup(name string) (Mode, error) {
	all := Modes()
	if i := slices.IndexFunc(all, func(m Mode) bool { return m.Name == name }); i >= 0 {
		return all[i], nil
	}
	if name == "" {
		return Mode{}, errors.New("no hostile mode is named")
	}
	near := slices.MinFunc(all, func(a, b Mode) int { return distance(name, a.Name) - distance(name, b.Name) })
	if distance(name, near.Name) > max(2, len(name)/3) {
		return Mode{}, fmt.Errorf("unknown hostile mode %q", name)
	}
	return Mode{}, fmt.Errorf("unknown hostile mode %q; did you mean %q?", name, near.Name)
}

// distance tells how far a name is from what was typed, which may be the beginning of it.
func distance(typed, name string) int {
	typed = strings.ToLower(typed)
	begun := 1 + levenshtein.ComputeDistance(typed, name[:min(len(name), len(typed))])
	least := min(begun, levenshtein.ComputeDistance(typed, name))
	for word := range strings.SplitSeq(name, "-") {
		least = min(least, 1+levenshtein.ComputeDistance(typed, word))
	}
	return least
}

// correct plays the correct agent with changes.
func correct(changes ...change) func(*stage) error {
	return func(s *stage) error {
		a, err := fakeagent.New(fakeagent.Config{Salt: fmt.Sprint(os.Getpid()), Stderr: s.stderr})
		if err != nil {
			return err
		}
		for _, c := range changes {
			c(s, a.Behaviour)
		}
		return a.Serve(s.ctx, s, s)
	}
}

// change is what a mode does to the correct agent, or to the stage around it.
type change func(*stage, *fakeagent.Behaviour)

// atStart does something before the first byte is read.
func atStart(do func(*stage)) change {
	return func(s *stage, b *fakeagent.Behaviour) { b.Start = func(*fakeagent.Conn) { do(s) } }
}

// afterInitialize does something behind the answer to initialize.
func afterInitialize(do func(*stage)) change {
	return func(s *stage, b *fakeagent.Behaviour) { b.AfterInitialize = func(*fakeagent.Conn) { do(s) } }
}

// atEnd does something when the input has ended.
func atEnd(do func(*stage)) change {
	return func(s *stage, b *fakeagent.Behaviour) { b.EOF = func(*fakeagent.Conn) { do(s) } }
}

// inTurn does something once, when the first prompt has come and before it is looked at.
func inTurn(do func(*stage)) change {
	return func(s *stage, _ *fakeagent.Behaviour) {
		met := false
		s.hear = func(m message) bool {
			if m.Method == "session/prompt" && !met {
				met, s.session = true, m.Params.SessionID
				do(s)
			}
			return true
		}
	}
}

// saying changes messages on their way out: to the pieces that are written in place of the line, which ends with LF.
func saying(change func(s *stage, m *fakeagent.Message, line []byte) [][]byte) change {
	return func(s *stage, b *fakeagent.Behaviour) {
		before := b.Frame
		b.Frame = func(c *fakeagent.Conn, m *fakeagent.Message, line []byte) [][]byte {
			return change(s, m, slices.Concat(before(c, m, line)...))
		}
	}
}

// isAnswer tells whether a message answers a request of this method; "" = of any.
func isAnswer(m *fakeagent.Message, method string) bool {
	return m.Method == "" && (method == "" || m.Answers == method)
}

// answering changes the line of the answers to requests of this method, "" = of any.
func answering(method string, change func(line string) string) change {
	return saying(func(_ *stage, m *fakeagent.Message, line []byte) [][]byte {
		if isAnswer(m, method) {
			line = []byte(change(string(line)))
		}
		return [][]byte{line}
	})
}
