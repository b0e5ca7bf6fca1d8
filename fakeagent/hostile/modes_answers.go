package hostile

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"strings"

	"github.com/acp-conform/acp-conform/fakeagent"
)

// answerModes answer otherwise than they are asked.
func answerModes() []Mode {
	return []Mode{
		{"answers-twice", "answers every request twice", correct(answering("", func(line string) string { return line + line }))},
		{"answers-1000-times", "answers session/new a thousand times", correct(answering("session/new", func(line string) string {
			return strings.Repeat(line, 1000)
		}))},
		{"foreign-ids", "answers every request under the id of the next one", correct(rewriting(func(m *fakeagent.Message) { m.ID = shifted(m.ID) }))},
		{"swapped-results", "answers session/new with the result of a prompt, and a prompt with that of session/new", correct(rewriting(func(m *fakeagent.Message) {
			switch m.Answers {
			case "session/new":
				m.Result = fakeagent.Object{"stopReason": "end_turn"}
			case "session/prompt":
				m.Result = fakeagent.Object{"sessionId": "hostile"}
			}
		}))},
		{"answers-with-the-one-before", "answers each request with the answer to the one before it", correct(late())},
		{"answers-in-advance", "answers a thousand requests before they are made, and says nothing then", func(s *stage) error {
			s.say(line(map[string]any{"jsonrpc": "2.0", "id": 1, "result": map[string]any{"protocolVersion": 1}}))
			for i := 2; i <= 1000; i++ {
				s.say(line(map[string]any{"jsonrpc": "2.0", "id": i, "result": map[string]any{}}))
			}
			s.linger()
			return nil
		}},
		{"answers-before-requests", "answers the request that comes next before it comes, and then again", correct(inAdvance)},
		{"answers-for-ever", "answers a million requests that nobody made", correct(inTurn(func(s *stage) {
			for i := range s.many(1_000_000) {
				s.say(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{}}`+"\n", 1_000_000+i))
			}
		}))},
		{"echo", "writes back every line that it reads", func(s *stage) error {
			_, err := io.Copy(s.stdout, s.stdin)
			return err
		}},
		{"giant-error", "refuses unknown requests with an error of 8 MiB", correct(rewriting(func(m *fakeagent.Message) {
			if m.Err != nil {
				m.Err.Message += " " + strings.Repeat("x", 4*mebibyte)
				m.Err.Data = strings.Repeat("y", 4*mebibyte)
			}
		}))},
		{"giant-answers", "answers every request with 6 MiB more than it has to say", correct(rewriting(func(m *fakeagent.Message) {
			if result, ok := m.Result.(fakeagent.Object); ok { // at any scale: shorter ones cost nobody anything
				result = maps.Clone(result)
				result["_meta"] = fakeagent.Object{"x": strings.Repeat("z", 6*mebibyte)}
				m.Result = result
			}
		}))},
		{"answers-with-errors", "refuses every request with an error that is full of control codes and markup", correct(rewriting(func(m *fakeagent.Message) {
			m.Result, m.Err = nil, &fakeagent.Error{Code: -32603, Message: nasty, Data: nasty}
		}))},
	}
}

// nasty is a text that wants to be more than text wherever it is shown.
const nasty = "\x1b[2J\x1b]0;hostile\x07\r\n<script>alert(1)</script>'\"&amp;<!--]]>::error::hostile%0A|`$(id)`\n````\n</details><script>alert(1)</script>\n\u202e\u0000../../../../etc/passwd"

// rewriting changes answers before they are written.
func rewriting(change func(*fakeagent.Message)) change {
	return func(_ *stage, b *fakeagent.Behaviour) {
		before := b.Envelope
		b.Envelope = func(m *fakeagent.Message) []fakeagent.Member {
			if !isAnswer(m, "") {
				return before(m)
			}
			other := *m
			change(&other)
			return before(&other)
		}
	}
}

// shifted is the number behind an id.
func shifted(id any) any {
	raw, _ := id.(json.RawMessage)
	var n int
	if json.Unmarshal(raw, &n) != nil {
		return id
	}
	return n + 1
}

// late answers with what should have been answered to the request before; the first one is answered with nothing.
func late() change {
	var last any = fakeagent.Object{}
	return rewriting(func(m *fakeagent.Message) {
		if m.Err == nil {
			last, m.Result = m.Result, last
		}
	})
}

// inAdvance answers each request of ours with an empty result as soon as the one before it has come.
func inAdvance(s *stage, _ *fakeagent.Behaviour) {
	s.hear = func(m message) bool {
		var n int
		if m.Method != "" && json.Unmarshal(m.ID, &n) == nil {
			s.say(line(map[string]any{"jsonrpc": "2.0", "id": n + 1, "result": map[string]any{}}))
		}
		return true
	}
}
