package client

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/acp-conform/acp-conform/conformance/wire"
)

// patient is for tests with long lines, which take their time under the race detector.
func patient(o *Options) { o.Timeouts.Start, o.Timeouts.Request = 10*time.Minute, 10*time.Minute }

// asksFor is an agent that makes requests of half a mebibyte, one after the other, and then answers.
func asksFor(method string, most int) script {
	n, request := 0, ""
	ask := func() string {
		n++
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":"q%d","method":%q,"params":{"sessionId":"s","text":%q}}`, n, method, strings.Repeat("x", 512<<10))
	}
	return script{on: func(m message) []string {
		if m.Method != "" {
			request = string(m.ID)
		}
		if n < most {
			return []string{ask()}
		}
		return []string{`{"jsonrpc":"2.0","id":` + request + `,"result":{}}`}
	}}
}

// What an agent asked long ago is counted, and no longer kept.
func TestOldRequestsLoseTheirText(t *testing.T) {
	const most = 14
	c, _ := connect(t, asksFor("_x/y", most), patient)
	if a := c.Call("_go", nil); !a.OK() {
		t.Fatal(a)
	}
	all := c.Asked("_x/y")
	if len(all) != most {
		t.Fatalf("%d requests", len(all))
	}
	kept := 0
	for i, a := range all {
		if a.Session != "s" || string(a.ID()) != fmt.Sprintf(`"q%d"`, i+1) {
			t.Errorf("request %d: %s of %q", i, a.ID(), a.Session)
		}
		kept += len(a.Params)
	}
	if kept > keptBytes+1<<20 || kept < keptBytes/2 || len(all[most-1].Params) == 0 {
		t.Errorf("%d bytes are kept", kept)
	}
}

// Long requests that are left open cost memory: there may be only so many, and the rest is left waiting.
func TestOpenRequestsAreLimitedByTheirLength(t *testing.T) {
	const most = 9
	text, all := strings.Repeat("x", 512<<10), []string{}
	for i := range most {
		all = append(all, fmt.Sprintf(`{"jsonrpc":"2.0","id":"q%d","method":"_x/y","params":{"text":%q}}`, i, text))
	}
	c, remarks := connect(t, script{on: func(m message) []string {
		if m.Method != "_go" {
			return nil
		}
		return append(all, `{"jsonrpc":"2.0","id":`+string(m.ID)+`,"result":{}}`)
	}}, patient)
	c.HoldAll("_x/y")
	c.asks.most = 4 << 20
	if a := c.Call("_go", nil); !a.OK() {
		t.Fatal(a)
	}
	asked := c.Asked("_x/y")
	if len(asked) == 0 || len(asked) >= most || !strings.Contains(strings.Join(*remarks, ""), string(wire.LimitRequests)) {
		t.Errorf("%d of %d requests are held; %v", len(asked), most, *remarks)
	}
	for _, a := range asked {
		a.Fail(CodeRequestCancelled, "enough")
	}
	c.asks.mu.Lock()
	defer c.asks.mu.Unlock()
	if c.asks.open != 0 || c.asks.bytes > keptBytes {
		t.Errorf("%d bytes are open and %d kept when all are answered", c.asks.open, c.asks.bytes)
	}
}
