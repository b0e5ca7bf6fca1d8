package hostile

import (
	"os"
	"os/exec"
)

// processModes start processes, or meddle with those that there are.
func processModes() []Mode {
	bare := func(*exec.Cmd) {}
	holding := func(cmd *exec.Cmd) { cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr }
	apart := func(cmd *exec.Cmd) { holding(cmd); detach(cmd) }
	leaves := func(prepare func(*exec.Cmd), kind, arg string) func(*stage) error {
		return correct(afterInitialize(func(s *stage) { s.need(s.child(prepare, newTask(kind, arg))) }))
	}
	return []Mode{
		{"child-stays", "leaves a child in its own process group", leaves(bare, "stay", "")},
		{"child-holds-stdout", "leaves a child in its own process group that holds stdout and stderr", leaves(holding, "stay", "")},
		{"child-leaves-group", "leaves a child in a session of its own", leaves(detach, "stay", "")},
		{"child-leaves-group-with-stdout", "leaves a child in a session of its own that holds stdout and stderr", leaves(apart, "stay", "")},
		{"child-prints", "leaves a child in a session of its own that prints to stdout for ever", leaves(apart, "print", "")},
		{"child-respawns", "leaves two children in sessions of their own that start each other again when one ends", leaves(apart, "respawn", "1000")},
		{"child-sheds-everything", "leaves a process with another session, an empty environment and another parent", correct(afterInitialize((*stage).shed))},
		{"children", "starts 600 children in a turn, each in a session of its own, and is silent then", correct(inTurn(func(s *stage) {
			for range s.many(600) {
				s.need(s.child(apart, newTask("stay", "")))
			}
			silence(s)
		}))},
		{"zombies", "starts 600 children that end at once, and waits for none", correct(inTurn(func(s *stage) {
			for range s.many(600) {
				s.need(s.child(bare, task{kind: "stay"}))
			}
		}))},
		{"hands-over", "starts the correct agent in a session of its own, gives it the pipes and exits with status 0", func(s *stage) error {
			s.need(s.child(func(cmd *exec.Cmd) { apart(cmd); cmd.Stdin = s.stdin }, newTask("serve", "")))
			return nil
		}},
		{"aborts-the-suite", "sends SIGABRT to the process that started it, in a turn", correct(inTurn(func(s *stage) { s.need(abort(os.Getppid())) }))},
		{"signals-the-suite", "sends SIGTERM to the process that started it, in a turn", correct(inTurn(func(s *stage) { s.need(terminate(os.Getppid())) }))},
	}
}

// child starts a process. The stage does not wait for it.
func (s *stage) child(prepare func(*exec.Cmd), t task) error {
	words, err := s.childWords(t)
	if err != nil {
		return err
	}
	cmd := exec.Command(words[0], words[1:]...)
	prepare(cmd)
	return cmd.Start()
}

// shed leaves a process that nothing connects with the agent, and waits for the one that starts it.
func (s *stage) shed() {
	words, err := s.childWords(newTask("shed", ""))
	s.need(err)
	s.need(exec.Command(words[0], words[1:]...).Run())
}

// childWords is the command line of a child.
func (s *stage) childWords(t task) ([]string, error) {
	if len(s.Child) == 0 {
		return nil, errNoChild
	}
	return append(append([]string{}, s.Child...), t.String()), nil
}
