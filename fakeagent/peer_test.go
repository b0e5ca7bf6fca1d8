package fakeagent

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"
)

// peer is the client's end of a connection in a test. It is also the agent's writer, and so hears when the agent is quiet.
type peer struct {
	t     *testing.T
	agent *Agent
	in    *os.File // to the agent
	sent  int64
	ids   int
	done  chan error
	stop  context.CancelFunc

	mu    sync.Mutex
	moved *sync.Cond
	out   bytes.Buffer
	all   []string // lines, as they were taken from out
	quiet int64    // bytes that the agent had read when it was quiet for the last time
	over  bool
}

func (p *peer) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.out.Write(b)
}

// Quiet implements Quieter.
func (p *peer) Quiet(read, written int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.quiet = read
	p.moved.Broadcast()
}

func connect(t *testing.T, cfg Config) *peer {
	t.Helper()
	agent, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return serve(t, agent)
}

func serve(t *testing.T, agent *Agent) *peer {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	p := &peer{t: t, agent: agent, in: w, done: make(chan error, 1), stop: stop, quiet: -1}
	p.moved = sync.NewCond(&p.mu)
	go func() {
		err := agent.Serve(ctx, r, p)
		p.mu.Lock()
		p.over = true
		p.moved.Broadcast()
		p.mu.Unlock()
		p.done <- err
		r.Close()
	}()
	t.Cleanup(func() { p.close() })
	return p
}

// settle waits until the agent has nothing left to do, and returns the lines that it wrote since the last time.
func (p *peer) settle() []string {
	p.t.Helper()
	watchdog := time.AfterFunc(20*time.Second, func() { panic("the agent is never quiet") })
	defer watchdog.Stop()
	p.mu.Lock()
	defer p.mu.Unlock()
	for p.quiet != p.sent && !p.over {
		p.moved.Wait()
	}
	text := p.out.String()
	p.out.Reset()
	if text == "" {
		return nil
	}
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	p.all = append(p.all, lines...)
	return lines
}

// raw writes bytes and settles.
func (p *peer) raw(text string) []string {
	p.t.Helper()
	p.write(text)
	return p.settle()
}

func (p *peer) write(text string) {
	n, _ := p.in.WriteString(text)
	p.mu.Lock()
	p.sent += int64(n)
	p.mu.Unlock()
}

// request sends a request and returns all lines up to quiet.
func (p *peer) request(method, params string) []string {
	p.t.Helper()
	p.ids++
	return p.raw(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`+"\n", p.ids, method, params))
}

// call is request and returns the result or error of the response, which must be there.
func (p *peer) call(method, params string) (result, failure Object) {
	p.t.Helper()
	lines := p.request(method, params)
	for _, line := range lines {
		m := object(line)
		if _, isCall := m["method"]; !isCall && fmt.Sprint(m["id"]) == fmt.Sprint(p.ids) {
			result, _ = m["result"].(Object)
			failure, _ = m["error"].(Object)
			return result, failure
		}
	}
	p.t.Fatalf("%s was not answered:\n%s", method, strings.Join(lines, "\n"))
	return nil, nil
}

func (p *peer) notify(method, params string) []string {
	p.t.Helper()
	return p.raw(fmt.Sprintf(`{"jsonrpc":"2.0","method":%q,"params":%s}`+"\n", method, params))
}

// answer answers the open request in the last of the lines.
func (p *peer) answer(lines []string, member, value string) []string {
	p.t.Helper()
	for i := len(lines) - 1; i >= 0; i-- {
		var m map[string]json.RawMessage
		if json.Unmarshal([]byte(lines[i]), &m) == nil && m["id"] != nil && m["method"] != nil {
			return p.raw(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,%q:%s}`+"\n", m["id"], member, value))
		}
	}
	p.t.Fatalf("no request to answer in:\n%s", strings.Join(lines, "\n"))
	return nil
}

const everything = `{"protocolVersion":1,"clientCapabilities":{"fs":{"readTextFile":true,"writeTextFile":true},"terminal":true,` +
	`"elicitation":{"form":{}},"subagents":{},"session":{"notices":{},"compaction":{},"configOptions":{"boolean":{}}}}}`

// open shakes hands and makes a session.
func (p *peer) open(params string) (sessionID string) {
	p.t.Helper()
	p.request("initialize", params)
	result, _ := p.call("session/new", `{"cwd":"/tmp","mcpServers":[]}`)
	return text(result, "sessionId")
}

// prompt sends a prompt of one text block.
func (p *peer) prompt(session, words string) []string {
	p.t.Helper()
	return p.request("session/prompt", promptParams(session, words))
}

func promptParams(session, words string) string {
	return fmt.Sprintf(`{"sessionId":%q,"prompt":[{"type":"text","text":%s}]}`, session, encodeValue(words))
}

// close ends the input and returns what Serve returned.
func (p *peer) close() error {
	p.in.Close()
	select {
	case err := <-p.done:
		p.stop()
		p.done <- err
		return err
	case <-time.After(20 * time.Second):
		panic("Serve does not return")
	}
}

func object(line string) Object {
	v, _ := decode([]byte(line))
	o, _ := v.(Object)
	return o
}

// kinds names the lines: the tag of an update, the method of another call, "result" or "error".
func kinds(lines []string) string {
	var names []string
	for _, line := range lines {
		m := object(line)
		params, _ := m["params"].(Object)
		update, _ := params["update"].(Object)
		switch {
		case update != nil:
			names = append(names, strings.TrimSuffix(text(update, "sessionUpdate")+":"+text(update, "status"), ":"))
		case m["method"] != nil:
			names = append(names, text(m, "method"))
		case m["error"] != nil:
			names = append(names, fmt.Sprint("error ", m["error"].(Object)["code"]))
		default:
			result, _ := m["result"].(Object)
			names = append(names, strings.TrimSuffix("result "+text(result, "stopReason"), " "))
		}
	}
	return strings.Join(names, ", ")
}
