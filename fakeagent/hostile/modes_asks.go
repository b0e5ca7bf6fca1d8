package hostile

import (
	"fmt"
	"strings"

	"github.com/acp-conform/acp-conform/fakeagent"
)

// askModes ask the client more than it can answer.
func askModes() []Mode {
	const method = "_hostile/ask"
	request := func(id string) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"%s","params":{}}`+"\n", id, method)
	}
	return []Mode{
		{"asks-a-million", "makes a million requests in a turn, a hundred at a time, and reads the answers", correct(inTurn(func(s *stage) {
			s.askMany(s.many(1_000_000), 100, request)
		}))},
		{"asks-at-once", "makes two thousand requests in a turn before it reads the first answer", correct(inTurn(func(s *stage) {
			s.askMany(2000, 2000, request)
		}))},
		{"asks-at-length", "makes a hundred requests of a mebibyte in a turn before it reads the first answer", correct(inTurn(func(s *stage) {
			text := strings.Repeat("x", mebibyte) // at any scale, as they are counted by their bytes
			s.askMany(100, 100, func(id string) string {
				return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"_hostile/long","params":{"x":"%s"}}`+"\n", id, text)
			})
		}))},
		{"asks-without-reading", "makes a million requests in a turn, and reads nothing any more", correct(inTurn(func(s *stage) {
			for i := range s.many(1_000_000) {
				s.say(request(itoa(i)))
			}
			s.stay()
		}))},
		{"asks-under-one-id", "makes ten thousand requests under one id in a turn", correct(inTurn(func(s *stage) {
			s.repeat(s, request(`"hostile"`), s.many(10_000))
		}))},
		{"giant-ids", "makes requests whose ids are one mebibyte long", correct(inTurn(func(s *stage) {
			for i := range 3 {
				s.say(request(`"` + itoa(i) + strings.Repeat("i", s.many(mebibyte)) + `"`))
			}
		}))},
		{"permission-storm", "asks for a thousand permissions at once", correct(inTurn(func(s *stage) {
			for range s.many(1000) {
				s.post("session/request_permission", map[string]any{"sessionId": s.session, "toolCall": map[string]any{"toolCallId": "hostile"},
					"options": []any{map[string]any{"optionId": "yes", "name": nasty, "kind": "allow_always"}}})
			}
		}))},
		{"ping-pong", "makes a new request whenever one is answered, for ever", correct(func(s *stage, _ *fakeagent.Behaviour) {
			s.hear = func(m message) bool {
				switch {
				case m.Method == "session/new":
					s.post(method, map[string]any{})
				case m.Method == "" && strings.HasPrefix(string(m.ID), `"hostile-`):
					s.post(method, map[string]any{})
					return false
				}
				return true
			}
		})},
		{"takes-back-ours", "takes back the client's own requests by $/cancel_request as soon as they come", correct(func(s *stage, _ *fakeagent.Behaviour) {
			s.hear = func(m message) bool {
				if m.Method != "" && m.ID != nil {
					s.say(note("$/cancel_request", map[string]any{"requestId": m.ID}))
				}
				return true
			}
		})},
		{"notifies-a-million", "sends a million notifications of its own in a turn", correct(inTurn(func(s *stage) {
			s.repeat(s, note("_hostile/note", map[string]any{}), s.many(1_000_000))
		}))},
		{"giant-method", "sends a notification whose method is one mebibyte of markup and control codes", correct(inTurn(func(s *stage) {
			s.say(note(strings.Repeat(nasty, s.many(mebibyte)/len(nasty)+1), map[string]any{}))
		}))},
		{"asks-as-a-client", "asks the client what only a client may ask", correct(inTurn(func(s *stage) {
			for _, m := range []string{"initialize", "session/new", "session/prompt"} {
				s.post(m, map[string]any{})
			}
		}))},
	}
}

// askMany makes requests, at most so many of them open at a time, and reads the answers.
func (s *stage) askMany(total, open int, request func(id string) string) {
	for made, answered := 0, 0; answered < total; {
		for ; made < total && made-answered < open; made++ {
			s.say(request(fmt.Sprintf(`"hostile-%d"`, made)))
		}
		line, err := s.lines.ReadBytes('\n')
		if err != nil {
			s.exit(0)
		}
		if m := s.read(line); m.Method == "" && strings.HasPrefix(string(m.ID), `"hostile-`) {
			answered++
			continue
		}
		s.held = append(s.held, line)
	}
}
