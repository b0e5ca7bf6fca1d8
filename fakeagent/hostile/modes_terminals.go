package hostile

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
)

// Secret is a variable of the client's environment that no terminal may get.
const Secret = "ACP_CONFORM_HOSTILE_SECRET"

// terminalModes ask for commands that do not end, or do what they must not.
func terminalModes() []Mode {
	opens := func(kind, arg string) func(*stage) error {
		return correct(inTurn(func(s *stage) { s.terminal(kind, arg, nil) }))
	}
	return []Mode{
		{"terminal-stays", "opens a terminal whose command never ends, and forgets it", opens("stay", "")},
		{"terminal-waits", "waits for a terminal whose command never ends", correct(inTurn(func(s *stage) {
			s.ask("terminal/wait_for_exit", s.terminal("stay", "", nil))
		}))},
		{"terminal-prints", "opens a terminal whose command prints for ever, and asks for all of it", correct(inTurn(func(s *stage) {
			t := s.terminal("print", "", map[string]any{"outputByteLimit": uint64(1) << 63})
			for range 5 {
				s.ask("terminal/output", t)
			}
		}))},
		{"terminal-forks", "opens a terminal whose command starts 20 others in sessions of their own, which hold its output", opens("fork", "20")},
		{"terminal-respawns", "opens a terminal whose command and another start each other again when one ends", opens("respawn", "1000")},
		{"terminal-sheds-everything", "opens a terminal whose command leaves a process with another session, an empty environment and another parent", correct(inTurn(func(s *stage) {
			s.ask("terminal/wait_for_exit", s.terminal("shed", "", nil))
		}))},
		{"terminals", "opens 10,000 terminals whose commands never end, and releases none", correct(inTurn(func(s *stage) {
			for range s.many(10_000) {
				s.tryTerminal("stay", "", nil)
			}
		}))},
		{"terminal-secrets", "asks a terminal for its environment, and for a secret of the client in it", correct(inTurn(func(s *stage) {
			t := s.terminal("environment", "", nil)
			s.ask("terminal/wait_for_exit", t)
			if m := s.ask("terminal/output", t); strings.Contains(string(m.Result), Secret) {
				s.gaveIn("a terminal has its secrets")
			}
		}))},
		{"terminal-outside", "opens a terminal in the directory in which the agent was started, and has it write a file there", correct(inTurn(func(s *stage) {
			t, ok := s.tryTerminal("write", "hostile.txt", map[string]any{"cwd": s.home()})
			if !ok {
				return
			}
			s.ask("terminal/wait_for_exit", t)
			if _, err := os.Stat(filepath.Join(s.home(), "hostile.txt")); err == nil {
				s.gaveIn("a terminal wrote outside of the session's directory")
			}
		}))},
		{"terminal-nonsense", "asks for terminals that cannot be, and for ones that are not there", correct(inTurn(func(s *stage) {
			for _, command := range []string{"", "\x00", "/dev/null", s.cwd, strings.Repeat("x", s.many(mebibyte)), "no-such-program"} {
				s.ask("terminal/create", map[string]any{"sessionId": s.session, "command": command})
			}
			for _, method := range []string{"output", "wait_for_exit", "kill", "release"} {
				s.ask("terminal/"+method, map[string]any{"sessionId": s.session, "terminalId": nasty})
			}
		}))},
	}
}

// terminal opens a terminal that runs a child, and gives what names it in later requests.
func (s *stage) terminal(kind, arg string, more map[string]any) map[string]any {
	t, ok := s.tryTerminal(kind, arg, more)
	if !ok {
		s.exit(Unable)
	}
	return t
}

func (s *stage) tryTerminal(kind, arg string, more map[string]any) (map[string]any, bool) {
	words, err := s.childWords(newTask(kind, arg))
	s.need(err)
	params := map[string]any{"sessionId": s.session, "command": words[0], "args": words[1:]}
	for name, v := range more {
		params[name] = v
	}
	m := s.ask("terminal/create", params)
	var created struct{ TerminalID string }
	if json.Unmarshal(m.Result, &created) != nil || created.TerminalID == "" {
		return nil, false
	}
	return map[string]any{"sessionId": s.session, "terminalId": created.TerminalID}, true
}
