package engine

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	. "github.com/onsi/gomega"

	"github.com/acp-conform/acp-conform/conformance/client"
	"github.com/acp-conform/acp-conform/conformance/rule"
	"github.com/acp-conform/acp-conform/conformance/wire"
)

// hoarder keeps its sessions and answers each session/new twice, with another id each time; deletes are answered as delete says.
func hoarder(deletes *atomic.Int64, sessions *atomic.Int64, delete string) wire.Launcher {
	return wire.InProcess(func(_ context.Context, r io.Reader, w io.Writer) error {
		for lines := bufio.NewScanner(r); lines.Scan(); {
			e := wire.Inspect(lines.Bytes())
			say := func(member string) { _, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,%s}`+"\n", e.ID, member) }
			switch e.Name {
			case "initialize":
				say(`"result":{"protocolVersion":1,"agentInfo":{"name":"hoarder","version":"1"},"agentCapabilities":{"loadSession":true,"sessionCapabilities":{"delete":{}}}}`)
			case "session/new":
				say(fmt.Sprintf(`"result":{"sessionId":"real-%d"}`, sessions.Add(1)))
				say(fmt.Sprintf(`"result":{"sessionId":"invented-%d"}`, sessions.Load()))
			case "session/prompt":
				say(`"result":{"stopReason":"end_turn"}`)
			case "session/delete":
				if deletes.Add(1); delete != "" {
					say(delete)
				}
			default:
				say(`"error":{"code":-32601,"message":"no"}`)
			}
		}
		return nil
	})
}

// Sessions are deleted that the agent opened for us, one for each request, and nobody waits more than once for one that does not answer.
func TestSessionsAreDeletedWithoutWaitingForEach(t *testing.T) {
	opens := acting("a.opens", func(c *rule.Case) {
		for range 5 {
			c.NewSession()
		}
		c.Expect(1).To(Equal(1))
	})
	for answer, all := range map[string]bool{`"result":{}`: true, `"error":{"code":-32603,"message":"no"}`: true, "": false} {
		var deletes, sessions atomic.Int64
		patience := time.Minute
		if !all {
			patience = 2 * time.Second
		}
		r := runRules(t, nil, func(c *Config) {
			c.Launch, c.Process, c.Timeouts = hoarder(&deletes, &sessions, answer), true, client.Timeouts{Request: patience, Window: time.Millisecond}
		}, opens)
		left := 0
		if !strings.Contains(answer, "result") {
			left = int(sessions.Load())
		}
		asked := int64(1)
		if all {
			asked = sessions.Load()
		}
		if r.LeftBehind != left || deletes.Load() != asked || sessions.Load() < 6 {
			t.Errorf("%q: %d of %d sessions are left behind, and %d were to be deleted", answer, r.LeftBehind, sessions.Load(), deletes.Load())
		}
	}
}
