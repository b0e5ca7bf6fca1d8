package fakeagent

import (
	"bytes"
	"encoding/json"
	"io"
	"regexp"
	"unicode/utf8"
)

// Request is a request or notification of the client.
type Request struct {
	ID     json.RawMessage // as it was written; nil for a notification
	Method string
	Params Object // numbers are json.Number
	Array  bool   // the params were not an object
}

func split(buf []byte) (line, rest []byte, ok bool) {
	i := bytes.IndexByte(buf, '\n')
	if i < 0 {
		return nil, buf, false
	}
	return buf[:i], buf[i+1:], true
}

func trim(line []byte) []byte { return bytes.TrimRight(line, "\r") }

// takeLine handles one line, unless a behaviour keeps it back for later.
func (c *Conn) takeLine(line []byte) {
	c.tap(FromClient, line)
	if c.b.Admit(c, line) {
		c.handleLine(line)
	}
}

func (c *Conn) handleLine(line []byte) {
	c.handling.Lock()
	defer c.handling.Unlock()
	line = c.b.Trim(line)
	if len(bytes.TrimSpace(line)) == 0 {
		c.b.Blank(c)
		return
	}
	if !utf8.Valid(line) || !json.Valid(line) {
		c.b.ParseError(c, line)
		return
	}
	switch bytes.TrimSpace(line)[0] {
	case '{':
		var members map[string]json.RawMessage
		_ = json.Unmarshal(line, &members)
		c.handleObject(members)
	case '[':
		var entries []json.RawMessage
		_ = json.Unmarshal(line, &entries)
		c.b.Batch(c, entries)
	default:
		c.b.Scalar(c)
	}
}

// decode reads exactly one JSON value and keeps its numbers as they were written.
func decode(text []byte) (any, error) {
	if !utf8.Valid(text) {
		return nil, &Error{Message: "not UTF-8"}
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, &Error{Message: "more than one value"}
	}
	return v, nil
}

// handleObject tells requests, notifications and responses apart.
func (c *Conn) handleObject(m map[string]json.RawMessage) {
	id, usable := recoverID(m)
	if reason := c.b.CheckEnvelope(m); reason != "" {
		if !usable {
			id = nil
		}
		c.b.InvalidRequest(c, id, reason)
		return
	}
	if _, isCall := m["method"]; !isCall {
		c.deliver(id, m)
		return
	}
	r := &Request{ID: id}
	_ = json.Unmarshal(m["method"], &r.Method)
	params, _ := decode(orNull(m["params"]))
	switch p := params.(type) {
	case Object:
		r.Params = p
	case nil:
		r.Params = Object{}
	default:
		r.Params, r.Array = Object{}, true
	}
	if _, isRequest := m["id"]; isRequest {
		c.request(r)
		return
	}
	r.ID = nil
	c.notification(r)
}

func orNull(raw json.RawMessage) json.RawMessage {
	if raw == nil {
		return json.RawMessage("null")
	}
	return raw
}

var idPattern = regexp.MustCompile(`^(-?[0-9]+|".*"|null)$`)

// recoverID returns the id of a message and whether it is one that a response may carry.
func recoverID(m map[string]json.RawMessage) (json.RawMessage, bool) {
	id, ok := m["id"]
	return id, ok && idPattern.Match(id)
}

// checkEnvelope says what is wrong with the envelope, or "" if nothing is.
func checkEnvelope(m map[string]json.RawMessage) string {
	if string(m["jsonrpc"]) != `"2.0"` {
		return "jsonrpc must be \"2.0\""
	}
	method, isCall := m["method"]
	if _, usable := recoverID(m); isCall && m["id"] != nil && !usable {
		return "id must be a string, an integer or null"
	}
	_, hasResult := m["result"]
	_, hasError := m["error"]
	var name string
	switch {
	case isCall && (json.Unmarshal(method, &name) != nil || string(method) == "null"):
		return "method must be a string"
	case isCall && (hasResult || hasError):
		return "a call has neither result nor error"
	case !isCall && hasResult == hasError:
		return "neither a call nor a response"
	case !isCall && m["id"] == nil:
		return "a response needs an id"
	}
	return ""
}

func invalidRequest(c *Conn, id json.RawMessage, reason string) {
	c.sayError(id, &Error{Code: codeInvalidRequest, Message: "Invalid request: " + reason}, "")
}

func parseError(c *Conn, _ []byte) {
	c.sayError(nil, &Error{Code: codeParseError, Message: "Parse error"}, "")
}

// batch rejects an array as a whole: the protocol has no batches.
func batch(c *Conn, _ []json.RawMessage) {
	c.sayError(nil, &Error{Code: codeInvalidRequest, Message: "Invalid request: batches are not supported"}, "")
}

func scalar(c *Conn) {
	c.sayError(nil, &Error{Code: codeInvalidRequest, Message: "Invalid request: a message is an object"}, "")
}

// deliver hands a response to the goroutine that waits for it.
func (c *Conn) deliver(id json.RawMessage, m map[string]json.RawMessage) {
	var ans answer
	if raw, isError := m["error"]; isError {
		ans.err = &Error{Code: codeInternal, Message: "malformed error"}
		var e struct {
			Code    int    `json:"code"`
			Message string `json:"message"`
		}
		if json.Unmarshal(raw, &e) == nil {
			ans.err = &Error{Code: e.Code, Message: e.Message}
		}
	} else {
		ans.result, _ = decode(m["result"])
	}
	c.mu.Lock()
	w, waited := c.pending[string(id)]
	delete(c.pending, string(id))
	if w != nil {
		c.wakeLocked(w, ans)
	}
	late := c.late[string(id)]
	delete(c.late, string(id))
	c.mu.Unlock()
	if result, ok := ans.result.(Object); ok && late != nil {
		late(result)
	}
	switch {
	case !waited:
		c.b.StrayResponse(c, id)
	case ans.err != nil:
		c.b.ErrorResponse(c, ans.err)
	}
}

func nothing(*Conn)                        {}
func ignoreNotification(*Conn, *Request)   {}
func admit(*Conn, []byte) bool             { return true }
func strayResponse(*Conn, json.RawMessage) {}
func errorResponse(*Conn, *Error)          {}
func unknownCancel(*Conn, string)          {}
