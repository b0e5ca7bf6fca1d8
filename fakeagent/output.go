package fakeagent

import (
	"bytes"
	"encoding/json"
	"io"
	"sort"
	"sync"
	"sync/atomic"
)

// Object is a JSON object as the agent writes it. Its keys are written in alphabetical order.
type Object = map[string]any

// Error is the error of a response. See https://agentclientprotocol.com/protocol/v1/overview#error-handling.
type Error struct {
	Code    int
	Message string
	Data    any // left out when nil
}

func (e *Error) Error() string { return e.Message }

// The error codes of the protocol.
const (
	codeParseError     = -32700
	codeInvalidRequest = -32600
	codeMethodNotFound = -32601
	codeInvalidParams  = -32602
	codeInternal       = -32603
	codeCancelled      = -32800
	codeAuthRequired   = -32000
	codeNotFound       = -32002
	codeNoVersion      = -32022
)

// silence in place of an error means that a request is not answered; no correct behaviour returns it.
var silence = &Error{Message: "no answer"}

// Message is one message on its way out. Exactly one of Method, Result and Err is set in a correct one.
type Message struct {
	ID      any    // a json.RawMessage for answers; nil for a notification
	Method  string // of a request or notification
	Params  any
	Result  any
	Err     *Error
	Answers string // the method of the request that this answers
}

// Member is one member of an envelope, in the order in which it is written.
type Member struct {
	Key   string
	Value any
}

func envelope(m *Message) []Member {
	members := []Member{{"jsonrpc", "2.0"}}
	if m.ID != nil {
		members = append(members, Member{"id", m.ID})
	}
	if m.Method != "" {
		return append(members, Member{"method", m.Method}, Member{"params", m.Params})
	}
	if m.Err == nil {
		return append(members, Member{"result", m.Result})
	}
	e := Object{"code": m.Err.Code, "message": m.Err.Message}
	if m.Err.Data != nil {
		e["data"] = m.Err.Data
	}
	return append(members, Member{"error", e})
}

func encode(members []Member) []byte {
	var line bytes.Buffer
	line.WriteByte('{')
	for i, m := range members {
		if i > 0 {
			line.WriteByte(',')
		}
		line.Write(encodeValue(m.Key))
		line.WriteByte(':')
		line.Write(encodeValue(m.Value))
	}
	line.WriteByte('}')
	return line.Bytes()
}

// encodeValue writes a value that this package made, so it cannot fail.
func encodeValue(v any) []byte {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(v)
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n"))
}

func frame(_ *Conn, _ *Message, line []byte) [][]byte {
	return [][]byte{append(line, '\n')}
}

// output is the outgoing half of a connection.
type output struct {
	mu           sync.Mutex
	written      atomic.Int64
	unterminated bool // the last byte written was not a line feed
	tapped       []byte
}

// Send writes one message through the three seams of the wire: envelope, encoding, framing.
func (c *Conn) Send(m *Message) {
	c.output.mu.Lock()
	defer c.output.mu.Unlock()
	line := c.b.Encode(c.b.Envelope(m))
	for _, piece := range c.b.Frame(c, m, line) {
		c.write(piece)
	}
}

// WriteRaw writes bytes that are no message.
func (c *Conn) WriteRaw(b []byte) {
	c.output.mu.Lock()
	defer c.output.mu.Unlock()
	c.write(b)
}

// write needs output.mu. An error means that the client has gone; its end of the input says so too.
func (c *Conn) write(b []byte) {
	if len(b) == 0 || c.exitError() != nil {
		return
	}
	c.tapOut(b)
	n, _ := c.out.Write(b)
	c.output.written.Add(int64(n))
	c.output.unterminated = b[len(b)-1] != '\n'
}

// terminateLine writes a line feed that was withheld, now that more input has come.
func (c *Conn) terminateLine() {
	c.output.mu.Lock()
	defer c.output.mu.Unlock()
	if c.output.unterminated {
		c.write([]byte("\n"))
	}
}

func (c *Conn) tapOut(b []byte) {
	if c.a.cfg.OnLine == nil {
		return
	}
	c.output.tapped = append(c.output.tapped, b...)
	for {
		i := bytes.IndexByte(c.output.tapped, '\n')
		if i < 0 {
			return
		}
		c.tap(FromAgent, c.output.tapped[:i])
		c.output.tapped = append([]byte(nil), c.output.tapped[i+1:]...)
	}
}

func (c *Conn) tap(dir Direction, line []byte) {
	if c.a.cfg.OnLine == nil {
		return
	}
	c.tapMu.Lock()
	defer c.tapMu.Unlock()
	c.a.cfg.OnLine(dir, line)
}

func (c *Conn) sayResult(id json.RawMessage, result any, answers string) {
	c.Send(&Message{ID: id, Result: result, Answers: answers})
}

// sayError answers with an error; a nil id is written as null.
func (c *Conn) sayError(id json.RawMessage, e *Error, answers string) {
	if id == nil {
		id = json.RawMessage("null")
	}
	c.Send(&Message{ID: id, Err: e, Answers: answers})
}

// closeOutput closes the writer, if it can be closed; only a fault does this.
func (c *Conn) closeOutput() {
	c.output.mu.Lock()
	defer c.output.mu.Unlock()
	if closer, ok := c.out.(io.Closer); ok {
		_ = closer.Close()
	}
}

func sortedKeys(o Object) []string {
	keys := make([]string, 0, len(o))
	for k := range o {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}
