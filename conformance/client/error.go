package client

import (
	"encoding/json"
	"fmt"
)

// Error is a JSON-RPC error object, as it stands in a response.
// See https://agentclientprotocol.com/protocol/v1/overview#error-handling.
type Error struct {
	Code    int             `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data,omitempty"`
}

func (e *Error) Error() string { return fmt.Sprintf("error %d: %s", e.Code, e.Message) }

// The error codes of the protocol, by the names of its schema.
const (
	CodeParse            = -32700
	CodeInvalidRequest   = -32600
	CodeMethodNotFound   = -32601
	CodeInvalidParams    = -32602
	CodeInternal         = -32603
	CodeAuthRequired     = -32000
	CodeNotFound         = -32002
	CodeRequestCancelled = -32800
)
