package rules

import (
	"bytes"
	"strings"
	"testing"

	"github.com/acp-conform/acp-conform/conformance/result"
	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/fakeagent"
)

// Silence behind a question proves something only where the agent is heard otherwise, and the evidence says so.
func TestQuietWindowsHaveAPositiveControl(t *testing.T) {
	silent := func(b *fakeagent.Behaviour) {
		frame := b.Frame
		b.Frame = func(c *fakeagent.Conn, m *fakeagent.Message, line []byte) [][]byte {
			if bytes.Contains(line, []byte(`"session/update"`)) {
				return nil
			}
			return frame(c, m, line)
		}
	}
	for _, r := range []rule.Rule{statusNoAttach, statusNoUpdateEmitted, statusNoAgentRequest} {
		fault := "status-announces-info"
		if r.ID == statusNoAgentRequest.ID {
			fault = "status-asks-permission"
		}
		for _, c := range []struct {
			what    string
			agent   tried
			verdict result.Verdict
			says    string
		}{
			{"an agent that is heard", tried{}, result.Pass, "the positive control fired"},
			{"an agent that is never heard", tried{change: silent}, result.NotObserved, "the positive control did not fire"},
			{"an agent that is heard because it was asked", tried{config: fakeagent.Config{Faults: []string{fault}}}, result.Fail, "the positive control was not needed"},
		} {
			t.Run(r.ID+", "+c.what, func(t *testing.T) {
				t.Parallel()
				o := c.agent.judged(t, r)
				said := o.Reason
				for _, e := range o.Evidence {
					if !strings.HasPrefix(e.Oracle, "O1 ") || e.Control == "" {
						t.Errorf("no oracle or control: %+v", e)
					}
					said += e.Control
				}
				if o.Verdict != c.verdict || !strings.Contains(said, c.says) {
					t.Errorf("%s %s", o.Verdict, said)
				}
			})
		}
	}
}
