package canary

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// The errors of JSON-RPC that the server answers with.
const (
	codeParse          = -32700
	codeInvalidRequest = -32600
	codeMethodNotFound = -32601
	codeInvalidParams  = -32602
)

// latest is the version of MCP that is named to a client that names none.
const latest = "2025-06-18"

// tool is the only tool. It takes nothing, does nothing and can be called as often as anybody likes.
const tool = "sing"

type object = map[string]any

// incoming is a message of the client. An id that is absent is nil, one that is null is not.
type incoming struct {
	ID     json.RawMessage `json:"id"`
	Method *string         `json:"method"`
	Params struct {
		ProtocolVersion string `json:"protocolVersion"`
		Name            string `json:"name"`
	} `json:"params"`
}

// Serve is the server: it reads lines of JSON-RPC as MCP has them over stdio, answers them, and notes what happens in the
// file log, first of all that it was started. It returns when r ends. The error says that it could not write.
func Serve(r io.Reader, w io.Writer, log string) error {
	if err := note(log, kindStart); err != nil {
		return err
	}
	for lines := bufio.NewReader(r); ; {
		line, err := lines.ReadBytes('\n')
		if line = bytes.TrimSpace(line); len(line) > 0 {
			if err := answer(w, line, log); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// answer answers a line, unless it is a notification or the response to something.
func answer(w io.Writer, line []byte, log string) error {
	var m incoming
	if err := json.Unmarshal(line, &m); err != nil {
		return refuse(w, line)
	}
	if m.Method == nil || m.ID == nil {
		return nil
	}
	kind, result, failure := reply(m)
	if kind != "" {
		if err := note(log, kind); err != nil { // before the answer, so that whoever has the answer finds the entry
			return err
		}
	}
	if failure != nil {
		return send(w, m.ID, "error", failure)
	}
	return send(w, m.ID, "result", result)
}

// refuse answers a line that is no message. Params of an unexpected type are the client's mistake, too.
func refuse(w io.Writer, line []byte) error {
	var m struct {
		ID json.RawMessage `json:"id"`
	}
	if !json.Valid(line) {
		return send(w, nil, "error", failed(codeParse, "Parse error"))
	}
	_ = json.Unmarshal(line, &m)
	return send(w, m.ID, "error", failed(codeInvalidRequest, "Invalid request"))
}

// reply gives the kind of entry that a request leaves in the log, if any, and what it is answered with.
func reply(m incoming) (kind string, result, failure object) {
	switch *m.Method {
	case "initialize":
		version := m.Params.ProtocolVersion
		if version == "" {
			version = latest
		}
		return kindInitialize, object{
			"protocolVersion": version,
			"capabilities":    object{"tools": object{}},
			"serverInfo":      object{"name": "acp-conform-canary", "version": "1.0.0"},
		}, nil
	case "ping":
		return "", object{}, nil
	case "tools/list":
		return kindList, object{"tools": []any{object{
			"name":        tool,
			"description": "Does nothing.",
			"inputSchema": object{"type": "object", "properties": object{}},
		}}}, nil
	case "tools/call":
		if m.Params.Name != tool {
			return kindCall, nil, failed(codeInvalidParams, "Unknown tool: "+m.Params.Name)
		}
		return kindCall, object{"content": []any{object{"type": "text", "text": "Tweet."}}}, nil
	}
	return "", nil, failed(codeMethodNotFound, "Method not found: "+*m.Method)
}

func failed(code int, message string) object { return object{"code": code, "message": message} }

// send writes a response in one piece.
func send(w io.Writer, id json.RawMessage, member string, value object) error {
	line, err := json.Marshal(object{"jsonrpc": "2.0", "id": id, member: value})
	if err != nil {
		return err
	}
	_, err = w.Write(append(line, '\n'))
	return err
}
