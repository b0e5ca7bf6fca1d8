package fakeagent

import (
	"os"
	"os/exec"
	"slices"
)

func onServer(change func(cmd *exec.Cmd) *exec.Cmd) func(*Behaviour) {
	return func(b *Behaviour) {
		before := b.ServerCommand
		b.ServerCommand = func(s *Session, config Object) *exec.Cmd { return change(before(s, config)) }
	}
}

// mcpFaults are about the MCP servers that a client names.
func mcpFaults() []Fault {
	return []Fault{
		{Name: "mcp-not-connected", Description: "does not start MCP servers", Break: onServer(func(*exec.Cmd) *exec.Cmd { return nil })},
		{Name: "mcp-args-lost", Description: "starts MCP servers without their arguments", Break: onServer(func(cmd *exec.Cmd) *exec.Cmd {
			cmd.Args = cmd.Args[:1]
			return cmd
		})},
		{Name: "mcp-args-reordered", Description: "starts MCP servers with their arguments in reverse order", Break: onServer(func(cmd *exec.Cmd) *exec.Cmd {
			slices.Reverse(cmd.Args[1:])
			return cmd
		})},
		{Name: "mcp-env-lost", Description: "starts MCP servers without their environment", Break: onServer(func(cmd *exec.Cmd) *exec.Cmd {
			cmd.Env = os.Environ()
			return cmd
		})},
		{Name: "mcp-runs-after-close", Description: "lets the MCP servers of a closed session run on",
			Break: func(b *Behaviour) { b.StopServers = func(*Conn, *Session) {} }},
		{Name: "mcp-http-accepted", Description: "accepts an MCP server over HTTP, which it did not advertise, and drops it",
			Break: func(b *Behaviour) { b.CheckTransport = func(string) *Error { return nil } }},
	}
}
