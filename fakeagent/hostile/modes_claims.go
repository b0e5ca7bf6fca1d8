package hostile

import (
	"fmt"
	"strings"

	"github.com/acp-conform/acp-conform/fakeagent"
)

// claimModes say something about themselves that is not so, or too much of it.
func claimModes() []Mode {
	result := func(change func(*stage, fakeagent.Object)) func(*stage) error {
		return correct(func(s *stage, b *fakeagent.Behaviour) {
			before := b.InitializeResult
			b.InitializeResult = func(c *fakeagent.Conn, version int) any {
				r, _ := before(c, version).(fakeagent.Object)
				change(s, r)
				return r
			}
		})
	}
	return []Mode{
		{"claims-everything", "claims every capability and serves none of them", correct(claimEverything)},
		{"claims-nonsense", "claims 100,000 capabilities that nobody knows", result(func(s *stage, r fakeagent.Object) {
			caps, _ := r["agentCapabilities"].(fakeagent.Object)
			meta, _ := caps["_meta"].(fakeagent.Object)
			many := fakeagent.Object{}
			for i := range s.many(100_000) {
				many[fmt.Sprintf("capability%d", i)] = true
			}
			if meta == nil {
				meta = fakeagent.Object{}
				caps["_meta"] = meta
			}
			meta["hostile"] = many
		})},
		{"giant-info", "calls itself by a name of 8 MiB", result(func(s *stage, r fakeagent.Object) {
			r["agentInfo"] = fakeagent.Object{"name": strings.Repeat("n", s.many(8*mebibyte)), "version": "1"}
		})},
		{"nasty-info", "calls itself by a name of control codes and markup", result(func(_ *stage, r fakeagent.Object) {
			r["agentInfo"] = fakeagent.Object{"name": nasty, "title": nasty, "version": nasty}
		})},
		{"changes-version", "answers initialize with version 1, and right after with version 2", correct(answering("initialize", func(line string) string {
			return line + strings.Replace(line, `"protocolVersion":1`, `"protocolVersion":2`, 1)
		}))},
		{"speaks-another-version", "agrees on version 1 and reports states as in version 2", correct(inTurn(func(s *stage) {
			s.say(s.update(map[string]any{"sessionUpdate": "state_update", "state": "running"}))
		}))},
		{"version-of-the-future", "answers initialize with version 65534", correct(answering("initialize", func(line string) string {
			return strings.Replace(line, `"protocolVersion":1`, `"protocolVersion":65534`, 1)
		}))},
		{"no-version", "answers initialize with a protocol version of one mebibyte", correct(answering("initialize", func(line string) string {
			return strings.Replace(line, `"protocolVersion":1`, `"protocolVersion":"`+strings.Repeat("1", mebibyte)+`"`, 1)
		}))},
	}
}

// claimEverything advertises what the correct agent serves and refuses to serve it.
func claimEverything(_ *stage, b *fakeagent.Behaviour) {
	before := b.Serves
	b.Serves = func(c *fakeagent.Conn, method, capability string) bool {
		return capability == "" && before(c, method, capability)
	}
}
