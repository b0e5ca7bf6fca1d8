package hostile

import (
	"fmt"
	"strings"

	"github.com/acp-conform/acp-conform/fakeagent"
)

// sessionModes give out odd session ids.
func sessionModes() []Mode {
	ids := func(id func(s *stage, n int) string) func(*stage) error {
		return correct(func(s *stage, b *fakeagent.Behaviour) {
			before := b.SessionID
			b.SessionID = func(a *fakeagent.Agent, n int) string { return id(s, n) + before(a, n) }
		})
	}
	like := func(prefix string) func(*stage) error { return ids(func(*stage, int) string { return prefix }) }
	return []Mode{
		{"session-id-megabyte", "gives out session ids of one mebibyte", ids(func(s *stage, _ int) string { return strings.Repeat("s", s.many(mebibyte)) })},
		{"session-id-control", "gives out session ids with control characters", like("\x00\x07\x1b[2J\r\n\x7f\u0085\u2028")},
		{"session-id-markup", "gives out session ids with markup", like(`<script>alert(1)</script><img src=x onerror=alert(1)>'"&amp;]]>`)},
		{"session-id-dotdot", "gives out session ids that lead out of a directory", like("../../../../../../../../tmp/hostile/../")},
		{"session-id-shell", "gives out session ids with the signs of a shell", like("$(touch hostile.txt);`touch hostile.txt`|&\n*~")},
		{"same-session-id", "gives every session the same id", correct(func(_ *stage, b *fakeagent.Behaviour) {
			b.SessionID = func(*fakeagent.Agent, int) string { return "hostile" }
		})},
		{"nasty-updates", "sends updates full of control codes and markup, under a method of its own as well", correct(inTurn(func(s *stage) {
			s.say(s.chunk(nasty))
			s.say(note(nasty, map[string]any{"sessionId": nasty}))
		}))},
	}
}

// endlessModes never come to an end with something that has one.
func endlessModes() []Mode {
	return []Mode{
		{"endless-turn", "says something in a turn for ever, whether it is cancelled or not", correct(inTurn(func(s *stage) { s.forEver(s.chunk("and ")) }))},
		{"endless-replay", "replays the history of a loaded session for ever", correct(func(s *stage, _ *fakeagent.Behaviour) {
			s.hear = func(m message) bool {
				if m.Method == "session/load" || m.Method == "session/resume" {
					s.session = m.Params.SessionID
					s.forEver(s.chunk("and then "))
				}
				return true
			}
		})},
		{"endless-list", "lists sessions on pages without end, each with a cursor of its own", correct(endlessList)},
		{"message-storm", "says a million messages of one chunk in a turn, each with an id of its own", correct(inTurn(func(s *stage) {
			for i := range s.many(1_000_000) {
				s.say(s.update(map[string]any{"sessionUpdate": "agent_message_chunk", "messageId": fmt.Sprint("m", i), "content": map[string]any{"type": "text", "text": "x"}}))
			}
		}))},
		{"tool-storm", "makes a million tool calls in a turn, and completes each", correct(inTurn(func(s *stage) {
			for i := range s.many(1_000_000) {
				s.say(s.update(map[string]any{"sessionUpdate": "tool_call", "toolCallId": fmt.Sprint("t", i), "title": "hostile", "kind": "other", "status": "completed"}))
			}
		}))},
		{"session-storm", "sends updates for 100,000 sessions that nobody opened", correct(inTurn(func(s *stage) {
			own := s.session
			for i := range s.many(100_000) {
				s.session = fmt.Sprint("unknown-", i)
				s.say(s.chunk("x"))
			}
			s.session = own
		}))},
		{"many-sessions", "lists 100,000 sessions", correct(func(s *stage, b *fakeagent.Behaviour) {
			b.ListResult = func(result fakeagent.Object) any {
				result["sessions"] = rows(s.many(100_000))
				return result
			}
		})},
	}
}

// forEver writes a line without end, until nobody reads it any more.
func (s *stage) forEver(line string) {
	chunk := []byte(strings.Repeat(line, max(1, (64<<10)/len(line))))
	for s.ctx.Err() == nil {
		if _, err := s.Write(chunk); err != nil {
			s.exit(0)
		}
	}
	s.stay()
}

func endlessList(_ *stage, b *fakeagent.Behaviour) {
	page := 0
	b.Cursor = func(any) (int, *fakeagent.Error) { return 0, nil }
	b.ListResult = func(result fakeagent.Object) any {
		page++
		result["sessions"], result["nextCursor"] = rows(100), fmt.Sprint("page-", page)
		return result
	}
}

func rows(n int) []any {
	var all []any
	for i := range n {
		all = append(all, fakeagent.Object{"sessionId": fmt.Sprint("listed-", i), "cwd": "/tmp"})
	}
	return all
}
