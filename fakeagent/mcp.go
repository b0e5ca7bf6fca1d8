package fakeagent

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
)

// server is an MCP server that the agent started for a session.
type server struct {
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	stdout io.ReadCloser
}

// equip gives a session its servers, and remembers them.
func (c *Conn) equip(s *Session, params Object) {
	servers := c.b.Servers(c, s, params)
	c.a.change(s, func() { s.Servers = servers })
	c.b.StartServers(c, s, Object{"mcpServers": servers})
}

// servers are those that the params name; in version 1 a session/resume that names none means those that the session had.
func servers(c *Conn, s *Session, params Object) []any {
	if list, named := params["mcpServers"]; named && list != nil {
		named, _ := list.([]any)
		return named
	}
	if c.speaks(2) {
		return nil
	}
	var had []any
	c.a.update(func() { had = s.Servers })
	return had
}

// startServers connects a session to the stdio servers of its params. A server that does not start is logged: the session
// works without it. See https://agentclientprotocol.com/protocol/v1/session-setup#mcp-servers.
func startServers(c *Conn, s *Session, params Object) {
	c.b.StopServers(c, s)
	list, _ := params["mcpServers"].([]any)
	for _, entry := range list {
		config, _ := entry.(Object)
		if config == nil || config["type"] != nil && config["type"] != "stdio" {
			continue
		}
		if cmd := c.b.ServerCommand(s, config); cmd != nil {
			c.connectServer(s, cmd)
		}
	}
}

// serverCommand passes command, args and env on as they are; env is added to the agent's own environment.
func serverCommand(s *Session, config Object) *exec.Cmd {
	cmd := exec.Command(text(config, "command"))
	list, _ := config["args"].([]any)
	for _, arg := range list {
		cmd.Args = append(cmd.Args, fmt.Sprint(arg))
	}
	cmd.Env = os.Environ()
	list, _ = config["env"].([]any)
	for _, entry := range list {
		if pair, ok := entry.(Object); ok {
			cmd.Env = append(cmd.Env, text(pair, "name")+"="+text(pair, "value"))
		}
	}
	cmd.Dir = s.Cwd
	return cmd
}

func (c *Conn) connectServer(s *Session, cmd *exec.Cmd) {
	sv := &server{cmd: cmd}
	var err error
	if sv.stdin, err = cmd.StdinPipe(); err == nil {
		sv.stdout, err = cmd.StdoutPipe()
	}
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		c.Log("MCP server: " + err.Error())
		return
	}
	c.mu.Lock()
	c.servers[s] = append(c.servers[s], sv)
	c.mu.Unlock()
	c.wg.Add(1)
	go func() {
		defer c.wg.Done()
		sv.talk()
		_ = cmd.Wait()
	}()
}

// talk introduces the agent, asks for the tools, and then only listens. It ends when the server has gone.
func (sv *server) talk() {
	lines := bufio.NewReader(sv.stdout)
	for _, message := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},` +
			`"clientInfo":{"name":"acp-conform-fake-agent","version":"1.0.0"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n" + `{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{}}`,
	} {
		if _, err := io.WriteString(sv.stdin, message+"\n"); err != nil {
			break
		}
		if _, err := lines.ReadString('\n'); err != nil {
			break
		}
	}
	_, _ = io.Copy(io.Discard, lines)
}

// stopServers ends the servers of a session: by the end of their input, and at once.
func stopServers(c *Conn, s *Session) {
	c.mu.Lock()
	servers := c.servers[s]
	delete(c.servers, s)
	c.mu.Unlock()
	for _, sv := range servers {
		sv.end()
	}
}

func (sv *server) end() {
	_ = sv.stdin.Close()
	_ = sv.cmd.Process.Kill()
	_ = sv.stdout.Close() // a child of the server may hold the other end
}

// endServers ends what is left when the connection ends.
func (c *Conn) endServers() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for s, servers := range c.servers {
		delete(c.servers, s)
		for _, sv := range servers {
			sv.end()
		}
	}
}
