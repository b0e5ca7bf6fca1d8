// Package canary is an MCP server that does nothing but say that it was started.
//
// A session that names it as one of its servers shows when an agent brings that session into memory: the agent then has to
// start it, and it leaves a line in a file that the suite reads. Asking for the status of the session must not.
package canary

import "path/filepath"

// Command is the word after which this program is the server, and Variable the environment variable that names the file
// in place of the flag --log.
const (
	Command  = "mcp-canary"
	Variable = "ACP_CONFORM_CANARY"
)

// Server is the canary as an entry of mcpServers in version 1 of the protocol. The words of self start it, such as acp-conform
// mcp-canary, the first one by its absolute path; log is the file that it writes to. See
// https://agentclientprotocol.com/protocol/v1/session-setup#mcp-servers.
func Server(self []string, log string) map[string]any {
	args := []any{}
	for _, word := range self[1:] {
		args = append(args, word)
	}
	return map[string]any{
		"name":    "canary",
		"command": self[0],
		"args":    append(args, "--log", absolute(log)),
		"env":     []any{},
	}
}

// Server2 is the canary as an entry of mcpServers in version 2, where an entry names its transport.
func Server2(self []string, log string) map[string]any {
	entry := Server(self, log)
	entry["type"] = "stdio"
	return entry
}

// absolute makes a path mean the same file in the working directory of the agent.
func absolute(path string) string {
	if whole, err := filepath.Abs(path); err == nil {
		return whole
	}
	return path
}
