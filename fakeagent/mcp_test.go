package fakeagent

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"os"
	"slices"
	"strings"
	"testing"
)

// TestMain lets the test binary be an MCP server, too.
func TestMain(m *testing.M) {
	address := os.Getenv("FAKEAGENT_MCP_SERVER")
	for _, arg := range os.Args {
		if after, ok := strings.CutPrefix(arg, "server="); ok {
			address = after
		}
	}
	if address != "" {
		os.Exit(beServer(address))
	}
	const shm = "/dev/shm" // the scripts write many small files
	if probe, err := os.MkdirTemp(shm, "fakeagent-"); err == nil && os.Remove(probe) == nil {
		_ = os.Setenv("TMPDIR", shm)
	}
	os.Exit(m.Run())
}

// beServer answers initialize and tools/list and then reports how it was started. It holds the connection while it lives.
func beServer(address string) int {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return 1
	}
	lines := bufio.NewScanner(os.Stdin)
	for id := 1; lines.Scan(); {
		if strings.Contains(lines.Text(), `"id"`) {
			fmt.Printf(`{"jsonrpc":"2.0","id":%d,"result":{}}`+"\n", id)
			id++
		}
		if strings.Contains(lines.Text(), "tools/list") {
			fmt.Fprintf(conn, "%s env=%t\n", strings.Join(slices.DeleteFunc(os.Args[1:], func(arg string) bool {
				return strings.HasPrefix(arg, "server=")
			}), " "), os.Getenv("FAKEAGENT_MCP_SERVER") != "")
		}
	}
	return 0
}

func TestServers(t *testing.T) {
	for _, test := range []struct{ fault, want string }{
		{"", "first second env=true"},
		{"mcp-args-lost", "env=true"},
		{"mcp-args-reordered", "second first env=true"},
		{"mcp-env-lost", "first second env=false"},
		{"mcp-runs-after-close", "first second env=true"},
	} {
		t.Run(test.fault, func(t *testing.T) {
			listener, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			defer listener.Close()
			var cfg Config
			if test.fault != "" {
				cfg.Faults = []string{test.fault}
			}
			p := connect(t, cfg)
			p.request("initialize", everything)
			address := listener.Addr().String()
			result, e := p.call("session/new", fmt.Sprintf(`{"cwd":%q,"mcpServers":[{"name":"m","command":%q,`+
				`"args":["first","server=%s","second"],"env":[{"name":"FAKEAGENT_MCP_SERVER","value":%q}]},`+
				`{"name":"none","command":"/nonexistent","args":[],"env":[]}]}`, t.TempDir(), os.Args[0], address, address))
			if e != nil {
				t.Fatal(e)
			}
			conn, err := listener.Accept()
			if err != nil {
				t.Fatal(err)
			}
			report := bufio.NewReader(conn)
			if got, _ := report.ReadString('\n'); strings.TrimSpace(got) != test.want {
				t.Errorf("the server was started with %q, want %q", got, test.want)
			}
			p.call("session/close", fmt.Sprintf(`{"sessionId":%q}`, text(result, "sessionId")))
			if test.fault == "mcp-runs-after-close" {
				p.close()
			}
			if rest, err := io.ReadAll(report); len(rest) > 0 {
				t.Errorf("the server went on: %q, %v", rest, err)
			}
		})
	}
}

func TestServerNotStarted(t *testing.T) {
	agent, err := New(Config{Faults: []string{"mcp-not-connected"}})
	if err != nil {
		t.Fatal(err)
	}
	if cmd := agent.Behaviour.ServerCommand(&Session{}, Object{"command": "true"}); cmd != nil {
		t.Errorf("starts %v", cmd)
	}
}
